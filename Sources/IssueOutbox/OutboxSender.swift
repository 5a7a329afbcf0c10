internal import GRDB
internal import GitHubAPI
internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules
internal import PrivateDatabase

struct OutboxSender {
  typealias Connect = @Sendable (GitHubServer) async throws -> OutboxConnection

  private static let leasePoll = Duration.milliseconds(500)
  /// The number of consecutive failures that ends the run for a server.
  private static let patience = 5
  /// The number of consecutive limits that ends the run, regardless of their duration.
  private static let mostLimits = 10

  let journal: OutboxJournal
  let ids: [OutboxEntry.ID]?
  let options: OutboxSending
  let connect: Connect
  let clock: any Clock<Duration>
  let lease: Lease
  let report: @Sendable (OutboxEvent) -> Void

  /// The lock that shows other processes that this one is alive.
  private var lock: OpenFile?
  private var connections: [GitHubServer: OutboxConnection] = [:]
  private var failures: [GitHubServer: any Error] = [:]
  private var firstFailure: (any Error)?
  private var failuresInARow: [GitHubServer: Int] = [:]
  /// The consecutive failed searches. They are counted separately, because a search may fail on a server that accepts
  /// changes.
  var failedLooksInARow: [GitHubServer: Int] = [:]
  private var limitsInARow = 0
  /// Entries whose repository name was updated once. A second time isn't allowed, so that a server can't cause an
  /// endless loop.
  private var moved: Set<OutboxEntry.ID> = []
  /// Entries whose replacement of text failed once. Interceptors don't retry them, because the texts must be compared
  /// again.
  private var triedAgain: Set<OutboxEntry.ID> = []
  /// Entries that weren't found, so that the name of their repository was looked up.
  var looked: Set<OutboxEntry.ID> = []
  /// Unfinished entries that this run won't try again.
  var skipped: Set<OutboxEntry.ID> = []

  init(
    journal: OutboxJournal, ids: [OutboxEntry.ID]?, options: OutboxSending,
    connect: @escaping Connect, clock: any Clock<Duration>, lease: Lease,
    report: @escaping @Sendable (OutboxEvent) -> Void
  ) {
    self.journal = journal
    self.ids = ids
    self.options = options
    self.connect = connect
    self.clock = clock
    self.lease = lease
    self.report = report
  }

  /// Sends everything possible, and then throws the first failure.
  mutating func run() async throws {
    while try await takeLease() {
      do {
        try await deliverEarlierAnswers()
        try await sendAll()
        await releaseLease()
        await journal.sweepCopies()
        break
      } catch is Lease.Lost {
        // Another process considered this one dead, and is now sending.
        lock = nil
      } catch {
        await releaseLease()
        throw error
      }
    }
    if let firstFailure { throw firstFailure }
  }

  // MARK: The lease

  /// Waits for the right to send. Returns false if nothing is left to send.
  private mutating func takeLease() async throws -> Bool {
    var seen: [OutboxEntry.ID: OutboxEntry]?
    var waited = Duration.zero
    while true {
      try Task.checkCancellation()
      lock = journal.folderLock()
      let (lease, date, isLocked) = (lease, journal.now(), lock != nil)
      let end = try await journal.write { db in
        let end = try lease.take(db, at: date, isLocked: isLocked)
        if end == nil {
          try OutboxJournal.recover(db, at: date)
          try OutboxJournal.purge(db, at: date)
        }
        return end
      }
      guard let end else { return true }
      lock = nil
      let entries = try await wanted()
      if let seen {
        for entry in entries where seen[entry.id] != entry { report(.changed(entry)) }
      }
      guard entries.contains(where: { [.queued, .sending].contains($0.state) }) else {
        return false
      }
      guard waited < options.maximumWait else {
        throw OutboxFailure(
          .otherProcess, "Another process has been sending for longer than this one may wait.")
      }
      if seen == nil { report(.waiting(until: end, .otherProcess)) }
      seen = Dictionary(uniqueKeysWithValues: entries.map { ($0.id, $0) })
      waited += Self.leasePoll
      try await clock.sleep(for: Self.leasePoll)
    }
  }

  private mutating func releaseLease() async {
    lock = nil
    _ = try? await journal.write { [lease] db in try lease.release(db) }
  }

  private func wanted() async throws -> [OutboxEntry] {
    let ids = ids
    return try await journal.read { db in
      let order = try OutboxJournal.order(db)
      let wanted = ids.map { order.closure(of: $0).map(String.init).joined(separator: ",") }
      let rows =
        if let wanted {
          try OutboxJournal.rows(
            db, where: "id IN (SELECT value FROM json_each(?)) AND dropped IS NULL",
            ["[\(wanted)]"])
        } else {
          try OutboxJournal.rows(db, where: "state <> 'sent' AND dropped IS NULL")
        }
      return rows.map { $0.entry(in: order) }
    }
  }

  // MARK: The run

  private mutating func sendAll() async throws {
    while let row = try await next() {
      try Task.checkCancellation()
      guard let connection = await connection(to: row.server) else {
        skipped.insert(row.id)
        continue
      }
      if row.state == .unknown || row.looksFirst {
        guard failedLooksInARow[row.server, default: 0] < Self.patience else {
          skipped.insert(row.id)
          continue
        }
        let look = try await look(row, connection, times: row.hasLookedTwice ? 1 : 2)
        guard row.looksFirst, look == .absent else { continue }
        skipped.remove(row.id)
      }
      try await send(row, connection)
    }
  }

  private func next() async throws -> OutboxRow? {
    let (ids, skipped) = (ids, skipped)
    return try await journal.read { db in
      let order = try OutboxJournal.order(db)
      let id = order.next(among: ids.map { order.closure(of: $0) }, skipping: skipped)
      return try id.map { try OutboxJournal.row(db, $0) }
    }
  }

  private mutating func connection(to server: GitHubServer) async -> OutboxConnection? {
    if failures[server] != nil { return nil }
    if let connection = connections[server] { return connection }
    do {
      let connection = try await connect(server)
      connections[server] = connection
      return connection
    } catch {
      fail(server, error)
      return nil
    }
  }

  mutating func fail(_ server: GitHubServer, _ error: any Error) {
    failures[server] = error
    firstFailure = firstFailure ?? error
  }

  private mutating func noteFailure(_ server: GitHubServer, _ error: NetworkError) {
    failuresInARow[server, default: 0] += 1
    if failuresInARow[server, default: 0] >= Self.patience { fail(server, error) }
  }

  /// Counts a failed search. After a lost response, this is the second failure in a row, so the run skips the server.
  mutating func noteFailedLook(
    _ server: GitHubServer, _ error: NetworkError, isAfterLoss: Bool
  ) {
    firstFailure = firstFailure ?? error
    failedLooksInARow[server, default: 0] += 1
    if isAfterLoss { fail(server, error) }
  }

  mutating func noteSuccess(_ server: GitHubServer) {
    failuresInARow[server] = nil
    failedLooksInARow[server] = nil
    limitsInARow = 0
  }

  @discardableResult
  func change(
    _ id: OutboxEntry.ID, isReported: Bool = true,
    _ body: @escaping @Sendable (Database, inout OutboxRow) throws -> Void
  ) async throws -> OutboxEntry {
    let (lease, date) = (lease, journal.now())
    let result = try await journal.write { db -> OutboxEntry? in
      do {
        try lease.check(db)
      } catch is Lease.Lost {
        return nil
      }
      var row = try OutboxJournal.row(db, id)
      try body(db, &row)
      row.changed = date
      try OutboxJournal.update(db, row)
      return row.entry(in: try OutboxJournal.order(db, around: row))
    }
    guard let result else { throw Lease.Lost() }
    if isReported { report(.changed(result)) }
    return result
  }

  func sleep(until date: Date) async throws {
    let rest = date.timeIntervalSince(journal.now())
    if rest > 0 { try await clock.sleep(for: .seconds(rest)) }
  }

  // MARK: Sending

  private mutating func send(_ row: OutboxRow, _ connection: OutboxConnection) async throws {
    let key = PaceKey(row.server, connection.account)
    let objection: String?
    do throws(NetworkError) {
      objection = try await self.objection(to: row, connection, key)
    } catch {
      fail(row.server, error)
      return
    }
    if let objection {
      skipped.insert(row.id)
      try await change(row.id) { _, row in row.reason = objection }
      return
    }
    guard try await waitForTurn(key, row), try await uploadAttachments(of: row, connection, key),
      let row = try await begin(row.id, connection)
    else { return }
    var sender = ChangeSender(
      provider: paced(connection.provider, key), server: row.server, repository: row.repository)
    sender.checksLocks = connection.keepsChanges
    let outcome: ChangeSender.Outcome
    do {
      outcome = try await sender.send(row.change) { noted in
        try await change(row.id, isReported: false) { _, row in row.change = noted }
      }
    } catch let error as NetworkError {
      return try await handle(error, of: row, connection, key)
    } catch let error as ChangeSender.PartialFailure {
      return try await handle(error.cause, isPartial: true, of: row, connection, key)
    }
    noteSuccess(row.server)
    switch outcome {
    case .carriedOut(let result): try await finish(row, result, key)
    case .conflict(let conflict):
      try await change(row.id) { _, row in
        row.state = .conflict
        row.conflict = conflict
        row.reason = "someone else has changed the \(conflict.field.rawValue) in the meantime"
      }
    }
  }

  /// Uploads the files that an entry refers to, and puts their addresses in its texts. A file that was uploaded earlier
  /// isn't uploaded again. Returns false if the entry can't be sent now.
  private mutating func uploadAttachments(
    of row: OutboxRow, _ connection: OutboxConnection, _ key: PaceKey
  ) async throws -> Bool {
    let ids = row.change.attachmentIDs
    guard !ids.isEmpty else { return true }
    let known = try await journal.read { db in try OutboxJournal.attachments(db, ids) }
    let writer = IssueWriter(
      provider: paced(connection.provider, key), repository: row.repository)
    var urls: [String: String] = [:]
    for id in ids {
      guard let attachment = known[id] else {
        try await change(row.id) { _, row in
          row.state = .refused
          row.reason = "its text refers to a file that isn't in the outbox: nothing was sent"
        }
        return false
      }
      if let url = attachment.url {
        urls[id] = url
        continue
      }
      do throws(NetworkError) {
        urls[id] = try await writer.upload(
          journal.copy(of: id), named: attachment.name, contentType: attachment.kind.contentType,
          to: row.change.number
        ) { [report] progress in
          report(.uploading(row.id, attachment, completedBytes: progress.completedBytes))
        }
      } catch {
        // Another process may have uploaded the file in the meantime, and then removed the copy.
        let now = try await journal.read { db in try OutboxJournal.attachments(db, [id]) }
        if let url = now[id]?.url {
          urls[id] = url
          continue
        }
        var error = error
        error.message = "“\(attachment.name)” couldn't be uploaded: \(error.message)"
        try await handle(error, isUpload: true, of: row, connection, key)
        return false
      }
      if let url = urls[id] { try await journal.uploaded(id, as: url) }
    }
    try await change(row.id, isReported: false) { [urls] _, row in
      row.change = row.change.attaching(urls)
    }
    return true
  }

  /// Waits for the limits. Returns false if they last longer than `maximumWait`.
  private mutating func waitForTurn(_ key: PaceKey, _ row: OutboxRow) async throws -> Bool {
    while true {
      let date = journal.now()
      let (pause, written) = try await journal.read { db in
        (try OutboxJournal.pause(db, key), try OutboxJournal.written(db, key, at: date))
      }
      // Limits never last longer than a day. A later time was recorded while the clock was ahead.
      if let pause, pause > date, pause.timeIntervalSince(date) <= 86_400 {
        guard pause.timeIntervalSince(date) <= options.maximumWait / .seconds(1) else {
          fail(row.server, until: pause)
          return false
        }
        report(.waiting(until: pause, .rateLimit))
        try await sleep(until: pause)
        continue
      }
      let next = options.pace.next(after: written, at: date)
      guard next > date else { return true }
      // A change can always wait for the interval.
      let longest = max(options.maximumWait, options.pace.interval)
      guard next.timeIntervalSince(date) <= longest / .seconds(1) else {
        fail(row.server, until: next)
        return false
      }
      report(.waiting(until: next, .pace))
      try await sleep(until: next)
    }
  }

  private mutating func fail(_ server: GitHubServer, until date: Date) {
    var error = NetworkError(.rateLimited, OutboxPace.words(until: date))
    error.retryDate = date
    error.bytesSent = 0
    fail(server, error)
  }

  /// A provider that also limits the pace of several requests for one change.
  private func paced(_ provider: Provider<GitHub>, _ key: PaceKey) -> Provider<GitHub> {
    provider.adding(
      Plugin(prepare: { [journal, clock, interval = options.pace.interval] request, target in
        guard target.effectiveIdempotency != .safe else { return request }
        let date = journal.now()
        let last = try await journal.read { db in
          try OutboxJournal.written(db, key, at: date).last { $0 <= date }
        }
        if let last, last + interval / .seconds(1) > date {
          try await clock.sleep(for: interval - .seconds(date.timeIntervalSince(last)))
        }
        let now = journal.now()
        try await journal.write { db in try OutboxJournal.noteWrite(db, key, at: now) }
        return request
      }))
  }

  /// Nil if the entry no longer needs to be sent.
  private func begin(_ id: OutboxEntry.ID, _ connection: OutboxConnection) async throws
    -> OutboxRow?
  {
    let (lease, date, account) = (lease, journal.now(), connection.account)
    enum Beginning: Sendable {
      case begun(OutboxRow, OutboxEntry)
      case changed
      case lost
    }
    let beginning = try await journal.write { db -> Beginning in
      do { try lease.check(db) } catch is Lease.Lost { return .lost }
      guard var row = try OutboxJournal.rows(db, where: "id = ?", [id]).first,
        row.state == .queued, row.dropped == nil, row.change.attachmentIDs.isEmpty
      else { return .changed }
      row.state = .sending
      row.reason = nil
      row.attempts += 1
      row.began = date
      row.hasLookedTwice = false
      row.account = account ?? row.account
      row.changed = date
      try OutboxJournal.update(db, row)
      return .begun(row, row.entry(in: try OutboxJournal.order(db, around: row)))
    }
    switch beginning {
    case .changed: return nil
    case .lost: throw Lease.Lost()
    case .begun(let row, let entry):
      report(.changed(entry))
      return row
    }
  }

  func finish(_ row: OutboxRow, _ result: CarriedOut, _ key: PaceKey) async throws {
    let date = journal.now()
    // This is recorded even without the lease, because the change was made.
    let entry = try await journal.write { db in
      var row = try OutboxJournal.row(db, row.id)
      row.state = .sent
      row.reason = nil
      row.conflict = nil
      row.answer = result.answer
      row.item = result.item
      row.changed = date
      try OutboxJournal.update(db, row)
      try OutboxJournal.resolve(db, row)
      try OutboxJournal.endPause(db, key)
      if let author = result.author { try OutboxJournal.noteLogin(db, key, author) }
      if let date = result.date { try OutboxJournal.noteServerTime(db, date) }
      return row.entry(in: try OutboxJournal.order(db, around: row))
    }
    await deliver(entry)
    report(.changed(entry))
  }

  private func deliver(_ entry: OutboxEntry) async {
    guard (try? await options.deliver(entry)) != nil else { return }
    _ = try? await journal.write { db in
      try db.execute(sql: "UPDATE entry SET delivered = 1 WHERE id = ?", arguments: [entry.id])
    }
  }

  private func deliverEarlierAnswers() async throws {
    let entries = try await journal.entries(where: "state = 'sent' AND delivered = 0")
    for entry in entries { await deliver(entry) }
  }

  // MARK: Failures

  private mutating func handle(
    _ error: NetworkError, isPartial: Bool = false, isUpload: Bool = false, of row: OutboxRow,
    _ connection: OutboxConnection, _ key: PaceKey
  ) async throws {
    switch SendVerdict(error, countsEachTime: row.change.countsEachTime && !isUpload) {
    case .refused(let words):
      failuresInARow[row.server] = nil
      // GitHub responds to a write with 404 even if the issue was moved.
      let mayHaveMoved = error.isAbsence || error.bytesSent == 0
      let place = mayHaveMoved ? await newPlace(of: row, connection.provider) : nil
      options.refused(row.id, error)
      try await change(row.id) { _, row in
        row.state = .refused
        row.reason = place.map { "\($0): nothing was sent" } ?? words
      }
    case .moved:
      if let name = await newName(of: row, connection.provider), moved.insert(row.id).inserted {
        try await move(row, to: name)
      } else {
        let place = await newPlace(of: row, connection.provider)
        let words = place.map { "\($0): nothing was sent" } ?? error.problem
        options.refused(row.id, NetworkError(.absent, words))
        try await change(row.id) { _, row in
          row.state = .refused
          row.reason = words
        }
      }
    case .uncertain(let words):
      try await change(row.id) { _, row in
        row.state = .unknown
        row.reason = "its response was lost (\(words))"
      }
      guard error.code != .cancelled else { throw CancellationError() }
      noteFailure(row.server, error)
      try await look(row, connection, times: 2, isAfterLoss: true)
    case .later(let words):
      let triesAgain =
        row.change.replacesText && error.bytesSent != 0 && triedAgain.insert(row.id).inserted
      if !triesAgain {
        skipped.insert(row.id)
        firstFailure = firstFailure ?? error
      }
      try await change(row.id) { _, row in
        row.state = .queued
        row.reason = words
      }
      noteFailure(row.server, error)
    case .stop:
      try await change(row.id) { _, row in
        row.state = .queued
        if isPartial {
          row.reason = error.problem
        } else if error.bytesSent == 0 || error.response != nil {
          // A server that refuses the token doesn't change anything.
          row.began = nil
        }
      }
      guard error.code != .cancelled else { throw CancellationError() }
      fail(row.server, error)
    case .limited(let end):
      let date = journal.now()
      try await change(row.id) { db, row in
        row.state = .queued
        if !isPartial { row.began = nil }
        try OutboxJournal.notePause(db, key, until: end, at: date)
      }
      limitsInARow += 1
      if limitsInARow >= Self.mostLimits { fail(row.server, error) }
    }
  }

  /// Nil if the repository wasn't renamed, or its new name is unknown.
  func newName(of row: OutboxRow, _ provider: Provider<GitHub>) async -> RepositoryName? {
    guard let name = try? await provider.repository(row.repository).fullName,
      name.lowercased() != row.repository.description.lowercased()
    else { return nil }
    return RepositoryName(name)
  }

  /// Renames the repository in all entries, because the order within an issue depends on the name.
  private func move(_ row: OutboxRow, to name: RepositoryName) async throws {
    let old = row.repository
    try await change(row.id) { db, row in
      try OutboxJournal.rename(db, old, to: name, on: row.server)
      row.repository = name
      row.state = .queued
    }
  }

  /// A description of the issue's current place; nil if the issue hasn't moved.
  func newPlace(of row: OutboxRow, _ provider: Provider<GitHub>) async -> String? {
    guard let number = row.number,
      let issue = try? await provider.issue(number, of: row.repository),
      let url = issue.htmlURL,
      // Something else has moved, such as the destination of a transfer.
      !IssueWriter(provider: provider, repository: row.repository).names(url, number)
    else { return nil }
    return "\(OutboxEntry.movedWords) \(url)"
  }
}
