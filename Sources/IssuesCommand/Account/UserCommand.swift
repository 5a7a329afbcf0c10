internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct UserCommand: JSONCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "user",
    abstract: "Show a user or an organization.",
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
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .sent(GitHub.User.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    guard username == nil else { return false }
    username = try? ValueReader.username(word)
    return username != nil
  }

  func validateOptions() throws {
    guard username != nil else { throw ValidationError("Specify a login: <login>.") }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    guard let username else { return }
    let server = try session.server(apiURL: connection.request.apiURL)
    if web { return try await session.openPage("\(server.webURL)/\(username)", of: server) }
    let github = try await connection.connection(to: server, session)
    session.progress.update("Looking up \(username)…")
    let user = try await github.explaining("\(username)") {
      (provider) async throws(NetworkError) in
      try await provider.entity(.userProfile(username: username.login)) as Sent<GitHub.User>
    }
    try await UserProfile(user).write(to: session, fields: fields)
  }
}

struct UserProfile: Sendable {
  private let sent: Sent<GitHub.User>

  init(_ user: Sent<GitHub.User>) {
    sent = user
  }

  private var user: GitHub.User { sent.entity }

  private var lines: [(name: String, value: String)] {
    let all: [(name: String, value: String?)] = [
      ("login", user.login),
      ("name", user.name),
      ("type", user.type),
      ("bio", user.bio),
      ("company", user.company),
      ("location", user.location),
      ("blog", user.blog),
      ("email", user.email),
      ("public_repos", user.publicReposCount.map(String.init)),
      ("followers", user.followersCount.map(String.init)),
      ("following", user.followingCount.map(String.init)),
      ("created_at", user.createdAt.map(Timestamp.string(from:))),
      ("html_url", user.htmlURL),
    ]
    return all.compactMap { line in
      line.value.flatMap { $0.isEmpty ? nil : (line.name, $0) }
    }
  }

  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(JSONObject(sent.json), fields, to: session)
    } else {
      try await session.output.write(session.style.text(ofFields: lines))
    }
  }
}
