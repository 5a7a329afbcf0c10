internal import ConcurrencyPrimitives

/// The reachability of a target, such as a server.
///
/// ```swift
/// func page(_ url: URL) async -> Page {
///   while true {
///     if let page = await load(url) { return page }
///     reachability.reportFailure()
///     await reachability.waitUntilReachable()
///   }
/// }
/// ```
///
/// It doesn't guarantee that a request will succeed: send the request, report a failure, and wait.
/// ``ProbingReachability`` is the implementation for programs; tests use `ManualReachability` from ReactiveTesting.
public protocol Reachability: Sendable {
  /// Whether the target can be reached, as far as known. This is true until a failure is reported.
  var isReachable: Bool { get }

  /// The current ``isReachable``, followed by each change.
  var changes: Current<Bool>.Values { get }

  /// Reports that the target couldn't be reached. ``isReachable`` is false until it is reached again.
  func reportFailure()
}

extension Reachability {
  /// Waits until the target can be reached; returns immediately if it can.
  ///
  /// It returns early if the calling task is canceled or this object is released.
  public func waitUntilReachable() async {
    for await isReachable in changes where isReachable { return }
  }
}

/// A reachability that probes after a failure until the target can be reached again.
///
/// ```swift
/// let reachability = ProbingReachability { await isAnswering(host) }
/// ```
///
/// - It doesn't send a probe until a failure is reported.
/// - After a failure, it probes when the shortest pause is over. Each failed probe doubles the pause, up to the longest
///   one.
/// - It probes only while there are waiters or observers of ``changes``, once for all of them. When the last one
///   leaves, the running probe is canceled. The pauses continue for the next one, so that many short waits don't cause
///   many probes.
/// - When it is released, it cancels the probe and ends its observers.
public final class ProbingReachability: Reachability {
  private struct Pause: Sendable {
    let failure: Int
    let length: Duration
    let end: Deadline
  }

  /// Shared with the probing task, so that the task doesn't keep the reachability alive.
  private struct Shared: Sendable {
    let isReachable = Current(true)
    let wanted = Current<Int?>(nil)
    let pause = Locked<Pause?>(nil)

    /// Starts or stops probing. The condition is read under the lock, so that the last caller sees its final
    /// value.
    func reconsider() {
      wanted.update { wanted in
        let isNeeded = !isReachable.value && isReachable.watcherCount > 0
        wanted = isNeeded ? pause.withLock { $0?.failure } : nil
      }
    }
  }

  private let shared = Shared()
  private let pauses: ClosedRange<Duration>
  private let clock: any Clock<Duration>
  private let probing: Task<Void, Never>

  /// Creates a reachability that is initially reachable.
  ///
  /// - Parameters:
  ///   - pauses: the pause before the first probe, and the longest pause.
  ///   - clock: measures the pauses.
  ///   - probe: tries to reach the target, and returns whether it succeeded. Its task is canceled when the result is
  ///     no longer needed.
  public init(
    pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(),
    probe: @escaping @Sendable () async -> Bool
  ) {
    self.pauses = pauses
    self.clock = clock
    let answers = shared.wanted.values.all.removeDuplicates().latest { [shared] (failure, emit) in
      while let pause = shared.pause.withLock({ $0 }), pause.failure == failure,
        (try? await pause.end()) != nil
      {
        let isReached = await probe()
        // The result of a canceled probe doesn't count.
        if Task.isCancelled { return }
        if isReached { return await emit(()) }
        let length = min(pause.length * 2, pauses.upperBound)
        let next = Pause(failure: pause.failure, length: length, end: clock.deadline(in: length))
        shared.pause.withLock { pause in
          if pause?.failure == failure { pause = next }
        }
      }
    }
    probing = Task { [shared] in
      for await _ in answers {
        shared.isReachable.change(to: true)
        shared.reconsider()
      }
    }
  }

  deinit {
    shared.isReachable.finish()
    probing.cancel()
  }

  /// Whether the target can be reached, as far as known.
  public var isReachable: Bool { shared.isReachable.value }

  /// The current ``isReachable``, followed by each change.
  public var changes: Current<Bool>.Values {
    shared.isReachable.values { [weak self] in self?.shared.reconsider() }
  }

  /// Reports that the target couldn't be reached. Further reports have no effect until it is reached again.
  public func reportFailure() {
    guard isReachable else { return }
    let (length, end) = (pauses.lowerBound, clock.deadline(in: pauses.lowerBound))
    shared.pause.withLock { pause in
      pause = Pause(failure: (pause?.failure ?? 0) + 1, length: length, end: end)
    }
    shared.isReachable.change(to: false)
    shared.reconsider()
  }
}
