public import GitHubAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// What became of a write.
public struct Written<Value: Decodable & Sendable>: Sendable {
  /// The value after the write, as the server has it.
  public var value: Value
  /// The JSON of the answer.
  public var json: Data
  /// What the server left out or changed without saying so; empty where everything was taken.
  public var dropped: [DroppedChange]

  init(_ answer: Sent<Value>, dropped: [DroppedChange]) {
    value = answer.entity
    json = answer.json
    self.dropped = dropped
  }
}

/// A part of a write that the server left out or changed without an error, mostly for want of permission.
public struct DroppedChange: Hashable, Sendable {
  /// A field of an issue.
  public enum Field: String, Hashable, Sendable {
    /// The title.
    case title
    /// The text.
    case body
    /// The labels.
    case labels
    /// The people who work on it.
    case assignees
    /// The milestone, by its number.
    case milestone
    /// The type.
    case type
    /// The issue that it is a sub-issue of.
    case parent
    /// Whether it is open.
    case state
    /// The reason for the state.
    case stateReason = "state reason"
  }

  /// The field.
  public let field: Field
  /// The values that were asked for; empty for a field that was to become empty.
  public let asked: [String]
  /// Those of labels and assignees that were taken; the value that any other field has.
  public let taken: [String]
}

extension DroppedChange: CustomStringConvertible {
  /// `labels: asked for a, b; taken: none`. Titles and texts aren't repeated.
  public var description: String {
    func list(_ values: [String]) -> String {
      values.isEmpty ? "none" : GitHubErrorBody.line(values.joined(separator: ", "))
    }
    switch field {
    case .title, .body: return "\(field.rawValue): the server has another one"
    default: return "\(field.rawValue): asked for \(list(asked)); taken: \(list(taken))"
    }
  }
}

extension DroppedChange {
  /// What a server left out of a new issue.
  package static func differences(
    between asked: NewIssue, and present: Sent<Issue>
  ) -> [DroppedChange] {
    let issue = present.entity
    // The answer names the parent by another key than the request.
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

  /// Compares names, ignoring case; nil if all were taken.
  static func names(
    _ field: Field, _ asked: [String], _ present: [String]
  ) -> DroppedChange? {
    let present = Set(present.map { $0.lowercased() })
    let taken = asked.filter { present.contains($0.lowercased()) }
    return taken.count == asked.count
      ? nil : DroppedChange(field: field, asked: asked, taken: taken)
  }

  /// Compares a value; nil where it was taken, or none was asked for.
  static func value<Value: CustomStringConvertible>(
    _ field: Field, _ asked: FieldChange<Value>?, _ present: Value?
  ) -> DroppedChange? {
    guard let asked, asked.value != present else { return nil }
    return DroppedChange(
      field: field, asked: asked.value.map { [$0.description] } ?? [],
      taken: present.map { [$0.description] } ?? [])
  }

  /// Compares a text. Ends of lines, and blanks around it, are GitHub's to choose.
  static func text(
    _ field: Field, _ asked: String?, _ present: String?
  ) -> DroppedChange? {
    guard let asked else { return nil }
    let present = present ?? ""
    return normalized(asked) == normalized(present)
      ? nil : DroppedChange(field: field, asked: [asked], taken: [present])
  }

  /// A text as it is compared with what GitHub has made of it: ends of lines are LF, and there are no blanks around it.
  package static func normalized(_ text: String) -> String {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\r\n" || $0 == "\r" }
      .joined(separator: "\n")
    var scalars = Substring(lines).unicodeScalars
    while scalars.first?.properties.isWhitespace == true { scalars.removeFirst() }
    while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
    return String(scalars)
  }

  /// Compares the reason for a state. Servers that know no reasons leave out what goes without saying.
  static func reason(_ asked: StateReason?, _ present: StateReason?) -> DroppedChange? {
    if present == nil, asked == .completed || asked == .reopened { return nil }
    return value(.stateReason, asked.map { .set($0.rawValue) }, present?.rawValue)
  }
}

/// The type of an issue, which ``Issue`` leaves out.
struct IssueType: Decodable {
  private struct Name: Decodable { var name: String }
  private let type: Name?

  static func name(in json: Data) -> String? {
    (try? GitHubJSON.decode(Self.self, from: json))?.type?.name
  }
}

/// The parent of an issue, which ``Issue`` leaves out.
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
  /// The fields of a new issue that the server will leave out, since they take the right to push
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
