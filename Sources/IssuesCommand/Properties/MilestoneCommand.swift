internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules

struct MilestoneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "milestone",
    abstract: "List, create, edit, close, reopen or delete the milestones of a repository.",
    discussion: """
      These commands change the milestones that a repository has; 'issues edit' adds issues to them.

      EXAMPLES:
        issues milestone list apple/swift
        issues milestone create "6.2" --due 2026-12-31
        issues milestone edit 6.2 --description "Bug fixes only"
        issues milestone close 6.2
      """,
    subcommands: [
      MilestoneListCommand.self, MilestoneCreateCommand.self, MilestoneEditCommand.self,
      MilestoneCloseCommand.self, MilestoneReopenCommand.self, MilestoneDeleteCommand.self,
    ],
    defaultSubcommand: MilestoneListCommand.self)
}

struct MilestoneCreateCommand: MilestoneChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a milestone.",
    usage: "issues milestone create [<options>] TITLE",
    discussion: """
      \(PropertyOptions.discussion)

      EXAMPLES:
        issues milestone create "6.2" --due 2026-12-31 -d "Bug fixes only"
        issues milestone create "6.2" --json number
      """)

  @Argument(help: ArgumentHelp("The title.", valueName: "title"))
  var title: String

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The text.", valueName: "text"),
    transform: ValueReader.sentText(of: "--description"))
  var description: String?

  @Option(
    help: ArgumentHelp("The day it is due, such as 2026-12-31.", valueName: "day"),
    transform: ValueReader.day)
  var due: Date?

  @OptionGroup var change: MilestoneOptions

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let writing = try await change.writing(in: session)
    let created = try await writing.sending(
      Property(kind: .milestone, name: title, isNew: true)
    ) { writer throws(NetworkError) in
      try await writer.createMilestone(
        NewMilestone(title: title, description: description, dueOn: due))
    }
    try await writing.tell(created, fields, "Created")
  }
}

protocol MilestoneChangeCommand: JSONCommand {
  var change: MilestoneOptions { get set }
}

struct MilestoneOptions: ConnectingOptions {
  @OptionGroup var property: PropertyOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  func writing(in session: CommandSession) async throws -> PropertyWriting {
    try await property.writing(in: session, connection)
  }
}

extension MilestoneChangeCommand {
  static var terminalUse: TerminalUse { .unpaged }
  static var jsonFields: JSONFields.Known { .sent(GitHub.Milestone.fieldNames) }

  var output: OutputOptions {
    get { change.output }
    set { change.output = newValue }
  }
}

/// The commands `close` and `reopen`.
protocol MilestoneStateCommand: MilestoneChangeCommand {
  /// The change, and its verb in the report.
  static var edit: (change: MilestoneEdit, verb: String) { get }

  var argument: MilestoneArgument { get }
}

extension MilestoneStateCommand {
  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let writing = try await change.writing(in: session)
    let changed = try await writing.edit(argument.milestone, Self.edit.change)
    try await writing.tell(changed, fields, Self.edit.verb)
  }
}

struct MilestoneArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The milestone: its title, or else its number.", valueName: "milestone"),
    completion: .custom(MirrorCompletion.milestones))
  var milestone: String
}

struct MilestoneEditCommand: MilestoneChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a milestone.",
    usage: "issues milestone edit [<options>] MILESTONE",
    discussion: """
      \(PropertyOptions.discussion)

      EXAMPLES:
        issues milestone edit 6.2 --title 6.2.1 --due none
        issues milestone edit 6.2 -d "" -R apple/swift
      """)

  @OptionGroup var argument: MilestoneArgument

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The new title.", valueName: "title"),
    transform: ValueReader.sentText(of: "--title"))
  var title: String?

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The new text.", valueName: "text"),
    transform: ValueReader.sentText(of: "--description"))
  var description: String?

  @Option(
    help: ArgumentHelp(
      "The new day it is due, such as 2026-12-31, or 'none'.", valueName: "day"),
    transform: ValueReader.dayOrNone)
  var due: FieldChange<Date>?

  @OptionGroup var change: MilestoneOptions

  func validateOptions() throws {
    guard title != nil || description != nil || due != nil else {
      throw ValidationError("Specify a change: --title, --description or --due.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let writing = try await change.writing(in: session)
    let changed = try await writing.edit(
      argument.milestone,
      MilestoneEdit(title: title, description: description, dueOn: due))
    try await writing.tell(changed, fields, "Edited")
  }
}

struct MilestoneCloseCommand: MilestoneStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "close",
    abstract: "Close a milestone; its issues stay as they are.",
    usage: "issues milestone close [<options>] MILESTONE",
    discussion: """
      \(PropertyOptions.discussion)

      EXAMPLES:
        issues milestone close 6.2
      """)

  @OptionGroup var argument: MilestoneArgument
  @OptionGroup var change: MilestoneOptions

  static let edit = (change: MilestoneEdit(state: .closed), verb: "Closed")
}

struct MilestoneReopenCommand: MilestoneStateCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Reopen a milestone.",
    usage: "issues milestone reopen [<options>] MILESTONE",
    discussion: """
      \(PropertyOptions.discussion)

      EXAMPLES:
        issues milestone reopen 6.2
      """)

  @OptionGroup var argument: MilestoneArgument
  @OptionGroup var change: MilestoneOptions

  static let edit = (change: MilestoneEdit(state: .open), verb: "Reopened")
}

struct MilestoneDeleteCommand: PropertyCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a milestone; its issues stay.",
    usage: "issues milestone delete [--yes] MILESTONE",
    discussion: """
      Asks for confirmation; without a terminal, pass --yes.

      EXAMPLES:
        issues milestone delete 6.2
        issues milestone delete 6.2 -R apple/swift --yes
      """)

  @OptionGroup var argument: MilestoneArgument

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @OptionGroup var change: PropertyChangeOptions

  func run(in session: CommandSession) async throws {
    let writing = try await change.writing(in: session)
    let found = try await writing.milestone(argument.milestone)
    let milestone = Property(kind: .milestone, name: found.title)
    try await writing.confirm("Delete \(milestone) in \(writing.place)", isConfirmed: yes)
    try await writing.sending(milestone) { writer throws(NetworkError) in
      try await writer.deleteMilestone(found.number)
    }
    let page = "\(writing.place.server.webURL(of: writing.place.name))/milestone/\(found.number)"
    try await writing.session.write(deed: "Deleted \(milestone) in \(writing.place)", page)
  }
}

extension PropertyWriting {
  /// Finds a milestone by its title, or else by its number.
  func milestone(_ word: String) async throws(CommandFailure) -> (number: Int, title: String) {
    session.progress.update("Looking up the milestones of \(place)…")
    let all = try await connection.explaining("\(place)") { provider throws(NetworkError) in
      try await provider.milestones(of: place.name)
    }
    let numbered = all.compactMap { milestone in
      milestone.number.map { (number: $0, title: milestone.title) }
    }
    let found =
      numbered.first { $0.title == word }
      ?? numbered.first { $0.title.lowercased() == word.lowercased() }
      ?? numbered.first { "\($0.number)" == word }
    if let found { return found }
    let titles = numbered.prefix(20).map { "“\($0.title)”" }.joined(separator: ", ")
    let list = numbered.count > 20 ? "\(titles) …" : titles
    throw CommandFailure(
      .notFound,
      "\(place) has no milestone “\(word)”\n"
        + (numbered.isEmpty ? "It has none at all." : "It has \(list)."))
  }

  func edit(
    _ word: String, _ edit: MilestoneEdit
  ) async throws(CommandFailure) -> Written<GitHub.Milestone> {
    let found = try await milestone(word)
    return try await sending(
      Property(kind: .milestone, name: found.title), naming: edit.title
    ) { writer throws(NetworkError) in
      try await writer.editMilestone(found.number, edit)
    }
  }

  func tell(
    _ written: Written<GitHub.Milestone>, _ fields: JSONFields?, _ verb: String
  ) async throws {
    let milestone = written.value
    let page = "\(place.server.webURL(of: place.name))/milestone"
    try await tell(
      written.json, fields, "\(verb) the milestone “\(milestone.title)” in \(place)",
      address: milestone.number.map { "\(page)/\($0)" } ?? "\(page)s")
  }
}
