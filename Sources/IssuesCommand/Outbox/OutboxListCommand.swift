internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// The command `issues outbox list`, which also runs for `issues outbox` alone.
struct OutboxListCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the changes that aren't on the server yet.",
    usage: "issues outbox list [<options>]",
    discussion: """
      On a terminal, the list is a table, with the reason below a waiting change. In a pipe, it has one line per \
      change: its id, its state, the time when it was made, the repository, the \
      issue (#12, or new-7 for one that isn't created yet), what it does, the reason, and the address on \
      the server once it exists, separated by tabs. No server is contacted.

      EXAMPLES:
        issues outbox list
        issues outbox list --all         (with those that were sent within 30 days)
        issues outbox list --json id,state,reason
      """)

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Only changes in this repository; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repo: [String] = []

  @Flag(name: .shortAndLong, help: "List sent changes too.")
  var all = false

  @Flag(help: "List dropped changes; 'issues outbox restore' puts them back.")
  var dropped = false

  @OptionGroup(title: "Output") var output: OutputOptions

  static var jsonFields: JSONFields.Known { .all(of: ListedChange.Field.self) }

  func validateOptions() throws {
    guard !all || !dropped else {
      throw ValidationError("Use --all or --dropped, not both.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let wanted = try OutboxScope(repo, session)
    var entries: [OutboxEntry] = []
    if let outbox = try session.existingOutbox() {
      let states = all ? Set(OutboxState.allCases) : OutboxEntry.openStates
      entries = dropped ? try await outbox.droppedEntries() : try await outbox.entries(in: states)
    }
    var rows: [ListedChange] = []
    for entry in entries.filter(wanted.contains) {
      rows.append(try await session.listedChange(entry, fields))
    }
    var writer = try ListWriter<ListedChange>(session, fields: fields)
    try await writer.write(rows, heading: Self.heading(rows.map(\.entry)))
    try await writer.finish()
    if rows.isEmpty, writer.isTable {
      session.errors.write(
        dropped
          ? "Nothing was dropped within 30 days."
          : "The outbox is empty: every change is on its server.")
    }
  }

  private static func heading(_ entries: [OutboxEntry]) -> String {
    let needy = entries.count(where: \.needsPerson)
    let noun = entries.count == 1 ? "change" : "changes"
    let wait = needy == 1 ? "1 waits for you" : "\(needy) wait for you"
    return "\(entries.count) \(noun)" + (needy > 0 ? ", \(wait)" : "")
  }
}

/// The repositories of `--repo`, or else all on the server of `--api-url`, or else all.
struct OutboxScope: Sendable {
  private let places: [Place]
  private let server: GitHubServer?

  init(_ repositories: [String], apiURL: String? = nil, _ session: CommandSession) throws {
    places = try repositories.map {
      try Place(
        RepositoryReference(parsing: $0), apiURL: apiURL, environment: session.environment)
    }
    server = try apiURL.map { try GitHubServer(apiURL: $0) }
  }

  func contains(_ entry: OutboxEntry) -> Bool {
    guard !places.isEmpty else { return server == nil || server == entry.server }
    return places.contains {
      $0.server.host == entry.server.host
        && "\($0.name)".lowercased() == "\(entry.repository)".lowercased()
    }
  }
}

struct ListedChange: ListItem {
  let entry: OutboxEntry
  /// The files of its texts; empty unless they are shown.
  var attachments: [Attachment] = []

  static let columns: [ItemColumn<ListedChange>] = [
    .init("ID", alignment: .trailing) { row, _ in StyledLine("\(row.entry.id)") },
    .init("STATE") { row, _ in row.entry.styledState },
    .init("ISSUE", .limited(percent: 35)) { row, _ in StyledLine(row.entry.subject) },
    .init("CHANGE", .flexible(minimum: 20)) { row, _ in StyledLine(row.entry.change.summary) },
    .init("AGE", dropOrder: 0) { row, now in
      let age = now.map { RelativeTime.short(row.entry.created, relativeTo: $0) }
      return StyledLine(age ?? "", style: .faint)
    },
  ]

  var note: StyledLine? {
    let reason = entry.reason ?? entry.dependencyReason
    return reason.map { StyledLine("    \(ListedChange.line($0))", style: .faint) }
  }

  func plainCells() -> [StyledLine] {
    [
      StyledLine("\(entry.id)"), entry.styledState,
      StyledLine(Timestamp.string(from: entry.created), style: .faint),
      StyledLine("\(entry.place)"),
      StyledLine(entry.target?.name ?? entry.number.map { "#\($0)" } ?? ""),
      StyledLine(entry.change.summary),
      StyledLine(Self.line(entry.reason ?? entry.dependencyReason ?? "")),
      StyledLine(entry.answer?.url ?? ""),
    ]
  }

  static func line(_ text: String) -> String {
    CommandFailure(.failed, text).sentences
  }

  func object() throws -> JSONObject {
    try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .id: entry.id
        case .state: entry.stateName
        case .reason: entry.reason
        case .createdAt: Timestamp.string(from: entry.created)
        case .changedAt: Timestamp.string(from: entry.changed)
        case .attempts: entry.attempts
        case .host: entry.server.host
        case .repository: "\(entry.repository)"
        case .number: entry.number
        case .pendingIssue: entry.pendingName
        case .change: entry.change.summary
        case .title: entry.change.title
        case .body: entry.change.text
        case .dependsOn: entry.dependencies
        case .bulk: entry.bulk
        case .login: entry.account?.login
        case .proposedBy: entry.proposer
        case .url: entry.answer?.url
        case .dropped: entry.answer?.dropped ?? []
        case .conflict:
          entry.conflict.map { conflict -> EncodedObject in
            [
              "field": conflict.field.rawValue, "base": conflict.base, "mine": conflict.mine,
              "theirs": conflict.theirs, "merged": conflict.merged,
            ]
          }
        case .attachments:
          attachments.map { attachment -> EncodedObject in
            [
              "name": attachment.name, "size": attachment.size,
              "content_type": attachment.kind.contentType, "reference": attachment.reference,
              "is_used": entry.refers(to: attachment), "url": attachment.url,
            ]
          }
        }
      })
  }

  /// The fields of `--json`. A value is null if it doesn't apply.
  enum Field: String, CaseIterable, Sendable {
    case id
    case state
    case reason
    case createdAt = "created_at"
    case changedAt = "changed_at"
    case attempts
    case host
    case repository
    case number
    /// The temporary name of an issue that isn't created yet, such as `new-7`.
    case pendingIssue = "pending_issue"
    case change
    case title
    case body
    case dependsOn = "depends_on"
    /// The bulk that the entry is part of, for 'issues outbox send --bulk'.
    case bulk
    case login
    /// The program that proposed the change, by the name that it gives itself.
    case proposedBy = "proposed_by"
    case url
    /// The properties that the server omitted.
    case dropped
    /// The conflict: field, base, mine, theirs, merged.
    case conflict
    /// The files: name, size, content_type, reference, is_used, and url once they are uploaded.
    case attachments
  }
}

extension CommandSession {
  /// A change with the files of its texts, if they are requested.
  func listedChange(_ entry: OutboxEntry, _ fields: JSONFields?) async throws -> ListedChange {
    guard let fields, fields.names?.contains(ListedChange.Field.attachments.rawValue) ?? true,
      let outbox = try existingOutbox()
    else { return ListedChange(entry: entry) }
    return ListedChange(entry: entry, attachments: try await outbox.attachments(of: entry.id))
  }
}

extension OutboxEntry {
  /// Whether its texts refer to an attachment.
  func refers(to attachment: Attachment) -> Bool {
    change.texts.contains { text in
      text.contains(attachment.reference) || attachment.url.map { text.contains($0) } == true
    }
  }

  var stateName: String { dropped == nil ? state.rawValue : "dropped" }

  var styledState: StyledLine {
    StyledLine(stateName, style: dropped == nil ? state.style : .faint)
  }

  /// The number; nil until the server has assigned one.
  var number: Int? {
    if let number = answer?.number { return number }
    return if case .number(let number)? = target { number } else { change.thread?.issue }
  }

  /// The temporary name; nil for an issue that the server has.
  fileprivate var pendingName: String? {
    if case .pending? = target, answer == nil { target?.name } else { nil }
  }

  var dependencyReason: String? {
    guard state == .queued, !dependencies.isEmpty else { return nil }
    let ids = dependencies.map { "\($0)" }.joined(separator: ", ")
    return "waits for \(ids)"
  }
}

extension OutboxState {
  var style: Style {
    switch self {
    case .queued, .sending: .plain
    case .sent: .open
    case .proposed, .conflict, .unknown: Style(foreground: .yellow)
    case .refused: Style(foreground: .red)
    }
  }
}
