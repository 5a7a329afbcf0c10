internal import Locking

/// Counts attempts by name, from 0.
final class AttemptCounter: Sendable {
  private let counts = Locked<[String: Int]>([:])

  /// Counts one more attempt.
  ///
  /// - Returns: How many were counted before.
  func next(for name: String = "") -> Int {
    counts.withLock { counts in
      defer { counts[name, default: 0] += 1 }
      return counts[name, default: 0]
    }
  }
}
