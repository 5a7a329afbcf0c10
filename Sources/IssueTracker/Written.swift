public import GitHubAPI
public import PlatformModules

/// The result of a write.
public struct Written<Value: Decodable & Sendable>: Sendable {
  /// The value after the write, as the server stored it.
  public var value: Value
  /// The JSON of the response.
  public var json: Data
  /// The parts that the server silently omitted or changed; empty if it accepted everything.
  public var dropped: [DroppedChange]

  init(_ answer: Sent<Value>, dropped: [DroppedChange]) {
    value = answer.entity
    json = answer.json
    self.dropped = dropped
  }
}

/// A part of a write that the server omitted or changed without an error, usually because a permission is missing.
public struct DroppedChange: Hashable, Sendable {
  /// A field of an issue.
  public enum Field: String, Hashable, Sendable {
    /// The title.
    case title
    /// The text.
    case body
    /// The labels.
    case labels
    /// The assignees.
    case assignees
    /// The milestone, identified by its number.
    case milestone
    /// The type.
    case type
    /// The organization's fields.
    case fields
    /// The parent issue.
    case parent
    /// The state, open or closed.
    case state
    /// The reason for the state.
    case stateReason = "state reason"
  }

  /// The field.
  public let field: Field
  /// The requested values; empty to clear the field.
  public let asked: [String]
  /// The labels or assignees that the server accepted; for any other field, its current value.
  public let taken: [String]
}

extension DroppedChange: CustomStringConvertible {
  /// A description such as `labels: asked for a, b; got none`. It doesn't contain titles and texts.
  public var description: String {
    func list(_ values: [String]) -> String {
      values.isEmpty ? "none" : GitHubErrorBody.line(values.joined(separator: ", "))
    }
    switch field {
    case .title, .body: return "\(field.rawValue): the server stored a different one"
    default: return "\(field.rawValue): asked for \(list(asked)); got \(list(taken))"
    }
  }
}

extension DroppedChange {
  package static func differences(
    between asked: NewIssue, and present: Sent<GitHub.Issue>
  ) -> [DroppedChange] {
    let issue = present.entity
    // The key of the parent in the response differs from that in the request.
    let hasParent = ParentIssue.url(in: present.json) != nil
    let lostParent = DroppedChange(
      field: .parent, asked: asked.parentIssueID.map { ["the issue with the id \($0)"] } ?? [],
      taken: [])
    let differences: [DroppedChange?] = [
      .text(.title, asked.title, issue.title), .text(.body, asked.body, issue.body),
      .names(.labels, asked.labels, issue.labels.map(\.name)),
      .names(.assignees, asked.assignees, issue.assignees.map(\.login)),
      .value(.milestone, asked.milestone.map { .set($0) }, issue.milestone?.number),
      .value(.type, asked.type.map { .set($0) }, IssueType.name(in: present.json)),
      asked.parentIssueID == nil || hasParent ? nil : lostParent,
    ]
    return differences.compactMap(\.self)
  }

  static func names(
    _ field: Field, _ asked: [String], _ present: [String]
  ) -> DroppedChange? {
    let present = Set(present.map { $0.lowercased() })
    let taken = asked.filter { present.contains($0.lowercased()) }
    return taken.count == asked.count
      ? nil : DroppedChange(field: field, asked: asked, taken: taken)
  }

  /// Compares lists in which the order doesn't matter.
  static func wholeList(
    _ field: Field, _ asked: [String]?, _ present: [String]
  ) -> DroppedChange? {
    guard let asked else { return nil }
    return Set(asked.map { $0.lowercased() }) == Set(present.map { $0.lowercased() })
      ? nil : DroppedChange(field: field, asked: asked, taken: present)
  }

  static func value<Value: CustomStringConvertible>(
    _ field: Field, _ asked: FieldChange<Value>?, _ present: Value?
  ) -> DroppedChange? {
    guard let asked, asked.value != present else { return nil }
    return DroppedChange(
      field: field, asked: asked.value.map { [$0.description] } ?? [],
      taken: present.map { [$0.description] } ?? [])
  }

  /// Compares text, ignoring line endings and surrounding whitespace, which GitHub may change.
  static func text(
    _ field: Field, _ asked: String?, _ present: String?
  ) -> DroppedChange? {
    guard let asked else { return nil }
    let present = present ?? ""
    return normalized(asked) == normalized(present)
      ? nil : DroppedChange(field: field, asked: [asked], taken: [present])
  }

  package static func normalized(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" }
      .joined(separator: "\n")
    var scalars = Substring(lines).unicodeScalars
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }

  /// Compares reasons. Servers without reasons omit the default ones.
  static func reason(_ asked: StateReason?, _ present: StateReason?) -> DroppedChange? {
    if present == nil, asked == .completed || asked == .reopened { return nil }
    return value(.stateReason, asked.map { .set($0.rawValue) }, present?.rawValue)
  }
}

struct IssueType: Decodable {
  private struct Name: Decodable { var name: String }
  private let type: Name?

  static func name(in json: Data) -> String? {
    (try? GitHubJSON.decode(Self.self, from: json))?.type?.name
  }
}

private struct ParentIssue: Decodable {
  private let url: String?

  private enum CodingKeys: String, CodingKey {
    case url = "parent_issue_url"
  }

  static func url(in json: Data) -> String? {
    (try? GitHubJSON.decode(Self.self, from: json))?.url
  }
}

extension RepositoryPermissions {
  /// The fields of a new issue that the server will drop for users without push access
  /// (<https://docs.github.com/en/rest/issues/issues#create-an-issue>).
  public func dropped(from issue: NewIssue) -> [DroppedChange.Field] {
    guard !push else { return [] }
    let fields: [(DroppedChange.Field, Bool)] = [
      (.labels, !issue.labels.isEmpty), (.assignees, !issue.assignees.isEmpty),
      (.milestone, issue.milestone != nil), (.type, issue.type != nil),
    ]
    return fields.filter(\.1).map(\.0)
  }
}
