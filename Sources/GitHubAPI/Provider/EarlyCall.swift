public import HTTPTargets
internal import Locking

/// Calls that are made before it is known whether their answers are wanted.
///
/// ```swift
/// let early = EarlyCall()
/// early.begin { comments.prefetch() }
/// let issue = try await provider.issue(12, of: name)
/// early.settle(isWanted: true)
/// ```
///
/// What is fine is answered as ever. What fails is held back until it is known to be wanted: until then nothing
/// is sent again, no limit is waited for, and nobody is told of either. So a call that turns out to have been made
/// in vain neither delays the one that it depends on nor speaks over it.
public final class EarlyCall: Sendable {
  /// What those calls are about that the current task makes.
  @TaskLocal static var current: EarlyCall?

  private enum Verdict: Sendable {
    case pending
    case wanted
    case unwanted
  }

  private let verdict = Watched(Verdict.pending)

  /// Creates the mark of calls that nobody has asked for yet.
  public init() {}

  /// Starts calls: those of all tasks that are created in `body`.
  public func begin<Result>(_ body: () -> Result) -> Result {
    Self.$current.withValue(self) { body() }
  }

  /// Makes calls.
  ///
  /// - Returns: What came of them, as soon as it is known whether a failure is wanted.
  public func outcome<Answer: Sendable>(
    _ body: @Sendable () async throws(NetworkError) -> Answer
  ) async -> Result<Answer, NetworkError> {
    await Self.$current.withValue(self) {
      do throws(NetworkError) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    }
  }

  /// Says whether the answers are wanted; what is said first counts.
  ///
  /// - Parameter isWanted: True to have failures handled as those of any call, false to end the calls that failed
  ///   or will, as if they had been cancelled.
  public func settle(isWanted: Bool) {
    verdict.update { verdict in
      if case .pending = verdict { verdict = isWanted ? .wanted : .unwanted }
    }
  }

  /// Whether it isn't known yet if the answers are wanted.
  var isPending: Bool {
    if case .pending = verdict.current { true } else { false }
  }

  /// Waits until the answers are known to be wanted.
  ///
  /// - Throws: ``HTTPTargets/NetworkError/Code/cancelled`` when they aren't, or the task is cancelled.
  func waitUntilWanted() async throws(NetworkError) {
    await verdict.wait { if case .pending = $0 { false } else { true } }
    guard !Task.isCancelled, case .wanted = verdict.current else { throw .cancelled }
  }
}
