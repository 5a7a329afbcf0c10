internal import IssueMirror
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MirroredRepository {
  /// The name as one would type it: with its host where that isn't github.com.
  var typedName: String {
    host == GitHubServer.github.host ? fullName : "\(host)/\(fullName)"
  }

  /// Whether its server is on this machine, where the host alone doesn't say how its API is reached.
  var isOnLoopback: Bool { (try? GitHubServer(host: host))?.origin.isLoopback == true }

  /// The command that renews it.
  var syncCommand: String {
    isOnLoopback ? "issues sync \(fullName) --api-url URL" : "issues sync \(typedName)"
  }

  /// How fresh what is kept is: `synced about 3 hours ago`, or `never completed` while the first sync isn't
  /// done.
  ///
  /// - Parameters:
  ///   - withComments: Whether comments are shown too, which may be older.
  ///   - now: The time.
  /// - Returns: The words.
  func age(withComments: Bool = false, now: Date = Date()) -> String {
    guard isComplete, let checkedAt = checkedAt(withComments: withComments) else {
      return "never completed"
    }
    return "synced \(RelativeTime.describe(checkedAt, relativeTo: now))"
  }
}

extension GitHubServer {
  /// The command that mirrors a repository of it.
  func syncCommand(_ name: RepositoryName) -> String {
    if self == .github { return "issues sync \(name)" }
    let isKnownByHost = (try? GitHubServer(host: host)) == self
    return isKnownByHost
      ? "issues sync \(host)/\(name)" : "issues sync \(name) --api-url \(apiURL)"
  }
}
