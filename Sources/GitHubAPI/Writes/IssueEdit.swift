/// Changes to an issue: the body of ``GitHub/editIssue(repositoryFullName:number:edit:)``.
///
/// Nil keeps a field unchanged. Labels and assignees have separate endpoints to add and remove them, so that the
/// changes of two users don't overwrite each other.
///
/// The author may change the title, the text and the state. All other changes require at least triage access. The last
/// write wins, because GitHub doesn't support conditional writes
/// (<https://docs.github.com/en/rest/issues/issues#update-an-issue>).
public struct IssueEdit: Hashable, Sendable {
  /// The new title.
  public var title: String?
  /// The new text; empty to remove the text.
  public var body: String?
  /// The new state.
  public var state: IssueState?
  /// The reason for the state. GitHub ignores it if the state doesn't change.
  public var stateReason: StateReason?
  /// The ``GitHub/Issue/id`` of the issue that this one duplicates, with the reason ``StateReason/duplicate``.
  public var duplicateIssueID: Int64?
  /// The number of the new milestone.
  public var milestone: FieldChange<Int>?
  /// The name of the new type.
  public var type: FieldChange<String>?
  /// The logins of all assignees, which replace the present ones.
  public var assignees: [String]?

  /// Creates changes.
  public init(
    title: String? = nil, body: String? = nil, state: IssueState? = nil,
    stateReason: StateReason? = nil, duplicateIssueID: Int64? = nil,
    milestone: FieldChange<Int>? = nil, type: FieldChange<String>? = nil,
    assignees: [String]? = nil
  ) {
    self.title = title
    self.body = body
    self.state = state
    self.stateReason = stateReason
    self.duplicateIssueID = duplicateIssueID
    self.milestone = milestone
    self.type = type
    self.assignees = assignees
  }
}

/// A change of a field that can be empty.
public enum FieldChange<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Sets the field to a value.
  case set(Value)
  /// Clears the field. This change is encoded as null.
  case clear

  /// The new value; nil to clear the field.
  public var value: Value? {
    if case .set(let value) = self { value } else { nil }
  }
}

extension FieldChange: Encodable where Value: Encodable {
  /// Encodes the value or null.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .set(let value): try container.encode(value)
    case .clear: try container.encodeNil()
    }
  }
}

extension FieldChange: Decodable where Value: Decodable {
  /// Decodes a value or null.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    self = container.decodeNil() ? .clear : .set(try container.decode(Value.self))
  }
}

extension KeyedDecodingContainer {
  /// Decodes a change. Null clears the field, and a missing member keeps it unchanged.
  package func decodeChangeIfPresent<Value: Decodable>(
    forKey key: Key
  ) throws -> FieldChange<Value>? {
    guard contains(key) else { return nil }
    return try decodeIfPresent(Value.self, forKey: key).map { .set($0) } ?? .clear
  }
}

extension IssueEdit: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case title
    case body
    case state
    case stateReason = "state_reason"
    case duplicateIssueID = "duplicate_issue_id"
    case milestone
    case type
    case assignees
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      title: try container.decodeIfPresent(String.self, forKey: .title),
      body: try container.decodeIfPresent(String.self, forKey: .body),
      state: try container.decodeIfPresent(IssueState.self, forKey: .state),
      stateReason: try container.decodeIfPresent(StateReason.self, forKey: .stateReason),
      duplicateIssueID: try container.decodeIfPresent(Int64.self, forKey: .duplicateIssueID),
      milestone: try container.decodeChangeIfPresent(forKey: .milestone),
      type: try container.decodeChangeIfPresent(forKey: .type),
      assignees: try container.decodeIfPresent([String].self, forKey: .assignees))
  }

  /// Encodes the fields that change.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .title: title
    case .body: body
    case .state: state
    case .stateReason: stateReason
    case .duplicateIssueID: duplicateIssueID
    case .milestone: milestone
    case .type: type
    case .assignees: assignees
    }
  }
}
