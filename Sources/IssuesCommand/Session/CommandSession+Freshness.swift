internal import IssueMirror
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension CommandSession {
  /// Says on standard error how old what comes from the mirror is: on a terminal always, and anywhere where
  /// a part is missing.
  ///
  /// - Parameters:
  ///   - repositories: Those that it comes from; of several the one that is oldest is told of.
  ///   - withComments: Whether comments are part of it.
  func tellFreshness(of repositories: [MirroredRepository], withComments: Bool = false) {
    for partial in repositories where !partial.isComplete {
      errors.write(
        "The mirror of \(partial.fullName) is incomplete: '\(partial.syncCommand)' goes on."
      )
    }
    let complete = repositories.filter(\.isComplete)
    guard style.layout == .table,
      let oldest = complete.min(by: {
        ($0.checkedAt(withComments: withComments) ?? .distantPast)
          < ($1.checkedAt(withComments: withComments) ?? .distantPast)
      })
    else { return }
    errors.write(
      "From the mirror of \(oldest.fullName), \(oldest.age(withComments: withComments)): "
        + "'\(oldest.syncCommand)' renews it.",
      style: .faint)
  }
}
