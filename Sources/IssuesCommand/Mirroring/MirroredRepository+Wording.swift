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
