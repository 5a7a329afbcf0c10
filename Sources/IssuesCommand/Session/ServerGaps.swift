internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules

/// The features that GitHub Enterprise servers turned out to lack, so that each server is asked only once. A line of
/// the file beside the history contains a host and a missing feature. After a month the server is asked again, because
/// servers are updated.
struct ServerGaps: Sendable {
  enum Feature: String, Sendable {
    case subIssues = "sub-issues"
    case dependencies
    case timeline
  }

  /// In seconds.
  private static let lifetime = 30 * 86_400
  private static let largestFile = 64 << 10

  private let file: StateFile

  /// Nil if no folder is configured.
  init?(environment: [String: String]) {
    guard
      let file = StateFile(
        named: "server-gaps", largest: Self.largestFile, environment: environment)
    else { return nil }
    self.file = file
  }

  func lacks(_ feature: Feature, _ server: GitHubServer, now: Date = Date()) -> Bool {
    lines(now).contains { $0.hasPrefix("\(server.host) \(feature.rawValue) ") }
  }

  /// If two processes write at once, one may lose its line, and asks once more. github.com has every feature: there, a
  /// 404 is about the issue.
  func note(_ feature: Feature, _ server: GitHubServer, now: Date = Date()) {
    guard server.host != GitHubServer.github.host, !lacks(feature, server, now: now) else { return }
    let line = "\(server.host) \(feature.rawValue) \(Int(now.timeIntervalSince1970))"
    file.replace(with: lines(now) + [line])
  }

  private func lines(_ now: Date) -> [String] {
    file.lines.map(String.init).filter {
      let time = $0.split(separator: " ").last.flatMap { Double($0) } ?? 0
      return now.timeIntervalSince1970 - time < Double(Self.lifetime)
    }
  }
}

extension NetworkError {
  /// Whether it may be the response of a server without the endpoint.
  var mayBeGap: Bool {
    [.notFound, .gone].contains(response?.status)
  }
}
