internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

struct OutboxResolveCommand: SessionCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "resolve",
    abstract: "Resolve a conflict, or say whether a change was sent.",
    usage: """
      issues outbox resolve [<options>] ID --mine | --theirs | --edit
      issues outbox resolve [<options>] ID --sent [NUMBER] | --not-sent
      """,
    discussion: """
      In a conflict, someone else changed the same text after you saw it. 'issues outbox show' shows both. \
      --mine replaces theirs with yours, --theirs keeps theirs, and --edit opens the editor \
      on both; the saved text replaces theirs.

      If the response to a change was lost, its state is unknown. Check the server: --sent says that the change \
      is there, with the number of an issue that was created. The command checks too, and asks if the server has \
      something else. --not-sent says that it isn't there. The command then looks for it once more, and sends it again unless it is found.

      EXAMPLES:
        issues outbox resolve 7 --mine
        issues outbox resolve 7 --edit
        issues outbox resolve 8 --sent 1234
        issues outbox resolve 8 --not-sent
      """)

  @Argument(
    help: ArgumentHelp("The change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entry: OutboxEntryArgument?

  @Flag(help: "Replace the server's text with yours.")
  var mine = false

  @Flag(help: "Keep the server's text.")
  var theirs = false

  @Flag(help: "Edit both texts into one.")
  var edit = false

  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp("It is on the server, an issue under this number.", valueName: "number"))
  var sent: String?

  @Flag(help: "It isn't on the server: send it again. If it is found there, it isn't sent.")
  var notSent = false

  @Flag(name: .shortAndLong, help: "With --sent: don't look at the server, and don't ask.")
  var yes = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static let terminalUse = TerminalUse.unpaged

  mutating func validate() throws {
    // In `--sent 7`, the parser interprets the ID as the number.
    if entry == nil, let word = sent, !word.isEmpty,
      let argument = OutboxEntryArgument(argument: word)
    {
      (entry, sent) = (argument, "")
    }
    guard entry != nil else { throw ValidationError("Specify the change: ID.") }
    try connection.refuseSampleData()
    guard [mine, theirs, edit, sent != nil, notSent].count(where: { $0 }) == 1 else {
      throw ValidationError(
        "Specify one: --mine, --theirs or --edit for a conflict, --sent or --not-sent for an unknown change."
      )
    }
    guard !yes || sent != nil else { throw ValidationError("--yes only makes sense with --sent.") }
    guard sent.map({ $0.isEmpty || number != nil }) ?? true else {
      throw ValidationError("--sent requires the number of the issue on the server.")
    }
  }

  private var number: Int? {
    sent.flatMap { try? IssueReference(parsing: $0) }?.number
  }

  func run(in session: CommandSession) async throws {
    guard let argument = entry else { return }
    let (outbox, entry) = try await session.outboxEntry(argument.id)
    if sent != nil || notSent {
      guard entry.state == .unknown else {
        throw Self.refusal(
          of: entry, "--sent and --not-sent are about a change whose response was lost")
      }
      guard notSent else {
        try checkPlace(of: entry)
        return try await noteSent(entry, outbox, session)
      }
      let run = try OutboxRun(session, connection, fields: nil)
      return try await run.send([try await run.outbox.retry(entry.id, mayRepeat: true)])
    }
    guard entry.state == .conflict, let conflict = entry.conflict else {
      throw Self.refusal(of: entry, "--mine, --theirs and --edit resolve a conflict")
    }
    if theirs {
      let left = try await outbox.resolve(entry.id, with: nil)
      let rest = left.dropped == nil ? " The rest is queued: issues outbox send \(left.id)." : ""
      return try await session.output.write("Kept the server's \(conflict.field.words).\(rest)\n")
    }
    let run = try OutboxRun(session, connection, fields: nil)
    var (text, composer): (String, Composer?) = (conflict.mine, nil)
    if edit { (text, composer) = try await Self.edited(conflict, entry, session) }
    let resolved = try await run.outbox.resolve(entry.id, with: text)
    composer?.finish()
    try await run.send([resolved])
  }

  /// Throws if the issue is in another repository, because changes that depend on this one would be sent there.
  private func checkPlace(of entry: OutboxEntry) throws {
    guard let named = sent.flatMap({ try? IssueReference(parsing: $0) })?.repository else { return }
    let server = try named.host.map { try GitHubServer(host: $0) } ?? entry.server
    guard server == entry.server,
      "\(named.name)".lowercased() == "\(entry.repository)".lowercased()
    else {
      throw CommandFailure(
        .usage, "\(named) isn't \(entry.place), where the change was to go: nothing was recorded")
    }
  }

  /// Lets a user merge the two texts of a conflict.
  static func edited(
    _ conflict: OutboxConflict, _ entry: OutboxEntry, _ session: CommandSession
  ) async throws -> (String, Composer) {
    guard session.canAsk else {
      throw CommandFailure(.usage, "there is no terminal to edit on: use --mine or --theirs")
    }
    let composer = try await Composer(
      Draft.Subject(.change, entry.place, "\(entry.id)"),
      beginningWith: conflict.merged ?? Self.marked(conflict), mayStay: conflict.merged != nil,
      session)
    guard let text = try await composer.write() else {
      composer.finish()
      session.errors.write("Nothing was changed.")
      throw CommandFailure(.cancelled, "")
    }
    let hasMarks = Self.marks.contains { mark in
      text.split(whereSeparator: \.isNewline).contains { $0 == mark }
    }
    guard !hasMarks, conflict.field == .body || !text.contains(where: \.isNewline) else {
      let reason =
        hasMarks ? "the conflict markers are still in it" : "a title is a single line"
      throw CommandFailure(
        .usage, "\(reason): nothing was sent\nThe text is kept: \(composer.draft.path)")
    }
    return (text, composer)
  }

  private static let marks = ["<<<<<<< yours", "=======", ">>>>>>> the server's"]

  /// The text with conflict markers like those of git.
  private static func marked(_ conflict: OutboxConflict) -> String {
    [marks[0], conflict.mine, marks[1], conflict.theirs, marks[2]].joined(separator: "\n")
  }

  private func noteSent(
    _ entry: OutboxEntry, _ outbox: Outbox, _ session: CommandSession
  ) async throws {
    if case .createIssue = entry.change, number == nil {
      throw CommandFailure(
        .usage,
        "specify the number of the created issue: issues outbox resolve \(entry.id) --sent NUMBER")
    }
    if !yes { try await compare(entry, session) }
    let settled = try await outbox.markSent(entry.id, number: number)
    try await session.output.write("Noted: \(TerminalText(settled.deed)).\n")
  }

  /// Asks for confirmation if the server's version differs.
  private func compare(_ entry: OutboxEntry, _ session: CommandSession) async throws {
    let contradiction: String?
    do {
      contradiction = try await OutboxRun(session, connection, fields: nil)
        .contradiction(to: entry, number: number)
    } catch let failure as CommandFailure where failure.isNetworkAway {
      return session.errors.write("The server can't be reached, so this wasn't checked.")
    }
    guard let contradiction else { return }
    guard session.canAsk else {
      throw CommandFailure(
        .usage, "\(contradiction): nothing was recorded\nIf it is there anyway, add --yes.")
    }
    guard try await Question.ask("\(contradiction). Record that it was sent anyway?") else {
      throw CommandFailure(.cancelled, "")
    }
  }

  private static func refusal(of entry: OutboxEntry, _ reason: String) -> CommandFailure {
    CommandFailure(
      .usage,
      "change \(entry.id) \(entry.state.predicate): \(reason)\n'issues outbox show \(entry.id)' says what to do."
    )
  }
}

extension OutboxConflict.Field {
  var words: String {
    switch self {
    case .title: "title"
    case .body: "text"
    }
  }
}
