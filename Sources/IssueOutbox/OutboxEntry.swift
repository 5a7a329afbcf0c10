public import GitHubAPI
public import PlatformModules

/// A change that hasn't been added to the outbox yet.
public struct Intention: Hashable, Sendable {
  /// The server.
  public var server: GitHubServer
  /// The repository.
  public var repository: RepositoryName
  /// The change.
  public var change: Change
  /// The account that makes the change; nil if unknown.
  public var account: OutboxAccount?
  /// Whether it depends on the previous intention in the same call of ``Outbox/add(_:asBulk:)``.
  public var followsPrevious: Bool

  /// Creates an intention.
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

/// The account of the token used for sending.
public struct OutboxAccount: Hashable, Sendable {
  /// A keyed digest of the token (``Outbox/fingerprint(of:)``), because the token itself isn't stored.
  public var fingerprint: String
  /// The login; nil until the server has reported it.
  public var login: String?

  /// Creates an account.
  public init(fingerprint: String, login: String? = nil) {
    self.fingerprint = fingerprint
    self.login = login
  }
}

/// The state of an entry.
public enum OutboxState: String, CaseIterable, Hashable, Sendable, Codable {
  /// A program such as an agent proposes the change. It isn't sent until a person approves it
  /// (``Outbox/approve(_:)``).
  case proposed
  /// The entry is waiting to be sent.
  case queued
  /// The entry is being sent, or its process ended while sending it.
  case sending
  /// The server has accepted the change.
  case sent
  /// The server refused the change; see ``OutboxEntry/reason``.
  case refused
  /// Another user changed the same text; see ``OutboxEntry/conflict``.
  case conflict
  /// The change may have been carried out: the response was lost, and a search didn't find the change.
  case unknown
}

/// An intention in the outbox.
public struct OutboxEntry: Hashable, Sendable, Identifiable {
  /// The id; later entries have higher ids.
  public typealias ID = Int64

  /// The id.
  public let id: ID
  /// The server.
  public let server: GitHubServer
  /// The repository.
  public let repository: RepositoryName
  /// The change.
  public let change: Change
  /// The account that made the change.
  public let account: OutboxAccount?
  /// The state.
  public let state: OutboxState
  /// The reason for the state or the wait, as a message for the user; nil without a reason.
  public let reason: String?
  /// When the entry was added, by this machine's clock.
  public let created: Date
  /// When the state last changed, by this machine's clock.
  public let changed: Date
  /// The number of attempts to send the entry.
  public let attempts: Int
  /// The entries that must be sent first.
  public let dependencies: [ID]
  /// The server's response; nil unless the entry was sent.
  public let answer: OutboxAnswer?
  /// The texts of a conflict; nil in any other state.
  public let conflict: OutboxConflict?
  /// When the entry was dropped, by this machine's clock; nil if it wasn't dropped. Dropped entries are kept for 30
  /// days.
  public let dropped: Date?
  /// When the last attempt began, by this machine's clock; nil if it certainly didn't change anything on the server.
  public internal(set) var lastSent: Date?
  /// The bulk that the entry belongs to, identified by its first entry; nil without a bulk. Entries of a bulk are sent
  /// only if they are requested by id.
  public internal(set) var bulk: ID?
  /// The program that proposed the change, by the name that it gives itself; nil for a user's own change.
  public internal(set) var proposer: String?
}

extension OutboxEntry {
  static let movedWords = "the issue was moved to"

  /// Whether the issue was moved. In this case, ``reason`` contains the new place, and ``Outbox/retarget(_:to:)``
  /// redirects the change.
  public var hasMoved: Bool {
    [.refused, .unknown].contains(state) && reason?.contains(Self.movedWords) == true
  }
}

/// The server's response to an accepted change.
public struct OutboxAnswer: Hashable, Sendable {
  /// The number of the issue; after a creation or a transfer, the number of the new issue.
  public var number: Int?
  /// The URL for the user.
  public var url: String?
  /// The JSON of an issue or a comment in the response; nil if the response doesn't contain one.
  public var json: Data?
  /// The changes that the server ignored without an error, each as a message
  /// (``/IssueTracker/DroppedChange``).
  public var dropped: [String] = []
  /// Whether the result was found by a later search, because the response was lost.
  public var wasFound = false
}

/// Text that two users have changed.
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
  /// The text seen by the author of the change.
  public var base: String
  /// The user's text.
  public var mine: String
  /// The server's text.
  public var theirs: String
  /// Both changes combined, if they affect different lines.
  public var merged: String?

  /// Creates a conflict.
  public init(field: Field, base: String, mine: String, theirs: String, merged: String? = nil) {
    self.field = field
    self.base = base
    self.mine = mine
    self.theirs = theirs
    self.merged = merged
  }
}
