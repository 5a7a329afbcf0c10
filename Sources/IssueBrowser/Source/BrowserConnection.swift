internal import ConcurrencyPrimitives
package import IssueTracker

package struct BrowserConnection: Sendable {
  /// Explains a failure: the problem, and the remedy in a second line. The second argument is the subject of the
  /// request, such as `apple/swift`.
  package typealias Explanation = @Sendable (NetworkError, String) -> String

  package let server: GitHubServer
  /// The provider. It must not wait for limits, because the browser shows them and retries by itself.
  package let provider: Provider<GitHub>
  package let reachability: any Reachability
  /// Whether there is a token, so that the user's own repositories can be requested.
  package let hasToken: Bool
  /// The source of the token, such as `GH_TOKEN`.
  let tokenSource: String?
  /// The transport for images, without a token; nil if images aren't shown.
  let images: (any Transport)?
  let explanation: Explanation
  private let knownLogin = Locked<String?>(nil)

  package init(
    server: GitHubServer, provider: Provider<GitHub>, reachability: any Reachability,
    hasToken: Bool = false, tokenSource: String? = nil, images: (any Transport)? = nil,
    explanation: @escaping Explanation = { error, subject in "\(subject): \(error.problem)" }
  ) {
    self.server = server
    self.provider = provider
    self.reachability = reachability
    self.hasToken = hasToken
    self.tokenSource = tokenSource
    self.images = images
    self.explanation = explanation
  }

  /// The login of the token's user. It is requested only once.
  ///
  /// - Throws: ``NetworkError``; ``NoToken`` if there is no token.
  func login() async throws -> String {
    guard hasToken else { throw NoToken(variable: tokenVariable) }
    if let login = knownLogin.withLock({ $0 }) { return login }
    let login = try await provider.ownProfile().login
    knownLogin.withLock { $0 = login }
    return login
  }

  /// The environment variable for a token of the server.
  var tokenVariable: String { AccessToken.environmentVariables(for: server)[0] }

  struct NoToken: Error, CustomStringConvertible {
    let variable: String
    var description: String {
      "@me needs an access token: run 'gh auth login', or set \(variable). Or write your login."
    }
  }

  /// Explains an error in up to two lines: the problem, without the request, and the remedy. The advice refers to
  /// `place` if the subject is only a part of it.
  func explain(_ error: NetworkError, _ subject: String, in place: String? = nil) -> String {
    var lines = explanation(error, place ?? subject).split { $0.isNewline }.map(String.init)
    if error.code == .statusCode, let status = error.response?.status.code {
      lines = [words(for: status, subject)] + lines.dropFirst()
    }
    return lines.prefix(2)
      .map { line in line.last.map { ".?!".contains($0) } == true ? line : "\(line)." }
      .joined(separator: "\n")
  }

  private func words(for status: Int, _ subject: String) -> String {
    switch status {
    case 401: "\(server.host) doesn't accept the access token"
    case 403: "\(server.host) doesn't let you see \(subject)"
    case 404: "\(subject) doesn't exist, or you may not see it"
    case 410, 451: "\(subject) no longer exists"
    case 400, 422: "\(server.host) doesn't understand the request for \(subject)"
    case 500..<600: "\(server.host) has an internal problem"
    default: "\(server.host) sent an unexpected response for \(subject)"
    }
  }
}

extension NetworkError {
  func isStatus(_ status: Int) -> Bool { code == .statusCode && response?.status.code == status }
}
