import CurlTransport
import GitHubAPI
import HTTPTargets
import TestSupport

extension Provider where Target == GitHub {
  /// Asks a loopback server over connections of its own, each request once.
  ///
  /// It waits for as long as the test may take: two others that compute hold up the server on two processors.
  init(asking server: LoopbackServer, token: String? = nil) throws {
    var configuration = GitHub.Configuration(
      server: try GitHubServer(apiURL: server.url),
      token: try token.map { text throws(NetworkError) in try AccessToken(text) },
      retries: nil, timeouts: Timeouts(scaledTo: .seconds(300)),
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
    configuration.refusesForeignServers = false
    self = .gitHub(configuration)
  }
}

extension LoopbackGitHub {
  /// `swiftlang/swift`, and every other repository that is asked for.
  static func everywhere(
    swift issues: SyntheticIssues = SyntheticIssues(count: 250)
  ) -> LoopbackGitHub {
    var configuration = Configuration()
    configuration.repositories = [.swift(issues: issues)]
    configuration.anyRepository = SyntheticIssues(count: 5, pullRequests: 0, closed: 0)
    return LoopbackGitHub(configuration)
  }

  /// The numbers of the open issues of `swiftlang/swift`, the newest first.
  ///
  /// - Parameters:
  ///   - recipe: What its issues are made of.
  ///   - count: Among how many of the newest open items, pull requests included.
  /// - Returns: The numbers.
  static func openIssues(
    _ recipe: SyntheticIssues = SyntheticIssues(count: 250), among count: Int = .max
  ) -> [Int] {
    recipe.make().reversed().filter(\.isOpen).prefix(count).filter { !$0.isPullRequest }
      .map(\.number)
  }
}

/// Names that every reader gets from the first to the last.
struct Names: AsyncSequence, Sendable {
  typealias Failure = Never

  let names: [String]

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<String>

    mutating func next(isolation actor: isolated (any Actor)?) async -> String? { rest.popFirst() }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(rest: names[...]) }
}
