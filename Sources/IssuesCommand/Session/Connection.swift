internal import IssueTracker

/// A server, how to ask it, and what its failures mean to the person who typed the command.
struct Connection: Sendable {
  /// Who is asked.
  let server: GitHubServer
  /// How.
  let provider: Provider<GitHub>
  /// Where the token came from that goes with the requests; nil where none does.
  let tokenSource: TokenSource?
  /// The variable that names the authorities to trust.
  var certificateVariable = CertificateStore.variables[1]

  /// Carries out a call and explains its failure.
  func explaining<Value: Sendable>(
    _ subject: String, _ call: (Provider<GitHub>) async throws(NetworkError) -> Value
  ) async throws(CommandFailure) -> Value {
    do throws(NetworkError) {
      return try await call(provider)
    } catch {
      throw explanation(of: error, subject)
    }
  }

  /// What an error means.
  func explanation(of error: NetworkError, _ subject: String) -> CommandFailure {
    CommandFailure(
      error, of: subject, on: server, tokenSource: tokenSource,
      certificateVariable: certificateVariable)
  }

  /// What the error means that broke a list off.
  func explanation(
    of error: NetworkError, _ subject: String, afterShowing count: Int
  ) -> CommandFailure {
    let failure = explanation(of: error, subject)
    guard count > 0, failure.status != .cancelled else { return failure }
    if error.underlying is UnreadableEntries {
      return CommandFailure(failure.status, "the list is incomplete: \(failure.message)")
    }
    return CommandFailure(
      failure.status, "the list is incomplete, it broke off after \(count): \(failure.message)")
  }
}
