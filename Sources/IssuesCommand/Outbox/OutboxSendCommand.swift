internal import ArgumentParser
internal import IssueOutbox

struct OutboxSendCommand: JSONCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "send",
    abstract: "Send the changes that wait in the outbox.",
    usage: "issues outbox send [<options>] [ID …]",
    discussion: """
      Sends in the order in which the changes were made, one second apart, as GitHub asks for. A change that \
      waits for another one is sent after it. Changes that need a decision are skipped: conflicts, \
      refusals, proposals, and a change whose response was lost, unless it is found on the server. So are changes made \
      under another login, unless you pass --as-me. If the command is interrupted, run it again: nothing \
      is sent twice. The rest of a bulk (--where) is sent only with --bulk.

      On a terminal, each change is reported in a sentence. In a pipe, it is a line, as in 'issues outbox \
      list'. The exit status is 0 if the server has all of them, 8 if it left something out, 75 if some \
      aren't sent yet, 9 if some wait for you as a conflict or a lost response, and 1 if some were refused. \
      Changes that were already refused are skipped, unless an id names them.

      EXAMPLES:
        issues outbox send
        issues outbox send 7 8
        issues outbox send --bulk 7
        issues outbox send -R swiftlang/swift
      """)

  @Argument(
    help: ArgumentHelp(
      "A change, as 'issues outbox' lists it; by default all that wait.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entries: [OutboxEntryArgument] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only changes in this repository; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repo: [String] = []

  @Option(
    help: ArgumentHelp(
      "The rest of the bulk that began with this change; 'issues outbox' shows its id.",
      valueName: "id"))
  var bulk: OutboxEntryArgument?

  @Flag(help: "Send changes of another login too. They are sent with the current token.")
  var asMe = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static let terminalUse = TerminalUse.unpaged
  static var jsonFields: JSONFields.Known { .all(of: ListedChange.Field.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard let argument = OutboxEntryArgument(argument: word) else { return false }
    entries.insert(argument, at: 0)
    return true
  }

  func validateOptions() throws {
    try connection.refuseSampleData()
    guard [!entries.isEmpty, !repo.isEmpty, bulk != nil].count(where: { $0 }) < 2 else {
      throw ValidationError("Name the changes by ids, --bulk or --repo: leave the others out.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    var wanted: [OutboxEntry] = []
    for argument in entries {
      let entry = try await session.outboxEntry(argument.id).1
      guard entry.state != .proposed || entry.dropped != nil else {
        throw CommandFailure(
          .usage,
          """
          \(entry.id) is \(entry.reason ?? "proposed"), and isn't sent before you approve it: \(entry.task)
          Read it with 'issues outbox show \(entry.id)', then send it with 'issues outbox approve \(entry.id)'.
          """)
      }
      wanted.append(entry)
    }
    if let bulk {
      wanted = try await session.openChanges(ofBulk: bulk.id)
    } else if entries.isEmpty {
      let scope = try OutboxScope(repo, apiURL: connection.request.apiURL, session)
      let open = try await session.existingOutbox()?.entries(in: OutboxEntry.openStates)
      wanted = (open ?? []).filter(scope.contains).unasked
    }
    let run = try OutboxRun(session, connection, fields: fields, asPresentAccount: asMe)
    try await run.send(wanted)
  }
}

struct OutboxRetryCommand: SessionCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Send a refused change again.",
    usage: "issues outbox retry [<options>] ID …",
    discussion: """
      Queues a refused change again and sends it: for example, once the permission or the label exists. With \
      --create-labels, GitHub creates the missing labels. A change whose response was lost is looked \
      for once more, and sent again if it isn't there. Because that could post it twice, the command asks for \
      confirmation; without a terminal, --yes is required.

      EXAMPLES:
        issues outbox retry 7
        issues outbox retry 7 8 --create-labels
      """)

  @Argument(
    help: ArgumentHelp("A change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entries: [OutboxEntryArgument]

  @Flag(help: "Create labels that the repository doesn't have.")
  var createLabels = false

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    try connection.refuseSampleData()
  }

  func run(in session: CommandSession) async throws {
    var found: [OutboxEntry] = []
    for argument in entries { found.append(try await session.outboxEntry(argument.id).1) }
    if createLabels, let other = found.first(where: { $0.change.addedLabels.isEmpty }) {
      throw CommandFailure(.usage, "\(other.id) adds no labels: \(other.task)")
    }
    var repeatable: Set<OutboxEntry.ID> = []
    for entry in found where [.unknown, .sending].contains(entry.state) {
      if entry.change.countsEachTime, !yes {
        let isMeant = try await Question.ask(
          "It may already be there: \(entry.task). Send it again?")
        guard isMeant else { throw CommandFailure(.cancelled, "") }
      }
      repeatable.insert(entry.id)
    }
    let run = try OutboxRun(session, connection, fields: nil)
    var queued: [OutboxEntry] = []
    for entry in found {
      var entry = entry
      if entry.state != .queued {
        entry = try await run.outbox.retry(entry.id, mayRepeat: repeatable.contains(entry.id))
      }
      if createLabels, let change = entry.change.relabelled(creating: true) {
        entry = try await run.outbox.replace(entry.id, with: change)
      }
      queued.append(entry)
    }
    try await run.send(queued)
  }
}
