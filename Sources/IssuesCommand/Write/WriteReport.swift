internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Reports changes: those that the server made on standard output, and the others on standard error.
///
/// Changes that belong together, such as closing an issue with a comment, are reported as one.
struct WriteReport {
  private enum Form {
    case text
    case json(JSONSink)
  }

  private let writing: WriteSession
  private var form: Form
  private var count = 0
  private var failures: [CommandFailure] = []
  /// Changes that the server made only in part.
  private var omissions: [CommandFailure] = []

  private var session: CommandSession { writing.session }

  /// Creates a report. JSON is an array with an object for each issue, even if there is only one.
  init(_ writing: WriteSession, fields: JSONFields?) throws(CommandFailure) {
    self.writing = writing
    if let fields {
      form = .json(try JSONSink(writing.session, fields))
    } else {
      form = .text
    }
  }

  /// Saves changes, sends them, and reports them. In a group, each change waits for the previous one, unless it is
  /// independent. `leftOut` is a part that can't be requested. Calls `onceKept` as soon as they are in the outbox.
  static func carryOut(
    _ groups: [(place: Place, changes: [Change])], _ writing: WriteSession, fields: JSONFields?,
    queueOnly: Bool, leftOut: CommandFailure? = nil, onceKept: () -> Void = {}
  ) async throws {
    var report = try WriteReport(writing, fields: fields)
    if let leftOut { report.omissions.append(leftOut) }
    var intentions: [Intention] = []
    for group in groups {
      for (index, change) in group.changes.enumerated() {
        intentions.append(
          try await writing.intention(
            change, in: group.place, followsPrevious: index > 0 && !change.standsAlone))
      }
    }
    let kept = try await writing.add(intentions)
    onceKept()
    let outcome = queueOnly ? nil : try await writing.send(kept)
    var entries = (outcome?.entries ?? kept)[...]
    var newNames: Set<RepositoryName> = []
    for group in groups {
      let part = Array(entries.prefix(group.changes.count))
      if let name = part.first?.repository, name != group.place.name, newNames.insert(name).inserted
      {
        writing.session.errors.write("\(group.place.name) is \(name) now.", style: .faint)
      }
      entries = entries.dropFirst(part.count)
      if let outcome {
        try await report.write(part, outcome)
      } else {
        try await report.writeQueued(part)
      }
    }
    try await report.finish()
  }

  /// Reports changes that `--queue` saves. In a pipe, it writes the temporary name of a new issue.
  mutating func writeQueued(_ entries: [OutboxEntry]) async throws {
    guard let main = entries.main else { return }
    if case .createIssue = main.change, case .text = form, session.style.layout != .table {
      try await session.output.write("new-\(main.id)\n")
    }
    let tasks = entries.last?.change.standsAlone == true ? entries.map(\.task) : [main.task]
    failures.append(
      CommandFailure(
        .kept,
        "kept in the outbox, not sent yet: \(tasks.joined(separator: "; "))\n'issues outbox send' sends it."
      ))
  }

  mutating func write(
    _ entries: [OutboxEntry], _ outcome: WriteSession.Outcome
  ) async throws {
    guard let main = entries.main else { return }
    let open = entries.filter { $0.state != .sent }
    for entry in open {
      let failure = failure(of: entry, in: entries, outcome)
      if failure.isDropped {
        try await writing.drop(entries.filter { $0.state == .queued })
      }
      failures.append(failure.explanation)
      // The following changes wait for this one, or for the same network.
      guard entry.state != .queued, open.allSatisfy(\.change.standsAlone) else { break }
    }
    let sent = entries.filter { $0.state == .sent }
    guard
      open.isEmpty || entries.haveCreated || !sent.isEmpty && open.allSatisfy(\.change.standsAlone)
    else { return }
    let omitted = entries.flatMap { $0.answer?.dropped ?? [] }
    if !omitted.isEmpty {
      omissions.append(
        CommandFailure(
          .leftOut,
          "the server didn't apply all of this: \(main.task)\n\(omitted.joined(separator: "; "))"))
    }
    try await writeSent(sent.main ?? main, sent)
  }

  /// Ends the JSON, and throws the failures.
  func finish() async throws {
    session.progress.finish()
    if case .json(var sink) = form { try await sink.finishList() }
    let all = failures + omissions
    // The status is that of the failure that most needs the user's attention.
    let order: [ExitStatus] = [.unsettled, .kept, .leftOut]
    let worst = all.min {
      (order.firstIndex(of: $0.status) ?? -1) < (order.firstIndex(of: $1.status) ?? -1)
    }
    guard let worst else { return }
    guard all.count > 1 else { throw worst }
    for failure in all { session.errors.report(failure) }
    throw CommandFailure(
      worst.status, "\(all.count) of \(count + failures.count) changes weren't made as requested")
  }

  // MARK: Accepted changes

  private mutating func writeSent(_ entry: OutboxEntry, _ group: [OutboxEntry]) async throws {
    let address = entry.answer?.url ?? entry.pageURL
    count += 1
    if entry.closesPullRequest {
      session.errors.write("\(entry.issueName) is a pull request.")
    }
    switch form {
    case .text:
      try await session.write(deed: (group.deed ?? entry.deed) + entry.foundWords, address)
    case .json(var sink):
      let json =
        try (group.last?.answer?.json).map { JSONObject($0) } ?? entry.responseObject()
      try await sink.write(list: [json])
      form = .json(sink)
    }
  }

  // MARK: Changes that weren't accepted

  private func failure(
    of entry: OutboxEntry, in group: [OutboxEntry], _ outcome: WriteSession.Outcome
  ) -> (explanation: CommandFailure, isDropped: Bool) {
    switch entry.state {
    case .sent, .refused:
      // Closing or locking an issue doesn't include text.
      let kept =
        entry.change.texts.isEmpty ? "The change is kept" : "Your text is kept"
      let reason = "couldn't \(entry.task): \(entry.reason ?? "the server refused it")"
      guard !writing.isStub else {
        return (CommandFailure(outcome.status(of: entry), reason), false)
      }
      return (
        CommandFailure(
          outcome.status(of: entry),
          "\(reason)\n"
            + "\(kept): issues outbox show \(entry.id). It isn't sent again unless you say so; to discard it: "
            + "issues outbox drop \(entry.id)"
            + (entry.advice.map { ". \($0)" } ?? "")), false
      )
    case .conflict:
      return (
        CommandFailure(
          .unsettled,
          """
          someone else changed \(entry.issueName) in the meantime: nothing was overwritten
          See both texts with 'issues outbox show \(entry.id)', then choose: issues outbox resolve \(entry.id) \
          --mine, --theirs or --edit
          """), false
      )
    case .unknown, .sending:
      return (
        CommandFailure(
          .unsettled,
          """
          the server may or may not have done it (\(entry.task)): \(entry.reason ?? "the response was lost")
          It isn't sent again automatically. Look at \(entry.pageURL), then see 'issues outbox show \(entry.id)'.
          """), false
      )
    case .queued, .proposed: return queued(entry, in: group, outcome.obstacle)
    }
  }

  private func queued(
    _ entry: OutboxEntry, in group: [OutboxEntry], _ obstacle: CommandFailure?
  ) -> (explanation: CommandFailure, isDropped: Bool) {
    let send = "'issues outbox send' sends it."
    guard let obstacle else {
      return (
        CommandFailure(
          .kept,
          "kept in the outbox, not sent yet: "
            + "\(entry.reason ?? entry.turn)\n\(send)"
        ), false
      )
    }
    let reason = obstacle.message.prefix { !$0.isNewline }
    // Changes that wait for a limit or for another process are sent later, even in a script.
    if [.rateLimited, .kept].contains(obstacle.status) {
      return (
        CommandFailure(.kept, "kept in the outbox, not sent yet: \(reason)\n\(send)"), false
      )
    }
    // The server may already have the change. Sending it twice is harmless; otherwise its state would be unknown.
    if entry.lastSent != nil {
      return (
        CommandFailure(
          .kept, "kept in the outbox, and perhaps already made: \(reason)\n\(send)"), false
      )
    }
    // The rest of a new issue isn't dropped.
    guard session.style.layout == .table || group.haveCreated else {
      // The copies of files are removed with the changes, so they can't be restored.
      let isRestorable = group.allSatisfy(\.change.attachmentIDs.isEmpty)
      return (
        CommandFailure(
          obstacle.status,
          """
          \(reason)
          It won't be sent later: use --queue\(isRestorable ? ", or 'issues outbox restore \(entry.id)'" : "").\
          \(isRestorable ? "" : " Your text: issues outbox show \(entry.id)")
          """,
          isNetworkAway: obstacle.isNetworkAway), true
      )
    }
    return (
      CommandFailure(
        obstacle.isNetworkAway ? .kept : obstacle.status,
        "kept in the outbox, not sent yet: \(reason)\n\(send)"), false
    )
  }
}

extension [OutboxEntry] {
  /// The change that represents a group of changes to an issue: its creation, or else the last one.
  fileprivate var main: OutboxEntry? { first { $0.makesIssue } ?? last }

  /// Whether the group's issue was created.
  fileprivate var haveCreated: Bool { main.map { $0.makesIssue && $0.state == .sent } ?? false }

  /// The report, such as `Edited owner/name#12 (title, +sub-issue #5)`; nil if the main change describes all.
  fileprivate var deed: String? {
    guard count > 1, let last, last.change.standsAlone, let main else { return nil }
    if main.makesIssue {
      return "\(main.deed) (\(dropFirst().flatMap(\.change.words).joined(separator: ", ")))"
    }
    return "Edited \(main.issueName) (\(flatMap(\.change.words).joined(separator: ", ")))"
  }
}

extension OutboxEntry {
  fileprivate var makesIssue: Bool { if case .createIssue = change { true } else { false } }

  /// Whether the server closed a pull request, whose number the user may have taken for an issue's.
  fileprivate var closesPullRequest: Bool {
    guard case .close = change, let json = answer?.json else { return false }
    return (try? GitHubJSON.decode(GitHub.Issue.self, from: json))?.isPullRequest == true
  }

  fileprivate var turn: String {
    switch dependencies.count {
    case 0: "it wasn't its turn yet"
    case 1: "it waits for change \(dependencies[0])"
    default: "it waits for changes \(dependencies.map(String.init).joined(separator: ", "))"
    }
  }

  /// The server's response, or else the number and the address of the issue.
  func responseObject() throws -> JSONObject {
    try (answer?.json).map { JSONObject($0) }
      ?? JSONObject(
        encoding: [
          "number": answer?.number, "html_url": answer?.url ?? pageURL,
        ] as EncodedObject)
  }

  /// The page of the issue, or the list of issues as long as the issue has no number.
  var pageURL: String {
    if let thread = change.thread {
      return server.webURL(of: repository, issueNumber: thread.issue)
    }
    guard case .number(let number)? = change.target else {
      return "\(server.webURL(of: repository))/issues"
    }
    return server.webURL(of: repository, issueNumber: number)
  }
}
