internal import ArgumentParser
internal import IssueOutbox
internal import StyledText

struct OutboxDropCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Remove unsent changes from the outbox.",
    usage: "issues outbox drop [--yes] {ID … | --bulk ID | --all}",
    discussion: """
      Asks for confirmation; without a terminal, --yes is required. A copy is kept for 30 days: 'issues \
      outbox restore' puts it back. A change that depends on a dropped one, such as a comment on an issue \
      that isn't created yet, is dropped with it. Nothing on the server changes. The copies of files that aren't \
      uploaded yet are removed at once; a change with such files can't be restored.

      EXAMPLES:
        issues outbox drop 7
        issues outbox drop 7 8 --yes
        issues outbox drop --bulk 7      (the rest of a bulk)
      """)

  @Argument(
    help: ArgumentHelp("A change, as 'issues outbox' lists it.", valueName: "id"),
    completion: .custom(OutboxEntryArgument.candidates))
  var entries: [OutboxEntryArgument] = []

  @Option(
    help: ArgumentHelp(
      "The rest of the bulk that began with this change; 'issues outbox' shows its id.",
      valueName: "id"))
  var bulk: OutboxEntryArgument?

  @Flag(help: "All unsent changes.")
  var all = false

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    guard [!entries.isEmpty, bulk != nil, all].count(where: { $0 }) == 1 else {
      throw ValidationError("Specify the changes: ID …, --bulk ID or --all.")
    }
  }

  func run(in session: CommandSession) async throws {
    var found: [OutboxEntry] = []
    if let bulk { found = try await session.openChanges(ofBulk: bulk.id) }
    if all { found = try await session.existingOutbox()?.entries(in: OutboxEntry.openStates) ?? [] }
    for argument in entries {
      let entry = try await session.outboxEntry(argument.id).1
      guard entry.dropped == nil else {
        throw CommandFailure(.usage, "\(entry.id) was already dropped")
      }
      guard entry.state != .sent else {
        throw CommandFailure(
          .usage,
          "\(entry.id) was sent: \(entry.answer?.url ?? entry.pageURL)\nOnly the server can undo it."
        )
      }
      if !found.contains(where: { $0.id == entry.id }) { found.append(entry) }
    }
    guard let outbox = try session.existingOutbox(), !found.isEmpty else {
      return session.errors.write("There is nothing to drop.")
    }
    found += try await outbox.dependents(of: Set(found.map(\.id))).filter { $0.dropped == nil }
    let first = found.prefix(5).map { "\($0.id) (\($0.task))" }.joined(separator: ", ")
    let tasks = found.count > 5 ? "\(found.count.grouped) changes, \(first), …" : first
    let lost = try await filesLost(with: found, outbox)
    let all = Set(lost.values.flatMap(\.self)).sorted().joined(separator: ", ")
    let consequence =
      lost.isEmpty
      ? "A copy is kept for 30 days."
      : "The copies of its files are removed, so that it can't be restored: \(all)."
    if !yes, try await !Question.ask("Drop \(tasks)? \(consequence)") {
      throw CommandFailure(.cancelled, "")
    }
    for entry in try await outbox.drop(found.map(\.id)) {
      let consequence =
        lost[entry.id].map { "Removed \($0.joined(separator: ", ")): it can't be restored." }
        ?? "A copy is kept for 30 days."
      try await session.output.write(
        "Dropped \(entry.id): \(TerminalText(entry.task)). \(TerminalText(consequence))\n")
    }
  }

  /// The names of the files that only these changes still need, by change.
  private func filesLost(
    with entries: [OutboxEntry], _ outbox: Outbox
  ) async throws -> [OutboxEntry.ID: [String]] {
    func waiting(_ entry: OutboxEntry) async throws -> [Attachment] {
      guard !entry.change.attachmentIDs.isEmpty else { return [] }
      return try await outbox.attachments(of: entry.id).filter {
        $0.url == nil && entry.refers(to: $0)
      }
    }
    let dropped = Set(entries.map(\.id))
    var needed: Set<Attachment.ID> = []
    for entry in try await outbox.entries(in: OutboxEntry.openStates)
    where !dropped.contains(entry.id) {
      needed.formUnion(try await waiting(entry).map(\.id))
    }
    var lost: [OutboxEntry.ID: [String]] = [:]
    for entry in entries {
      let names = try await waiting(entry).filter { !needed.contains($0.id) }.map(\.name)
      if !names.isEmpty { lost[entry.id] = names }
    }
    return lost
  }
}

struct OutboxRestoreCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore",
    abstract: "Put a dropped change back into the outbox.",
    usage: "issues outbox restore ID …",
    discussion: """
      The change is restored as it was; nothing is sent. Changes that were dropped with it, such as the \
      comments on a new issue, come back too. 'issues outbox --dropped' lists the changes dropped within 30 days.

      EXAMPLES:
        issues outbox restore 7
      """)

  @Argument(help: ArgumentHelp("A change, as 'issues outbox --dropped' lists it.", valueName: "id"))
  var entries: [OutboxEntryArgument]

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  static let terminalUse = TerminalUse.unpaged

  func run(in session: CommandSession) async throws {
    var restored: Set<OutboxEntry.ID> = []
    for argument in entries where !restored.contains(argument.id) {
      let (outbox, entry) = try await session.outboxEntry(argument.id)
      for entry in try await outbox.restore(entry.id) {
        restored.insert(entry.id)
        try await session.output.write(
          "Restored \(entry.id), \(entry.state.rawValue): \(TerminalText(entry.task))\n")
      }
    }
    guard let outbox = try session.existingOutbox() else { return }
    let rest = try await outbox.dependents(of: restored)
      .filter { $0.dropped != nil && !restored.contains($0.id) }
    for entry in rest where !entries.contains(where: { $0.id == entry.id }) {
      session.errors.write(
        "Still dropped: \(entry.id), \(entry.task). 'issues outbox restore \(entry.id)' puts it back."
      )
    }
  }
}
