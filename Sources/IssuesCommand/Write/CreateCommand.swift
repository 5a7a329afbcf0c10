internal import ArgumentParser
internal import IssueOutbox
internal import IssueTemplates
internal import IssueTracker

struct CreateCommand: WriteCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create an issue.",
    usage: "issues create [<options>] [OWNER/REPO]",
    discussion: """
      On a terminal, without --title and --body, you are asked for the title and write the text in your \
      editor ($GIT_EDITOR, git's core.editor, $VISUAL or $EDITOR). The text is kept in a file until it is in \
      the outbox; if something goes wrong, the next run offers it again. Empty text cancels. In a pipe, the \
      command doesn't ask.

      SIMILAR ISSUES:
      If the repository is mirrored ('issues sync') and the command asks you for anything, it shows up to three \
      similar open issues before it sends yours, and you may stop: the text is kept. With --similar-remote, \
      GitHub's search by meaning finds them, also without a mirror.

      TEMPLATES AND FORMS:
      If the repository has templates, you choose one from a list or with --template. A form asks its \
      questions one by one; --field answers one of them in advance, by its id. Then the whole issue is shown, and \
      you may change any answer, or leave and continue later, before it is sent.

      REQUIRED ACCESS:
      --project requires the token's scope 'project' ('gh auth refresh -s project'). The projects that a form \
      names are added too, if the token may; otherwise, the command names them.

      Without write access, GitHub takes the text and drops labels, assignees, milestone and type without an \
      error; the command warns you first. A label that the repository doesn't have is an error, unless \
      --create-labels creates it.

      \(AttachmentOptions.discussion)

      RESULT:
      --queue prints a temporary name for the issue, such as new-1, that other commands understand.

      \(WriteHelp.results)

      EXAMPLES:
        issues create
        issues create apple/swift --title "It crashes" --body "With every input."
        issues create -t "It crashes" -l bug,linux -a @me -m 6.2 -F report.md
        issues create -t "It crashes" -b "" --json number,html_url
        issues create -t "It crashes" -b "Look:" --attach 'shot.png#The crash'
        issues create -t "It crashes" -b "" --project swiftlang/5
        issues create -t "A part" -b "" --parent 12 --blocked-by 13,14
        issues create -t "It crashes" --template bug.yml --field version=6.2
        issues create --web
      """)

  @Argument(help: .repositoryOrClone, completion: .custom(MirrorCompletion.repositoryOrName))
  var repository: String?

  @OptionGroup var option: RepositoryOptions

  @Option(
    name: .shortAndLong, parsing: .unconditional,
    help: ArgumentHelp("The title.", valueName: "title"),
    transform: ValueReader.sentText(of: "--title"))
  var title: String?

  @OptionGroup var text: BodyOptions
  @OptionGroup var attachments: AttachmentOptions

  @Flag(
    name: .shortAndLong,
    help:
      "Write the title and the text in your editor. The title is the first line. No question is asked."
  )
  var editor = false

  @Option(
    name: [.customShort("l", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Give it this label; repeat it for several, or separate them with commas: '\"a,b\",c' are two.",
      valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var label: [String] = []

  @Option(
    name: [.customShort("a", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Assign this user: a login, @me or @copilot.", valueName: "login"),
    completion: .custom(MirrorCompletion.assigneeList))
  var assignee: [String] = []

  @Option(
    name: [.customShort("m", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Set its milestone: a title, or else a number.", valueName: "title"),
    completion: .custom(MirrorCompletion.milestones),
    transform: ValueReader.ownMilestone)
  var milestone: MilestoneChoice?

  @Option(help: ArgumentHelp("Set its type, one of the organization's.", valueName: "name"))
  var type: String?

  @Option(
    help: ArgumentHelp(
      "Make it a sub-issue of this one; it requires triage access.", valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var parent: String?

  @Option(
    help: ArgumentHelp(
      "Make it wait for this issue; repeat it for several, or separate them with commas.",
      valueName: "number"),
    completion: .custom(MirrorCompletion.numberList))
  var blockedBy: [String] = []

  @Option(
    help: ArgumentHelp("Make this issue wait for it.", valueName: "number"),
    completion: .custom(MirrorCompletion.numberList))
  var blocking: [String] = []

  @Option(
    name: [.customShort("p", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Add it to this project, such as swiftlang/5. Repeat it for several.",
      valueName: "owner/number"),
    transform: ValueReader.project)
  var project: [ProjectReference] = []

  @Option(help: ArgumentHelp("Set its status in the projects of --project.", valueName: "name"))
  var projectStatus: String?

  @Option(
    name: [.customShort("T", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Use this template. Name its file, or give its name in the list.", valueName: "name"))
  var template: String?

  @Option(
    help: ArgumentHelp(
      "Answer a question of the form; repeat it for others, or for several answers.",
      valueName: "id=value"),
    transform: FieldAnswer.init(reading:))
  var field: [FieldAnswer] = []

  @Flag(help: "Create labels that the repository doesn't have.")
  var createLabels = false

  @Flag(help: "Ask GitHub for similar issues first; see 'issues help similar'.")
  var similarRemote = false

  @Flag(help: "Continue the draft of an earlier run, without asking.")
  var recover = false

  @Flag(name: .shortAndLong, help: "Write the issue in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  mutating func takeArgument(_ word: String) -> Bool {
    guard repository == nil, word.contains("/") else { return false }
    repository = word
    return true
  }

  func validateOptions() throws {
    guard title?.contains(where: { !$0.isWhitespace }) ?? true else {
      throw ValidationError("A title can't be empty.")
    }
    guard milestone != .any, milestone != .absent else {
      throw ValidationError("An issue can have one milestone: name its title or its number.")
    }
    guard !web || !write.queue, !web || !write.connection.request.stub, !web || !output.isJSON,
      !web || parent == nil, !web || type == nil, !web || !recover, !web || !createLabels,
      !web || !editor, !web || (blockedBy + blocking).isEmpty, !web || project.isEmpty,
      !web || !attachments.areGiven
    else {
      throw ValidationError(
        """
        --web opens GitHub's page: leave out --queue, --stub, --json, --parent, --blocked-by, --blocking, --project, \
        --type, --recover, --create-labels, --editor, --attach and --attach-local.
        """)
    }
    guard projectStatus == nil || !project.isEmpty else {
      throw ValidationError("--project-status only makes sense with --project.")
    }
    guard !editor || template == nil else {
      throw ValidationError("--editor begins with empty text: leave out --template.")
    }
    guard !similarRemote || !web && !write.queue else {
      throw ValidationError(
        "--similar-remote asks the server before the issue is sent: leave out --web and --queue.")
    }
    guard !recover || (title == nil && !text.isGiven && template == nil) else {
      throw ValidationError(
        "--recover continues a draft: leave out --title, --body and --template.")
    }
    guard template == nil || !text.isGiven else {
      throw ValidationError("A template provides the text: leave out --body.")
    }
    guard template != nil || field.isEmpty else {
      throw ValidationError("--field answers a question of a form: name it with --template.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    var body = try await text.text()
    // A file alone is a text.
    if body == nil, !attachments.attach.isEmpty, template == nil, !editor, !recover { body = "" }
    let place = try await session.place(
      of: RepositoryChoice(parsing: repository, option: option.repo),
      apiURL: write.connection.request.apiURL)
    if web, template == nil {
      let logins = try await assignees(at: place, session)
      return try await session.openPage(page(body, logins).url(at: place), of: place.server)
    }
    let isWhole = !editor && title != nil && (body != nil || template != nil)
    guard web || isWhole || session.canAsk else {
      guard !editor else { throw CommandFailure(.usage, "there is no terminal for the editor") }
      let missing = [title == nil ? "--title" : nil, body == nil ? "--body or --body-file" : nil]
      throw CommandFailure(
        .usage,
        "there is no terminal to ask on\nGive \(missing.compactMap(\.self).joined(separator: " and "))."
      )
    }
    guard !similarRemote || session.canAsk else {
      throw CommandFailure(
        .usage, "there is no terminal to ask on\nUse 'issues similar --remote --text TEXT' first.")
    }
    let writing = try WriteSession(session, write.connection, typed: [title, body])
    if web { return try await openTemplate(at: place, writing) }
    // This is checked first, so that the user doesn't write text for a milestone that doesn't exist.
    let (looked, leftOut) = try await lookUp(place, writing)
    let relations = try await dependencies(place, writing)
    let files = try await AttachmentText(attachments, writing, on: place.server)
    guard let written = try await written(body, place, writing) else {
      session.errors.write("Nothing was sent.")
      throw CommandFailure(.cancelled, "")
    }
    var new = written.issue
    new.body = try await written.text(with: files)
    new.labels = (looked.labels + new.labels).withoutRepetitions
    new.assignees = (looked.assignees + new.assignees).withoutRepetitions
    (new.milestone, new.parentIssueID) = (looked.milestone, looked.parentIssueID)
    new.type = looked.type ?? new.type
    if similarRemote || !isWhole && !write.connection.request.stub {
      try await offerSimilar(to: new, written.draft, place, writing)
    }
    new = try await prepared(new, written.template, place, writing)
    let projects = try await projects(written.template, place, writing)
    let creation = Change.creating(new, createsLabels: createLabels, on: files.server)
    try await WriteReport.carryOut(
      [(place, creation + projects + relations)], writing, fields: fields, queueOnly: write.queue,
      leftOut: leftOut, onceKept: { written.finish() })
  }

  /// Shows similar issues to the user, and stops if one of them suffices. The text stays in its draft.
  private func offerSimilar(
    to issue: NewIssue, _ draft: Draft?, _ place: Place, _ writing: WriteSession
  ) async throws {
    let session = writing.session
    var offer = SimilarIssueOffer(place: place, session: session)
    if similarRemote { offer.connection = try await writing.connection(to: place.server) }
    if try await offer.isAccepted(title: issue.title, body: issue.body ?? "") { return }
    if let draft { sayThatItIsKept(draft, session) }
    throw CommandFailure(.cancelled, "")
  }

  private func sayThatItIsKept(_ draft: Draft, _ session: CommandSession) {
    session.errors.write(
      "Nothing was sent. Your text is kept, and 'issues create\(editor ? " --editor" : "") --recover' continues it: "
        + draft.path)
  }

  /// Reports the properties that the server will omit, and requests those of the template. If they can't be looked up,
  /// the report after the creation includes them.
  private func prepared(
    _ issue: NewIssue, _ template: TemplateKind?, _ place: Place, _ writing: WriteSession
  ) async throws -> NewIssue {
    guard !write.queue else { return issue }
    let choice = TemplateChoice(
      place: place, connection: try await writing.connection(to: place.server),
      session: writing.session)
    guard let prepared = try? await choice.prepared(issue, template: template) else { return issue }
    if let notice = prepared.notice { writing.session.errors.write(notice) }
    return prepared.issue
  }

  private func openTemplate(at place: Place, _ writing: WriteSession) async throws {
    let choice = TemplateChoice(
      place: place, connection: try await writing.connection(to: place.server),
      session: writing.session)
    guard let found = try await choice.template(named: template, asks: false) else { return }
    let link = try choice.link(to: found, title: title, fields: answers)
    for omission in link.leftOut {
      writing.session.errors.write("It doesn't fit into the address: \(omission)")
    }
    try await writing.session.openPage(link.url, of: place.server)
  }

  private var answers: [(id: String, value: String)] { field.map { ($0.id, $0.value) } }

  /// The issue without its texts, and the part of the options that the repository doesn't allow.
  private func lookUp(
    _ place: Place, _ writing: WriteSession
  ) async throws -> (issue: NewIssue, leftOut: CommandFailure?) {
    let lookup = NameLookup(writing: writing, place: place)
    var issue = NewIssue(title: "", labels: try await lookup.labels(label), type: type)
    var names = assignee.separatedByCommas
    var leftOut: CommandFailure?
    // The server would refuse the whole issue.
    if names.contains(Copilot.word), try await lookup.copilot() == nil {
      names.removeAll { $0 == Copilot.word }
      leftOut = Copilot.absence(from: "\(place.name)", status: .leftOut)
    }
    issue.assignees = try await lookup.logins(names)
    if let milestone { issue.milestone = try await lookup.milestone(milestone) }
    if let parent {
      let named = try await relatives([parent], of: place, writing)
      guard let parent = named.first, let number = parent.number else {
        throw CommandFailure(.usage, "the parent isn't on the server yet: send it first")
      }
      issue.parentIssueID = try await NameLookup(writing: writing, place: parent.place)
        .parentID(number)
    }
    return (issue, leftOut)
  }

  /// The issue's dependencies in both directions. They are sent once the issue has a number.
  private func dependencies(_ place: Place, _ writing: WriteSession) async throws -> [Change] {
    func related(
      _ words: [String], _ relation: (RelatedIssue) -> RelationChange
    ) async throws -> [Change] {
      var changes: [Change] = []
      for word in words.separatedByCommas {
        for other in try await relatives([word], of: place, writing) {
          let other = try RelatedIssue(other, named: word, to: place)
          changes.append(.relate(.createdBefore, relation(other)))
        }
      }
      return changes
    }
    return try await related(blockedBy) { .addBlocker($0) } + related(blocking) { .block($0) }
  }

  /// The change that adds the new issue to projects: those of the options, and those of the form to which the token may
  /// add issues. The others are reported, because GitHub's own page doesn't require them either.
  private func projects(
    _ template: TemplateKind?, _ place: Place, _ writing: WriteSession
  ) async throws -> [Change] {
    var placements = project.map { ProjectPlacement($0, status: projectStatus) }
    var left: [String] = []
    if case .form(let form) = template {
      for name in form.projects.withoutRepetitions {
        guard let named = ProjectReference(name), !write.queue,
          let provider = try? await writing.connection(to: place.server).provider,
          let found = try? await Project.load(named, provider: provider), found.isWritable
        else {
          left.append(name)
          continue
        }
        guard !project.contains(named) else { continue }
        placements.append(ProjectPlacement(named))
      }
    }
    Self.report(left, writing)
    return placements.isEmpty
      ? [] : [.edit(.createdBefore, IssueChange(addedProjects: placements))]
  }

  private static func report(_ projects: [String], _ writing: WriteSession) {
    guard !projects.isEmpty else { return }
    writing.session.errors.write(
      "Add the issue to the form's projects on GitHub yourself: \(projects.joined(separator: ", "))"
    )
  }

  /// Whether a repository has templates; nil if its server can't be reached.
  static func hasTemplates(at place: Place, _ writing: WriteSession) async -> Bool? {
    guard let connection = try? await writing.connection(to: place.server) else { return nil }
    let found = try? await RepositoryTemplates.find(of: place.name, provider: connection.provider)
    return found.map { !$0.templates.isEmpty }
  }

  /// Lets a user write an issue, as the command does without options. Without templates, the title is the first line of
  /// the text. If `hasTemplates` is nil, no request is sent.
  static func written(
    at place: Place, hasTemplates: Bool?, _ writing: WriteSession
  ) async throws -> (issue: NewIssue, composer: Composer?)? {
    var command = try await CreateCommand.asyncParse([])
    command.editor = hasTemplates != true
    guard var written = try await command.written(nil, place, writing) else { return nil }
    let files = try await AttachmentText(command.attachments, writing, on: place.server)
    written.issue.body = try await written.text(with: files)
    guard hasTemplates != nil else { return (written.issue, written.composer) }
    let issue = try await command.prepared(written.issue, written.template, place, writing)
    // The screen shows one change for a new issue. The message appears when the user leaves the screen.
    if case .form(let form) = written.template { report(form.projects, writing) }
    return (issue, written.composer)
  }

  private struct Written {
    var issue: NewIssue
    var template: TemplateKind?
    /// The paths of the files that answer questions of a form.
    var files: [String] = []
    /// The composer; nil if nothing or only the title was entered.
    var composer: Composer?
    /// The draft of an entered title and the text from the command line.
    var ownDraft: Draft?

    var draft: Draft? { composer?.draft ?? ownDraft }

    /// The text with references to the files.
    func text(with attachments: AttachmentText) async throws(CommandFailure) -> String? {
      do throws(CommandFailure) {
        let text = try await attachments.text(
          issue.body ?? "", changedFrom: template?.text ?? "", answers: files)
        return text.isEmpty ? issue.body : text
      } catch {
        throw draft.map { error.keeping($0) } ?? error
      }
    }

    /// Discards the drafts. Call this once the text is in the outbox.
    func finish() {
      composer?.finish()
      ownDraft?.discard()
    }
  }

  /// The title and the text from the command line, a template or an editor; nil if nothing was written.
  private func written(
    _ body: String?, _ place: Place, _ writing: WriteSession
  ) async throws -> Written? {
    let session = writing.session
    if editor { return try await page(beginningWith: body, place, session) }
    if let title, let body { return Written(issue: NewIssue(title: title, body: body)) }
    if let body {
      guard let title = await askTitle() else { return nil }
      let draft = try Draft.begin(
        Draft.Subject(.newIssue, place), text: body, environment: session.environment)
      try draft.keep(title: title)
      return Written(issue: NewIssue(title: title, body: body), ownDraft: draft)
    }
    let choice = TemplateChoice(
      place: place, connection: try await writing.connection(to: place.server), session: session,
      createsLabels: createLabels)
    guard session.canAsk else {
      guard let found = try await choice.template(named: template, asks: false) else { return nil }
      let draft = try await choice.draft(
        of: found, title: title, fields: answers, asks: false, edit: { $0 })
      return Written(issue: draft.issue, template: found, files: draft.files(of: found))
    }
    // A form can be filled in without an editor.
    let composer = try await Composer(
      Draft.Subject(.newIssue, place), recovers: recover, needsEditor: false, session)
    do {
      let found: TemplateKind? =
        if !composer.isRecovered {
          try await choice.template(named: template, asks: true)
        } else if let former = composer.draft.template {
          try await choice.template(of: former)
        } else {
          nil
        }
      if let found { return try await fill(found, in: composer, place, writing) }
      return try await blank(composer)
    } catch {
      composer.finishIfEmpty()
      if (error as? CommandFailure)?.status == .cancelled, composer.draft.title != nil {
        sayThatItIsKept(composer.draft, session)
      }
      throw error
    }
  }

  /// Opens the editor for the title and the text together.
  private func page(
    beginningWith body: String?, _ place: Place, _ session: CommandSession
  ) async throws -> Written? {
    let start = PageText(title: title ?? "", body: body ?? "")
    let composer = try await Composer(
      Draft.Subject(.newIssue, place, "page"), beginningWith: start.text, mayStay: true,
      recovers: recover, session)
    guard let text = try await composer.write() else {
      composer.finish()
      return nil
    }
    let page = try PageText(of: composer, text)
    return Written(issue: NewIssue(title: page.title, body: page.body), composer: composer)
  }

  /// Opens the editor for an issue without a template.
  private func blank(_ composer: Composer) async throws -> Written? {
    try composer.requireEditor()
    var title = title ?? composer.draft.title
    if title == nil { title = await askTitle() }
    guard let title else {
      composer.finishIfEmpty()
      return nil
    }
    // The text isn't an answer to a form, even if the draft belongs to one.
    try composer.draft.keep(
      title: title, of: composer.draft.template.map { Draft.Template(file: $0.file) })
    guard let text = try await composer.write() else {
      composer.finish()
      return nil
    }
    return Written(issue: NewIssue(title: title, body: text), composer: composer)
  }

  /// Asks the questions of a template, and saves each answer in the draft.
  private func fill(
    _ template: TemplateKind, in composer: Composer, _ place: Place, _ writing: WriteSession
  ) async throws -> Written? {
    if case .markdown = template { try composer.requireEditor() }
    let choice = TemplateChoice(
      place: place, connection: try await writing.connection(to: place.server),
      session: writing.session, createsLabels: createLabels,
      keep: { try? composer.keep($0) })
    let kept = composer.draft
    let former = try kept.template.map {
      TemplateChoice.FormerDraft(
        title: kept.title, text: try kept.text(), answers: $0.answers)
    }
    var draft = try await choice.draft(
      of: template, from: former, title: title, fields: answers, asks: true,
      edit: { part in
        guard composer.hasEditor else {
          throw Dialog.Refusal(message: "There is no editor. Set EDITOR, or use one line.")
        }
        return try await composer.edit(part)
      })
    if case .markdown = template {
      guard let text = try await composer.write() else {
        composer.finish()
        return nil
      }
      draft.body = text
    }
    return Written(
      issue: draft.issue, template: template, files: draft.files(of: template), composer: composer)
  }

  private func askTitle() async -> String? {
    guard let line = await Question.line(after: "Title: "),
      line.contains(where: { !$0.isWhitespace })
    else { return nil }
    return line
  }

  /// The assignees for GitHub's page, which supports only logins.
  private func assignees(at place: Place, _ session: CommandSession) async throws -> [String] {
    let names = assignee.separatedByCommas
    guard names.contains(where: { $0.hasPrefix("@") || $0.hasPrefix("app/") }) else { return names }
    let writing = try WriteSession(session, write.connection, typed: [])
    return try await NameLookup(writing: writing, place: place).logins(names)
  }

  private func page(_ body: String?, _ logins: [String]) -> NewIssuePage {
    let milestone: String? =
      switch milestone {
      case .title(let title): title
      case .number(let number): "\(number)"
      case .any, .absent, nil: nil
      }
    return NewIssuePage(
      title: title, body: body, labels: label.separatedByCommas,
      assignees: logins, milestone: milestone)
  }
}

extension TemplateDraft {
  /// The paths of the files that answer the form's questions.
  fileprivate func files(of template: TemplateKind) -> [String] {
    guard case .form(let form) = template else { return [] }
    let answers = form.fields.filter(\.acceptsFiles).flatMap { self.template.answers?[$0.id] ?? [] }
    return answers.flatMap(LocalImages.paths)
  }
}

/// The answer to a form's question: `id=value`.
struct FieldAnswer: Hashable {
  let id: String
  let value: String

  init(reading text: String) throws {
    guard let mark = text.firstIndex(of: "="), mark > text.startIndex else {
      throw ValueReader.Refusal(description: "use ID=ANSWER, with the id of a question of the form")
    }
    id = String(text[..<mark])
    value = String(text[text.index(after: mark)...])
  }
}

extension Array where Element == String {
  /// The names without duplicates, ignoring case.
  fileprivate var withoutRepetitions: [String] {
    var seen: Set<String> = []
    return filter { seen.insert($0.lowercased()).inserted }
  }
}
