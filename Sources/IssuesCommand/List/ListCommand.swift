internal import ArgumentParser
internal import IssueTracker

/// `issues list`, which is also `issues` alone.
struct ListCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    _superCommandName: "issues",
    abstract: "List the issues of a repository.",
    discussion: """
      The repository is OWNER/REPO, HOST/OWNER/REPO, or the address of its page, of one of its \
      issues, or of its clone. That of a list, as a browser has it, is the list with its search. Without one it \
      is that of GH_REPO, else that of the clone you stand in: the remote that 'gh repo set-default' chose, else \
      'upstream', 'github' or 'origin', else the only one on a GitHub server. (Without 'list' before it, the \
      address of an issue shows the issue: see 'issues view'.)

      A table on a terminal; in a pipe a line an issue: number, state, title, labels and time of the \
      last update, between tabs. Pull requests, which GitHub lists among the issues, are left out \
      unless asked for; then a column tells what each is, in a pipe the last one (issue or pull_request), and \
      their states are DRAFT and MERGED too.

      When the server limits the rate of requests, the list waits for up to a minute (see --wait) and \
      goes on where it was. One that has to stop before its end says so, and exits with a status that \
      isn't 0.

      What 'issues sync' has mirrored is shown with --offline without asking anybody. On a terminal it is \
      shown too when the network is away: no name, no route, no connection. Standard error says so and \
      how old it is. Every other failure is told, and in a pipe that one too.

      With --max-age DURATION the mirror answers, in a pipe too, if it was synced within that time; else what \
      has changed is synced first, with three requests where nothing has. What isn't mirrored is asked of the \
      server. The rows and the JSON are the server's in any case; --verbose tells as of when they are, and \
      'issues mirror --json' in synced_at.

      EXAMPLES:
        issues apple/swift --author octocat --sort updated
        issues apple/swift --label bug --label crash --assignee none
        issues apple/swift --since 7d --state all --all
        issues apple/swift --assignee @me --milestone 6.3
        issues apple/swift --search 'crash in:title -label:bug'
        issues 'https://github.com/apple/swift/issues?q=is:closed+label:bug'
        issues apple/swift --json number,title,labels --limit 5
        issues apple/swift --all --wait 15m
        issues swiftlang/swift --offline --all --state all
        issues swiftlang/swift --max-age 10m --json number,title
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; that of the clone you stand in if left out.", valueName: "repository"),
    completion: .custom(NameCompletion.candidates))
  var repository: String?

  @OptionGroup var place: RepositoryOptions

  @Option(
    name: [.customShort("S", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      """
      Search with GitHub's query, such as 'crash in:title'; the filter narrows it. With --offline the mirror \
      is searched.
      """, valueName: "query"))
  var search: String?

  @OptionGroup(title: "Filter") var filter: FilterOptions
  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @Flag(help: "Show what the mirror has, and ask nobody: see 'issues sync'.")
  var offline = false

  @OptionGroup var age: AgeOptions

  @Flag(help: "Show who is assigned, in a column of its own.")
  var assignees = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  mutating func validate() throws {
    repository = repository ?? output.takeBack { $0.contains("/") }
    _ = try output.fields(sent: Issue.fieldNames)
    guard !offline || !web, !offline || !connection.settings.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --web and --stub.")
    }
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.settings.request.stub, "--stub", "which is sample data")
    guard !assignees || output.json == nil else {
      throw ValidationError("--assignees is a column: with --json name the field 'assignees'.")
    }
    if web, case .title(let milestone) = filter.milestone, Int(milestone) != nil {
      throw ValidationError(
        "With --web a milestone can't be given by its number: GitHub's pages know only titles.")
    }
  }

  /// What the options say.
  ///
  /// - Throws: A usage error about the fields.
  func request() throws -> ListRequest {
    ListRequest(
      repository: repository, repo: place.repo, filter: filter.filter, search: search,
      includesPullRequests: filter.includePullRequests, showsAssignees: assignees,
      limit: limit.maximum,
      fields: try output.fields(sent: Issue.fieldNames), color: output.color, opensBrowser: web,
      isOffline: offline, maximumAge: age.maximumAge, connection: connection.settings)
  }

  func run() async throws {
    try await request().run()
  }
}
