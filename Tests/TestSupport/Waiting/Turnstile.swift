/// Limits how many callers run at once.
///
/// Swift Testing starts all cases of a test at once. If each starts processes and servers, all become so slow that
/// unrelated time-outs strike.
public final class Turnstile: Sendable {
  private let width: Int
  private let inside = Watched(0)

  /// Creates a turnstile.
  public init(width: Int) {
    self.width = width
  }

  /// Runs `body` when a slot is free.
  ///
  /// - Throws: The error of `body`; `CancellationError` if the task is cancelled before its turn.
  public func pass<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async throws -> Result {
    let width = width
    while !inside.update({ inside in
      guard inside < width else { return false }
      inside += 1
      return true
    }) {
      try await inside.value { $0 < width ? () : nil }
    }
    defer { inside.update { $0 -= 1 } }
    return try await body()
  }
}
