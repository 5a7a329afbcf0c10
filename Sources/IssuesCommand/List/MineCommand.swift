internal import ArgumentParser
internal import IssueTracker

/// The command `issues mine`.
struct MineCommand: JSONCommand, DatabaseCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "mine",
    abstract: "List the issues that concern you, in all repositories.",
    usage: "issues mine [<options>]",
    discussion: """
      Lists the open issues that are assigned to you, in every repository that you own or belong to, \
      including through an organization. --created, --mentioned and --subscribed list those that \
      you opened, that mention you, and whose updates you follow; --review lists the pull \
      requests that wait for your review. All need an access token: see 'issues auth status'.

      COMPLETENESS:
      The lists are complete. --review is a search instead, because GitHub doesn't have such a \
      list: it finds 1,000 at most, and fails if there are more and you asked for all. GitHub's \
      lists leave out repositories that you neither own nor belong to; for those, search: issues search \
      --remote 'author:@me is:open'.

      An organization with single sign-on withholds its issues from a classic token that isn't \
      authorized for it. The list then says so on standard error, and the exit status is \
      \(ExitStatus.badCredentials.rawValue).

      The server filters by label and time, and sorts. The other filters apply to its responses, so a \
      narrow one may require several requests.

      OUTPUT FORMAT:
      On a terminal, the list is a table. In a pipe, each issue is a line of tab-separated values: \
      repository, number, state, title, labels and time of the last update; with \
      --include-pull-requests and --review, the kind comes last. JSON has the server's fields, with \
      OWNER/REPO as 'repository'. With --group-by, rows are grouped under headings; in a pipe, \
      the group is the first column (empty for none); in JSON, each issue appears once, in its first \
      group.

      FOLLOWING AND THE MIRROR:
      --follow continues after the list, and writes issues as they are opened, changed, closed or \
      reopened: see 'issues help list'.

      With --offline, the list comes from the mirrored repositories ('issues sync'), and --login \
      says who you are.

      EXAMPLES:
        issues mine
        issues mine --group-by repo --all
        issues mine --created --state all --since 30d
        issues mine --review
        issues mine --org swiftlang --label bug
        issues mine --json repository,number,title --limit 5
        issues mine --follow
        issues mine --offline --login octocat
      """)

  @Flag(help: "List the issues that you opened.")
  var created = false

  @Flag(help: "List the issues that mention you.")
  var mentioned = false

  @Flag(help: "List the issues whose updates you follow.")
  var subscribed = false

  @Flag(help: "List the pull requests that wait for your review.")
  var review = false

  @Option(
    help: ArgumentHelp("Only in the repositories of this organization.", valueName: "name"),
    transform: ValueReader.username)
  var org: Username?

  @OptionGroup(title: "Filter") var filter: FilterOptions
  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(help: "Show the mirror, not the server; see 'issues sync'.")
  var offline = false

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @Option(
    help: ArgumentHelp("With --offline: your login.", valueName: "login"),
    transform: ValueReader.username)
  var login: Username?

  @Flag(help: "Add a column with the assignees.")
  var assignees = false

  @OptionGroup var group: GroupOptions

  @OptionGroup(title: "Live updates") var follow: FollowOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known {
    .sent(GitHub.Issue.fieldNames + [ListChange.field])
  }

  var isEndless: Bool { follow.follow }

  private var involvement: Involvement {
    if created { return .created }
    if mentioned { return .mentioned }
    return subscribed ? .subscribed : .assigned
  }

  func validateOptions() throws {
    guard [created, mentioned, subscribed, review].count(where: { $0 }) < 2 else {
      throw ValidationError("Choose --created, --mentioned, --subscribed or --review.")
    }
    guard filter.mention == nil else {
      throw ValidationError(
        "--mention isn't for 'issues mine': --mentioned lists the issues that mention you.")
    }
    guard login == nil || offline else {
      throw ValidationError(
        "--login only makes sense with --offline: a server identifies you by your token.")
    }
    try follow.refuse(beside: offline, "--offline", "which shows the mirror")
    try follow.refuse(beside: connection.request.stub, "--stub", "which is sample data")
    try follow.refuse(beside: review, "--review", "which is a search")
    try follow.refuse(beside: group.groupBy != nil, "--group-by", "which requires the whole list")
    guard !offline || !connection.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --stub.")
    }
    guard !offline || !review, !offline || !subscribed else {
      throw ValidationError(
        "The mirror doesn't know \(review ? "requested reviewers" : "your subscriptions"): leave out --offline."
      )
    }
    guard !assignees || !output.isJSON else {
      throw ValidationError("--assignees adds a column: with --json, name the field 'assignees'.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let server = try session.server(apiURL: connection.request.apiURL)
    var form = IssueListForm(
      limit: limit.maximum, includesPullRequests: filter.includePullRequests || review,
      columns: session.columns(fields, withAssignees: assignees),
      fields: follow.follow ? fields?.inLines() : fields, grouping: group.groupBy,
      follow: follow.list(connection, session))
    form.naming = .always
    if offline { return try await showMirrors(of: server, form, session) }
    let withheld = WithheldResults()
    let github = try await connection.connection(
      to: server, session, plugins: [withheld.plugin], for: form.follow)
    guard github.token != nil || connection.request.stub else {
      throw CommandFailure(
        .badCredentials,
        "only an access token identifies you\n\(CommandFailure.signInAdvice(server))")
    }
    try filter.request.refuseCopilot()
    if review {
      let text = filter.request.search(
        for: "is:pr review-requested:@me archived:false", includesPullRequests: true)
      return try await answer(.several([]), filter.request, form, session)
        .find((org.map { "org:\($0) " } ?? "") + text, on: server)
    }
    let request = try await github.naming(filter.request)
    // Each repository numbers its milestones separately, so titles are compared.
    var filter = request.filter(milestone: nil)
    filter.milestone = request.milestone
    try await MergedIssues(
      org.map { "your repositories of \($0)" } ?? "your repositories", filter, form,
      lists: [
        (
          "\(server)",
          FoundIssues.concerning(involvement, in: org, github, filter, form)
        )
      ], withheld: withheld
    ).show(in: form, session)
  }

  private func answer(
    _ scope: ListScope, _ request: FilterRequest, _ form: IssueListForm, _ session: CommandSession
  ) -> ListAnswer {
    ListAnswer(
      question: ListQuestion(
        scope: scope, filter: request, includesPullRequests: form.includesPullRequests,
        limit: form.limit, freshness: Freshness(isOffline: offline)),
      form: form, connection: connection, session: session)
  }

  private func showMirrors(
    of server: GitHubServer, _ form: IssueListForm, _ session: CommandSession
  ) async throws {
    guard let login else {
      throw CommandFailure(
        .usage,
        "the mirror doesn't know who you are, and no server is contacted\nAdd your login: --login LOGIN."
      )
    }
    try filter.request.refuseCopilot()
    var request = filter.request.naming(login)
    switch involvement {
    case .created: request.author = .user(login)
    case .mentioned: request.mention = .user(login)
    case .assigned, .subscribed, .all: request.assignee = .known(.user(login))
    }
    let sources: [ListScope.Source] = try await session.mirroredPlaces(of: org, on: server)
      .map { .repository(try RepositoryReference(parsing: "\($0)")) }
    try await answer(.several(sources), request, form, session).show()
  }
}
