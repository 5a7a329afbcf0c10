/// Indicates whether any tracked operation is running.
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

  /// Creates an inactive indicator.
  public init() {}

  /// Whether an operation is running: the current value, followed by each change, until this object is released.
  public var isActive: some AsyncSequence<Bool, Never> & Sendable {
    running.values.all.map { $0 > 0 }.removeDuplicates()
  }

  /// Runs an operation; the indicator is active until it returns or throws.
  ///
  /// A canceled operation counts until it has ended. Several operations may run concurrently.
  ///
  /// - Parameters:
  ///   - isolation: the caller's actor, where the operation runs.
  ///   - operation: runs while the indicator is active.
  /// - Returns: the result of the operation.
  /// - Throws: the error of the operation.
  public func track<Result, Failure: Error>(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    running.update { $0 += 1 }
    defer { running.update { $0 -= 1 } }
    return try await operation()
  }
}
