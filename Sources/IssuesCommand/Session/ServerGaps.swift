internal import HTTPTargets
internal import IssueTracker

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// What servers of GitHub Enterprise turned out to lack, so that each is asked once. A line of the file beside the
/// history is a host and what it lacks. After a month it is asked again: servers are updated.
struct ServerGaps: Sendable {
  enum Feature: String, Sendable {
    case subIssues = "sub-issues"
    case dependencies
    case timeline
  }

  /// In seconds.
  private static let lifetime = 30 * 86_400
  private static let largestFile = 64 << 10

  private let folder: String

  private var path: String { "\(folder)/server-gaps" }

  /// Nil where no folder is named.
  init?(environment: [String: String]) {
    guard let state = UserDirectory.state.path(in: environment) else { return nil }
    folder = "\(state)/issues"
  }

  func lacks(_ feature: Feature, _ server: GitHubServer, now: Date = Date()) -> Bool {
    lines(now).contains { $0.hasPrefix("\(server.host) \(feature.rawValue) ") }
  }

  /// Of two processes that note at once, one may lose its line, and asks once more. github.com lacks nothing: there, a
  /// 404 says something about the issue.
  func note(_ feature: Feature, _ server: GitHubServer, now: Date = Date()) {
    guard server.host != GitHubServer.github.host, !lacks(feature, server, now: now) else { return }
    let line = "\(server.host) \(feature.rawValue) \(Int(now.timeIntervalSince1970))"
    // Without the file the server is asked again: nothing here is worth an error. Root would leave a file that the
    // folder's owner can't write to.
    guard !FolderOwner.isInTheWay(of: folder) else { return }
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard let file = try? AtomicFile(private: path) else { return }
    let text = (lines(now) + [line]).map { "\($0)\n" }.joined()
    guard (try? file.write(Array(text.utf8))) != nil else { return }
    try? file.commit(isSynchronized: false)
  }

  private func lines(_ now: Date) -> [String] {
    guard let data = try? Data(contentsOf: URL(filePath: path)), data.count <= Self.largestFile
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init).filter {
      let time = $0.split(separator: " ").last.flatMap { Double($0) } ?? 0
      return now.timeIntervalSince1970 - time < Double(Self.lifetime)
    }
  }
}

extension NetworkError {
  /// Whether it may be the answer of a server that doesn't know the endpoint.
  var mayBeGap: Bool {
    [.notFound, .gone].contains(response?.status)
  }
}
