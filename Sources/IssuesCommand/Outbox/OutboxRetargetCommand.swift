internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

struct OutboxRetargetCommand: SessionCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "retarget",
    abstract: "Send changes to the new location of their issue.",
    usage: "issues outbox retarget [<options>] ID … [--to ISSUE]",
    discussion: """
      The server says where the issue is now, and the changes are sent there. --to names another issue on the \
      same server instead. A change whose response was lost is looked for there first; a conflict stays a \
      conflict. A milestone, or the original of a duplicate, has another number in another repository: drop \
      such a change, and make it again there.

      EXAMPLES:
        issues outbox retarget 7 8
        issues outbox retarget 7 --to swiftlang/swift-driver#12
      """)

  @Argument(
    help: ArgumentHelp("A change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entries: [OutboxEntryArgument]

  @Option(
    help: ArgumentHelp(
      "The issue: OWNER/REPO#NUMBER or a URL; or a number in the same repository.",
      valueName: "issue"))
  var to: String?

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    try connection.refuseSampleData()
  }

  func run(in session: CommandSession) async throws {
    let named = try to.map { try IssueReference(parsing: $0) }
    let run = try OutboxRun(session, connection, fields: nil)
    var targets: [(entry: OutboxEntry, place: IssuePlace)] = []
    for argument in entries {
      let entry = try await session.outboxEntry(argument.id).1
      targets.append((entry, try await place(of: entry, named, run)))
    }
    var retargeted: [OutboxEntry] = []
    for (entry, place) in targets {
      do throws(OutboxFailure) {
        retargeted.append(try await run.outbox.retarget(entry.id, to: place))
      } catch {
        throw CommandFailure(error)
      }
      session.errors.write("\(entry.id) goes to \(place) now.", style: .faint)
    }
    try await run.send(retargeted.filter { $0.state != .conflict })
  }

  /// Finds the target. All targets are looked up before the first entry is changed.
  private func place(
    of entry: OutboxEntry, _ named: IssueReference?, _ run: OutboxRun
  ) async throws -> IssuePlace {
    guard case .number(let number)? = entry.change.target else {
      throw CommandFailure(.usage, "\(entry.id) isn't about an issue on the server: \(entry.task)")
    }
    if let host = named?.repository?.host, try GitHubServer(host: host) != entry.server {
      throw CommandFailure(
        .usage, "\(entry.id) is for \(entry.server), and \(host) is another server")
    }
    let place = IssuePlace(
      repository: named?.repository?.name ?? entry.repository, number: named?.number ?? number)
    let present = try await run.presentPlace(of: place, on: entry.server)
    guard "\(present)".lowercased() != "\(entry.repository)#\(number)".lowercased() else {
      throw CommandFailure(
        .usage,
        "\(entry.issueName) hasn't moved\nSpecify where to send \(entry.id): --to OWNER/REPO#NUMBER."
      )
    }
    return present
  }
}
