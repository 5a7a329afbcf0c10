internal import IssueMirror

extension CommandSession {
  /// Says on standard error how old what comes from the mirror is: on a terminal always, and anywhere where
  /// a part is missing.
  ///
  /// - Parameter repositories: Those that it comes from; of several the one that is oldest is told of.
  func tellFreshness(of repositories: [MirroredRepository]) {
    let partial = repositories.first { !$0.isComplete }
    if let partial {
      errors.write(
        "The mirror of \(partial.typedName) isn't complete: 'issues sync \(partial.typedName)' goes on.")
    }
    guard style.layout == .table,
      let oldest = repositories.filter(\.isComplete).min(by: { $0.checkedSince < $1.checkedSince })
    else { return }
    let name = repositories.count > 1 ? " (\(oldest.typedName))" : ""
    errors.write(
      "From the mirror\(name), \(oldest.age()): 'issues sync \(oldest.typedName)' renews it.",
      style: .faint)
  }
}

extension MirroredRepository {
  /// When it was last asked for, in seconds since 1970; the beginning of time for never.
  fileprivate var checkedSince: Double { checkedAt?.timeIntervalSince1970 ?? -.infinity }
}
