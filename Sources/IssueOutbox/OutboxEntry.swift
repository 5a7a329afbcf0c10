public import GitHubAPI
public import PlatformModules

/// A change before it is in the outbox.
public struct Intention: Hashable, Sendable {
  /// The server.
  public var server: GitHubServer
  /// The repository.
  public var repository: RepositoryName
  /// The change.
  public var change: Change
  /// Who wants it; nil if nobody knows.
  public var account: OutboxAccount?
  /// Whether it needs the one before it in the same call of ``Outbox/add(_:asBulk:)``.
  public var followsPrevious: Bool

  /// Makes an intention.
  public init(
    _ change: Change, in repository: RepositoryName, on server: GitHubServer,
    account: OutboxAccount? = nil, followsPrevious: Bool = false
  ) {
    self.server = server
    self.repository = repository
    self.change = change
    self.account = account
    self.followsPrevious = followsPrevious
  }
}

/// Whose token sends.
public struct OutboxAccount: Hashable, Sendable {
  /// A keyed digest of the token (``Outbox/fingerprint(of:)``): the token itself isn't kept.
  public var fingerprint: String
  /// The login; nil while the server hasn't said it.
  public var login: String?

  /// Makes an account.
  public init(fingerprint: String, login: String? = nil) {
    self.fingerprint = fingerprint
    self.login = login
  }
}

/// What became of an intention so far.
public enum OutboxState: String, CaseIterable, Hashable, Sendable, Codable {
  /// It waits to be sent.
  case queued
  /// It is being sent, or a process was ended while it was.
  case sending
  /// The server has it.
  case sent
  /// The server refused it, with ``OutboxEntry/reason``.
  case refused
  /// Somebody else changed the same text meanwhile: ``OutboxEntry/conflict``.
  case conflict
  /// It may have been carried out: the answer was lost, and it wasn't found.
  case unknown
}

/// An intention in the outbox.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
  /// The id, which counts up.
  public typealias ID = Int64

  /// The id.
  public let id: ID
  /// The server.
  public let server: GitHubServer
  /// The repository.
  public let repository: RepositoryName
  /// The change.
  public let change: Change
  /// Who wanted it.
  public let account: OutboxAccount?
  /// What became of it.
  public let state: OutboxState
  /// Why it is in this state, or why it waits, in words for a person; nil if there is nothing to say.
  public let reason: String?
  /// When it was added, by this machine's clock.
  public let created: Date
  /// When its state last changed, by this machine's clock.
  public let changed: Date
  /// How often somebody tried to send it.
  public let attempts: Int
  /// The entries that it waits for.
  public let dependencies: [ID]
  /// What the server answered; nil unless it was sent.
  public let answer: OutboxAnswer?
  /// The texts of a conflict; nil unless there is one.
  public let conflict: OutboxConflict?
  /// When it was dropped, by this machine's clock; nil unless it was. It is kept for 30 days.
  public let dropped: Date?
  /// When the last attempt began, by this machine's clock; nil if it surely changed nothing on the server.
  public internal(set) var lastSent: Date?
  /// The bulk that it is part of, by the id of its first entry; nil if it stands alone. Only a send that names the
  /// entry sends it.
  public internal(set) var bulk: ID?
}

extension OutboxEntry {
  static let movedWords = "the issue was moved to"

  /// Whether its issue was moved: ``reason`` says where, and ``Outbox/retarget(_:to:)`` sends it there.
  public var hasMoved: Bool {
    [.refused, .unknown].contains(state) && reason?.contains(Self.movedWords) == true
  }
}

/// What the server answered to a change that it took.
public struct OutboxAnswer: Hashable, Sendable {
  /// The number of the issue: of the new one after a creation or a transfer.
  public var number: Int?
  /// The address to show.
  public var url: String?
  /// The JSON of the answer, an issue or a comment; nil if the answer has none.
  public var json: Data?
  /// What the server left out without an error, each in words (``/IssueTracker/DroppedChange``).
  public var dropped: [String] = []
  /// Whether a later look has found the answer, because the first one was lost.
  public var wasFound = false
}

/// A text that two people changed.
public struct OutboxConflict: Hashable, Sendable, Codable {
  /// The field.
  public enum Field: String, Hashable, Sendable, Codable {
    /// The title of an issue.
    case title
    /// The text of an issue or a comment.
    case body
  }

  /// The field.
  public var field: Field
  /// The text that the writer saw.
  public var base: String
  /// The text that the writer wants.
  public var mine: String
  /// The text that the server has.
  public var theirs: String
  /// Both changes in one text, if they touch different lines.
  public var merged: String?

  /// Makes a conflict.
  public init(field: Field, base: String, mine: String, theirs: String, merged: String? = nil) {
    self.field = field
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.merged = merged
  }
}
