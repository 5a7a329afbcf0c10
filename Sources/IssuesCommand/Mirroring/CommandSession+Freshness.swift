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
  /// - Parameter repositories: Those that it comes from; of several the one that is oldest is told of.
  func tellFreshness(of repositories: [MirroredRepository]) {
    for partial in repositories where !partial.isComplete {
      errors.write(
        "The mirror of \(partial.fullName) is incomplete: '\(partial.syncCommand)' goes on."
      )
    }
    let complete = repositories.filter(\.isComplete)
    guard style.layout == .table,
      let oldest = complete.min(by: {
        ($0.checkedAt ?? .distantPast) < ($1.checkedAt ?? .distantPast)
      })
    else { return }
    errors.write(
      "From the mirror of \(oldest.fullName), \(oldest.age()): '\(oldest.syncCommand)' "
        + "renews it.",
      style: .faint)
  }
}
