internal import ArgumentParser
internal import IssueTracker

struct LabelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "label",
    abstract: "List, create, edit, delete or clone the labels of a repository.",
    discussion: """
      These commands change the labels that a repository has; 'issues edit' gives them to issues.

      EXAMPLES:
        issues label list apple/swift
        issues label create regression -c d73a4a -d "It worked before"
        issues label edit regression --name "regression 6.2"
        issues label delete wontfix
        issues label clone apple/swift
      """,
    subcommands: [
      LabelListCommand.self, LabelCreateCommand.self, LabelEditCommand.self,
      LabelDeleteCommand.self, LabelCloneCommand.self,
    ],
    defaultSubcommand: LabelListCommand.self)
}

struct LabelCreateCommand: LabelChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create a label.",
    usage: "issues label create [<options>] NAME",
    discussion: """
      Names that differ only in case are the same. With --force, an existing label gets the color and the \
      description.

      \(PropertyOptions.discussion)

      EXAMPLES:
        issues label create regression -c d73a4a -d "It worked before"
        issues label create bug -c '#ff0000' --force -R apple/swift
        issues label create flaky --json name,url --jq .name
      """)

  @Argument(help: ArgumentHelp("The name.", valueName: "name"))
  var name: String

  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    help: ArgumentHelp("The color, six hexadecimal digits.", valueName: "color"),
    transform: ValueReader.color)
  var color: String?

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The purpose, at most 100 characters.", valueName: "text"),
    transform: ValueReader.sentText(of: "--description"))
  var description: String?

  @Flag(name: .shortAndLong, help: "Change the label if it exists.")
  var force = false

  @OptionGroup var change: LabelOptions

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let writing = try await change.writing(in: session)
    var verb = "Created"
    let label = try await writing.sending(Property(kind: .label, name: name, isNew: true)) {
      writer throws(NetworkError) in
      do throws(NetworkError) {
        return try await writer.createLabel(
          NewLabel(name: name, color: color, description: description))
      } catch {
        guard force, error.saysNameIsTaken else { throw error }
        verb = "Edited"
        return try await writer.editLabel(
          name, LabelEdit(color: color, description: description))
      }
    }
    try await writing.tell(
      label.json, fields, "\(verb) the label “\(label.value.name)” in \(writing.place)",
      address: writing.labelPage(label.value.name))
  }
}

protocol LabelChangeCommand: JSONCommand {
  var change: LabelOptions { get set }
}

struct LabelOptions: ConnectingOptions {
  @OptionGroup var property: PropertyOptions
  @OptionGroup(title: "Output") var json: JSONOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  func writing(in session: CommandSession) async throws -> PropertyWriting {
    try await property.writing(in: session, connection)
  }
}

extension LabelChangeCommand {
  static var terminalUse: TerminalUse { .unpaged }
  static var jsonFields: JSONFields.Known { .sent(GitHub.Label.fieldNames) }

  var output: OutputOptions {
    get { change.json.output }
    set { change.json.output = newValue }
  }
}

/// ``OutputOptions`` without `--color`, which is the label's color here, as in gh.
struct JSONOptions: ParsableArguments {
  @Option(
    defaultAsFlag: "", parsing: .next,
    help: ArgumentHelp(
      "Write JSON with these fields, separated by commas, or with all fields.", valueName: "fields"),
    completion: .custom(FieldCompletion.candidates))
  var json: String?

  @Flag(help: "Write JSON, one object per line, as it arrives.")
  var jsonl = false

  @Option(
    help: ArgumentHelp(
      "The fields of the JSON, separated by commas: --json unless --jsonl is given.",
      valueName: "names"),
    completion: .custom(FieldCompletion.candidates))
  var fields: String?

  @Option(
    name: [.customShort("q"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "With --json: apply this jq expression, such as '.[].title'; with --jsonl, to each object.",
      valueName: "expression"),
    transform: ValueReader.text(of: "--jq"))
  var jq: String?

  @Flag(help: "Write errors as JSON, one per line, on standard error.")
  var jsonErrors = false

  func validate() throws {
    try output.validate()
  }

  var output: OutputOptions {
    get {
      var output = OutputOptions()
      (output.json, output.jsonl, output.fields, output.jq) = (json, jsonl, fields, jq)
      (output.jsonErrors, output.chosenColor) = (jsonErrors, nil)
      return output
    }
    set {
      (json, jsonl, fields) = (newValue.json, newValue.jsonl, newValue.fields)
      (jq, jsonErrors) = (newValue.jq, newValue.jsonErrors)
    }
  }
}

struct LabelEditCommand: LabelChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change a label, wherever it is used.",
    usage: "issues label edit [<options>] NAME",
    discussion: """
      Issues keep the label under its new name.

      \(PropertyOptions.discussion)

      EXAMPLES:
        issues label edit regression --name "regression 6.2"
        issues label edit bug -c d73a4a -d ""
      """)

  @Argument(
    help: ArgumentHelp("The label.", valueName: "label"),
    completion: .custom(MirrorCompletion.label))
  var label: String

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The new name.", valueName: "name"),
    transform: ValueReader.text(of: "--name"))
  var name: String?

  @Option(
    name: [.customShort("c", allowingJoined: true), .long],
    help: ArgumentHelp("The new color, six hexadecimal digits.", valueName: "color"),
    transform: ValueReader.color)
  var color: String?

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The new purpose, at most 100 characters.", valueName: "text"),
    transform: ValueReader.sentText(of: "--description"))
  var description: String?

  @OptionGroup var change: LabelOptions

  func validateOptions() throws {
    guard name != nil || color != nil || description != nil else {
      throw ValidationError("Specify a change: --name, --color or --description.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let writing = try await change.writing(in: session)
    let changed = try await writing.sending(Property(kind: .label, name: label), naming: name) {
      writer throws(NetworkError) in
      try await writer.editLabel(
        label, LabelEdit(newName: name, color: color, description: description))
    }
    try await writing.tell(
      changed.json, fields, "Edited the label “\(changed.value.name)” in \(writing.place)",
      address: writing.labelPage(changed.value.name))
  }
}

struct LabelDeleteCommand: PropertyCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete a label, including from every issue.",
    usage: "issues label delete [--yes] NAME",
    discussion: """
      Asks for confirmation; without a terminal, pass --yes. The issues stay.

      EXAMPLES:
        issues label delete wontfix
        issues label delete wontfix -R apple/swift --yes
      """)

  @Argument(
    help: ArgumentHelp("The label.", valueName: "label"),
    completion: .custom(MirrorCompletion.label))
  var label: String

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @OptionGroup var change: PropertyChangeOptions

  func run(in session: CommandSession) async throws {
    let writing = try await change.writing(in: session)
    try await writing.confirm("Delete the label “\(label)” in \(writing.place)", isConfirmed: yes)
    try await writing.sending(Property(kind: .label, name: label)) { writer throws(NetworkError) in
      try await writer.deleteLabel(label)
    }
    try await writing.session.write(
      deed: "Deleted the label “\(label)” in \(writing.place)", writing.labelPage(label))
  }
}
