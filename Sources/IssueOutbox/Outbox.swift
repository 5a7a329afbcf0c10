internal import GRDB
public import GitHubAPI
public import HTTPTargets
public import PlatformModules

/// Stores the changes that a user wants to make until they are on the server.
///
/// ```swift
/// let outbox = try Outbox(path: "\(folder)/outbox.db")
/// try await outbox.add([Intention(.comment(on: .number(7), body: "Fixed."), in: name, on: .github)])
/// for try await event in outbox.send(connect: { _ in OutboxConnection(provider: provider) }) {
///   if case .changed(let entry) = event { print(entry.id, entry.state) }
/// }
/// ```
///
/// An intention is written to the disk before anything is sent. A change with an effect at each delivery, such as a
/// comment, is repeated only if it was certainly not carried out. Only one process at a time sends.
public final class Outbox: Sendable {
  /// The file.
  public var path: String { journal.path }

  let journal: OutboxJournal
  private let clock: any Clock<Duration>

  /// Opens the outbox, or creates an empty one. This waits for the disk.
  ///
  /// - Parameters:
  ///   - path: The file. The file and its folder are created if they are missing, with access only for this user.
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

  /// The path of a user's outbox: `$XDG_DATA_HOME/issues/outbox.db` if that is an absolute path, otherwise
  /// `~/.local/share/issues/outbox.db`. The outbox is separate from the mirror, which can be deleted without loss.
  ///
  /// - Parameter environment: The environment of the process.
  /// - Returns: The path; nil if neither variable contains a folder.
  public static func path(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/outbox.db" }
  }

  /// A keyed digest of a token, for ``OutboxAccount``. Each file has its own key.
  public func fingerprint(of token: AccessToken) throws(OutboxFailure) -> String {
    journal.fingerprint(of: token)
  }

  // MARK: Adding and reading

  /// Adds intentions in one transaction, which is on the disk when this returns.
  ///
  /// - Parameters:
  ///   - intentions: The intentions, in order. Texts may mention earlier creations as `new-1` or `#new-1`, which is
  ///     replaced by the number of the created issue.
  ///   - asBulk: Whether the intentions form a bulk. A bulk is sent only if its entries are requested by id, so an
  ///     interrupted bulk doesn't resume by itself.
  /// - Returns: Their entries.
  /// - Throws: ``OutboxFailure``; in this case, nothing was added.
  @discardableResult
  public func add(
    _ intentions: [Intention], asBulk: Bool = false
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.add(intentions, asBulk: asBulk)
  }

  /// The maximum number of waiting proposals.
  public static let mostProposals = 100

  /// Adds a change that a program proposes. It isn't sent until a person approves it. If the same proposal is already
  /// waiting, nothing is added.
  ///
  /// - Parameters:
  ///   - intention: The change.
  ///   - proposer: The name of the program, without control characters.
  /// - Returns: The entry.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if ``mostProposals`` are waiting.
  public func propose(
    _ intention: Intention, by proposer: String
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.propose(intention, by: proposer)
  }

  /// Queues a proposed entry, as a person's decision.
  ///
  /// - Throws: ``OutboxFailure/Code/wrongState`` in any other state.
  public func approve(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { _, row in
      try row.require([.proposed])
      row.queue()
    }
  }

  /// Copies a file, so that a text can refer to it (``Attachment``). It is uploaded when a change with such a text is
  /// sent. The copy is removed when it is uploaded, when its change is dropped, or after 30 days without a change.
  ///
  /// - Parameter path: The path of the file.
  /// - Returns: The attachment.
  /// - Throws: ``OutboxFailure/Code/unusableFile`` for a file that can't be read, isn't a regular file, is a symbolic
  ///   link, is empty or too large, isn't an image or a video that GitHub stores, or changes while it is read.
  public func attach(_ path: String) async throws(OutboxFailure) -> Attachment {
    try await journal.attach(path)
  }

  /// Removes the copies of attachments, unless a change refers to them.
  public func discard(_ attachments: [Attachment]) async throws(OutboxFailure) {
    try await journal.discard(attachments.map(\.id))
  }

  /// The attachments that the texts of an entry refer to, or have referred to before it was changed.
  public func attachments(of id: OutboxEntry.ID) async throws(OutboxFailure) -> [Attachment] {
    try await journal.read { db in try OutboxJournal.attachments(db, of: id) }
  }

  /// The entries, the oldest first, without dropped ones. Sent entries are kept for 30 days.
  ///
  /// - Parameter states: The states of the entries to return.
  /// - Returns: The entries.
  /// - Throws: ``OutboxFailure``.
  public func entries(
    in states: Set<OutboxState> = Set(OutboxState.allCases)
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    let names = states.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    return try await journal.entries(where: "dropped IS NULL AND state IN (\(names))")
  }

  /// The entries dropped in the last 30 days, the oldest first.
  public func droppedEntries() async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.entries(where: "dropped IS NOT NULL")
  }

  /// An entry, even a dropped one; nil if the id is unknown.
  public func entry(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry? {
    try await journal.entry(id)
  }

  /// The times of the writes in the last hour by an entry's account to its server, the oldest first.
  public func recentWrites(like entry: OutboxEntry) async throws(OutboxFailure) -> [Date] {
    let date = journal.now()
    return try await journal.read { db in
      try OutboxJournal.written(db, PaceKey(entry.server, entry.account), at: date)
    }
  }

  // MARK: Decisions

  /// Replaces the change of an entry. A refused entry or a conflict is queued again; a proposal stays one.
  ///
  /// - Throws: ``OutboxFailure/Code/wrongState`` if the entry was sent or may have been sent.
  public func replace(
    _ id: OutboxEntry.ID, with change: Change
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { db, row in
      try row.require([.proposed, .queued, .refused, .conflict])
      row.change = change
      // The previous entry stays a dependency.
      let previous = row.requires
      try OutboxJournal.connect(db, &row)
      row.requires = Set(row.requires).union(previous).sorted()
      if row.state != .proposed { row.queue() }
    }
  }

  /// Queues a refused or unknown entry again. An unknown entry is searched for again before it is sent.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - mayRepeat: Whether the user has confirmed that an unknown entry wasn't carried out, or may be carried out
  ///     twice. An entry becomes unknown if its process ends while sending it.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` in any other state, or if an unknown entry may not be repeated.
  public func retry(
    _ id: OutboxEntry.ID, mayRepeat: Bool
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { _, row in
      try row.require(mayRepeat ? [.queued, .refused, .unknown] : [.queued, .refused])
      row.queue()
    }
  }

  /// Assigns a change to another issue, such as a transferred issue in its new repository. A refused entry is queued
  /// again, a conflict stays a conflict, and an unknown entry is searched for in the new place.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - place: The issue, on the same server.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if the entry was sent or is being sent, if it creates its issue, if
  ///   it is about a notification, or if it refers by number to a milestone or an original issue of its repository.
  public func retarget(
    _ id: OutboxEntry.ID, to place: IssuePlace
  ) async throws(OutboxFailure) -> OutboxEntry {
    try await journal.change(id) { _, row in
      try row.require([.queued, .refused, .conflict, .unknown])
      guard let change = row.change.retargeted(from: row.repository, to: place) else {
        throw OutboxFailure(
          .wrongState,
          """
          Change \(id) can't be made to \(place) instead: it creates its issue, is about a notification, or names a \
          milestone or an issue of \(row.repository) by number. Drop it, and make it again there.
          """)
      }
      row.change = change
      row.repository = place.repository
      switch row.state {
      case .unknown: (row.reason, row.hasLookedTwice) = ("its response was lost", false)
      case .conflict: break
      default: row.queue()
      }
    }
  }

  /// Records the user's confirmation that an unknown entry was carried out.
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

  /// Looks for evidence that an unknown entry wasn't carried out, before the user confirms it with
  /// ``markSent(_:number:)``.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - number: The number of the issue that the entry may have created; nil for other changes.
  ///   - connection: The connection to the entry's server.
  /// - Returns: A description of the contradiction; nil if the server has the change, or its sender is unknown.
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

  /// Resolves a conflict.
  ///
  /// - Parameters:
  ///   - id: The entry.
  ///   - text: The text to send in place of the server's current text; nil to keep the server's text. If no change
  ///     remains, the entry is dropped.
  /// - Returns: The entry after the change.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if the entry isn't a conflict.
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
  /// - Throws: ``OutboxFailure/Code/wrongState`` if the entry was sent or is being sent.
  public func drop(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> OutboxEntry {
    try await drop([id])[0]
  }

  /// Drops several entries together. ``restore(_:)`` for one of them also restores the entries that depend on it.
  ///
  /// - Throws: ``OutboxFailure/Code/wrongState`` if an entry was sent or is being sent. In this case, none of them is
  ///   dropped.
  @discardableResult
  public func drop(_ ids: [OutboxEntry.ID]) async throws(OutboxFailure) -> [OutboxEntry] {
    let date = journal.now()
    let entries = try await journal.changeAll { _ in
      ids
    } _: { _, row in
      try row.require([.proposed, .queued, .refused, .conflict, .unknown])
      row.dropped = date
    }
    await journal.sweepCopies()
    return entries
  }

  /// The entries, including dropped ones, that can't be sent without one of the given entries, the oldest first.
  public func dependents(
    of ids: Set<OutboxEntry.ID>
  ) async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.read { db in
      let order = try OutboxJournal.order(db)
      return try OutboxJournal.dependents(db, of: ids).map { $0.entry(in: order) }
    }
  }

  /// Restores a dropped entry and the dependent entries that were dropped together with it.
  ///
  /// - Returns: The entries, starting with the given one.
  /// - Throws: ``OutboxFailure/Code/wrongState`` if the entry wasn't dropped, or if its attachments weren't uploaded.
  public func restore(_ id: OutboxEntry.ID) async throws(OutboxFailure) -> [OutboxEntry] {
    try await journal.changeAll { db in
      guard let date = try OutboxJournal.row(db, id).dropped else {
        throw OutboxFailure(.wrongState, "Change \(id) wasn't dropped.")
      }
      return try [id]
        + OutboxJournal.dependents(db, of: [id]).filter { $0.dropped == date }
        .map(\.id)
    } _: { [journal] db, row in
      try journal.requireCopies(db, row)
      row.dropped = nil
    }
  }

  // MARK: Sending

  /// Sends the entries that can be sent. Entries for the same issue are sent in order; other entries don't wait for
  /// each other. Only one process at a time sends, while others wait.
  ///
  /// The stream throws after it has sent everything that can be sent. It throws a ``/HTTPTargets/NetworkError`` if the
  /// network is down, the token isn't valid, or the server fails or rejects writes for longer than
  /// ``OutboxSending/maximumWait``; the errors of `connect`; or an ``OutboxFailure``. The other entries stay queued.
  /// Other results are in the state and the reason of an entry.
  ///
  /// - Parameters:
  ///   - ids: The entries to send, including their dependencies; nil for all entries that aren't part of a bulk.
  ///   - options: The options for sending.
  ///   - connect: Returns the provider of a server. It is called once for each server.
  /// - Returns: The events as they happen. Leaving the loop over them stops sending.
  public func send(
    _ ids: [OutboxEntry.ID]? = nil, options: OutboxSending = OutboxSending(),
    connect: @escaping @Sendable (GitHubServer) async throws -> OutboxConnection
  ) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: OutboxEvent.self)
    let (journal, clock) = (journal, clock)
    let task = Task {
      let lease = Lease(holder: Lease.newHolder())
      // Uses the real clock, because the heartbeat shows other processes that this one is alive.
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
      case .proposed: "is proposed: approve it first"
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
  /// The limits on creating content.
  public var pace: OutboxPace
  /// The delay before the second search for a change whose response was lost.
  public var secondLook: Duration
  /// The longest wait for the limits of ``pace``, for a time that the server sends (at least a minute if it doesn't
  /// send one), or for another process that is sending.
  public var maximumWait: Duration
  /// Whether entries of another account are sent with the current token.
  public var asPresentAccount: Bool
  /// Receives the server's response, for example to update a mirror. It may be called more than once for an entry. If
  /// it throws, it is called again in the next run.
  public var deliver: @Sendable (OutboxEntry) async throws -> Void
  /// Receives the error of each refusal. The outbox stores only its message.
  public var refused: @Sendable (OutboxEntry.ID, NetworkError) -> Void = { _, _ in }

  /// Creates options.
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
  /// The provider that sends the requests.
  public var provider: Provider<GitHub>
  /// The account of the token; nil without a token.
  public var account: OutboxAccount?
  /// Whether a later read includes the written changes. This is false for sample data.
  public var keepsChanges = true

  /// Creates a connection.
  public init(provider: Provider<GitHub>, account: OutboxAccount? = nil) {
    self.provider = provider
    self.account = account
  }
}

/// An event during sending.
public enum OutboxEvent: Sendable {
  /// The state of an entry changed.
  case changed(OutboxEntry)
  /// Sending pauses until the given time.
  case waiting(until: Date, OutboxWait)
  /// A file for an entry is being uploaded.
  case uploading(OutboxEntry.ID, Attachment, completedBytes: Int)
}

/// The reason for a pause in sending.
public enum OutboxWait: Hashable, Sendable {
  /// The limits on creating content.
  case pace
  /// The server's rate limit.
  case rateLimit
  /// A second search for a change whose response was lost.
  case secondLook
  /// Another process is sending. Its lease ends at the given time unless it is renewed.
  case otherProcess
}
