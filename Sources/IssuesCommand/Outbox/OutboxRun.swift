internal import ConcurrencyPrimitives
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Sends entries of the outbox and reports each: as a sentence on a terminal, as a line as in `issues outbox list` in a
/// pipe, or as an object with `--json`.
struct OutboxRun {
  struct Outcome: Sendable {
    var entries: [OutboxEntry]
    /// The reason that sending stopped early.
    var obstacle: CommandFailure?

    var status: ExitStatus {
      func has(_ states: OutboxState...) -> Bool {
        entries.contains { states.contains($0.state) }
      }
      if has(.conflict, .unknown) { return .unsettled }
      if has(.refused) { return .failed }
      if has(.queued, .sending, .proposed) { return .kept }
      return entries.contains { $0.answer?.dropped.isEmpty == false } ? .leftOut : .done
    }

    /// The summary, such as `2 of 9 changes aren't on the server: 1 conflict, 1 queued`.
    var summary: String? {
      let open = entries.filter { $0.state != .sent }
      guard !open.isEmpty else {
        return status == .leftOut ? "the server left something out" : nil
      }
      let states = OutboxState.allCases.compactMap { state in
        let count = open.count { $0.state == state }
        return count > 0 ? "\(count) \(state.rawValue)" : nil
      }
      let verb = open.count == 1 ? "isn't" : "aren't"
      let noun = entries.count == 1 ? "change" : "changes"
      return
        "\(open.count) of \(entries.count) \(noun) \(verb) on the server: \(states.joined(separator: ", "))"
    }

    var failure: CommandFailure? {
      guard status != .done, let summary else { return nil }
      let advice =
        status == .kept
        ? "Unsent changes stay in the outbox: '\(entries.filter { $0.state != .sent }.sendCommand)' continues."
        : "'issues outbox' lists the changes that wait for you."
      let reason = obstacle.map { ": \($0.sentences)" } ?? ""
      return CommandFailure(
        status, status == .leftOut ? summary : "\(summary)\(reason)\n\(advice)")
    }
  }

  private let writing: WriteSession
  private let fields: JSONFields?
  private let asPresentAccount: Bool
  /// The server in `--api-url`.
  private let named: GitHubServer?

  private var session: CommandSession { writing.session }
  var outbox: Outbox { writing.outbox }

  init(
    _ session: CommandSession, _ connection: ConnectionOptions, fields: JSONFields?,
    asPresentAccount: Bool = false
  ) throws {
    writing = try WriteSession(session, connection)
    self.fields = fields
    self.asPresentAccount = asPresentAccount
    named = try connection.request.apiURL.map { try GitHubServer(apiURL: $0) }
  }

  init(_ writing: WriteSession, fields: JSONFields?) {
    named = nil
    asPresentAccount = false
    self.writing = writing
    self.fields = fields
  }

  /// The server's evidence that contradicts a user's claim about an arrived change.
  func contradiction(to entry: OutboxEntry, number: Int?) async throws -> String? {
    try refuseOtherServers([entry])
    let connection = try await writing.connection(to: entry.server)
    do {
      let account = try connection.token.map {
        OutboxAccount(fingerprint: try outbox.fingerprint(of: $0))
      }
      return try await outbox.contradiction(
        to: entry.id, number: number,
        connection: OutboxConnection(provider: connection.provider, account: account))
    } catch let failure as OutboxFailure {
      throw CommandFailure(failure)
    } catch let error as NetworkError {
      throw connection.explanation(of: error, "\(entry.repository)")
    }
  }

  /// Finds the current repository of an issue, which may have been transferred.
  func presentPlace(
    of place: IssuePlace, on server: GitHubServer
  ) async throws(CommandFailure) -> IssuePlace {
    let issue = try await writing.connection(to: server).explaining("\(place)") {
      (provider) async throws(NetworkError) in
      try await provider.issue(place.number, of: place.repository)
    }
    return issue.url.flatMap { IssuePlace($0) }
      ?? IssuePlace(repository: place.repository, number: issue.number)
  }

  /// Throws for entries of other servers: the token in a variable is for the server in --api-url, and isn't sent to any
  /// other.
  private func refuseOtherServers(_ entries: [OutboxEntry]) throws(CommandFailure) {
    guard let named, let other = entries.first(where: { $0.server != named }) else { return }
    throw CommandFailure(
      .usage, "\(other.id) is for \(other.server.apiURL), and --api-url names another server")
  }

  /// Sends entries, and throws unless the server has all of them. `told` are the entries whose results the command
  /// writes itself; nil to write all as entries of the outbox.
  func send(_ entries: [OutboxEntry], telling told: Set<OutboxEntry.ID>? = nil) async throws {
    try refuseOtherServers(entries)
    var report = try OutboxReport(session, fields: fields, answersOf: told)
    guard !entries.isEmpty else {
      try await report.finish()
      if session.style.layout == .table { session.errors.write("There is nothing to send.") }
      return
    }
    let outcome = try await outcome(of: entries) { try await report.write($0) }
    try await report.write(rest: outcome.entries)
    try await report.finish()
    if let failure = outcome.failure { throw failure }
  }

  /// Reports each entry that is sent, refused or in conflict. An entry in the state unknown may still be found.
  func outcome(
    of entries: [OutboxEntry], reporting report: (OutboxEntry) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    writing.sayAtInterrupt(entries)
    defer { Interrupt.say(nil) }
    // An entry in the state unknown is only looked up.
    let due = entries.filter { [.queued, .sending, .unknown].contains($0.state) }
    var latest = Dictionary(entries.map { ($0.id, $0) }) { $1 }
    let begin = Date()
    var written: [Date] = []
    if let first = due.first { written = try await outbox.recentWrites(like: first) }
    var meter = OutboxMeter(
      total: due.count,
      written: written.map { Duration.seconds($0.timeIntervalSince(begin)) })
    let elapsed = ContinuousClock().stopwatch()
    var obstacle: CommandFailure?
    if let first = due.first {
      do {
        let events = writing.events(due.map(\.id), asPresentAccount: asPresentAccount)
        for try await event in events {
          tell(&meter, event, elapsed())
          guard case .changed(let entry) = event else { continue }
          latest[entry.id] = entry
          writing.sayAtInterrupt(entries.map { latest[$0.id] ?? $0 })
          if entry.state.isSettled { try await report(entry) }
        }
      } catch let failure as OutboxFailure where failure.code == .otherProcess {
        obstacle = CommandFailure(failure)
      } catch let failure as OutboxFailure {
        throw CommandFailure(failure)
      } catch let error as NetworkError {
        obstacle = try await writing.connection(to: first.server)
          .explanation(of: error, "\(first.repository)")
      }
    }
    session.progress.update("")
    // A reason may change even if the state doesn't.
    var now: [OutboxEntry] = []
    for entry in entries {
      now.append(try await outbox.entry(entry.id) ?? latest[entry.id] ?? entry)
    }
    return Outcome(entries: now, obstacle: obstacle)
  }

  private func tell(_ meter: inout OutboxMeter, _ event: OutboxEvent, _ elapsed: Duration) {
    if let text = meter.text(of: event, at: elapsed) { session.progress.update(text) }
    if case .waiting(let date, let wait) = event { writing.log(date, wait) }
  }
}

/// The status line while the outbox is sent.
struct OutboxMeter: Sendable {
  let total: Int
  var pace = OutboxPace.github
  /// The times of the writes in the last hour, relative to the beginning of this run.
  private var written: [Duration]
  private var settled: Set<OutboxEntry.ID> = []

  init(total: Int, pace: OutboxPace = .github, written: [Duration] = []) {
    self.total = total
    self.pace = pace
    self.written = written
  }

  /// The text after an event; nil if it doesn't change.
  mutating func text(of event: OutboxEvent, at elapsed: Duration) -> String? {
    switch event {
    case .changed(let entry) where entry.state == .sending:
      return
        "Sending \(min(settled.count + 1, total)) of \(total): \(entry.task)\(left(at: elapsed))"
    case .changed(let entry):
      if entry.state.isSettled, settled.insert(entry.id).inserted { written.append(elapsed) }
      return nil
    case .waiting(let date, let wait):
      let time = LocalTime.hoursAndMinutes(of: date)
      return
        "\(settled.count) of \(total) sent. \(wait.words): continuing at \(time)\(left(at: elapsed))"
    case .uploading(_, let attachment, let completedBytes):
      return attachment.progress(completedBytes)
    }
  }

  /// The estimated remaining time, according to GitHub's limits and the average time per change so far.
  func timeLeft(at elapsed: Duration) -> Duration {
    let measured = settled.isEmpty ? .zero : elapsed / settled.count
    let each = max(pace.interval, .seconds(60) / pace.perMinute, measured)
    /// The time until the change with this number among the remaining ones is sent.
    func wait(for number: Int) -> Duration {
      // At that time, this write must be at least an hour old.
      let other = written.count + number - pace.perHour
      guard other > 0 else { return each * number }
      let before =
        other <= written.count ? written[other - 1] - elapsed : wait(for: other - written.count)
      return max(each * number, before + .seconds(3_600))
    }
    return wait(for: total - settled.count)
  }

  private func left(at elapsed: Duration) -> String {
    total < 2 ? "" : " (about \(LocalTime.countdown(timeLeft(at: elapsed))) left)"
  }
}

extension OutboxState {
  fileprivate var isSettled: Bool { [.sent, .refused, .conflict].contains(self) }
}

extension OutboxWait {
  var words: String {
    switch self {
    case .pace: "The server doesn't accept more changes for now"
    case .rateLimit: "The server limits the rate of requests"
    case .secondLook: "The response was lost, so the server is checked again"
    case .otherProcess: "Another process is sending"
    }
  }
}

struct OutboxReport {
  private let session: CommandSession
  private let answers: Set<OutboxEntry.ID>?
  private var writer: ListWriter<ListedChange>
  private var written: Set<OutboxEntry.ID> = []

  /// Prepares a report. `answers` are the entries whose URLs are written in a pipe, and whose responses are written as
  /// JSON; nil to write the lines and objects of the outbox.
  init(
    _ session: CommandSession, fields: JSONFields?, answersOf answers: Set<OutboxEntry.ID>? = nil
  ) throws(CommandFailure) {
    self.session = session
    self.answers = answers
    self.fields = fields
    writer = try ListWriter(session, fields: fields)
  }

  private let fields: JSONFields?

  mutating func write(_ entry: OutboxEntry) async throws {
    written.insert(entry.id)
    let isTold = answers?.contains(entry.id) ?? true
    guard entry.state == .sent || answers == nil && !writer.isTable else {
      return session.errors.write(
        (["\(entry.id) \(entry.state.rawValue): \(entry.task)"]
          + [entry.reason, entry.advice].compactMap {
            $0.map { "    \(ListedChange.line($0))" }
          })
          .joined(separator: "\n"))
    }
    for omission in entry.answer?.dropped ?? [] where answers != nil || writer.isTable {
      session.errors.write("The server didn't apply all of \(entry.id): \(omission)")
    }
    guard isTold else { return }
    let address = entry.answer?.url ?? entry.pageURL
    if answers == nil, !writer.isTable {
      try await writer.write([session.listedChange(entry, fields)], heading: "")
    } else if fields != nil {
      try await writer.write(objects: [entry.responseObject()])
    } else {
      try await session.write(deed: entry.deed + entry.foundWords, address)
    }
  }

  mutating func write(rest entries: [OutboxEntry]) async throws {
    let rest = entries.filter { !written.contains($0.id) }
    // Many entries may wait for the same reason, so only the first ones are reported.
    for entry in answers == nil ? rest[...] : rest.prefix(3) { try await write(entry) }
  }

  mutating func finish() async throws { try await writer.finish() }
}
