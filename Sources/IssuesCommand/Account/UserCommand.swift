internal import ArgumentParser
internal import IssueTracker

/// `issues user`.
struct UserCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "Show a user or an organisation.",
    usage: "issues user [<options>] <login>",
    discussion: """
      EXAMPLES:
        issues user octocat
        issues user octocat --json login,name,followers
      """)

  @Argument(
    help: ArgumentHelp("The login.", valueName: "login"), transform: ValueReader.username)
  var username: Username?

  @Flag(name: .shortAndLong, help: "Open the profile in the web browser instead.")
  var web = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  mutating func validate() throws {
    username = try username ?? output.takeBack().map(ValueReader.username)
    guard username != nil else { throw ValidationError("Say whom to show: <login>.") }
    _ = try output.fields(sent: User.fieldNames)
  }

  func run() async throws {
    let fields = try output.fields(sent: User.fieldNames)
    guard let username else { return }
    let (connection, opensBrowser) = (connection.settings, web)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      let server = try connection.server(host: nil, environment: session.environment)
      if opensBrowser {
        try await session.openPage("\(server.webURL)/\(username)", of: server)
        return
      }
      let github = try await connection.connection(to: server, session)
      session.progress.update("Looking up \(username)…")
      let user = try await github.explaining("\(username)") {
        (provider) async throws(NetworkError) in
        try await provider.entity(.userProfile(username: username.login)) as Sent<User>
      }
      try await UserProfile(user).write(to: session, fields: fields)
    }
    throw ExitCode(status.rawValue)
  }
}
