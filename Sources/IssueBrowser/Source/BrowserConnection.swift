package import IssueTracker

package struct BrowserConnection: Sendable {
  /// Explains a failure in words. The second argument is the subject of the request, such as `apple/swift`.
  package typealias Explanation = @Sendable (NetworkError, String) -> String

  package let server: GitHubServer
  /// It must not wait for limits: the browser shows them, and retries by itself.
  package let provider: Provider<GitHub>
  package let reachability: any Reachability
  /// Whether the user's own repositories can be asked for.
  package let hasToken: Bool
  let explanation: Explanation

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

  func explain(_ error: NetworkError, _ subject: String) -> String {
    explanation(error, subject).split { $0.isNewline }.joined(separator: " ")
  }
}
