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
  /// The account that wants the change; nil if unknown.
  public var account: OutboxAccount?
  /// Whether it depends on the previous intention in the same call of ``Outbox/add(_:asBulk:)``.
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

/// The account of the token that sends.
public struct OutboxAccount: Hashable, Sendable {
  /// A keyed digest of the token (``Outbox/fingerprint(of:)``): the token itself isn't kept.
  public var fingerprint: String
  /// The login; nil until the server has reported it.
  public var login: String?

  /// Makes an account.
  public init(fingerprint: String, login: String? = nil) {
    self.fingerprint = fingerprint
    self.login = login
  }
}

/// The state of an entry.
public enum OutboxState: String, CaseIterable, Hashable, Sendable, Codable {
  /// It waits to be sent.
  case queued
  /// It is being sent, or its process ended during the send.
  case sending
  /// The server has it.
  case sent
  /// The server refused it, with ``OutboxEntry/reason``.
  case refused
  /// Another user changed the same text meanwhile: ``OutboxEntry/conflict``.
  case conflict
  /// It may have been carried out: the response was lost, and a search didn't find the change.
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
  /// The account that wanted the change.
  public let account: OutboxAccount?
  /// The state.
  public let state: OutboxState
  /// The reason for the state or the wait, as a message for the user; nil if there is none.
  public let reason: String?
  /// When it was added, by this machine's clock.
  public let created: Date
  /// When its state last changed, by this machine's clock.
  public let changed: Date
  /// The number of attempts to send it.
  public let attempts: Int
  /// The entries that it waits for.
  public let dependencies: [ID]
  /// The server's response; nil unless it was sent.
  public let answer: OutboxAnswer?
  /// The texts of a conflict; nil unless there is one.
  public let conflict: OutboxConflict?
  /// When it was dropped, by this machine's clock; nil unless it was. It is kept for 30 days.
  public let dropped: Date?
  /// When the last attempt began, by this machine's clock; nil if it certainly changed nothing on
  /// the server.
  public internal(set) var lastSent: Date?
  /// The bulk that it belongs to, by the id of its first entry; nil for none. Only a send that
  /// names the entry sends it.
  public internal(set) var bulk: ID?
}

extension OutboxEntry {
  static let movedWords = "the issue was moved to"

  /// Whether its issue was moved: ``reason`` names the new place, and ``Outbox/retarget(_:to:)``
  /// redirects the change.
  public var hasMoved: Bool {
    [.refused, .unknown].contains(state) && reason?.contains(Self.movedWords) == true
  }
}

/// The server's response to an accepted change.
public struct OutboxAnswer: Hashable, Sendable {
  /// The number of the issue; after a creation or a transfer, that of the new one.
  public var number: Int?
  /// The URL for the user.
  public var url: String?
  /// The JSON of the response, an issue or a comment; nil if the response has none.
  public var json: Data?
  /// The changes that the server ignored without an error, each as a message
  /// (``/IssueTracker/DroppedChange``).
  public var dropped: [String] = []
  /// Whether the result comes from a later search, because the response was lost.
  public var wasFound = false
}

/// A text that two users changed.
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
  /// The text that the user wants.
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
