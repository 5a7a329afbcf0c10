internal import ConcurrencyPrimitives
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Sends entries of the outbox, shows how far it is and how long it takes, and says what became of each.
///
/// On a terminal there is a sentence for each change, in a pipe a line as in `issues outbox list`, and with `--json` an
/// object.
struct OutboxRun {
  /// What became of entries.
  struct Outcome: Sendable {
    /// The entries as they are now.
    var entries: [OutboxEntry]
    /// Why sending stopped before all were sent; nil where it didn't.
    var obstacle: CommandFailure?

    /// The status of a command whose changes became that: 0 where the server has them all.
    var status: ExitStatus {
      func has(_ states: OutboxState...) -> Bool {
        entries.contains { states.contains($0.state) }
      }
      if has(.conflict, .unknown) { return .unsettled }
      if has(.refused) { return .failed }
      if has(.queued, .sending) { return .kept }
      return entries.contains { $0.answer?.dropped.isEmpty == false } ? .leftOut : .done
    }

    /// What isn't as it was asked for, such as `2 of 9 changes aren't on the server: 1 conflict, 1 queued`; nil for
    /// nothing.
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

    /// The failure of a command whose changes became that; nil where the server has them all.
    var failure: CommandFailure? {
      guard status != .done, let summary else { return nil }
      let advice =
        status == .kept
        ? "What isn't sent stays in the outbox: 'issues outbox send' goes on."
        : "'issues outbox' lists what waits for you."
      let reason = obstacle.map { ": \($0.sentences)" } ?? ""
      return CommandFailure(
        status, status == .leftOut ? summary : "\(summary)\(reason)\n\(advice)")
    }
  }

  private let writing: WriteSession
  private let fields: JSONFields?
  /// Whether changes of another login are sent too.
  private let asPresentAccount: Bool
  /// The server that the user has named; nil where they named none.
  private let named: GitHubServer?

  private var session: CommandSession { writing.session }
  var outbox: Outbox { writing.outbox }

  /// Opens the outbox; nothing is sent yet.
  init(
    _ session: CommandSession, _ connection: ConnectionOptions, fields: JSONFields?,
    asPresentAccount: Bool = false
  ) throws {
    writing = try WriteSession(session, connection)
    self.fields = fields
    self.asPresentAccount = asPresentAccount
    named = try connection.request.apiURL.map { try GitHubServer(apiURL: $0) }
  }

  /// Sends by way of a session that has the outbox open.
  init(_ writing: WriteSession, fields: JSONFields?) {
    named = nil
    asPresentAccount = false
    self.writing = writing
    self.fields = fields
  }

  /// What the server says against a person's word that a change arrived; nil for nothing.
  ///
  /// - Throws: ``CommandFailure`` where the server can't be asked, or isn't the one that the person names.
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

  /// --api-url says whose token the variables have: it goes to no other server.
  private func refuseOtherServers(_ entries: [OutboxEntry]) throws(CommandFailure) {
    guard let named, let other = entries.first(where: { $0.server != named }) else { return }
    throw CommandFailure(
      .usage, "\(other.id) is for \(other.server.apiURL), and --api-url names another server")
  }

  /// Sends entries, and reports each.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - told: The entries whose answers are told, as the command that made them tells them; nil to tell of all as of
  ///     entries of the outbox.
  /// - Throws: ``CommandFailure`` with the status of the outcome unless the server has them all; ``OutputError``.
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

  /// Sends entries.
  ///
  /// - Parameters:
  ///   - entries: The entries. Those that wait for a person stay as they are.
  ///   - report: Called with each entry that was settled: sent, refused or a conflict. What is unknown may be found yet.
  /// - Returns: What became of them.
  /// - Throws: ``CommandFailure`` where the outbox can't be read or written to, and what `report` throws.
  func outcome(
    of entries: [OutboxEntry], reporting report: (OutboxEntry) async throws -> Void = { _ in }
  ) async throws -> Outcome {
    Interrupt.sayThatOutboxGoesOn()
    let due = entries.filter { [.queued, .sending].contains($0.state) }
    var latest = Dictionary(entries.map { ($0.id, $0) }) { $1 }
    var meter = OutboxMeter(total: due.count)
    let elapsed = ContinuousClock().stopwatch()
    var obstacle: CommandFailure?
    if let first = due.first {
      do {
        let events = writing.events(due.map(\.id), asPresentAccount: asPresentAccount)
        for try await event in events {
          tell(&meter, event, elapsed())
          guard case .changed(let entry) = event else { continue }
          latest[entry.id] = entry
          if entry.state.isSettled { try await report(entry) }
        }
      } catch let failure as OutboxFailure {
        throw CommandFailure(failure)
      } catch let error as NetworkError {
        obstacle = try await writing.connection(to: first.server)
          .explanation(of: error, "\(first.repository)")
      }
    }
    session.progress.update("")
    // The reason why an entry waits may have changed without its state.
    var now: [OutboxEntry] = []
    for entry in entries {
      now.append(try await outbox.entry(entry.id) ?? latest[entry.id] ?? entry)
    }
    return Outcome(entries: now, obstacle: obstacle)
  }

  /// Shows on the status line how far it is; for a log, that a wait is long.
  private func tell(_ meter: inout OutboxMeter, _ event: OutboxEvent, _ elapsed: Duration) {
    if let text = meter.text(of: event, at: elapsed) { session.progress.update(text) }
    guard !session.progress.isEnabled, case .waiting(let date, let wait) = event,
      date.timeIntervalSinceNow >= 10
    else { return }
    session.errors.write("issues: \(wait.words): waiting until \(Timestamp.string(from: date))")
  }
}

/// The text of the status line while the outbox is sent.
struct OutboxMeter: Sendable {
  let total: Int
  var pace = OutboxPace.github
  private var settled: Set<OutboxEntry.ID> = []

  init(total: Int, pace: OutboxPace = .github) {
    self.total = total
    self.pace = pace
  }

  /// The text after an event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - elapsed: The time since sending began.
  /// - Returns: The text; nil where it stays.
  mutating func text(of event: OutboxEvent, at elapsed: Duration) -> String? {
    switch event {
    case .changed(let entry) where entry.state == .sending:
      return
        "Sending \(min(settled.count + 1, total)) of \(total): \(entry.task)\(left(at: elapsed))"
    case .changed(let entry):
      if entry.state.isSettled { settled.insert(entry.id) }
      return nil
    case .waiting(let date, let wait):
      let time = LocalTime.hoursAndMinutes(of: date)
      return
        "\(settled.count) of \(total) sent. \(wait.words): going on at \(time)\(left(at: elapsed))"
    }
  }

  /// How long the rest takes, by GitHub's limits and by the time that each change has taken so far.
  func timeLeft(at elapsed: Duration) -> Duration {
    let rest = total - settled.count
    let measured = settled.isEmpty ? .zero : elapsed / settled.count
    let each = max(pace.interval, .seconds(60) / pace.perMinute, measured)
    let (hours, remainder) = rest.quotientAndRemainder(dividingBy: pace.perHour)
    return max(each * rest, .seconds(3_600 * hours) + each * remainder)
  }

  private func left(at elapsed: Duration) -> String {
    total < 2 ? "" : " (about \(LocalTime.countdown(timeLeft(at: elapsed))) left)"
  }
}

extension OutboxState {
  /// Whether a run does nothing more about it.
  fileprivate var isSettled: Bool { [.sent, .refused, .conflict].contains(self) }
}

extension OutboxWait {
  /// Why nothing is sent.
  var words: String {
    switch self {
    case .pace: "GitHub takes no more changes for now"
    case .rateLimit: "GitHub limits the rate of requests"
    case .secondLook: "The answer was lost, so the server is looked at again"
    case .otherProcess: "Another process is sending"
    }
  }
}

/// Writes what became of entries of the outbox.
struct OutboxReport {
  private let session: CommandSession
  private let answers: Set<OutboxEntry.ID>?
  private var writer: ListWriter<ListedChange>
  private var written: Set<OutboxEntry.ID> = []

  /// Prepares writing.
  ///
  /// - Parameters:
  ///   - session: The session, which has the output.
  ///   - fields: The fields to write as JSON; nil for no JSON.
  ///   - answers: The entries whose addresses are written in a pipe, and whose answers as JSON; nil to write lines and
  ///     objects of the outbox.
  /// - Throws: ``CommandFailure`` where the jq expression can't be compiled.
  init(
    _ session: CommandSession, fields: JSONFields?, answersOf answers: Set<OutboxEntry.ID>? = nil
  ) throws(CommandFailure) {
    self.session = session
    self.answers = answers
    isJSON = fields != nil
    writer = try ListWriter(session, fields: fields)
  }

  private let isJSON: Bool

  /// Writes an entry that was settled.
  mutating func write(_ entry: OutboxEntry) async throws {
    written.insert(entry.id)
    let isTold = answers?.contains(entry.id) ?? true
    guard entry.state == .sent || answers == nil && !writer.isTable else {
      return session.errors.write(
        (["\(entry.id) \(entry.state.rawValue): \(entry.task)"]
          + [entry.reason, entry.labelAdvice].compactMap { $0.map { "    \(ListedChange.line($0))" } })
          .joined(separator: "\n"))
    }
    for omission in entry.answer?.dropped ?? [] where answers != nil || writer.isTable {
      session.errors.write("The server left something out of \(entry.id): \(omission)")
    }
    guard isTold else { return }
    let address = entry.answer?.url ?? entry.pageURL
    if writer.isTable {
      let line = StyledLine(runs: [
        StyledLine.Run("✓ ", style: .open), StyledLine.Run("\(entry.deed): "),
        StyledLine.Run(address, link: WebLink(address)),
      ])
      try await session.output.write(
        line.rendered(in: session.style.color, links: session.showsHyperlinks) + "\n")
    } else if answers == nil {
      try await writer.write([ListedChange(entry: entry)], heading: "")
    } else if isJSON {
      try await writer.write(objects: [JSONObject(entry.answer?.json ?? Data("{}".utf8))])
    } else {
      try await session.output.write("\(TerminalText(address))\n")
    }
  }

  /// Writes those that weren't settled, and wait.
  mutating func write(rest entries: [OutboxEntry]) async throws {
    let rest = entries.filter { !written.contains($0.id) }
    // Of very many that wait for the same, the first ones say it.
    for entry in answers == nil ? rest[...] : rest.prefix(3) { try await write(entry) }
  }

  func finish() async throws { try await writer.finish() }
}
