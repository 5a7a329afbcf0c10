internal import ArgumentParser
internal import IssueOutbox
internal import PlatformModules

struct OutboxApproveCommand: SessionCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Send changes that an agent proposes.",
    usage: "issues outbox approve [<options>] ID …",
    discussion: """
      An agent can propose changes with 'issues mcp --proposals'. They aren't sent before you approve them. The \
      command shows each proposal and asks for confirmation; without a terminal, --yes is required. A proposal is \
      sent with your token, as your own change: read all of it. 'issues outbox edit' changes its text first, and \
      'issues outbox drop' rejects it. Without a network, an approved change stays in the outbox.

      EXAMPLES:
        issues outbox                    (lists the proposals too)
        issues outbox approve 7
        issues outbox approve 7 8 --yes
      """)

  @Argument(
    help: ArgumentHelp("A proposed change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entries: [OutboxEntryArgument]

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
    var proposed: [OutboxEntry] = []
    for argument in entries where !proposed.contains(where: { $0.id == argument.id }) {
      let entry = try await session.outboxEntry(argument.id).1
      guard entry.state == .proposed, entry.dropped == nil else {
        let state = entry.dropped == nil ? entry.state.predicate : "was dropped"
        throw CommandFailure(
          .usage,
          "change \(entry.id) \(state), and isn't a proposal\n'issues outbox show \(entry.id)' says what to do."
        )
      }
      proposed.append(entry)
    }
    if !yes {
      for entry in proposed where session.canAsk {
        let page = OutboxEntryPage(entry: entry, now: Date(), style: session.style)
        try await session.output.write(page.text + "\n")
      }
      let question =
        proposed.count == 1 ? "Send this as your own change?" : "Send these as your own changes?"
      guard try await Question.ask(question) else { throw CommandFailure(.cancelled, "") }
    }
    let run = try OutboxRun(session, connection, fields: nil)
    var approved: [OutboxEntry] = []
    for entry in proposed { approved.append(try await run.outbox.approve(entry.id)) }
    try await run.send(approved)
  }
}
