internal import ArgumentParser
internal import IssueOutbox
internal import StyledText

struct OutboxEditCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit the text or the labels of a change that isn't sent yet.",
    usage: "issues outbox edit [<options>] ID",
    discussion: """
      On a terminal, without other options, the text opens in your editor. If the change also has a title, the \
      first line is the title, and the text begins below the empty line after it. The change is then queued, \
      even one that was refused; 'issues outbox send' sends it. For a conflict, use 'issues outbox \
      resolve'. A word such as attachment:3f2a9c01b2d4e6f8 stands for the address of a file, which isn't uploaded \
      yet: the first lines in the editor name these files, and aren't sent.

      EXAMPLES:
        issues outbox edit 7
        issues outbox edit 7 --body-file comment.md
        issues outbox edit new-7 --title "It crashes on Linux"
        issues outbox edit 7 --remove-label bgu --add-label bug
      """)

  @Argument(
    help: ArgumentHelp("The change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entry: OutboxEntryArgument

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The new title.", valueName: "title"),
    transform: ValueReader.sentText(of: "--title"))
  var title: String?

  @OptionGroup var text: BodyOptions

  @Option(
    help: ArgumentHelp(
      "Add this label; repeat it for several, or separate them with commas: '\"a,b\",c' are two.",
      valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var addLabel: [String] = []

  @Option(
    help: ArgumentHelp(
      "Don't add this label; one that the issue already has is removed.", valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var removeLabel: [String] = []

  @Flag(help: "Create labels that the repository doesn't have.")
  var createLabels = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    guard title?.contains(where: { !$0.isWhitespace }) ?? true else {
      throw ValidationError("A title can't be empty.")
    }
  }

  func run(in session: CommandSession) async throws {
    let body = try await text.text()
    let (outbox, entry) = try await attempt(writingBack: [title, body], in: session) {
      try await session.outboxEntry(self.entry.id)
    }
    try refuse(entry)
    var (newTitle, newText) = (title, body)
    var composer: Composer?
    if title == nil, body == nil, !changesLabels {
      guard entry.change.title != nil || entry.change.text != nil else {
        throw CommandFailure(
          .usage,
          "\(entry.id) has no text: \(entry.task)\nChange its labels with --add-label and --remove-label."
        )
      }
      guard session.canAsk else {
        throw CommandFailure(
          .usage, "there is no text\nGive it with --body TEXT, or --body-file - for standard input."
        )
      }
      let writing = try await Composer(
        Draft.Subject(.change, entry.place, "\(entry.id)"),
        beginningWith: Self.legend(try await outbox.attachments(of: entry.id), entry)
          + Self.page(of: entry.change), session)
      guard let written = try await writing.write() else {
        writing.finish()
        session.errors.write("Nothing was changed.")
        throw CommandFailure(.cancelled, "")
      }
      composer = writing
      (newTitle, newText) = Self.parts(
        of: Self.withoutLegend(written), like: entry.change)
    }
    let relabelled =
      changesLabels
      ? entry.change.relabelled(
        adding: addLabel.separatedByCommas,
        removing: removeLabel.names(known: entry.change.labels),
        creating: createLabels ? true : nil) : entry.change
    guard let relabelled else {
      throw CommandFailure(.usage, "\(entry.id) has no labels to change: \(entry.task)")
    }
    guard let change = relabelled.replacing(title: newTitle, text: newText) else {
      throw CommandFailure(
        .usage, "\(entry.id) has no \(newTitle == nil ? "text" : "title") to change: \(entry.task)")
    }
    // Text from the editor stays in its draft, so it isn't written back.
    _ = try await attempt(writingBack: composer == nil ? [newTitle, newText] : [], in: session) {
      try await outbox.replace(entry.id, with: change)
    }
    composer?.finish()
    let verb = entry.state == .proposed ? "approve" : "send"
    try await session.output.write(
      "Edited \(entry.id). It isn't sent yet: issues outbox \(verb) \(entry.id)\n")
  }

  private var changesLabels: Bool { !addLabel.isEmpty || !removeLabel.isEmpty || createLabels }

  /// Runs work on the outbox. If that fails, for example because the disk is full, the typed text is written back.
  private func attempt<Value: Sendable>(
    writingBack typed: [String?], in session: CommandSession, _ work: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await work()
    } catch {
      let failure =
        (error as? OutboxFailure).map { CommandFailure($0) } ?? error as? CommandFailure
      guard let failure, failure.status == .output else { throw error }
      session.writeBack(typed.compactMap(\.self))
      throw CommandFailure(.output, "nothing was changed: \(failure.message)")
    }
  }

  private func refuse(_ entry: OutboxEntry) throws(CommandFailure) {
    switch entry.state {
    case .sent:
      throw CommandFailure(
        .usage, "\(entry.id) was sent: \(entry.answer?.url ?? entry.pageURL)\nEdit it there.")
    case .conflict:
      throw CommandFailure(
        .usage,
        "\(entry.id) is in conflict\nResolve it: issues outbox resolve \(entry.id) --mine, --theirs or --edit"
      )
    case .unknown, .sending:
      throw CommandFailure(
        .usage,
        "\(entry.id) may have been sent as it is\nSay first whether it was: issues outbox resolve \(entry.id) --sent or --not-sent"
      )
    case .proposed, .queued, .refused: break
    }
    guard entry.isEditable || changesLabels else {
      throw CommandFailure(
        .usage, "\(entry.id) has no text: \(entry.task)\nDrop it and make another.")
    }
  }

  private static let legendStart = "<!-- attachment:"

  /// A line for each file whose address isn't known yet.
  private static func legend(_ attachments: [Attachment], _ entry: OutboxEntry) -> String {
    attachments.filter { $0.url == nil && entry.refers(to: $0) }.reduce(into: "") {
      $0 += "<!-- \($1.reference) stands for \($1.name.replacing("--", with: "__")) -->\n"
    }
  }

  private static func withoutLegend(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while lines.first?.hasPrefix(legendStart) == true { lines.removeFirst() }
    return lines.joined(separator: "\n")
  }

  private static func page(of change: Change) -> String {
    guard let title = change.title else { return change.text ?? "" }
    return change.text.map { PageText(title: title, body: $0).text } ?? title
  }

  private static func parts(of page: String, like change: Change) -> (String?, String?) {
    guard change.title != nil else { return (nil, page) }
    let parts = PageText(page)
    return (parts.title, change.text == nil ? nil : parts.body)
  }
}
