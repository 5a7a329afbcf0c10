internal import ArgumentParser
internal import IssueBrowser
internal import IssueMirror
internal import StyledText

/// `issues list`, which is also `issues` alone.
struct ListCommand: JSONCommand, DatabaseCommand, LimitedCommand {
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

      Several repositories, as arguments or with -R repeated, are one list in one order. Rows then \
      name their repository, which is the first column in a pipe. org:NAME is every repository of \
      an organization: it is asked for its repositories, and each that has open issues for them, \
      so that the list is complete and needs no token, at a request for each. user:NAME is a \
      search, which finds 1,000 at most and fails if there are more and you asked for all. When a \
      repository fails, the others' rows stay and JSON is whole; standard error says what is \
      missing, and the exit status is that of the first failure. Your changes that aren't sent \
      yet show only in the list of one repository. 'issues mine' lists what concerns you.

      --group-by puts rows together, under headings on a terminal; the list is then written at its \
      end. In a pipe, the group is the first column, empty for none. An issue with several labels \
      or assignees stands in each group. JSON keeps its form, with each issue once, where its first \
      group is.

      On a terminal, the list is a table. In a pipe, each issue is a line of tab-separated values: \
      number, state, title, labels and time of the last update. Pull requests, which GitHub counts \
      among the issues, are listed only with --include-pull-requests. Another column, the last one \
      in a pipe, then tells them apart (issue or pull_request), and states may also be DRAFT and \
      MERGED.

      When the server limits the rate of requests, the command waits for up to a minute (see \
      --wait) and continues. If the list has to stop early, the command says so, and the exit \
      status isn't 0.

      With --offline, the list comes from the mirror ('issues sync'), and no server is asked. On a \
      terminal, the mirror also stands in when the network is unreachable (no name, no route, no \
      connection), and standard error gives its age. All other failures are errors; in a pipe, so \
      is an unreachable network.

      With --max-age DURATION, the list comes from the mirror, in a pipe too, if it was synced \
      within that time. Otherwise the command syncs changes first, which takes three requests if \
      there are none. Repositories that aren't mirrored come from the server. Rows and JSON are \
      the same either way. --verbose gives the time of the mirror's data, as does synced_at in \
      'issues mirror --json'.

      A view of your configuration ('issues config') is a list with a name: 'issues @triage'. \
      --repo, --state, --sort, --order and --limit replace the view's own; other options and \
      --search narrow it. A view of several repositories is their list, as far as options could \
      say its query, else a search. --save @NAME writes a list into the configuration as a view, \
      and --force replaces one; a time such as 7d becomes a date.

      --follow goes on after the list, until Ctrl-C ends it or the reader of a pipe has gone: each \
      issue that is opened, changes, is closed or reopened is another row, told once. In a pipe, \
      the last column has the word: listed for the list itself, then new, changed, closed or \
      reopened. --json writes an object a line, as --jsonl does, with the field 'change'. --limit \
      is the list's. The filter decides what is told, whatever the state: what a list of open \
      issues loses is closed. The server is asked again after 30 seconds (see --every) where \
      something changes, and less often, down to every five minutes, where nothing does; questions \
      without news cost a token nothing. A failure that may pass, and a limit unless \
      --wait is given, is said once on standard error, and the list goes on; what can't pass (no \
      access, not found) ends it with its exit status. Of org:NAME, the repositories are those of \
      the beginning. Searches and the mirror can't be followed.

      On a terminal, your changes that aren't sent yet ('issues outbox') are shown as if the \
      server had them, with a column that marks them. In a pipe, and with --json, the list is the \
      server's; the field 'pending' has the unsent changes.

      EXAMPLES:
        issues apple/swift --author octocat --sort updated
        issues apple/swift --label bug --label crash --assignee none
        issues apple/swift --since 7d --state all --all
        issues apple/swift --assignee @me --milestone 6.3
        issues apple/swift --type Bug --field Priority=High
        issues apple/swift --parent 12 --state all
        issues apple/swift --search 'crash in:title -label:bug'
        issues 'https://github.com/apple/swift/issues?q=is:closed+label:bug'
        issues swiftlang/swift swiftlang/swift-syntax --sort updated
        issues org:swiftlang --label bug --all --group-by repo
        issues apple/swift --label bug --assignee none --save @triage
        issues @triage
        issues apple/swift --json number,title,labels --limit 5
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
      The repository, or several; org:NAME, user:NAME, or a view; by default, the clone in the \
      current directory.
      """, valueName: "repository"),
    completion: .custom(ViewCompletion.candidatesOrNames))
  var repositories: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .customLong("repo")],
    help: ArgumentHelp(
      "The repository, instead of the argument: [HOST/]OWNER/REPO; repeat it for several.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: [String] = []

  @Option(
    name: [.customShort("S", allowingJoined: true), .long], parsing: .unconditional,
    help: ArgumentHelp(
      """
      Search with a GitHub query, such as 'crash in:title', narrowed by the filter. With \
      --offline, it searches the mirror.
      """, valueName: "query"),
    transform: ValueReader.text(of: "--search"))
  var search: String?

  @Option(
    help: ArgumentHelp("Only sub-issues of the issue with this number.", valueName: "number"),
    completion: .custom(MirrorCompletion.numbers), transform: ValueReader.issueNumber)
  var parent: Int?

  @OptionGroup(title: "Filter") var filter: FilterOptions
  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @Flag(help: "Show the mirror without asking a server: see 'issues sync'.")
  var offline = false

  @OptionGroup var age: AgeOptions
  @OptionGroup var database: DatabaseOptions

  @Flag(help: "Add a column with the assignees.")
  var assignees = false

  @OptionGroup var group: GroupOptions

  @OptionGroup(title: "Going on") var follow: FollowOptions

  @OptionGroup(title: "View") var saving: SaveOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

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
    try follow.refuse(beside: group.groupBy != nil, "--group-by", "which needs the end of the list")
    try follow.refuse(beside: saving.name != nil, "--save", "which shows nothing")
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.request.stub, "--stub", "which is sample data")
    guard !assignees || !output.isJSON else {
      throw ValidationError("--assignees adds a column: with --json, name the field 'assignees'.")
    }
    guard parent == nil || !web else {
      throw ValidationError("--parent lists sub-issues here: leave out --web.")
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
        "With --web, name the milestone by its title: GitHub's pages know no numbers.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    var form = IssueListForm(
      limit: limit.maximum, includesPullRequests: filter.includePullRequests,
      columns: Self.columns(session, fields, withAssignees: assignees),
      fields: follow.follow ? fields?.inLines() : fields, grouping: group.groupBy,
      follow: follow.list(connection, session))
    let repository = repositories.count == 1 ? repositories[0] : nil
    if let name = saving.name { return try save(as: name, session) }
    if let view = try session.view(repository) {
      if !limit.isGiven, let most = view.limit { form.limit = most }
      return try await show(view, form, session)
    }
    if let repository, let address = try ListAddress.read(repository) {
      guard repo.count < 2 else {
        throw CommandFailure(
          .usage, "the address of a list has its own repository: leave out --repo")
      }
      let choice = try RepositoryChoice(address.repository, option: repo.first)
      return try await show(choice, request(of: address, session), form, session)
    }
    let argument: PlaceArgument
    switch try ListScope(repositories, repo: repo) {
    case .one(let one): argument = one
    case .several(let sources):
      return try await show(sources, (filter.request, search), form, session)
    case .user(let user):
      return try await find("user:\(user)", (filter.request, search), form, session)
    }
    if let number = argument.issueNumber, repository?.contains("://") == false {
      let issue = IssueReference(repository: argument.repository.named, number: number)
      throw CommandFailure(
        .usage, "\(issue) is an issue, not a repository: 'issues view' shows it")
    }
    if let number = argument.issueNumber, !web {
      session.errors.write("This is the repository's list. 'issues view' shows issue #\(number).")
    }
    try await show(argument.repository, (filter.request, search), form, session)
  }

  /// Only people see the columns of the configuration: scripts rely on those that a pipe gets.
  static func columns(
    _ session: CommandSession, _ fields: JSONFields?, withAssignees: Bool
  ) -> [ListColumn] {
    var columns = ListColumn.usual
    if fields == nil, session.style.layout == .table, let chosen = session.configuredColumns() {
      columns = chosen
    }
    if withAssignees, !columns.contains(.assignees) {
      columns.insert(.assignees, at: columns.last == .updated ? columns.count - 1 : columns.count)
    }
    return columns
  }

  /// A list of one repository can be as long as it is; a search of several ends at a thousand.
  private func show(
    _ view: SavedView, _ form: IssueListForm, _ session: CommandSession
  ) async throws {
    let request = request(of: view)
    switch view.place {
    case _ where repo.count > 1:
      guard case .several(let sources) = try ListScope([], repo: repo) else { break }
      return try await show(sources, request, form, session)
    case .repositories(let places) where repo.isEmpty && places.count == 1:
      let choice = try RepositoryChoice(places[0], option: nil)
      return try await show(choice, request, form, session)
    case .here,
      _ where !repo.isEmpty:
      let choice = try RepositoryChoice(nil, option: repo.first)
      return try await show(choice, request, form, session)
    // What a filter can say is listed, and the rest is searched.
    case .repositories(let places) where request.search == nil && !web:
      return try await show(places.map { .repository($0) }, request, form, session)
    case .repositories, .everywhere:
      guard let (name, narrowed) = organization(of: view, request) else { break }
      return try await show([.organization(name)], (narrowed, nil), form, session)
    }
    try follow.refuseSearch()
    let query = Self.query(of: view, beside: filter.request)
    var filter = filter.request
    // Where no state is named, GitHub's search finds all.
    filter.state = filter.state ?? .all
    let text = filter.search(for: query, includesPullRequests: form.includesPullRequests)
    var found = IssueSearch(
      words: [text, search ?? ""].filter { !$0.isEmpty }, repositories: [],
      isRemote: !offline && age.maximumAge == nil, opensPage: web, maximumAge: age.maximumAge,
      limit: form.limit, fields: form.fields, connection: connection, grouping: form.grouping)
    found.look(in: view.place)
    try await found.show(session)
  }

  private func save(as name: String, _ session: CommandSession) throws {
    guard !repositories.contains(where: { $0.first == "@" }) else {
      throw CommandFailure(
        .usage, "\(repositories[0]) is a view already: 'issues config edit' changes it")
    }
    var (request, scope): (Request, ListScope) = ((filter.request, search), .several([]))
    if repositories.count == 1, let address = try ListAddress.read(repositories[0]) {
      request = self.request(of: address, session)
      scope = try ListScope(["\(address.repository)"], repo: repo)
    } else {
      scope = try ListScope(repositories, repo: repo)
    }
    try ListedView(
      name: name, filter: request.filter, search: request.search, scope: scope,
      limit: limit.isGiven ? limit.maximum : nil
    ).save(replaces: saving.force, session)
  }

  /// The filter of a view of one organisation, if a filter can say it.
  private func organization(of view: SavedView, _ request: Request) -> (Username, FilterRequest)? {
    guard view.place == .everywhere, !web,
      let words = try? QueryWord.words(of: Self.query(of: view, beside: filter.request)),
      let word = words.first(where: { $0.name == "org" }), let name = Username(word.value)
    else { return nil }
    let rest = words.filter { $0 != word }.map(\.description).joined(separator: " ")
    let narrowed = self.request(
      ofQuery: rest, filter.request, hasOrder: filter.sort != nil || filter.order != nil)
    return narrowed.search == nil ? (name, narrowed.filter) : nil
  }

  /// As far as a filter can say it, the repositories' lists, which are as long as they are; else a search.
  private func show(
    _ sources: [ListScope.Source], _ request: Request, _ form: IssueListForm,
    _ session: CommandSession
  ) async throws {
    guard request.search != nil || web else {
      return try await SeveralRepositories(
        sources: sources, request: request.filter, form: form, isOffline: offline,
        maximumAge: age.maximumAge, connection: connection, session: session
      ).show()
    }
    try follow.refuseSearch()
    let places = sources.map { source in
      switch source {
      case .repository(let reference): "repo:\(reference.name)"
      case .organization: source.word
      }
    }
    let hosts = Set(
      try sources.compactMap { source -> GitHubServer? in
        guard case .repository(let reference) = source else { return nil }
        return try Place(
          reference, apiURL: connection.request.apiURL, environment: session.environment
        ).server
      })
    guard hosts.count < 2 else {
      throw CommandFailure(
        .usage, "search one server at a time: these repositories are on several")
    }
    try await find(
      places.count > 1 ? "(\(places.joined(separator: " OR ")))" : places[0], request, form,
      session, on: hosts.first)
  }

  /// Searches for what no list has.
  private func find(
    _ place: String, _ request: Request, _ form: IssueListForm, _ session: CommandSession,
    on server: GitHubServer? = nil
  ) async throws {
    try follow.refuseSearch()
    let server = try server ?? session.server(apiURL: connection.request.apiURL)
    let text = request.filter.search(
      for: request.search ?? "", includesPullRequests: form.includesPullRequests)
    guard !offline else {
      guard request.search == nil, let user = Username(String(place.dropFirst("user:".count)))
      else {
        throw CommandFailure(
          .usage, "with --offline, 'issues search' searches several repositories")
      }
      let places = try await session.mirroredPlaces(of: user, on: server)
      return try await SeveralRepositories(
        sources: try places.map { .repository(try RepositoryReference(parsing: "\($0)")) },
        request: request.filter, form: form, isOffline: true, maximumAge: nil,
        connection: connection, session: session
      ).show()
    }
    try await FoundRepositoryList(
      query: "\(place) \(text)", server: server, form: form, session: session,
      connection: connection, opensPage: web
    ).show()
  }

  private func request(of view: SavedView) -> Request {
    let query = Self.query(of: view, beside: filter.request)
    return request(
      ofQuery: query, filter.request, hasOrder: filter.sort != nil || filter.order != nil)
  }

  /// The view's query, without what an option replaces.
  private static func query(of view: SavedView, beside filter: FilterRequest) -> String {
    var words = view.query
    if filter.state != nil { words = QueryWord.withoutState(words) }
    guard filter.sort == nil, filter.order == nil, let sort = view.sort else { return words }
    return "\(words) sort:\(sort)"
  }

  /// The search is in GitHub's words.
  private typealias Request = (filter: FilterRequest, search: String?)

  private func show(
    _ choice: RepositoryChoice, _ request: Request, _ form: IssueListForm,
    _ session: CommandSession
  ) async throws {
    if request.search != nil { try follow.refuseSearch() }
    let place = try await session.place(of: choice, apiURL: connection.request.apiURL)
    if web {
      let reference = try await choice.reference(environment: session.environment)
      let page = reference.issueNumber.map { place.server.webURL(of: place.name, issueNumber: $0) }
      return try await session.openPage(page ?? self.page(of: place, request), of: place.server)
    }
    var request = request
    if let parent, offline || age.maximumAge != nil || request.search != nil {
      request.search = [request.search, "parent-issue:\(place.name)#\(parent)"]
        .compactMap(\.self).joined(separator: " ")
    }
    let verbosity = connection.request.verbose
    let pending =
      connection.request.stub || follow.follow
      ? nil : PendingLookup(of: place, fields: form.fields, session)
    if offline {
      let mirrored = try await session.mirrored(place)
      session.tellAge(of: mirrored, verbosity: verbosity, maximumAge: age.maximumAge)
      return try await show(mirrored, request, await form.showing(pending), session)
    }
    if let maximumAge = age.maximumAge {
      let fresh = FreshMirror(
        maximumAge: maximumAge, session, request: connection.request, wait: connection.wait.wait)
      if let mirrored = try await fresh.mirrored(place, withComments: false) {
        session.tellTime(of: [mirrored.repository], withComments: false, verbosity: verbosity)
        var request = request
        if request.filter.namesOwner {
          // Only the server knows who that is.
          let connection = try await connection.connection(to: place.server, session)
          request.filter = try await connection.explaining("@me") {
            [filter = request.filter] (provider) async throws(NetworkError) in
            try await filter.named(by: provider).get()
          }
        }
        return try await show(mirrored, request, await form.showing(pending), session)
      }
      session.tellUnmirrored(place)
    }
    let github = try await connection.connection(to: place.server, session, for: form.follow)
    if let parent, request.search == nil {
      let list = ChildIssueList(
        parent: parent, place: place, connection: github, session: session,
        request: request.filter, form: await form.showing(pending))
      return try await list.show()
    }
    guard let search = request.search else {
      let list = IssueList(
        place: place, connection: github, session: session, request: request.filter, form: form,
        pending: pending,
        history: connection.request.stub
          ? nil : RepositoryHistory(environment: session.environment))
      return try await list.show()
    }
    let (filter, milestone) = try await github.explaining("\(place.name)") {
      [filter = request.filter] (provider) async throws(NetworkError) in
      (
        try await filter.recognizingLabels(by: provider, in: place.name).get(),
        try await filter.milestone(by: provider, in: place.name)
      )
    }
    let text = filter.search(
      for: search, includesPullRequests: form.includesPullRequests,
      milestone: try milestone.get()?.title)
    try await SearchedIssueList(text: text, session: session, form: await form.showing(pending))
      .show(place.name, github)
  }

  private func show(
    _ mirrored: MirroredPlace, _ request: Request, _ form: IssueListForm,
    _ session: CommandSession
  ) async throws {
    guard let search = request.search else {
      let list = MirroredIssueList(
        session: session, filter: try await request.filter.resolved(in: mirrored), form: form)
      return try await list.show(mirrored)
    }
    let text = try await request.filter.recognizingLabels(in: mirrored).search(
      for: search, includesPullRequests: form.includesPullRequests,
      milestone: try await request.filter.milestone(in: mirrored)?.title)
    try await SearchedIssueList(text: text, session: session, form: form).show(mirrored)
  }

  /// Reads a pasted address: as a filter where one can say it, since a search finds only the first 1,000.
  private func request(of address: ListAddress, _ session: CommandSession) -> Request {
    if !address.leftOut.isEmpty {
      let parameters = address.leftOut.joined(separator: "&").prefix(200)
      session.errors.write(
        "Ignored, because this part of the address is not understood: \(TerminalText(String(parameters)))"
      )
    }
    var filter = filter.request
    let hasOrder = filter.sort != nil || filter.order != nil
    if let number = address.milestone, filter.milestone == nil {
      filter.milestone = .number(number)
    }
    return request(ofQuery: address.query, filter, hasOrder: hasOrder)
  }

  private func request(
    ofQuery query: String, _ filter: FilterRequest, hasOrder: Bool
  ) -> Request {
    var filter = filter
    if search == nil, let page = IssueFilter(ofPage: query) {
      return (filter.over(page), nil)
    }
    let search = [query, search ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
    // Where no state is named, the page shows all, newest first.
    filter.state = filter.state ?? .all
    if !hasOrder, !QueryWord.tellsOrder(search) { filter.sort = .created }
    return (filter, search)
  }

  /// The filter becomes a query of GitHub's search, which calls some things differently
  /// (<https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>).
  private func page(of place: Place, _ request: Request) throws(CommandFailure) -> String {
    let (filter, search) = request
    let root = place.server.webURL(of: place.name)
    guard filter != FilterRequest() || search != nil else { return "\(root)/issues" }
    if case .number(let number) = filter.milestone {
      guard search == nil, filter == FilterRequest(state: .open, milestone: filter.milestone) else {
        throw CommandFailure(
          .usage, "GitHub's pages know milestones by their titles: with --web, give the title")
      }
      return "\(root)/milestone/\(number)"
    }
    let query =
      search.map {
        filter.search(for: $0, includesPullRequests: self.filter.includePullRequests)
      } ?? filter.pageQuery
    let path: URLPath = "\(raw: root)/issues?q=\(query)"
    return path.encoded
  }
}

extension FilterRequest {
  fileprivate var pageQuery: String {
    // GitHub's search has no word for both states, and finds both where none is named.
    let state = state == .all ? [] : ["state:\((state ?? .open).rawValue)"]
    return (["is:issue"] + state + qualifiers() + [orderWord]).joined(separator: " ")
  }
}

extension IssueFilter {
  /// nil where no filter says the same.
  fileprivate init?(ofPage query: String) {
    let words = QueryWord.tellsState(query) ? query : "is:all \(query)"
    guard let filter = try? IssueFilter(query: words) else { return nil }
    switch filter.milestone {
    // On a page even a number is a title.
    case .number, .title: return nil
    case .any, .absent, nil: self = filter
    }
  }
}
