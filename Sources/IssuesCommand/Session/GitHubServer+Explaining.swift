internal import IssueTracker

extension GitHubServer {
  /// Carries out a call and explains its failure to the person who typed the command.
  func explaining<Value: Sendable>(
    _ subject: String, _ session: CommandSession,
    _ call: () async throws(NetworkError) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(NetworkError) {
      return try await call()
    } catch {
      throw explanation(of: error, subject, session)
    }
  }

  /// What an error means to the person who typed the command.
  func explanation(
    of error: NetworkError, _ subject: String, _ session: CommandSession
  ) -> CommandFailure {
    let token = try? AccessToken.environment(for: self, in: session.environment)
    return CommandFailure(error, of: subject, on: self, hasToken: token != nil)
  }
}
