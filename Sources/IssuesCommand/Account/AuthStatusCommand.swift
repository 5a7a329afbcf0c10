internal import ArgumentParser
internal import IssueTracker

/// `issues auth status`.
struct AuthStatusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say where the access token comes from, and what its limits are.",
    usage: "issues auth status [<options>]",
    discussion: """
      Says which variable the token for a host is in, or that it is the one that gh is logged in with; \
      whether the server accepts it; and how many requests it lets through until when. Asking costs \
      none of them. The token itself is never shown.

      In a pipe, between tabs: the host; the token's source, or 'none'; whether it was accepted ('yes', \
      'no', or 'unknown'); then a line a resource with its name, the requests that remain, the limit \
      and the time at which it is whole again.

      The exit status is 4 where the server refuses the token, or wants one and there is none.

      EXAMPLES:
        issues auth status
        issues auth status --hostname github.example.com
        issues auth status --json token_source,accepted
      """)

  @Option(
    help: ArgumentHelp(
      "The host that is asked; that of GH_HOST, or github.com, if left out.", valueName: "host"))
  var hostname: String?

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func validate() throws {
    _ = try output.fields(of: AuthStatus.Field.self)
    guard hostname == nil || connection.settings.request.apiURL == nil else {
      throw ValidationError("Use --hostname or --api-url, not both: each names a server.")
    }
  }

  func run() async throws {
    let fields = try output.fields(of: AuthStatus.Field.self)
    let (hostname, connection) = (hostname, connection.settings)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      let server = try connection.server(host: hostname, environment: session.environment)
      let github = try await connection.connection(to: server, session)
      session.progress.update("Asking \(server)…")
      let status = await AuthStatus(asking: github)
      try await status.write(to: session, fields: fields)
      session.progress.finish()
      if let failure = status.failure { throw failure }
    }
    throw ExitCode(status.rawValue)
  }
}
