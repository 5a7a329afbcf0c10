internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules

/// The features that GitHub Enterprise servers were found to lack, so that each server is queried only once. Each line
/// of the file beside the history contains a host and a missing feature. The server is queried again after a month,
/// because servers are updated.
struct ServerGaps: Sendable {
  enum Feature: String, Sendable {
    case subIssues = "sub-issues"
    case dependencies
    case timeline
  }

  /// The lifetime of a line in seconds.
  private static let lifetime = 30 * 86_400
  private static let largestFile = 64 << 10

  private let file: StateFile

  /// Returns nil if no folder is configured.
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

  /// Records a missing feature. If two processes write at once, one line may be lost, and the server is queried once
  /// more. github.com has every feature, so its 404 is about the issue.
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
  /// Whether the error may come from a server without the endpoint.
  var mayBeGap: Bool {
    [.notFound, .gone].contains(response?.status)
  }
}
