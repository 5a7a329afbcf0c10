/// Tells whether any of some operations is under way.
///
/// ```swift
/// let indicator = ActivityIndicator()
/// Task {
///   for await isActive in indicator.isActive { spinner.isHidden = !isActive }
/// }
/// let page = try await indicator.track { try await load(url) }
/// ```
public final class ActivityIndicator: Sendable {
  private let running = Current(0)

  /// Creates an indicator that is not active.
  public init() {}

  /// Whether an operation is under way: as it is, and then each change, until this object is dropped.
  public var isActive: AsyncRemoveDuplicatesSequence<AsyncMapSequence<Current<Int>.Values, Bool>> {
    running.values.map { $0 > 0 }.removeDuplicates()
  }

  /// Runs an operation, and is active until it returns or throws.
  ///
  /// A cancelled operation counts until it is really over.
  ///
  /// - Parameters:
  ///   - isolation: where the operation runs: where the caller is.
  ///   - operation: what to run. Several may be tracked at once.
  /// - Returns: what the operation returns.
  /// - Throws: what the operation throws.
  public func track<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    running.update { $0 += 1 }
    defer { running.update { $0 -= 1 } }
    return try await operation()
  }
}
