internal import ArgumentParser
internal import IssueBrowser
internal import IssueMirror
internal import StyledText

/// The command `issues list`, which also runs for `issues` alone.
struct ListCommand: JSONCommand, DatabaseCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "list",
    _superCommandName: "issues",
    abstract: "List the issues of a repository, or of several.",
    discussion: """
      The repository is OWNER/REPO, HOST/OWNER/REPO, or the address of its page, its clone or one \
      of its issues. The address of a list in the browser shows that list, with its search. By \
      default, the repository is GH_REPO, else the clone in the current directory: the remote \
      chosen with 'gh repo set-default', else 'upstream', 'github' or 'origin', else the only \
      remote on a GitHub server. (Without 'list', the address of an issue shows the issue: see \
      'issues view'.)

      SEVERAL REPOSITORIES:
      Several repositories, as arguments or with -R repeated, are one list in one order. Rows then \
      name their repository, which is the first column in a pipe. org:NAME is every repository of an \
      organization: the command requests its repositories, and the issues of each that has open ones, \
      so the list is complete and doesn't need a token, at one request for each. user:NAME is a \
      search, which finds 1,000 at most and fails if there are more and you asked for all. When a \
      repository fails, the others' rows stay and the JSON is valid; standard error names the \
      missing ones, and the exit status is that of the first failure. Your unsent changes show only in \
      the list of one repository. 'issues mine' lists the issues that concern you.

      GROUPS:
      --group-by groups the rows, under headings on a terminal; the list is then written once it is \
      complete. In a pipe, the group is the first column, empty for none. An issue with several labels \
      or assignees appears in each group. JSON keeps its form, with each issue once, in its first \
      group.

      OUTPUT FORMAT:
      On a terminal, the list is a table. In a pipe, each issue is a line of tab-separated values: \
      number, state, title, labels and time of the last update. Pull requests, which GitHub counts \
      among the issues, are listed only with --include-pull-requests. Another column, the last one \
      in a pipe, then tells them apart (issue or pull_request), and states may also be DRAFT and \
      MERGED.

      LIMITS:
      When the server limits the rate of requests, the command waits for up to a minute (see \
      --wait) and continues. If the list has to stop early, the command says so, and the exit \
      status isn't 0.

      THE MIRROR:
      With --offline, the list comes from the mirror ('issues sync'), and no server is contacted. On a \
      terminal, the mirror also stands in when the network is unreachable (no name, no route, no \
      connection), and standard error gives its age. All other failures are errors; in a pipe, so \
      is an unreachable network.

      With --max-age DURATION, the list comes from the mirror, including in a pipe, if it was synced \
      within that time. Otherwise the command syncs changes first, which requires three requests if \
      there are no changes. Repositories that aren't mirrored come from the server. Rows and JSON are \
      the same either way. --verbose gives the time of the mirror's data, as does synced_at in \
      'issues mirror --json'.

      VIEWS:
      A view of your configuration ('issues config') is a list with a name: 'issues @triage'. \
      --repo, --state, --sort, --order and --limit replace the view's own; other options and \
      --search narrow it. A view of several repositories is their list if options can express its \
      query, else a search. --save @NAME writes a list into the configuration as a view, \
      and --force replaces one; a time such as 7d becomes a date.

      FOLLOWING:
      --follow continues after the list, until you press Ctrl-C or the reader of a pipe ends: each \
      issue that is opened, changed, closed or reopened adds one row. In a pipe, the last column is \
      'listed' for the list itself, then new, changed, closed or reopened. --json writes one \
      object per line, as --jsonl does, with the field 'change'. --limit applies to the \
      list. An issue that leaves the filtered list is \
      reported as closed. The server is asked again after 30 seconds (see --every) while \
      something changes, and less often, down to every five minutes, while nothing does; with a token, \
      responses without news don't count against the rate limit. A temporary failure, and a limit unless --wait \
      is given, is reported once on standard error, and the list continues; a permanent one (no \
      access, not found) ends it with its exit status. The repositories of org:NAME are those found at \
      the beginning. Searches and the mirror can't be followed.

      UNSENT CHANGES:
      On a terminal, your changes that aren't sent yet ('issues outbox') are shown as if the \
      server had them, with a column that marks them. In a pipe, and with --json, the list is the \
      server's; the field 'pending' has the unsent changes.

      EXAMPLES:
        issues list apple/swift --label bug --assignee none
        issues apple/swift --since 7d --state all --all  ('list' may be left out)
        issues apple/swift --label bug --search 'is:closed closed:>2026-01-24'
        issues org:swiftlang --label bug --all --group-by repo
        issues apple/swift --json number,title,labels --limit 5
        issues apple/swift --author octocat --sort updated
        issues apple/swift --label bug --label crash --assignee none
        issues apple/swift --assignee @me --milestone 6.3
        issues apple/swift --type Bug --field Priority=High
        issues apple/swift --parent 12 --state all
        issues 'https://github.com/apple/swift/issues?q=is:closed+label:bug'
        issues swiftlang/swift swiftlang/swift-syntax --sort updated
        issues apple/swift --label bug --assignee none --save @triage
        issues @triage
        issues apple/swift --all --wait 15m
        issues apple/swift --follow
        issues apple/swift --follow --label bug --jsonl --fields change,number
        issues swiftlang/swift --offline --all --state all
        issues swiftlang/swift --offline --database service=issues
        issues swiftlang/swift --max-age 10m --json number,title
      """)

  @Argument(
    help: ArgumentHelp(
      """
      One repository or several; org:NAME, user:NAME or a view; by default, the current clone's.
      """, valueName: "repository"),
    completion: .custom(ViewCompletion.candidatesOrNames))
  var repositories: [String] = []

  @OptionGroup(title: "Filter") var filter: FilterOptions
  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Option(
    name: [.customShort("S", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      """
      Search with a query, such as 'crash in:title'. The filter narrows it. The query is \
      GitHub's; with --offline, it searches the mirror.
      """, valueName: "query"),
    transform: ValueReader.text(of: "--search"))
  var search: String?

  @Option(
    name: [.customShort("R", allowingJoined: true), .customLong("repo")],
    help: ArgumentHelp(
      "The repository: [HOST/]OWNER/REPO; repeat it for several. It overrides the argument.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: [String] = []

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @Flag(help: "Show the mirror, not the server; see 'issues sync'.")
  var offline = false

  @OptionGroup(title: "Mirror") var age: AgeOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup var group: GroupOptions

  @Flag(help: "Add a column with the assignees.")
  var assignees = false

  @Option(
    help: ArgumentHelp("Only sub-issues of the issue with this number.", valueName: "number"),
    completion: .custom(MirrorCompletion.numbers), transform: ValueReader.issueNumber)
  var parent: Int?

  @OptionGroup(title: "Live updates") var follow: FollowOptions

  @OptionGroup(title: "View") var saving: SaveOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known {
    .sent(GitHub.Issue.fieldNames + [PendingLookup.field, ListChange.field])
  }

  var isEndless: Bool { follow.follow }

  mutating func takeArgument(_ word: String) -> Bool {
    guard repositories.isEmpty, repo.isEmpty,
      word.contains("/") || word.first == "@" || ListScope.isOwner(word)
    else { return false }
    repositories = [word]
    return true
  }

  func validateOptions() throws {
    guard !offline || !web, !offline || !connection.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --web and --stub.")
    }
    try follow.refuse(beside: offline, "--offline", "which shows the mirror")
    try follow.refuse(beside: age.maxAge != nil, "--max-age", "which shows the mirror")
    try follow.refuse(beside: web, "--web", "which opens the server's page")
    try follow.refuse(beside: connection.request.stub, "--stub", "which is sample data")
    try follow.refuse(beside: search != nil, "--search", "which has no changes")
    try follow.refuse(beside: parent != nil, "--parent", "which lists sub-issues")
    try follow.refuse(beside: group.groupBy != nil, "--group-by", "which requires the whole list")
    try follow.refuse(beside: saving.name != nil, "--save", "which shows nothing")
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.request.stub, "--stub", "which is sample data")
    guard !assignees || !output.isJSON else {
      throw ValidationError("--assignees adds a column: with --json, add the field 'assignees'.")
    }
    guard parent == nil || !web else {
      throw ValidationError("--parent can't be combined with --web.")
    }
    let shown = [
      (web, "--web"), (offline, "--offline"), (output.isJSON, "--json"),
      (age.maxAge != nil, "--max-age"), (filter.includePullRequests, "--include-pull-requests"),
      (group.groupBy != nil, "--group-by"), (assignees, "--assignees"), (parent != nil, "--parent"),
    ].first { $0.0 }
    if saving.name != nil, let shown {
      throw ValidationError("A view has a filter, an order and a limit: leave out \(shown.1).")
    }
    if web, case .title(let milestone) = filter.milestone, Int(milestone) != nil {
      throw ValidationError(
        "With --web, name the milestone by its title: GitHub's pages don't accept numbers.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let asked = ListQuestion(
      scope: .several([]), filter: filter.request, search: search,
      includesPullRequests: filter.includePullRequests, parent: parent, limit: limit.maximum,
      freshness: Freshness(isOffline: offline, maximumAge: age.maximumAge))
    if let name = saving.name { return try save(asked, as: name, session) }
    var question: ListQuestion
    if let view = try session.view(repositories.count == 1 ? repositories[0] : nil) {
      var viewed = asked
      if !limit.isGiven, let most = view.limit { viewed.limit = most }
      guard let known = try viewed.adding(view, repo: repo, mayList: !web) else {
        return try await search(viewed, view, form(viewed, session, fields), session)
      }
      question = known
    } else {
      question = try self.question(asked, session)
      try tellIssue(question.scope, session)
    }
    try await ListAnswer(
      question: question, form: form(question, session, fields), connection: connection,
      session: session, opensPage: web
    ).show()
  }

  private func form(
    _ question: ListQuestion, _ session: CommandSession, _ fields: JSONFields?
  ) -> IssueListForm {
    IssueListForm(
      limit: question.limit, includesPullRequests: question.includesPullRequests,
      columns: session.columns(fields, withAssignees: assignees),
      fields: follow.follow ? fields?.inLines() : fields, grouping: group.groupBy,
      follow: follow.list(connection, session))
  }

  /// Reads the arguments.
  private func question(
    _ asked: ListQuestion, _ session: CommandSession
  ) throws -> ListQuestion {
    var question = asked
    guard repositories.count == 1, let address = try ListAddress.read(repositories[0]) else {
      question.scope = try ListScope(repositories, repo: repo)
      return question
    }
    guard repo.count < 2 else {
      throw CommandFailure(
        .usage, "the address of a list has its own repository: leave out --repo")
    }
    if !address.leftOut.isEmpty {
      let parameters = address.leftOut.joined(separator: "&").prefix(200)
      session.errors.write(
        "Ignored, because this part of the address is not understood: \(TerminalText(String(parameters)))"
      )
    }
    question = asked.adding(address)
    question.scope = .one(try PlaceArgument("\(address.repository)", repo: repo.first))
    return question
  }

  /// If an argument is an issue, reports it or refuses it.
  private func tellIssue(_ scope: ListScope, _ session: CommandSession) throws(CommandFailure) {
    guard case .one(let argument) = scope, let number = argument.issueNumber else { return }
    guard repositories.first?.contains("://") != false else {
      let issue = IssueReference(repository: argument.repository.named, number: number)
      throw CommandFailure(
        .usage, "\(issue) is an issue, not a repository: 'issues view' shows it")
    }
    guard !web else { return }
    session.errors.write("This is the repository's list. 'issues view' shows issue #\(number).")
  }

  private func save(
    _ asked: ListQuestion, as name: String, _ session: CommandSession
  ) throws {
    guard !repositories.contains(where: { $0.first == "@" }) else {
      throw CommandFailure(
        .usage, "\(repositories[0]) is already a view: 'issues config edit' changes it")
    }
    let view = try SavedView(
      name, question(asked, session), limit: limit.isGiven ? limit.maximum : nil)
    let file = try session.configurationFile()
    let lines = try file.save(view, replaces: saving.force)
    session.errors.write(
      "Wrote this to \(file.path):\n\n\(lines)\n'issues @\(name)' shows it, as does a tab of 'issues browse'."
    )
  }

  /// Searches for the issues of a view that no list contains.
  private func search(
    _ question: ListQuestion, _ view: SavedView, _ form: IssueListForm, _ session: CommandSession
  ) async throws {
    try ListAnswer.refuseFollowing(in: form)
    try question.filter.refuseCopilot()
    var filter = question.filter
    // Without a state, GitHub's search finds issues in all states.
    filter.state = filter.state ?? .all
    let text = filter.search(
      for: question.query(of: view), includesPullRequests: form.includesPullRequests)
    var found = IssueSearch(
      words: [text, search ?? ""].filter { !$0.isEmpty }, repositories: [],
      isRemote: question.freshness == Freshness(), opensPage: web,
      maximumAge: age.maximumAge, limit: form.limit, fields: form.fields, connection: connection,
      grouping: form.grouping)
    found.look(in: view.place)
    try await found.show(session)
  }
}

extension CommandSession {
  /// The columns. The configured ones apply only on a terminal, because scripts rely on the columns in a pipe.
  func columns(_ fields: JSONFields?, withAssignees: Bool = false) -> [ListColumn] {
    var columns = ListColumn.usual
    if fields == nil, style.layout == .table, let chosen = configuredColumns() {
      columns = chosen
    }
    if withAssignees, !columns.contains(.assignees) {
      columns.insert(.assignees, at: columns.last == .updated ? columns.count - 1 : columns.count)
    }
    return columns
  }
}

struct SaveOptions: ParsableArguments {
  @Option(
    name: .customLong("save"),
    help: ArgumentHelp(
      "Save the list as a view. It is written into your configuration, and not shown.",
      valueName: "@name"),
    completion: .custom(ViewCompletion.candidates),
    transform: ValueReader.viewName)
  var name: String?

  @Flag(help: "With --save: replace the view of that name.")
  var force = false

  func validate() throws {
    guard !force || name != nil else {
      throw ValidationError("--force only makes sense with --save.")
    }
  }
}
