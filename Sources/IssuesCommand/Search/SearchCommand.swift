internal import ArgumentParser
internal import IssueMirror

struct SearchCommand: JSONCommand, DatabaseCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search issues, pull requests and comments, offline or on GitHub.",
    usage: "issues search [<options>] <query> …",
    discussion: """
      Searches titles, texts and comments in the mirror without a network, best match first. \
      ('issues sync' creates and updates the mirror.) By default, it searches the clone in the \
      current directory; outside a clone, all mirrored repositories, or with --api-url those of \
      that server. With --remote, it asks the server; GitHub returns at most 1,000 results.

      A view of the configuration ('issues config') stands for its query, its order and its \
      repositories: 'issues search @triage crash'. --repo and --limit replace the view's own.

      With --max-age DURATION, repositories that weren't synced within that time are synced first.

      With --remote and --web, the query goes to GitHub as typed: org:, user:, language:, \
      reactions:, linked:, archived:, @me, AND, OR, parentheses and everything else that GitHub \
      understands.

      --by meaning finds issues that are about the same in other words, and --by both combines it with the words: \
      issues only, at most 100, best match first. It needs an access token, and GitHub allows ten such searches \
      per minute. Words in quotation marks aren't kept together, and a query with OR or without words is searched \
      by words; a note and the JSON field search_type say how GitHub searched. Use words for an exact error message.

      QUERY:
        crash macro             both words, in upper or lower case
        "exact phrase"          these words in this order
        swif*                   words that start with this
        crash OR hang           either word
        -linux                  not this word (put -- first if it reads as an option)
        is:open  is:closed      the state
        is:issue  is:pr         the kind
        label:bug               a label; repeat it for several (no:label: none)
        author:ada  assignee:x  the author, the assignee (no:assignee: none)
        milestone:"6.3"         the milestone (no:milestone: none)
        updated:>2026-01-01     also created: and closed:, with >= < <= and FROM..TO
        updated:>=yesterday     also today, 12h, 7d or 2w; a day is in your time zone
        comments:>10            the number of comments
        in:title                also in:body and in:comments
        sort:updated            also created, comments, reactions; with -asc or -desc

      OUTPUT FORMAT:
      On a terminal, the results are a table with the matching text. In a pipe, each issue is a \
      line of tab-separated values: repository, number, state (OPEN, CLOSED, DRAFT, MERGED), \
      title, labels, time of the last update, and kind (issue or pull_request).

      EXAMPLES:
        issues search crash macro is:open
        issues search '"unable to type-check"' -linux --repo apple/swift
        issues search is:open label:bug sort:comments --json number,title,snippet
        issues search async --remote --limit 100
        issues search --remote 'org:apple (author:@me OR mentions:@me)'
        issues search --remote --by meaning 'the app stops after the screen is turned off'
        issues search @triage crash
        issues search crash --database service=issues
      """)

  @Argument(
    help: ArgumentHelp("The query, or a view and more terms.", valueName: "query"),
    completion: .custom(ViewCompletion.candidates))
  var words: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Search this repository; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repo: [String] = []

  @Flag(help: "Use GitHub's own search instead of the mirror.")
  var remote = false

  @Option(
    name: [.customLong("by"), .customLong("search-type")],
    help: "With --remote: search by words, by meaning or by both. (default: words)")
  var basis: SearchBasis?

  @OptionGroup(title: "Mirror") var age: AgeOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the search in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known {
    .sent(IssueRow.fieldNames + [PendingLookup.field, IssuesByMeaning.field])
  }

  mutating func takeArgument(_ word: String) -> Bool {
    guard words.isEmpty else { return false }
    words = [word]
    return true
  }

  func validateOptions() throws {
    guard words.contains(where: { !$0.isEmpty }) else {
      throw ValidationError("Specify a search: <query>.")
    }
    try age.refuse(beside: remote, "--remote", "which asks the server")
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.request.stub, "--stub", "which is sample data")
    guard basis == nil || remote && !web else {
      throw ValidationError(
        "--by is about GitHub's search: use it with --remote, and without --web. The mirror is searched by words."
      )
    }
    if !remote, !web, age.maxAge == nil, let option = connection.wayOfAsking {
      throw ValidationError(
        "\(option) only makes sense with --remote or --max-age: the mirror needs no server.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    var search = IssueSearch(
      words: words, repositories: repo, isRemote: remote, kind: basis?.kind ?? .lexical,
      opensPage: web, maximumAge: age.maximumAge, limit: limit.maximum, fields: fields,
      connection: connection)
    if let view = try session.view(words.first) {
      search.follow(view, hasLimit: limit.isGiven)
    }
    try await search.show(session)
  }

  static let shortOptions: Set<Character> = ["R", "L", "w", "q", "v", "h"]

  /// Adds a space before search words that begin with a minus, so that the parser accepts them as values.
  ///
  /// A single letter is an option, known or not, and so are several letters of options. For a value attached to its
  /// letter (`-L10`, `-Rapple/swift`), the parser reports that it must be separate.
  static func readable(_ arguments: [String]) -> [String] {
    arguments.map { argument in
      let word = argument.dropFirst()
      let isOption =
        argument.first != "-" || word.first == "-" || word.utf8.count < 2
        || word.prefix { $0 != "=" }.allSatisfy(shortOptions.contains)
        || word.wholeMatch(of: /L[0-9]+|R.+\/.+/) != nil
      return isOption ? argument : " \(argument)"
    }
  }
}
