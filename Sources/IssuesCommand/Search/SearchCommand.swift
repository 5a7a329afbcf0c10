internal import ArgumentParser
internal import IssueMirror

/// `issues search`.
struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search",
    abstract: "Search issues, pull requests and comments: in the mirror, or on GitHub.",
    usage: "issues search [<options>] <query> …",
    discussion: """
      Looks into titles, texts and comments of the mirror, which needs no network ('issues sync' makes \
      it and brings it up to date), best match first. Without --repo it looks into the repository of \
      the clone you stand in, and elsewhere into all that are mirrored, or those of the server of \
      --api-url. With --remote GitHub is asked, which gives 1,000 results at most.

      With --max-age DURATION what is searched is synced first if it wasn't within that time.

      With --remote, and with --web, the query goes to GitHub as it is typed: org:, user:, language:, \
      reactions:, linked:, archived:, @me, AND, OR, parentheses and whatever else GitHub understands.

      QUERY:
        crash macro             both words, in whatever case
        "exact phrase"          these words in this order
        swif*                   words that begin so
        crash OR hang           one of the two
        -linux                  not this word (-- before it where that is an option)
        is:open  is:closed      the state
        is:issue  is:pr         what it is
        label:bug               a label; repeat it for several (no:label: none)
        author:ada  assignee:x  who opened it, who works on it (no:assignee: nobody)
        milestone:"6.3"         the milestone (no:milestone: none)
        updated:>2026-01-01     also created: and closed:, with >= < <= and FROM..TO
        comments:>10            how many comments it has
        in:title                also in:body and in:comments
        sort:updated            also created and comments, with -asc or -desc

      A table on a terminal, with the piece of text that matches; in a pipe a line an issue: repository, \
      number, state (OPEN, CLOSED, DRAFT, MERGED), title, labels, time of the last update, and issue or \
      pull_request, between tabs.

      EXAMPLES:
        issues search crash macro is:open
        issues search '"unable to type-check"' -linux --repo apple/swift
        issues search is:open label:bug sort:comments --json number,title,snippet
        issues search async --remote --limit 100
        issues search --remote 'org:apple (author:@me OR mentions:@me)'
      """)

  @Argument(help: ArgumentHelp("What to look for.", valueName: "query"))
  var words: [String] = []

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Look into this repository; repeat it for several.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repo: [String] = []

  @Flag(help: "Ask GitHub's own search instead of the mirror.")
  var remote = false

  @OptionGroup var age: AgeOptions

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the search in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  mutating func validate() throws {
    if words.isEmpty, let word = output.takeBack() { words = [word] }
    guard words.contains(where: { !$0.isEmpty }) else {
      throw ValidationError("Say what to look for: <query>.")
    }
    _ = try output.fields(sent: FoundIssue.fieldNames)
    try age.refuse(beside: remote, "--remote", "which asks GitHub")
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.settings.request.stub, "--stub", "which is sample data")
    if !remote, !web, age.maxAge == nil, let option = connection.wayOfAsking {
      throw ValidationError(
        "\(option) only makes sense with --remote or --max-age: the mirror asks nobody.")
    }
  }

  func run() async throws {
    let fields = try output.fields(sent: FoundIssue.fieldNames)
    let (words, names, connection, limit) = (words, repo, connection.settings, limit.maximum)
    let (asksServer, opensBrowser, maximumAge) = (remote, web, age.maximumAge)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      if opensBrowser || asksServer {
        let query = RemoteQuery(words)
        let scope = try await SearchScope(
          names, [], namesPlace: query.namesPlace, connection, environment: session.environment)
        if opensBrowser {
          let page = Self.page(query, scope)
          return try await session.openPage(page.encoded, of: scope.server)
        }
        let search = RemoteSearch(
          text: query.text(in: scope.names), scope: scope,
          connection: try await connection.connection(to: scope.server, session),
          session: session, limit: limit, fields: fields)
        return try await search.show()
      }
      let query = try Self.query(words)
      let scope = try await SearchScope(
        names, query.repositories, namesPlace: !query.repositories.isEmpty, connection,
        environment: session.environment)
      let fresh = maximumAge.map {
        FreshMirror(maximumAge: $0, connection: connection, session: session)
      }
      let search = MirrorSearch(
        query: query, scope: scope, session: session, limit: limit, fields: fields, fresh: fresh,
        verbosity: connection.request.verbosity)
      try await search.show()
    }
    throw ExitCode(status.rawValue)
  }

  /// The search of the mirror that the words make. A value that holds blanks was in quotation marks that the shell
  /// has taken.
  private static func query(_ words: [String]) throws(CommandFailure) -> SearchQuery {
    do throws(InvalidInput) {
      return try SearchQuery(parsing: words.joined(separator: " "))
    } catch {
      throw CommandFailure(
        .usage, "\(error.message)\nWith --remote GitHub's own search reads the words.")
    }
  }

  /// The letters of its options.
  static let shortOptions: Set<Character> = ["R", "L", "w", "q", "v", "h"]

  /// The command line, with a blank before what is a part of the search though it begins with a minus, as in
  /// `-macro`, `-label:bug` or `'-macro crash'`: the parser takes it for a value then, and the search is the same.
  ///
  /// A letter alone is an option, known or not, and so are several letters of options; and where a value stands
  /// at its letter (`-L10`, `-Rapple/swift`), the parser says that it is to stand apart.
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

  /// The page of the server that shows what the search finds.
  private static func page(_ query: RemoteQuery, _ scope: SearchScope) -> URLPath {
    if scope.names.count == 1 {
      return "\(raw: scope.server.webURL(of: scope.names[0]))/issues?q=\(query.text)"
    }
    return "\(raw: scope.server.webURL)/search?q=\(query.text(in: scope.names))&type=issues"
  }
}
