internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct CreateCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "create",
    abstract: "Create an issue.",
    usage: "issues create [<options>] [OWNER/REPO]",
    discussion: """
      On a terminal without --title and --body they are asked: the title on a line, the text in your \
      editor ($GIT_EDITOR, git's core.editor, $VISUAL or $EDITOR). The text is kept in a file until it is in \
      the outbox; if something goes wrong, the next run offers it again. An empty text cancels. In a pipe \
      nothing is asked.

      From people without write access GitHub takes the text and drops labels, assignees, milestone and \
      type without an error. A label that the repository hasn't got is an error, unless --create-labels \
      creates it.

      With --queue the temporary name of the issue is written, such as new-1, by which other commands can \
      call it.

      \(WriteHelp.results)

      EXAMPLES:
        issues create
        issues create apple/swift --title "It crashes" --body "With every input."
        issues create -t "It crashes" -l bug,linux -a @me -m 6.2 -F report.md
        issues create -t "It crashes" -b "" --json number,html_url
        issues create --web
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; by default that of the clone in the current directory.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repository: String?

  @OptionGroup var option: RepositoryOptions

  @Option(name: .shortAndLong, help: ArgumentHelp("The title.", valueName: "title"))
  var title: String?

  @OptionGroup var text: BodyOptions

  @Option(
    name: [.customShort("l", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Give it this label; repeat it for several, or separate them by commas.", valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var label: [String] = []

  @Option(
    name: [.customShort("a", allowingJoined: true), .long],
    help: ArgumentHelp("Assign this user; @me for you.", valueName: "login"),
    completion: .custom(MirrorCompletion.assignees))
  var assignee: [String] = []

  @Option(
    name: [.customShort("m", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Add it to the milestone with this title, or else this number.", valueName: "title"),
    transform: ValueReader.milestone)
  var milestone: MilestoneChoice?

  @Option(help: ArgumentHelp("Give it this type of the organization's.", valueName: "name"))
  var type: String?

  @Option(
    help: ArgumentHelp(
      "Make it a sub-issue of this one; it takes triage access.", valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var parent: String?

  @Flag(help: "Create labels that the repository hasn't got.")
  var createLabels = false

  @Flag(help: "Go on with the draft that a former run left, without asking.")
  var recover = false

  @Flag(name: .shortAndLong, help: "Open the page for new issues in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var write: WriteOptions

  static let terminalUse = TerminalUse.unpaged

  static var jsonFields: JSONFields.Known { .sent(Issue.fieldNames) }

  static func needsNetwork(_ arguments: [String]) -> Bool {
    WriteOptions.needsNetwork(arguments)
  }

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
      throw ValidationError("An issue gets one milestone: name its title or its number.")
    }
    guard !web || !write.queue, !web || !write.connection.request.stub, !web || output.json == nil,
      !web || parent == nil, !web || type == nil, !web || !recover
    else {
      throw ValidationError(
        """
        --web opens GitHub's page: leave out --queue, --stub, --json, --parent, --type and --recover.
        """)
    }
    guard !recover || (title == nil && !text.isGiven) else {
      throw ValidationError("--recover goes on with a draft: leave out --title and --body.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let body = try await text.text()
    let place = try await session.place(
      of: RepositoryChoice(parsing: repository, option: option.repo),
      apiURL: write.connection.request.apiURL)
    if web { return try await session.openPage(page(body).url(at: place), of: place.server) }
    guard session.canAsk || (title != nil && body != nil) else {
      let missing = [title == nil ? "--title" : nil, body == nil ? "--body or --body-file" : nil]
      throw CommandFailure(
        .usage,
        "there is no terminal to ask on\nGive \(missing.compactMap(\.self).joined(separator: " and "))."
      )
    }
    let writing = try WriteSession(session, write.connection)
    // A wrong name of a milestone is found before anything is written.
    let looked = try await lookUp(place, writing)
    guard let (issue, composer) = try await written(body, place, session) else {
      session.errors.write("Nothing was sent.")
      throw CommandFailure(.cancelled, "")
    }
    var new = looked
    (new.title, new.body) = (issue.title, issue.body)
    try await WriteReport.carryOut(
      [(place, [.createIssue(new, createsLabels: createLabels)])], writing, fields: fields,
      queueOnly: write.queue, onceKept: { composer?.finish() })
  }

  /// The issue without its texts: what its options stand for.
  private func lookUp(_ place: Place, _ writing: WriteSession) async throws -> NewIssue {
    let lookup = NameLookup(writing: writing, place: place)
    var issue = NewIssue(title: "", labels: label.separatedByCommas, type: type)
    issue.assignees = try await lookup.logins(assignee.separatedByCommas)
    if let milestone { issue.milestone = try await lookup.milestone(milestone) }
    if let parent {
      let named = try await IssueArguments([parent], repo: "\(place)").issues(
        in: writing.session, apiURL: write.connection.request.apiURL, outbox: writing.outbox)
      guard let parent = named.first, let number = parent.number else {
        throw CommandFailure(.usage, "the parent isn't on the server yet: send it first")
      }
      issue.parentIssueID = try await NameLookup(writing: writing, place: parent.place)
        .issue(number).id
    }
    return issue
  }

  /// The title and the text: those of the command line, and what a person writes now; nil where they write nothing.
  private func written(
    _ body: String?, _ place: Place, _ session: CommandSession
  ) async throws(CommandFailure) -> (issue: (title: String, body: String), composer: Composer?)? {
    if let title, let body { return ((title, body), nil) }
    guard body == nil else {
      guard let title = await askTitle() else { return nil }
      return ((title, body ?? ""), nil)
    }
    let composer = try await Composer(
      Draft.Subject(.newIssue, place), recovers: recover, session)
    var title = title ?? composer.draft.title
    if title == nil { title = await askTitle() }
    guard let title else {
      composer.finish()
      return nil
    }
    try composer.draft.keep(title: title)
    guard let text = try await composer.write() else {
      composer.finish()
      return nil
    }
    return ((title, text), composer)
  }

  /// Asks for the title; nil for none.
  private func askTitle() async -> String? {
    guard let line = await Question.line(after: "Title: "),
      line.contains(where: { !$0.isWhitespace })
    else { return nil }
    return line
  }

  private func page(_ body: String?) -> NewIssuePage {
    let milestone: String? =
      switch milestone {
      case .title(let title): title
      case .number(let number): "\(number)"
      case .any, .absent, nil: nil
      }
    return NewIssuePage(
      title: title, body: body, labels: label.separatedByCommas,
      assignees: assignee.separatedByCommas, milestone: milestone)
  }
}
