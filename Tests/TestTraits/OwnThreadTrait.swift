internal import Dispatch
public import Testing

/// Runs tests that compute for long on a thread beside those of Swift's concurrency.
///
/// Those are as few as there are cores, and a test that computes keeps one of them to its end. Some tests of
/// that kind at once would hold up all others, until servers that answer within a test look silent.
public struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
  /// The tests of a suite have the trait too.
  public let isRecursive = true

  /// The one thread of all these tests.
  private static let thread = Thread()

  /// Runs a test there.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.thread) { try await function() }
  }

  private final class Thread: TaskExecutor {
    private let queue = DispatchQueue(label: "computing tests")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// The test computes for long: it runs on a thread beside those of Swift's concurrency.
  public static var ownThread: Self { OwnThreadTrait() }
}
