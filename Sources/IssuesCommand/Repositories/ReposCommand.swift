internal import ArgumentParser
internal import IssueTracker

/// `issues repos`.
struct ReposCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repos",
    abstract: "List the public repositories of a user or an organisation.",
    usage: "issues repos [<options>] <login>",
    discussion: """
      A table on a terminal; in a pipe a line a repository: name, description, language, stars and \
      time of the last update, between tabs.

      EXAMPLES:
        issues repos octocat
        issues repos apple --all --json full_name,stargazers_count
      """)

  @Argument(
    help: ArgumentHelp("The login.", valueName: "login"), transform: ValueReader.username)
  var username: Username?

  @OptionGroup(title: "Amount") var limit: LimitOptions

  @Flag(name: .shortAndLong, help: "Open the list in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  mutating func validate() throws {
    username = try username ?? output.takeBack().map(ValueReader.username)
    guard username != nil else { throw ValidationError("Say whose repositories to list: <login>.") }
    _ = try output.fields(sent: Repository.fieldNames)
  }

  func run() async throws {
    let fields = try output.fields(sent: Repository.fieldNames)
    guard let username else { return }
    let (connection, limit, opensBrowser) = (connection.settings, limit.maximum, web)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      let server = try connection.server(host: nil, environment: session.environment)
      if opensBrowser {
        try await session.openPage("\(server.webURL)/\(username)?tab=repositories", of: server)
        return
      }
      let list = RepositoryList(
        username: username, connection: try await connection.connection(to: server, session),
        session: session, limit: limit, fields: fields)
      try await list.show()
    }
    throw ExitCode(status.rawValue)
  }
}
