internal import ConcurrencyPrimitives
public import Reactive

/// A reachability that a test controls.
///
/// ```swift
/// let reachability = ManualReachability()
/// let model = Model(reachability: reachability)
/// // … the model fails, reports it, and waits:
/// try await reachability.watchers(1)
/// reachability.set(true)                 // … and continues
/// #expect(reachability.failureCount == 1)
/// ```
public final class ManualReachability: Reachability {
  private let current: Current<Bool>
  private let failures = Watched(0)
  private let watching = Watched(0)

  /// Creates a reachability.
  public init(isReachable: Bool = true) {
    current = Current(isReachable)
  }

  /// The most recently set value, or false after a reported failure.
  public var isReachable: Bool { current.value }

  /// The current ``isReachable``, followed by each change.
  public var changes: Current<Bool>.Values {
    current.values { [weak self] in
      guard let self else { return }
      watching.update { $0 = self.current.watcherCount }
    }
  }

  /// The number of reported failures.
  public var failureCount: Int { failures.current }

  /// Makes the target unreachable, and counts the failure.
  public func reportFailure() {
    current.change(to: false)
    failures.update { $0 += 1 }
  }

  /// Makes the target reachable or unreachable.
  public func set(_ isReachable: Bool) {
    current.change(to: isReachable)
  }

  /// Waits until exactly this number of tasks observe ``changes`` or wait in `waitUntilReachable()`.
  ///
  /// - Throws: `CancellationError` when the waiting task is canceled.
  public func watchers(_ count: Int) async throws {
    try await watching.value { $0 == count ? () : nil }
  }
}
