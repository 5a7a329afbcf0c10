internal import IssueTracker

/// The scope of notifications: the server, or one repository.
struct InboxPlace {
  let server: GitHubServer
  let name: RepositoryName?

  init(_ repo: String?, _ request: RequestOptions, _ session: CommandSession) throws {
    guard let repo else {
      server = try session.server(apiURL: request.apiURL)
      name = nil
      return
    }
    let place = try Place(
      RepositoryReference(parsing: repo), apiURL: request.apiURL, environment: session.environment)
    server = place.server
    name = place.name
  }

  func connection(
    _ options: ConnectionOptions, _ session: CommandSession, for follow: ListFollow? = nil
  ) async throws -> Connection {
    let connection = try await options.connection(to: server, session, for: follow)
    guard options.request.stub || connection.tokenSource != nil else {
      let variable = AccessToken.environmentVariables(for: server)[0]
      throw CommandFailure(
        .badCredentials,
        "notifications need an access token for \(server), and there is none\n"
          + (server.isGitea
            ? "Set \(variable) to a token with the scope write:notification, or log in with tea."
            : "Set \(variable) to a classic token with the scope notifications, or log in with gh.")
      )
    }
    return connection
  }

  /// Explains a failure: GitHub rejects fine-grained tokens without a reason.
  static func explained(_ failure: CommandFailure, on server: GitHubServer) -> CommandFailure {
    guard failure.status == .notFound || failure.status == .badCredentials else { return failure }
    let problem = failure.message.prefix { !$0.isNewline }
    let advice =
      server.isGitea
      ? "The token needs the scope write:notification."
      : "Only classic tokens with the scope notifications or repo may read or change notifications."
    return CommandFailure(failure.status, "\(problem)\n\(advice)")
  }

  func heading(isUnread: Bool) -> String {
    let kind = isUnread ? "unread notifications" : "notifications"
    return name.map { "Your \(kind) in \($0)" } ?? "Your \(kind)"
  }
}
