internal import ConcurrencyPrimitives

/// Knows whether something, for instance a server, can be reached.
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
/// It never says that a request will succeed: ask, report what failed, and wait.
/// ``ProbingReachability`` is a real one; `ManualReachability` of ReactiveTesting is moved by a test.
public protocol Reachability: Sendable {
  /// Whether it can be reached, as far as is known: true until somebody reports a failure.
  var isReachable: Bool { get }

  /// ``isReachable`` as it is, and then each change.
  var changes: Current<Bool>.Values { get }

  /// Says that it could not be reached; from then on until it was reached, ``isReachable`` is false.
  func reportFailure()
}

extension Reachability {
  /// Waits until it can be reached; not at all when it can.
  ///
  /// Returns early when the calling task is cancelled, and when this object is dropped.
  public func waitUntilReachable() async {
    for await isReachable in changes where isReachable { return }
  }
}

/// A reachability that finds out by itself when what failed can be reached again.
///
/// ```swift
/// let reachability = ProbingReachability { await isAnswering(host) }
/// ```
///
/// - It does nothing until a failure is reported.
/// - After a failure it probes when the shortest pause is over. After each failed probe the pause doubles, up
///   to the longest one.
/// - It probes only while there are waiters or observers of ``changes``, once for all of them. When the last
///   one leaves, the running probe is cancelled. For the next one the pauses continue where they were, so many
///   short waits don't cause many probes.
/// - Releasing it cancels the probe and ends its observers.
public final class ProbingReachability: Reachability {
  /// The time before the next probe after a failure.
  private struct Pause: Sendable {
    /// Tells the failures apart.
    let failure: Int
    let length: Duration
    let end: Deadline
  }

  /// The state that the probing task shares with this object, without keeping the object alive.
  private struct Shared: Sendable {
    let isReachable = Current(true)
    /// The failure that is worth probing for, if any.
    let wanted = Current<Int?>(nil)
    let pause = Locked<Pause?>(nil)

    /// Starts or stops probing after something has changed that decides whether it is needed.
    ///
    /// The condition is read under the lock, so that the last caller sees its final value.
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

  /// Creates a reachability that starts out reachable.
  ///
  /// - Parameters:
  ///   - pauses: the pause before the first probe, and the longest.
  ///   - clock: measures the pauses.
  ///   - probe: tries to reach it, and returns whether that worked. When its task is cancelled,
  ///     nobody wants to know any more.
  public init(
    pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
    clock: any Clock<Duration> = ContinuousClock(),
    probe: @escaping @Sendable () async -> Bool
  ) {
    self.pauses = pauses
    self.clock = clock
    let answers = shared.wanted.values.removeDuplicates().latest { [shared] (failure, emit) in
      while let pause = shared.pause.withLock({ $0 }), pause.failure == failure,
        (try? await pause.end()) != nil
      {
        let isReached = await probe()
        // The answer of a probe that was cancelled doesn't count.
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

  /// Whether it can be reached, as far as is known.
  public var isReachable: Bool { shared.isReachable.value }

  /// ``isReachable`` as it is, and then each change.
  public var changes: Current<Bool>.Values {
    shared.isReachable.values { [weak self] in self?.shared.reconsider() }
  }

  /// Says that it could not be reached. More failures until it is reachable again change nothing.
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
