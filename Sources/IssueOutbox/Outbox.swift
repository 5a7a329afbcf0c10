internal import GRDB
public import GitHubAPI
public import HTTPTargets
public import PlatformModules

/// Stores the changes that a user wants to make until a server has them.
///
/// ```swift
/// let outbox = try Outbox(path: "\(folder)/outbox.db")
/// try await outbox.add([Intention(.comment(on: .number(7), body: "Fixed."), in: name, on: .github)])
/// for try await event in outbox.send(connect: { _ in OutboxConnection(provider: provider) }) {
///   if case .changed(let entry) = event { print(entry.id, entry.state) }
/// }
/// ```
///
/// An intention is on the disk before anything is sent. A change that counts each time it arrives,
/// such as a comment, is repeated only if it certainly wasn't carried out. One process sends at a
/// time.
public final class Outbox: Sendable {
  /// The file.
  public var path: String { journal.path }

  let journal: OutboxJournal
  private let clock: any Clock<Duration>

  /// Opens the outbox, or makes an empty one. This waits for the disk.
  ///
  /// - Parameters:
  ///   - path: The file. It and its folder are created if they are missing, for this user alone.
  ///   - clock: The clock for waits.
  ///   - now: The local time.
  /// - Throws: ``OutboxFailure``.
  public init(
    path: String, clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(OutboxFailure) {
    journal = try OutboxJournal(path: path, now: now)
    self.clock = clock
  }

  /// The file of a user: `$XDG_DATA_HOME/issues/outbox.db` if that is an absolute path, else
  /// `~/.local/share/issues/outbox.db`. It is separate from the mirror, which can be deleted
  /// without loss.
  ///
  /// - Parameter environment: The environment of the process.
  /// - Returns: The file; nil if neither variable names a folder.
  public static func path(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/outbox.db" }
  }

  /// A keyed digest of a token, for ``OutboxAccount``. The key is the file's own.
  public func fingerprint(of token: AccessToken) throws(OutboxFailure) -> String {
    journal.fingerprint(of: token)
  }

  // MARK: Adding and reading

  /// Adds intentions, in one transaction that is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - intentions: The intentions, in order. Texts may mention earlier creations as `new-1` or
  ///     `#new-1`: the number replaces the mention.
  ///   - asBulk: Whether they are one bulk. Only a send that names its entries sends them, so an
  ///     interrupted bulk doesn't resume by itself.
  /// - Returns: Their entries.
  /// - Throws: ``OutboxFailure``; then nothing was added.
  @discardableResult
  public func add(
    _ intentions: [Intention], asBulk: Bool = false
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.add(intentions, asBulk: asBulk)
  }

  /// The entries, the oldest first, without those that were dropped. Sent ones are kept for 30 days.
  ///
  /// - Parameter states: Their states.
  /// - Returns: The entries.
  /// - Throws: ``OutboxFailure``.
  public func entries(
    in states: Set<OutboxState> = Set(OutboxState.allCases)
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return try await journal.entries(where: "dropped IS NULL AND state IN (\(names))")
  }

  /// The entries that were dropped in the last 30 days, the oldest first.
  public func droppedEntries() async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.entries(where: "dropped IS NOT NULL")
  }

  /// An entry, even a dropped one; nil if there is none.
  public func entry(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry? {
    try await journal.entry(id)
  }

  /// The times of the writes of an entry's account to its server in the last hour, the oldest
  /// first.
  public func recentWrites(like entry: OutboxEntry) async throws(OutboxFailure) -> [Date] {
    let date = journal.now()
    return try await journal.read { db in
      try OutboxJournal.written(db, PaceKey(entry.server, entry.account), at: date)
    }
  }

  // MARK: Decisions

  /// Replaces the change of an entry; a refused one or a conflict is queued again.
  ///
  /// - Throws: ``OutboxFailure/Code/wrongState`` if it was sent, or may have been.
  public func replace(
    _ id: OutboxEntry.ID, with change: Change
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { db, row in
      try row.require([.queued, .refused, .conflict])
      row.change = change
      // The one before it stays required.
      let previous = row.requires
      try OutboxJournal.connect(db, &row)
      row.requires = Set(row.requires).union(previous).sorted()
      row.queue()
    }
  }

  /// Queues a refused or unknown entry again. An unknown one is searched for once more before it is
  /// sent.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - mayRepeat: Whether the user has confirmed that an unknown entry wasn't carried out, or may
  ///     be carried out twice. An entry becomes unknown if its process ends while it is being sent.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` in any other state, or if an unknown one may not be repeated.
  public func retry(
    _ id: OutboxEntry.ID, mayRepeat: Bool
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { _, row in
      try row.require(mayRepeat ? [.queued, .refused, .unknown] : [.queued, .refused])
      row.queue()
    }
  }

  /// Assigns a change to another issue, such as the new place of a transferred one. A refused entry
  /// is queued again; a conflict remains one, and an unknown entry is searched for there.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - place: The issue, on the same server.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if it was sent or is being sent, if it creates its issue, or if it names
  ///   a milestone or an original of its repository by number.
  public func retarget(
    _ id: OutboxEntry.ID, to place: IssuePlace
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { _, row in
      try row.require([.queued, .refused, .conflict, .unknown])
      guard let change = row.change.retargeted(from: row.repository, to: place) else {
        throw OutboxFailure(
          .wrongState,
          """
          Change \(id) can't be made to \(place) instead: it creates its issue, or names a milestone or an issue of \
          \(row.repository) by number. Drop it, and make it again there.
          """)
      }
      row.change = change
      row.repository = place.repository
      switch row.state {
      case .unknown: (row.reason, row.hasLookedTwice) = ("its answer was lost", false)
      case .conflict: break
      default: row.queue()
      }
    }
  }

  /// Records the user's word that an unknown entry was carried out.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - number: The number of the new issue, if the entry created one.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` in any other state.
  public func markSent(
    _ id: OutboxEntry.ID, number: Int?
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { db, row in
      try row.require([.unknown])
      let issue = number ?? row.number
      row.answer = OutboxAnswer(
        number: issue,
        url: issue.map { row.server.webURL(of: row.repository, issueNumber: $0) }, json: nil,
        dropped: [], wasFound: true)
      row.state = .sent
      row.reason = nil
      if row.change.makesIssue { row.item = number.map(Int64.init) }
      try OutboxJournal.resolve(db, row)
    }
  }

  /// Looks for evidence against the user's word that an unknown entry was carried out, before
  /// ``markSent(_:number:)``.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - number: The number of the issue that the entry supposedly created; nil for other changes.
  ///   - connection: The connection to the entry's server.
  /// - Returns: The contradiction, in words; nil if the server has the change, or its sender is
  ///   unknown.
  /// - Throws: ``/HTTPTargets/NetworkError`` if the request fails; ``OutboxFailure``.
  public func contradiction(
    to id: OutboxEntry.ID, number: Int?, connection: OutboxConnection
  ) async throws -> String? {
    let (row, claimed) = try await journal.read { db in
      let row = try OutboxJournal.row(db, id)
      return (row, try OutboxJournal.claims(db, besides: row))
    }
    let sender = OutboxSender(
      journal: journal, ids: [id], options: OutboxSending(), connect: { _ in connection },
      clock: clock, lease: Lease(holder: Lease.newHolder()), report: { _ in })
    return try await sender.contradiction(to: row, number, connection, claimed)
  }

  /// Ends a conflict.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - text: The text to send in place of the server's present one; nil to keep the server's. If
  ///     nothing is left of the change, the entry is dropped.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if there is no conflict.
  public func resolve(
    _ id: OutboxEntry.ID, with text: String?
  ) async throws(OutboxFailure) -> OutboxEntry {
    let date = journal.now()
    return try await journal.change(id) { _, row in
      try row.require([.conflict])
      guard let conflict = row.conflict else { return }
      let change = text.map { TextChange($0, base: conflict.theirs) }
      switch row.change {
      case .edit(let target, var edit):
        switch conflict.field {
        case .title: edit.title = change
        case .body: edit.body = change
        }
        row.change = .edit(target, edit)
        if edit == IssueChange(createsLabels: edit.createsLabels) { row.dropped = date }
      case .editComment(let comment, let number, _):
        if let change {
          row.change = .editComment(id: comment, on: number, body: change)
        } else {
          row.dropped = date
        }
      default: break
      }
      row.queue()
    }
  }

  /// Drops an entry. A copy is kept for 30 days (``droppedEntries()``).
  ///
  /// - Throws: ``OutboxFailure/Code/wrongState`` if it was sent or is being sent.
  public func drop(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry {
    try await drop([id])[0]
  }

  /// Drops entries together. For any of them, ``restore(_:)`` also restores the entries that depend
  /// on it.
  ///
  /// - Throws: ``OutboxFailure/Code/wrongState`` if one was sent or is being sent. Then all of them stay.
  @discardableResult
  public func drop(_ ids: [OutboxEntry.ID]) async throws(OutboxFailure) -> [OutboxEntry] {
    let date = journal.now()
    return try await journal.changeAll { _ in
      ids
    } _: { _, row in
      try row.require([.queued, .refused, .conflict, .unknown])
      row.dropped = date
    }
  }

  /// The entries that can't be sent without one of these, the oldest first; also dropped ones.
  public func dependents(
    of ids: Set<OutboxEntry.ID>
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.read { db in
      let order = try OutboxJournal.order(db)
      return try OutboxJournal.dependents(db, of: ids).map { $0.entry(in: order) }
    }
  }

  /// Restores a dropped entry, with the dependent entries that were dropped together with it.
  ///
  /// - Returns: The entries, the named one first.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if it wasn't dropped.
  public func restore(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.changeAll { db in
      guard let date = try OutboxJournal.row(db, id).dropped else {
        throw OutboxFailure(.wrongState, "Change \(id) wasn't dropped.")
      }
      return try [id]
        + OutboxJournal.dependents(db, of: [id]).filter { $0.dropped == date }
        .map(\.id)
    } _: { _, row in
      row.dropped = nil
    }
  }

  // MARK: Sending

  /// Sends the entries that can be sent. Entries on one issue keep their order; others don't wait
  /// for each other. One process sends at a time, and the others wait.
  ///
  /// The stream throws after sending everything that can be sent: a ``/HTTPTargets/NetworkError``
  /// if the network is down, the token isn't valid, or the server fails or rejects writes for
  /// longer than ``OutboxSending/maximumWait``; the errors of `connect`; or an ``OutboxFailure``.
  /// The rest stays queued. Other results are in the state and the reason of an entry.
  ///
  /// - Parameters:
  ///   - ids: The entries to send, along with those that they wait for; nil for all that aren't
  ///     part of a bulk.
  ///   - options: How to send.
  ///   - connect: Returns the provider of a server. It is called once for each server.
  /// - Returns: The events, as they happen. Ending the loop over them ends the sending.
  public func send(
    _ ids: [OutboxEntry.ID]? = nil, options: OutboxSending = OutboxSending(),
    connect: @escaping @Sendable (GitHubServer) async throws -> OutboxConnection
  ) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: OutboxEvent.self)
    let (journal, clock) = (journal, clock)
    let task = Task {
      let lease = Lease(holder: Lease.newHolder())
      // Uses the real clock, because it shows other processes that this one is alive.
      let heartbeat = Task {
        while !Task.isCancelled {
          try await Task.sleep(for: .seconds(Lease.duration / 3))
          let date = journal.now()
          try await journal.write { db in try lease.renew(db, at: date) }
        }
      }
      defer { heartbeat.cancel() }
      var sender = OutboxSender(
        journal: journal, ids: ids, options: options, connect: connect, clock: clock,
        lease: lease
      ) { event in continuation.yield(event) }
      do {
        try await sender.run()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

extension OutboxRow {
  fileprivate func require(_ states: Set<OutboxState>) throws(OutboxFailure) {
    guard dropped == nil else {
      throw OutboxFailure(.wrongState, "Change \(id) was dropped.")
    }
    guard !states.contains(state) else { return }
    let words =
      switch state {
      case .queued: "is queued"
      case .sending: "is being sent"
      case .sent: "was sent"
      case .refused: "was refused"
      case .conflict: "is in conflict: resolve that first"
      case .unknown:
        "may have been carried out: say first whether it was"
      }
    throw OutboxFailure(.wrongState, "Change \(id) \(words).")
  }

  fileprivate mutating func queue() {
    let mayBeThere = state == .unknown || looksFirst
    state = .queued
    reason = nil
    conflict = nil
    looksFirst = mayBeThere
  }
}

/// Options for sending.
public struct OutboxSending: Sendable {
  /// GitHub's limits for content.
  public var pace: OutboxPace
  /// The wait before the second search for a change whose response was lost.
  public var secondLook: Duration
  /// The longest wait for the limits of ``pace``, for a time that the server names (a minute and more if it names
  /// none), and for another process that sends.
  public var maximumWait: Duration
  /// Whether entries of another account are sent with the present token.
  public var asPresentAccount: Bool
  /// Receives the server's response, for example for a mirror. It may be called again for the same
  /// entry. If it throws, the next run calls it again.
  public var deliver: @Sendable (OutboxEntry) async throws -> Void
  /// Receives the error of each refusal. The outbox keeps only its message.
  public var refused: @Sendable (OutboxEntry.ID, NetworkError) -> Void = { _, _ in }

  /// Makes options.
  public init(
    pace: OutboxPace = .github, secondLook: Duration = .seconds(10),
    maximumWait: Duration = .seconds(60), asPresentAccount: Bool = false,
    deliver: @escaping @Sendable (OutboxEntry) async throws -> Void = { _ in }
  ) {
    self.pace = pace
    self.secondLook = secondLook
    self.maximumWait = maximumWait
    self.asPresentAccount = asPresentAccount
    self.deliver = deliver
  }
}

/// The provider of a server, and the account of its token.
public struct OutboxConnection: Sendable {
  /// Sends the requests.
  public var provider: Provider<GitHub>
  /// The account of the token; nil without a token.
  public var account: OutboxAccount?
  /// Whether a later read shows the written changes. Sample data doesn't keep them.
  public var keepsChanges = true

  /// Makes a connection.
  public init(provider: Provider<GitHub>, account: OutboxAccount? = nil) {
    self.provider = provider
    self.account = account
  }
}

/// An event while the outbox sends.
public enum OutboxEvent: Sendable {
  /// The state of an entry changed.
  case changed(OutboxEntry)
  /// Nothing is sent until a time.
  case waiting(until: Date, OutboxWait)
}

/// The reason for a pause in sending.
public enum OutboxWait: Hashable, Sendable {
  /// GitHub's limits for content.
  case pace
  /// The server's rate limit.
  case rateLimit
  /// A second search for a change whose response was lost.
  case secondLook
  /// Another process sends. Its lease ends at the time unless it is renewed.
  case otherProcess
}
