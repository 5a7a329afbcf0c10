public import GitHubAPI
public import HTTPTargets

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Keeps what a person wants to be written until a server has it.
public final class Outbox: Sendable {
  /// The file.
  public let path: String

  /// Opens the outbox, or makes an empty one.
  public init(path: String) throws(OutboxFailure) { preconditionFailure("not built") }

  /// `$XDG_DATA_HOME/issues/outbox.db`.
  public static func path(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/outbox.db" }
  }

  /// A keyed digest of a token, for ``OutboxAccount``.
  public func fingerprint(of token: AccessToken) throws(OutboxFailure) -> String {
    preconditionFailure("not built")
  }

  /// Adds intentions, in one transaction that is on the disk when this returns.
  @discardableResult
  public func add(_ intentions: [Intention]) async throws(OutboxFailure) -> [OutboxEntry] {
    preconditionFailure("not built")
  }

  /// The entries, the oldest first. Sent ones and dropped ones are kept for 30 days.
  public func entries(in states: Set<OutboxState> = Set(OutboxState.allCases))
    async throws(OutboxFailure) -> [OutboxEntry]
  { preconditionFailure("not built") }

  /// An entry; nil where there is none.
  public func entry(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry? {
    preconditionFailure("not built")
  }

  /// Replaces the change of an entry that isn't sent or being sent; a refused one or a conflict is queued again.
  public func replace(_ id: OutboxEntry.ID, with change: Change) async throws(OutboxFailure)
    -> OutboxEntry
  { preconditionFailure("not built") }

  /// Queues a refused or unknown entry again. Of an unknown creation this is the person's word that it wasn't carried out.
  public func retry(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry {
    preconditionFailure("not built")
  }

  /// Notes the person's word that an unknown entry was carried out.
  public func markSent(_ id: OutboxEntry.ID, number: Int?) async throws(OutboxFailure)
    -> OutboxEntry
  { preconditionFailure("not built") }

  /// Ends a conflict: with a text, which then replaces what the server has now.
  public func resolve(_ id: OutboxEntry.ID, with text: String?) async throws(OutboxFailure)
    -> OutboxEntry
  { preconditionFailure("not built") }

  /// Takes an entry out. A copy is kept for 30 days.
  public func drop(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry {
    preconditionFailure("not built")
  }

  /// Sends what can be sent, in order.
  public func send(
    _ ids: [OutboxEntry.ID]? = nil, options: OutboxSending = OutboxSending(),
    connect: @escaping @Sendable (GitHubServer) async throws -> OutboxConnection
  ) -> AsyncThrowingStream<OutboxEvent, any Error> { preconditionFailure("not built") }
}

/// How the outbox sends.
public struct OutboxSending: Sendable {
  /// The limits of GitHub for content.
  public var pace: OutboxPace
  /// How long to wait before looking a second time for a change whose answer was lost.
  public var secondLook: Duration
  /// Takes the server's answer in, as into a mirror. It may be called again for the same entry.
  public var deliver: @Sendable (OutboxEntry) async throws -> Void

  /// Makes options.
  public init(
    pace: OutboxPace = .github, secondLook: Duration = .seconds(10),
    deliver: @escaping @Sendable (OutboxEntry) async throws -> Void = { _ in }
  ) {
    self.pace = pace
    self.secondLook = secondLook
    self.deliver = deliver
  }
}

/// How fast content may be created.
public struct OutboxPace: Hashable, Sendable {
  /// The time between two writes.
  public var interval: Duration
  /// The most in a minute.
  public var perMinute: Int
  /// The most in an hour.
  public var perHour: Int

  /// GitHub's limits: 1 second apart, 80 a minute, 500 an hour.
  public static let github = OutboxPace(interval: .seconds(1), perMinute: 80, perHour: 500)

  /// Makes limits.
  public init(interval: Duration, perMinute: Int, perHour: Int) {
    self.interval = interval
    self.perMinute = perMinute
    self.perHour = perHour
  }
}

/// The provider of a server, and whose token it uses.
public struct OutboxConnection: Sendable {
  /// Sends the requests.
  public var provider: Provider<GitHub>
  /// Whose token it uses; nil without a token.
  public var account: OutboxAccount?

  /// Makes a connection.
  public init(provider: Provider<GitHub>, account: OutboxAccount?) {
    self.provider = provider
    self.account = account
  }
}

/// What happens while the outbox sends.
public enum OutboxEvent: Sendable {
  /// The state of an entry changed.
  case changed(OutboxEntry)
  /// Nothing is sent until a time.
  case waiting(until: Date, OutboxWait)
}

/// Why nothing is sent for a while.
public enum OutboxWait: Hashable, Sendable {
  /// GitHub's limits for content.
  case pace
  /// The server's rate limit.
  case rateLimit
  /// A second look for a change whose answer was lost.
  case secondLook
  /// Another process sends.
  case otherProcess
}

/// Why the outbox can't be read or written, or doesn't do what it was asked to.
public struct OutboxFailure: Error, Sendable, CustomStringConvertible {
  /// What went wrong.
  public enum Code: Hashable, Sendable {
    /// The file or its folder can't be opened or written to.
    case cannotOpen
    /// The file is no outbox, or is damaged.
    case damaged
    /// A later version of this package wrote the file.
    case laterVersion
    /// The disk is full.
    case full
    /// Another process has held the file for too long.
    case busy
    /// There is no such entry.
    case noSuchEntry
    /// The entry's state doesn't allow it.
    case wrongState
    /// The database reports something else.
    case database
  }

  /// What went wrong.
  public var code: Code
  /// What happened and what to do, in one or two lines.
  public var message: String

  /// Makes a failure.
  public init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The message.
  public var description: String { message }
}
