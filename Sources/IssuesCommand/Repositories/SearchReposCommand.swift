internal import ArgumentParser
internal import IssueTracker
internal import StyledText

struct SearchReposCommand: JSONCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "search-repos",
    abstract: "Search for repositories.",
    usage: "issues search-repos [<options>] <text> …",
    discussion: """
      Searches names, descriptions and topics, best match first. GitHub's qualifiers narrow the \
      search: language:swift, user:apple, topic:http, stars:>100. GitHub returns at most 1,000 \
      results.

      On a terminal, the list is a table. In a pipe, each repository is a line of tab-separated \
      values: name, description, language, stars and time of the last update.

      EXAMPLES:
        issues search-repos swift http client
        issues search-repos 'language:swift stars:>1000' --all
        issues search-repos tetris --json full_name,html_url --limit 5
      """)

  @Argument(help: ArgumentHelp("The words to search for.", valueName: "text"))
  var words: [String] = []

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the search in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  private var text: String {
    words.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  static var jsonFields: JSONFields.Known { .sent(GitHub.Repository.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard words.isEmpty else { return false }
    words = [word]
    return true
  }

  func validateOptions() throws {
    guard !text.isEmpty else { throw ValidationError("Specify a search: <text>.") }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let server = try session.server(apiURL: connection.request.apiURL)
    if web {
      let page: URLPath = "\(raw: server.webURL)/search?q=\(text)&type=repositories"
      return try await session.openPage(page.encoded, of: server)
    }
    var writer = try ListWriter<Sent<GitHub.Repository>>(session, fields: fields)
    var list = ServerPages<Sent<GitHub.Repository>, Sent<GitHub.Repository>>(
      try await connection.connection(to: server, session), "the search for \(text)",
      status: "Searching for \(text)", nothing: "No repositories match \(text).",
      limit: limit.maximum,
      cap: .init(
        advice: """
          a search returns no more. To see the rest, narrow it, for example with created:>2025-01-01 or \
          language:swift.
          """, fails: false),
      first: { .searchRepositories(query: text, pageSize: $0) },
      title: { [text] list, count in
        // The number of rows is shown only if there is only one page.
        if list.hasMore, count != list.limit {
          return "Showing repositories matching \(text) (\(list.total.grouped) found)"
        }
        let whole = list.total > count ? " of \(list.total.grouped)" : ""
        let noun = max(count, list.total) == 1 ? "repository" : "repositories"
        return "Showing \(count.grouped)\(whole) \(noun) matching \(text)"
      }, row: \.self)
    try await list.write(to: &writer, session)
  }
}
