public import GitHubAPI

/// A change of an issue's relations: its parent, its sub-issues, its blockers, or the issues that it blocks.
///
/// Making the change twice has the same effect as making it once.
public enum RelationChange: Hashable, Sendable {
  /// Makes another issue a sub-issue of this one, and optionally removes it from another parent.
  case addSubIssue(RelatedIssue, replacesParent: Bool = false)
  /// Removes a sub-issue from this issue.
  case removeSubIssue(RelatedIssue)
  /// Makes this issue a sub-issue of another one, and optionally removes it from another parent.
  case setParent(RelatedIssue, replacesParent: Bool = false)
  /// Removes this issue from its parent.
  case removeParent
  /// Moves this issue after another sub-issue of its parent.
  case moveAfter(RelatedIssue)
  /// Makes this issue the first sub-issue of its parent.
  case moveFirst
  /// Makes this issue wait for another one.
  case addBlocker(RelatedIssue)
  /// Stops this issue from waiting for another one.
  case removeBlocker(RelatedIssue)
  /// Makes another issue wait for this one.
  case block(RelatedIssue)
  /// Stops another issue from waiting for this one.
  case unblock(RelatedIssue)

  /// The other issue; nil if the change doesn't specify one.
  public var other: RelatedIssue? {
    switch self {
    case .addSubIssue(let other, _), .removeSubIssue(let other), .setParent(let other, _),
      .moveAfter(let other), .addBlocker(let other), .removeBlocker(let other), .block(let other),
      .unblock(let other):
      other
    case .removeParent, .moveFirst: nil
    }
  }

  /// The same change with a repository for the other issue, if it doesn't specify one.
  func naming(_ repository: RepositoryName) -> RelationChange {
    func named(_ other: RelatedIssue) -> RelatedIssue {
      RelatedIssue(other.number, in: other.repository ?? repository)
    }
    return switch self {
    case .addSubIssue(let other, let replaces):
      .addSubIssue(named(other), replacesParent: replaces)
    case .removeSubIssue(let other): .removeSubIssue(named(other))
    case .setParent(let other, let replaces): .setParent(named(other), replacesParent: replaces)
    case .removeParent, .moveFirst: self
    case .moveAfter(let other): .moveAfter(named(other))
    case .addBlocker(let other): .addBlocker(named(other))
    case .removeBlocker(let other): .removeBlocker(named(other))
    case .block(let other): .block(named(other))
    case .unblock(let other): .unblock(named(other))
    }
  }

  /// A short description of the change: `+sub-issue #5`, `parent #3`, `blocked by #7`.
  public var words: String {
    switch self {
    case .addSubIssue(let other, _): "+sub-issue \(other)"
    case .removeSubIssue(let other): "-sub-issue \(other)"
    case .setParent(let other, _): "parent \(other)"
    case .removeParent: "no parent"
    case .moveAfter(let other): "after \(other)"
    case .moveFirst: "first sub-issue"
    case .addBlocker(let other): "blocked by \(other)"
    case .removeBlocker(let other): "not blocked by \(other)"
    case .block(let other): "blocks \(other)"
    case .unblock(let other): "doesn't block \(other)"
    }
  }
}

/// The other issue of a relation.
public struct RelatedIssue: Hashable, Sendable {
  /// The repository of the issue; nil for the repository of the change, which may be renamed before the change is sent.
  public var repository: RepositoryName?
  /// The number of the issue.
  public var number: Int

  /// Creates a reference to an issue.
  public init(_ number: Int, in repository: RepositoryName? = nil) {
    self.number = number
    self.repository = repository
  }
}

extension RelatedIssue: CustomStringConvertible {
  /// `#12`, or `owner/name#12` in another repository.
  public var description: String { "\(repository.map { "\($0)" } ?? "")#\(number)" }
}

extension RelationChange: Codable {
  private enum Kind: String, Codable {
    case addSubIssue = "add-sub-issue"
    case removeSubIssue = "remove-sub-issue"
    case setParent = "set-parent"
    case removeParent = "remove-parent"
    case moveAfter = "move-after"
    case moveFirst = "move-first"
    case addBlocker = "add-blocked-by"
    case removeBlocker = "remove-blocked-by"
    case block = "add-blocking"
    case unblock = "remove-blocking"
  }

  private enum Member: String, CodingKey {
    case kind
    case repository
    case number
    case replacesParent = "replaces_parent"
  }

  private var kind: Kind {
    switch self {
    case .addSubIssue: .addSubIssue
    case .removeSubIssue: .removeSubIssue
    case .setParent: .setParent
    case .removeParent: .removeParent
    case .moveAfter: .moveAfter
    case .moveFirst: .moveFirst
    case .addBlocker: .addBlocker
    case .removeBlocker: .removeBlocker
    case .block: .block
    case .unblock: .unblock
    }
  }

  private var replacesParent: Bool {
    switch self {
    case .addSubIssue(_, let replaces), .setParent(_, let replaces): replaces
    default: false
    }
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    func other() throws -> RelatedIssue {
      RelatedIssue(
        try container.decode(Int.self, forKey: .number),
        in: try container.decodeIfPresent(RepositoryName.self, forKey: .repository))
    }
    let replaces = try container.decodeIfPresent(Bool.self, forKey: .replacesParent) ?? false
    self =
      switch try container.decode(Kind.self, forKey: .kind) {
      case .addSubIssue: .addSubIssue(try other(), replacesParent: replaces)
      case .removeSubIssue: .removeSubIssue(try other())
      case .setParent: .setParent(try other(), replacesParent: replaces)
      case .removeParent: .removeParent
      case .moveAfter: .moveAfter(try other())
      case .moveFirst: .moveFirst
      case .addBlocker: .addBlocker(try other())
      case .removeBlocker: .removeBlocker(try other())
      case .block: .block(try other())
      case .unblock: .unblock(try other())
      }
  }

  /// Encodes the relation for the journal.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(other?.repository, forKey: .repository)
    try container.encodeIfPresent(other?.number, forKey: .number)
    if replacesParent { try container.encode(true, forKey: .replacesParent) }
  }
}
