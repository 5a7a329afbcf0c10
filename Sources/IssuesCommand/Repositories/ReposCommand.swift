internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct ReposCommand: JSONCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "repos",
    abstract: "List the public repositories of a user or an organization.",
    usage: "issues repos [<options>] <login>",
    discussion: """
      On a terminal, the list is a table. In a pipe, each repository is a line of tab-separated \
      values: name, description, language, stars and time of the last update.

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
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .sent(GitHub.Repository.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard username == nil else { return false }
    username = try? ValueReader.username(word)
    return username != nil
  }

  func validateOptions() throws {
    guard username != nil else {
      throw ValidationError("Specify a user or an organization: <login>.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    guard let username else { return }
    let server = try session.server(apiURL: connection.request.apiURL)
    if web {
      let page = "\(server.webURL)/\(username)?tab=repositories"
      return try await session.openPage(page, of: server)
    }
    var writer = try ListWriter<Sent<GitHub.Repository>>(session, fields: fields)
    var list = ServerPages<Sent<GitHub.Repository>, Sent<GitHub.Repository>>(
      try await connection.connection(to: server, session), "\(username)",
      status: "Loading the repositories of \(username)",
      nothing: "\(username) has no public repositories.", limit: limit.maximum,
      first: { .repos(username: username.login, pageSize: $0) },
      title: { _, _ in "Repositories of \(username)" }, row: \.self)
    try await list.write(to: &writer, session)
  }
}

extension Sent: ListItem where Entity == GitHub.Repository {
  static var columns: [ItemColumn<Self>] {
    [
      .init("NAME", .limited(percent: 45)) { row, _ in
        StyledLine(row.entity.fullName, style: .heading)
      },
      .init("DESCRIPTION", .flexible(minimum: 16)) { row, _ in
        StyledLine(row.entity.description ?? "")
      },
      .init("LANGUAGE", .limited(percent: 15), dropOrder: 1) { row, _ in
        StyledLine(row.entity.language ?? "")
      },
      .init("STARS", alignment: .trailing, dropOrder: 2) { row, _ in
        StyledLine(row.entity.stargazersCount.map(String.init) ?? "")
      },
      .time("UPDATED", dropOrder: 0) { $0.entity.updatedAt },
    ]
  }

  func object() -> JSONObject { JSONObject(json) }
}
