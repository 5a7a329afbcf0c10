internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct EditCommand: IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract:
      "Edit the title, the text, labels and other properties of issues.",
    usage: """
      issues edit [<options>] [OWNER/REPO] NUMBER …
      issues edit [<options>] --where QUERY
      """,
    discussion: """
      Changes the title, the text, labels, assignees, the milestone, the type, fields and relations.

      VALUES:
      Labels and assignees are added and removed, never replaced. On a terminal, without any option, the \
      title and the text open in your editor: the title is the first line, and the text begins below the \
      empty line after it.

      CONFLICTS:
      If someone else changes the same title or text in the meantime, nothing is overwritten: 'issues \
      outbox' shows both versions. --title and --body are compared with the mirror's version or, if the \
      issue isn't mirrored, with the server's before the first attempt.

      A label that the repository doesn't have is an error, unless --create-labels creates it.

      Fields are the organization's: --field accepts text, a number, a day such as 2026-12-31, or the name of \
      an option (several with commas between them). They require write access.

      A project is named by its owner and its number, or by the address of its page. Adding an issue again has no \
      effect. The token needs the scope 'project' ('gh auth refresh -s project').

      A sub-issue has one parent: another one is an error, unless --replace-parent removes it from there. The \
      other issue may be in another repository of the same server. Each relation is a separate change, made even \
      if others fail; existing relations count as done. Sub-issues and dependencies require triage access.

      \(AttachmentOptions.discussion) Without --body, the issue's text stays.

      \(BulkOptions.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues edit 12
        issues edit 12 --title "It crashes on Linux" --add-label linux,crash
        issues edit 12 13 14 --add-assignee @me --milestone 6.2
        issues edit 12 --attach shot.png
        issues edit 12 --remove-milestone --remove-label triage
        issues edit 12 --add-sub-issue 13,14 --blocked-by swiftlang/swift-syntax#7
        issues edit 13 --parent 20 --replace-parent
        issues edit 14 --after 13
        issues edit 12 --field "Target date=2026-12-31" --remove-field Effort
        issues edit 12 --add-project swiftlang/5 --project-status "In Progress"
        issues edit --where 'is:open label:stale updated:<2025-01-01' --add-label x
      """)

  @OptionGroup var selection: IssuesOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The new title.", valueName: "title"),
    transform: ValueReader.sentText(of: "--title"))
  var title: String?

  @OptionGroup var text: BodyOptions
  @OptionGroup var attachments: AttachmentOptions

  @Option(
    help: ArgumentHelp(
      "Add this label; repeat it for several, or separate them with commas: '\"a,b\",c' are two.",
      valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var addLabel: [String] = []

  @Option(
    help: ArgumentHelp("Remove this label.", valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var removeLabel: [String] = []

  @Option(
    help: ArgumentHelp(
      "Assign this user: a login, @me or @copilot.", valueName: "login"),
    completion: .custom(MirrorCompletion.assigneeList))
  var addAssignee: [String] = []

  @Option(
    help: ArgumentHelp("Unassign this user: a login, @me or @copilot.", valueName: "login"),
    completion: .custom(MirrorCompletion.assigneeList))
  var removeAssignee: [String] = []

  @Option(
    name: [.customShort("m", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Set its milestone: a title, or else a number.", valueName: "title"),
    completion: .custom(MirrorCompletion.milestones),
    transform: ValueReader.ownMilestone)
  var milestone: MilestoneChoice?

  @Flag(help: "Remove it from its milestone.")
  var removeMilestone = false

  @Option(help: ArgumentHelp("Set its type to one of the organization's.", valueName: "name"))
  var type: String?

  @Flag(help: "Remove its type.")
  var removeType = false

  @Option(
    help: ArgumentHelp(
      "Set an organization's field, such as Priority=High. Repeat it for several.",
      valueName: "name=value"),
    completion: .custom(MirrorCompletion.fields),
    transform: FieldAssignment.init(reading:))
  var field: [FieldAssignment] = []

  @Option(
    help: ArgumentHelp("Clear this organization's field.", valueName: "name"),
    completion: .custom(MirrorCompletion.fields))
  var removeField: [String] = []

  @Option(
    help: ArgumentHelp(
      "Add it to this project, such as swiftlang/5. Repeat it for several.",
      valueName: "owner/number"),
    transform: ValueReader.project)
  var addProject: [ProjectReference] = []

  @Option(
    help: ArgumentHelp("Set its status in the projects of --add-project.", valueName: "name"))
  var projectStatus: String?

  @OptionGroup(title: "Relations") var relations: RelationOptions

  @Flag(help: "Create labels that the repository doesn't have.")
  var createLabels = false

  @Flag(help: "Continue the draft of an earlier run, without asking.")
  var recover = false

  @OptionGroup(title: "Bulk") var bulk: BulkOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  func validateOptions() throws {
    try bulk.require(issues)
    // An invalid value is refused when it is needed, with the reason.
    let issues = try? IssueArguments(issues, repo: repo)
    try relations.requireOneIssue(bulk.query == nil && issues?.isOne ?? true)
    guard bulk.query == nil || changesFields && title == nil && !changesText else {
      throw ValidationError(
        "With --where, specify a label, assignee, milestone, type, field, project or relation to change: a title and text are for one issue."
      )
    }
    guard milestone == nil || !removeMilestone else {
      throw ValidationError("Choose --milestone or --remove-milestone.")
    }
    guard milestone != .any, milestone != .absent else {
      throw ValidationError("An issue can have one milestone: name its title or its number.")
    }
    guard type == nil || !removeType else {
      throw ValidationError("Choose --type or --remove-type.")
    }
    guard title?.contains(where: { !$0.isWhitespace }) ?? true else {
      throw ValidationError("A title can't be empty.")
    }
    guard !createLabels || !addLabel.isEmpty else {
      throw ValidationError("--create-labels only makes sense with --add-label.")
    }
    guard projectStatus == nil || !addProject.isEmpty else {
      throw ValidationError("--project-status only makes sense with --add-project.")
    }
    try attachments.requireText(changesText || bulk.query == nil && !changesFields)
    guard !recover || !changesFields else {
      throw ValidationError(
        "--recover continues a draft: leave out the options that change fields.")
    }
  }

  private var changesFields: Bool { changesOwnFields || relations.areGiven }

  private var changesText: Bool { text.isGiven || !attachments.attach.isEmpty }

  private var changesOwnFields: Bool {
    title != nil || changesText || milestone != nil || removeMilestone || type != nil || removeType
      || !(addLabel + removeLabel + addAssignee + removeAssignee + removeField).isEmpty
      || !field.isEmpty || !addProject.isEmpty
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    if bulk.query != nil {
      var common: IssueChange?
      let change = BulkChange(options: bulk, repo: repo, write: write, fields: fields)
      return try await change.run(in: session) { issue, writing in
        if common == nil, changesOwnFields {
          common = try await self.common(issue.place, writing)
        }
        return try await (common.map { [.edit(issue.target, $0)] } ?? [])
          + relations(of: issue, writing)
      }
    }
    let body = try await text.text()
    let writing = try WriteSession(session, write.connection, typed: [title, body])
    let named = try await namedIssues(issues, repo: repo, writing)
    if !changesFields { return try await editText(of: named, writing, fields) }
    var changes: [Place: IssueChange] = [:]
    var files: [GitHubServer: (files: AttachmentText, body: String?)] = [:]
    var groups: [(place: Place, changes: [Change])] = []
    for issue in named {
      let related = try await relations(of: issue, writing)
      guard changesOwnFields else {
        groups.append((issue.place, related))
        continue
      }
      // Names are looked up only once per repository.
      let known = changes[issue.place]
      var change: IssueChange
      if let known { change = known } else { change = try await common(issue.place, writing) }
      changes[issue.place] = change
      let server = issue.place.server
      if files[server] == nil, changesText {
        let new = try await AttachmentText(attachments, writing, on: server)
        var text: String?
        if let body { text = try await new.text(body) }
        files[server] = (new, text)
      }
      if body == nil, let files = files[server]?.files {
        let present = try await present(issue, writing)
        let old = present.body ?? ""
        change.title = title.map { TextChange($0, base: present.title) }
        change.body = TextChange(try await files.text(old, changedFrom: old), base: old)
      } else if title != nil || body != nil {
        let base = await base(of: issue, writing)
        change.title = title.map { TextChange($0, base: base?.title) }
        change.body = files[server]?.body.map { TextChange($0, base: base.map { $0.body ?? "" }) }
      }
      groups.append((issue.place, [.edit(issue.target, change)] + related))
    }
    try await WriteReport.carryOut(
      groups, writing, fields: fields, queueOnly: write.queue)
  }

  private func relations(
    of issue: NamedIssue, _ writing: WriteSession
  ) async throws -> [Change] {
    try await relations.changes(to: issue) {
      try await relatives($0, of: issue.place, writing)
    }
  }

  /// The part of the change that is the same for all issues of a repository.
  private func common(_ place: Place, _ writing: WriteSession) async throws -> IssueChange {
    let lookup = NameLookup(writing: writing, place: place)
    var change = IssueChange(
      addedLabels: try await lookup.labels(addLabel),
      removedLabels: try await lookup.labels(removeLabel),
      addedAssignees: try await lookup.logins(addAssignee.separatedByCommas),
      removedAssignees: try await lookup.logins(removeAssignee.separatedByCommas),
      fields: Dictionary(field.map { ($0.name, $0.value) }) { $1 }, clearedFields: removeField,
      addedProjects: addProject.map { ProjectPlacement($0, status: projectStatus) },
      createsLabels: createLabels)
    if let milestone {
      change.milestone = try await lookup.milestone(milestone).map { .set($0) }
    } else if removeMilestone {
      change.milestone = .clear
    }
    change.type = type.map { .set($0) } ?? (removeType ? .clear : nil)
    return change
  }

  /// The version for a later comparison. A change that is sent at once gets the server's version just before the first
  /// attempt.
  private func base(of issue: NamedIssue, _ writing: WriteSession) async -> GitHub.Issue? {
    guard let number = issue.number else { return nil }
    let lookup = NameLookup(writing: writing, place: issue.place)
    if let mirrored = await lookup.mirroredIssue(number) { return mirrored }
    return write.queue ? try? await lookup.issue(number) : nil
  }

  // MARK: In the editor

  private func editText(
    of named: [NamedIssue], _ writing: WriteSession, _ fields: JSONFields?
  ) async throws {
    guard let issue = named.first, named.count == 1 else {
      throw CommandFailure(.usage, "specify a change, such as --add-label NAME")
    }
    guard writing.session.canAsk else {
      throw CommandFailure(
        .usage, "specify a change, such as --title TEXT, --body-file - or --add-label NAME")
    }
    let present = try await present(issue, writing)
    let files = try await AttachmentText(attachments, writing, on: issue.place.server)
    let written = try await Self.edited(
      present, in: issue.place, recovers: recover, writing.session)
    guard let written else {
      writing.session.errors.write("Nothing was changed.")
      throw CommandFailure(.cancelled, "")
    }
    var change = written.change
    if let body = change.body {
      change.body = TextChange(
        try await files.text(
          body.text, changedFrom: body.base ?? "", keptIn: written.composer.draft), base: body.base)
    }
    try await WriteReport.carryOut(
      [(issue.place, [.edit(issue.target, change)])], writing, fields: fields,
      queueOnly: write.queue, onceKept: { written.composer.finish() })
  }

  /// The issue whose text is edited.
  private func present(
    _ issue: NamedIssue, _ writing: WriteSession
  ) async throws -> GitHub.Issue {
    guard let number = issue.number else {
      throw CommandFailure(
        .usage,
        "\(issue.word) is still in the outbox\nEdit it there with 'issues outbox edit'.")
    }
    let present = try await NameLookup(writing: writing, place: issue.place).presentIssue(number)
    guard present.number == number else {
      let address = present.htmlURL ?? "#\(present.number)"
      throw CommandFailure(
        .notFound,
        "\(issue.place.name)#\(number) was moved to \(address)\nEdit it there: issues edit \(address)"
      )
    }
    return present
  }

  /// Lets a user edit the title and the text of an issue; nil if nothing was changed.
  static func edited(
    _ present: GitHub.Issue, in place: Place, recovers: Bool, _ session: CommandSession
  ) async throws(CommandFailure) -> (change: IssueChange, composer: Composer)? {
    let composer = try await Composer(
      Draft.Subject(.issue, place, "\(present.number)"),
      beginningWith: PageText(title: present.title, body: present.body ?? "").text,
      recovers: recovers, session)
    guard let text = try await composer.write() else {
      composer.finish()
      return nil
    }
    // A recovered draft is compared with the version that its author saw.
    let (old, new) = (PageText(composer.original), try PageText(of: composer, text))
    var change = IssueChange()
    if new.title != old.title { change.title = TextChange(new.title, base: old.title) }
    if new.body != old.body { change.body = TextChange(new.body, base: old.body) }
    return (change, composer)
  }
}

/// The value of a field: `Priority=High`.
struct FieldAssignment: Hashable {
  let name: String
  let value: String

  init(reading text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else {
      throw ValueReader.Refusal(
        description: "use NAME=VALUE, such as Priority=High; --remove-field clears a field")
    }
    (name, value) = (parts[0], parts[1])
  }
}

/// A title and a text in one file: the title, an empty line, and the text.
struct PageText: Hashable {
  let title: String
  let body: String

  init(title: String, body: String) {
    (self.title, self.body) = (title, body)
  }

  init(_ text: String) {
    let end = text.firstIndex(of: "\n") ?? text.endIndex
    title = String(text[..<end])
    body = String(text[end...].drop { $0 == "\n" })
  }

  /// - Throws: ``CommandFailure`` if the title is empty. The message includes the draft's file.
  init(of composer: Composer, _ text: String) throws(CommandFailure) {
    self.init(text)
    guard title.contains(where: { !$0.isWhitespace }) else {
      throw CommandFailure(
        .usage,
        "the first line is the title, and it is empty: nothing was sent\nThe text is kept: "
          + composer.draft.path)
    }
  }

  var text: String { body.isEmpty ? title : "\(title)\n\n\(body)" }
}
