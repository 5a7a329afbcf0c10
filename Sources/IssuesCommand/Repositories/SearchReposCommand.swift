internal import ArgumentParser
internal import IssueTracker

/// `issues search-repos`.
struct SearchReposCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search-repos",
    abstract: "Search for repositories.",
    usage: "issues search-repos [<options>] <text> …",
    discussion: """
      Words are looked for in name, description and topics, best match first. GitHub's qualifiers \
      narrow the search: language:swift, user:apple, topic:http, stars:>100. GitHub gives the \
      first 1,000 of what it finds.

      A table on a terminal; in a pipe a line a repository: name, description, language, stars and \
      time of the last update, between tabs.

      EXAMPLES:
        issues search-repos swift http client
        issues search-repos 'language:swift stars:>1000' --all
        issues search-repos tetris --json full_name,html_url --limit 5
      """)

  @Argument(help: ArgumentHelp("What to look for.", valueName: "text"))
  var words: [String] = []

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the search in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  /// The words as one text.
  private var text: String {
    words.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  mutating func validate() throws {
    if words.isEmpty, let word = output.takeBack() { words = [word] }
    guard !text.isEmpty else { throw ValidationError("Say what to look for: <text>.") }
    _ = try output.fields(sent: Repository.fieldNames)
  }

  func run() async throws {
    let fields = try output.fields(sent: Repository.fieldNames)
    let (text, connection, limit, opensBrowser) = (text, connection.settings, limit.maximum, web)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      let server = try connection.server(host: nil, environment: session.environment)
      if opensBrowser {
        let page: URLPath = "\(raw: server.webURL)/search?q=\(text)&type=repositories"
        try await session.openPage(page.encoded, of: server)
        return
      }
      let list = RepositorySearchList(
        text: text, connection: try await connection.connection(to: server, session),
        session: session, limit: limit, fields: fields)
      try await list.show()
    }
    throw ExitCode(status.rawValue)
  }
}
