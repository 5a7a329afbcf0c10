public import PlatformModules

/// A milestone to create: the body of ``GitHub/createMilestone(repositoryFullName:milestone:)``.
public struct NewMilestone: Hashable, Sendable {
  /// The title. Unlike the names of labels, it is case-sensitive.
  public var title: String
  /// The description.
  public var description: String?
  /// The due date.
  public var dueOn: Date?

  /// Creates a request for a milestone.
  public init(title: String, description: String? = nil, dueOn: Date? = nil) {
    self.title = title
    self.description = description
    self.dueOn = dueOn
  }
}

/// Changes for ``GitHub/editMilestone(repositoryFullName:number:edit:)``. Nil keeps a field unchanged.
public struct MilestoneEdit: Hashable, Sendable {
  /// The new title.
  public var title: String?
  /// The new description.
  public var description: String?
  /// The new state.
  public var state: IssueState?
  /// The new due date.
  public var dueOn: FieldChange<Date>?

  /// Creates changes.
  public init(
    title: String? = nil, description: String? = nil, state: IssueState? = nil,
    dueOn: FieldChange<Date>? = nil
  ) {
    self.title = title
    self.description = description
    self.state = state
    self.dueOn = dueOn
  }
}

extension NewMilestone: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case title
    case description
    case dueOn = "due_on"
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      title: try container.decode(String.self, forKey: .title),
      description: try container.decodeIfPresent(String.self, forKey: .description),
      dueOn: try container.decodeTimestampIfPresent(forKey: .dueOn))
  }

  /// Encodes the given fields. The due date is a time in whole seconds.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .title: title
    case .description: description
    case .dueOn: dueOn.map(Timestamp.string(from:))
    }
  }
}

extension MilestoneEdit: Codable, FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case title
    case description
    case state
    case dueOn = "due_on"
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      title: try container.decodeIfPresent(String.self, forKey: .title),
      description: try container.decodeIfPresent(String.self, forKey: .description),
      state: try container.decodeIfPresent(IssueState.self, forKey: .state),
      dueOn: container.contains(.dueOn)
        ? try container.decodeTimestampIfPresent(forKey: .dueOn).map { .set($0) } ?? .clear : nil)
  }

  /// Encodes the fields that change. The due date is a time in whole seconds.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .title: title
    case .description: description
    case .state: state
    case .dueOn:
      switch dueOn {
      case .set(let date)?: FieldChange.set(Timestamp.string(from: date))
      case .clear?: FieldChange<String>.clear
      case nil: nil
      }
    }
  }
}
