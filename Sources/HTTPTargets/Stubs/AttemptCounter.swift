internal import Locking

/// Counts attempts by name, from 0.
final class AttemptCounter: Sendable {
  private let counts = Locked<[String: Int]>([:])

  /// Counts one more attempt.
  ///
  /// - Returns: How many were counted before.
  @discardableResult
  func next(for name: String = "") -> Int {
    counts.withLock { counts in
      defer { counts[name, default: 0] += 1 }
      return counts[name, default: 0]
    }
  }

  /// How many were counted.
  func count(for name: String = "") -> Int {
    counts.withLock { $0[name, default: 0] }
  }
}
