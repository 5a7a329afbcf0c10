public import GitHubAPI
public import HTTPTargets

/// Operations on the fields that an organization defines, identified by their names.
extension IssueWriter {
  /// Sets fields of an issue, and leaves its other fields unchanged. This requires write access.
  ///
  /// - Parameters:
  ///   - fields: The values by field name, as typed by a user: a number, a date such as `2026-12-31`, the name of an
  ///     option, or several names separated by commas.
  ///   - number: The issue.
  /// - Returns: The issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``. For an unknown field, or a value that the field doesn't accept, it throws
  ///   before anything is written.
  public func setFields(
    _ fields: [String: String], of number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let values = try await issueFields().values(fields)
    let _: [GitHub.IssueFieldValue] = try await provider.entity(
      .setFields(repositoryFullName: "\(repository)", number: number, values: values))
    let present = try await issue(number)
    let dropped: [DroppedChange] = values.compactMap { wanted in
      let kept = present.entity.fieldValues.first { $0.fieldID == wanted.fieldID }
      // Servers may omit the fields from the issue.
      guard let kept, let content = kept.content, "\(content)" != "\(wanted.content)" else {
        return nil
      }
      return DroppedChange(field: .fields, asked: ["\(wanted.content)"], taken: ["\(content)"])
    }
    return Written(present, dropped: dropped)
  }

  /// Clears fields of an issue, with one request for each. Clearing a field without a value isn't an error.
  ///
  /// - Returns: The issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``. Some fields may have been cleared before the error.
  public func clearFields(
    _ names: [String], of number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    for id in try await issueFields().ids(names) {
      do throws(NetworkError) {
        try await carryOut(
          .clearField(repositoryFullName: "\(repository)", number: number, fieldID: id))
      } catch {
        guard error.response?.status == .notFound else { throw error }
        // The field doesn't have a value, or the token lacks write access.
        let present = try await issue(number)
        guard !present.entity.fieldValues.contains(where: { $0.fieldID == id }) else { throw error }
      }
    }
    return Written(try await issue(number), dropped: [])
  }

  /// The fields of the repository's owner.
  package func issueFields() async throws(NetworkError) -> IssueFields {
    do throws(NetworkError) {
      var fields: [GitHub.IssueField] = []
      let pages = PagedListing<GitHub.IssueField>(
        provider: provider, first: .issueFields(organization: repository.owner), maximumPages: 10)
      for try await page in pages { fields += page.items }
      return IssueFields(fields: fields, owner: repository.owner)
    } catch {
      var error = error.ofNothingWritten
      if error.response?.status == .notFound {
        error.message +=
          "; \(repository.owner) may have no issue fields: organizations have them, on servers that know them"
      }
      throw error
    }
  }
}

/// The fields of an organization, for lookup by name.
package struct IssueFields: Sendable {
  package let fields: [GitHub.IssueField]
  let owner: String

  package func values(
    _ wanted: [String: String]
  ) throws(NetworkError) -> [GitHub.NewFieldValue] {
    var values: [GitHub.NewFieldValue] = []
    for (name, text) in wanted.sorted(by: { $0.key < $1.key }) {
      let field = try field(name)
      values.append(
        GitHub.NewFieldValue(fieldID: field.id, content: try Self.content(of: field, text)))
    }
    return values
  }

  package func ids(_ names: [String]) throws(NetworkError) -> [Int64] {
    var ids: [Int64] = []
    for name in names { ids.append(try field(name).id) }
    return ids
  }

  private func field(_ name: String) throws(NetworkError) -> GitHub.IssueField {
    if let field = fields.first(where: { $0.name.lowercased() == name.lowercased() }) {
      return field
    }
    let known = fields.isEmpty ? "no fields" : "only \(Self.list(fields.map(\.name)))"
    throw NetworkError(.absent, "\(owner) has no field “\(name)” for issues, \(known)")
      .ofNothingWritten
  }

  private static func content(
    of field: GitHub.IssueField, _ text: String
  ) throws(NetworkError) -> GitHub.IssueFieldContent {
    func option(_ name: String) throws(NetworkError) -> String {
      let name = name.split(separator: " ").joined(separator: " ")
      if let option = field.options.first(where: { $0.lowercased() == name.lowercased() }) {
        return option
      }
      throw refusal("“\(field.name)” has no option “\(name)”, only \(list(field.options))")
    }
    switch field.kind {
    case .number:
      guard let number = Double(text), number.isFinite else {
        throw refusal("“\(field.name)” requires a number, not “\(text)”")
      }
      return .number(number)
    case .date:
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isNumber) }) else {
        throw refusal("“\(field.name)” requires a day such as 2026-12-31, not “\(text)”")
      }
      return .text(text)
    case .singleSelect: return .text(try option(text))
    case .multiSelect:
      var options: [String] = []
      for name in NameList.names(in: text, known: field.options) {
        options.append(try option(name))
      }
      return .options(options)
    default: return .text(text)
    }
  }

  private static func list(_ names: [String]) -> String {
    GitHubErrorBody.line(names.joined(separator: ", "))
  }

  private static func refusal(_ words: String) -> NetworkError {
    NetworkError(.requestMapping, words).ofNothingWritten
  }
}
