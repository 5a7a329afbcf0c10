internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct OutboxShowCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all of a change, with its effect on the text.",
    usage: "issues outbox show [<options>] ID",
    discussion: """
      Replaced text is shown as a diff: the lines that you saw when you wrote, and yours. A conflict has a second \
      diff, with the server's current text. No server is contacted.

      EXAMPLES:
        issues outbox show 7
        issues outbox show new-7         (an issue that isn't created yet)
        issues outbox show 7 --json conflict --jq .conflict.theirs
      """)

  @Argument(
    help: ArgumentHelp("The change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entry: OutboxEntryArgument?

  @OptionGroup(title: "Output") var output: OutputOptions

  static var jsonFields: JSONFields.Known { .all(of: ListedChange.Field.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard entry == nil, let argument = OutboxEntryArgument(argument: word) else { return false }
    entry = argument
    return true
  }

  func validateOptions() throws {
    guard entry != nil else { throw ValidationError("Specify the change: ID.") }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    guard let argument = entry else { return }
    let (outbox, entry) = try await session.outboxEntry(argument.id)
    let attachments = try await outbox.attachments(of: entry.id)
    if let fields {
      let change = ListedChange(entry: entry, attachments: attachments)
      return try await JSONSink.write(try change.object(), fields, to: session)
    }
    let page = OutboxEntryPage(
      entry: entry, attachments: attachments, now: Date(), style: session.style)
    try await session.output.write(page.text)
  }
}

struct OutboxEntryPage: Sendable {
  let entry: OutboxEntry
  var attachments: [Attachment] = []
  let now: Date
  /// The style. On a terminal, ages are relative and names are aligned.
  let style: OutputStyle

  private var isTable: Bool { style.layout == .table }

  var text: String {
    var text = ""
    for (name, value) in facts {
      let name = StyledLine(
        isTable ? DisplayWidth.padded("\(name):", to: 11) : "\(name):", style: .heading)
      text +=
        isTable
        ? StyledLine(runs: name.runs + value.runs).rendered(in: style.color) + "\n"
        : TSV(color: style.color).line([name, value])
    }
    for (title, lines) in texts {
      let section = [StyledLine(), StyledLine(title, style: .heading)] + lines
      text += section.reduce(into: "") { $0 += $1.rendered(in: style.color) + "\n" }
    }
    return text
  }

  private var facts: [(name: String, value: StyledLine)] {
    func time(_ date: Date) -> String {
      isTable ? RelativeTime.describe(date, relativeTo: now) : Timestamp.string(from: date)
    }
    let reason = entry.reason ?? entry.dependencyReason
    let facts: [(String, StyledLine?)] = [
      ("change", StyledLine("\(entry.id)")),
      ("state", entry.styledState),
      ("reason", reason.map { StyledLine(ListedChange.line($0)) }),
      ("issue", StyledLine(entry.subject)),
      ("does", StyledLine(entry.change.words.joined(separator: ", "))),
      ("proposed by", entry.state == .proposed ? nil : entry.proposer.map { StyledLine($0) }),
      ("as", entry.account?.login.map { StyledLine($0) }),
      ("made", StyledLine(time(entry.created))),
      ("changed", entry.changed > entry.created ? StyledLine(time(entry.changed)) : nil),
      ("sent", attempts.map { StyledLine($0) }),
      (
        "waits for",
        entry.dependencies.isEmpty
          ? nil : StyledLine(entry.dependencies.map { "\($0)" }.joined(separator: ", "))
      ),
      ("address", entry.answer?.url.map { StyledLine($0) }),
      (
        "left out",
        entry.answer.flatMap {
          $0.dropped.isEmpty ? nil : StyledLine($0.dropped.joined(separator: "; "))
        }
      ),
    ]
    let files = attachments.map { ("file", StyledLine(words(about: $0))) }
    let next = advice.map { [("next", StyledLine($0, style: .faint))] } ?? []
    return facts.compactMap { name, value in value.map { (name, $0) } } + files + next
  }

  private func words(about attachment: Attachment) -> String {
    let isUsed = entry.refers(to: attachment)
    let state =
      switch (attachment.url, isUsed) {
      case (let url?, true): url
      case (_?, false): "uploaded, but the text doesn't refer to it"
      case (nil, true) where entry.dropped != nil: "its copy was removed"
      case (nil, true): "waiting, as \(attachment.reference)"
      case (nil, false): "not uploaded, because the text doesn't refer to it"
      }
    return "\(attachment.name), \(ByteCount.text(attachment.size)): \(state)"
  }

  private var attempts: String? {
    let times = entry.attempts == 1 ? "once" : "\(entry.attempts) times"
    guard entry.attempts > 0, entry.lastSent == nil else { return entry.attempts > 0 ? times : nil }
    return entry.attempts == 1
      ? "tried once; it changed nothing on the server"
      : "tried \(times); the last try changed nothing on the server"
  }

  private var advice: String? {
    guard entry.dropped == nil else { return "issues outbox restore \(entry.id)" }
    return switch entry.state {
    case .sent: nil
    case .proposed: "issues outbox approve, edit or drop \(entry.id)"
    case .queued, .sending: "issues outbox send \(entry.id)"
    case .refused where entry.hasMoved:
      "issues outbox retarget \(entry.id), or drop \(entry.id)"
    case .unknown where entry.hasMoved:
      "issues outbox retarget \(entry.id), or resolve \(entry.id) --sent or --not-sent"
    case .refused where entry.lacksLabels:
      "issues outbox retry \(entry.id) --create-labels, or edit or drop \(entry.id)"
    case .refused where entry.isEditable: "issues outbox edit, retry or drop \(entry.id)"
    case .refused: "issues outbox retry or drop \(entry.id)"
    case .conflict: "issues outbox resolve \(entry.id) --mine, --theirs or --edit"
    case .unknown: "issues outbox resolve \(entry.id) --sent or --not-sent"
    }
  }

  private var texts: [(title: String, lines: [StyledLine])] {
    var texts: [(String, [StyledLine])] = []
    func add(_ title: String, _ change: TextChange?) {
      guard let change else { return }
      guard let base = change.base else { return texts.append((title, Self.whole(change.text))) }
      texts.append(
        ("\(title), as you saw it (-) and as you want it (+)", Self.difference(base, change.text)))
    }
    switch entry.change {
    case .createIssue(let issue, _):
      texts.append(("Title", Self.whole(issue.title)))
      if let body = issue.body { texts.append(("Text", Self.whole(body))) }
    case .comment(_, let body): texts.append(("Text", Self.whole(body)))
    case .edit(_, let edit):
      add("Title", edit.title)
      add("Text", edit.body)
    case .editComment(_, _, let body): add("Text", body)
    default: break
    }
    if let conflict = entry.conflict {
      let name = conflict.field == .title ? "Title" : "Text"
      texts.append(
        (
          "\(name), as you saw it (-) and as the server has it now (+)",
          Self.difference(conflict.base, conflict.theirs)
        ))
      if let merged = conflict.merged {
        texts.append(("\(name), with both changes", Self.whole(merged)))
      }
    }
    return texts
  }

  private static func whole(_ text: String) -> [StyledLine] {
    ThreeWayMerge.lines(of: text).map { StyledLine("  \($0)") }
  }

  private static func difference(_ old: String, _ new: String) -> [StyledLine] {
    let lines = TextDifference(from: old, to: new).styledLines
    return lines.isEmpty ? [StyledLine("  no line differs", style: .faint)] : lines
  }
}
