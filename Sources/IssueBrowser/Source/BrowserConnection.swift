package import IssueTracker

/// A server, and how it is asked.
package struct BrowserConnection: Sendable {
  /// Makes a failure a text for a person, which may have several lines; the second argument is what was
  /// asked for, such as `apple/swift`.
  package typealias Explanation = @Sendable (NetworkError, String) -> String

  /// The server.
  package let server: GitHubServer
  /// How it is asked. It shouldn't wait for limits: the browser shows them, and asks again by itself.
  package let provider: Provider<GitHub>
  /// Tells when the server can be reached again after it could not be.
  package let reachability: any Reachability
  /// Whether requests carry a token, so that the user's own repositories can be asked for.
  package let hasToken: Bool
  let explanation: Explanation

  /// Creates a connection.
  package init(
    server: GitHubServer, provider: Provider<GitHub>, reachability: any Reachability,
    hasToken: Bool = false,
    explanation: @escaping Explanation = { error, subject in "\(subject): \(error.problem)" }
  ) {
    self.server = server
    self.provider = provider
    self.reachability = reachability
    self.hasToken = hasToken
    self.explanation = explanation
  }

  /// What an error means, in one line.
  func explain(_ error: NetworkError, _ subject: String) -> String {
    explanation(error, subject).split { $0.isNewline }.joined(separator: " ")
  }
}
