internal import ConcurrencyPrimitives
public import Reactive

/// Runs a feedback loop, or reads any sequence of states, and records all events.
///
/// ```swift
/// let probe = Probe(search)
/// try await probe.expect(.state(Search()))
/// input.yield(.typed("swift"))
/// try await probe.expect(
///   .event(.typed("swift")), .started("swift"), .state(Search(name: "swift")))
/// …
/// try await probe.finish()
/// ```
///
/// ``finish()`` fails if records are unchecked or effects are still running, because a program that depends on them
/// would only work by chance. A failure throws ``ProbeFailure``, which fails tests of both Swift Testing and XCTest. A
/// probe must be used by one task at a time.
public final class Probe<State: Sendable, Event: Sendable>: Sendable {
  /// A record of a run.
  public enum Record: Sendable {
    /// An event was reduced. Its consequences follow, up to the next state.
    case event(Event)
    /// A request was removed. Its effect is canceled, unless it has already returned. Here and below, the text
    /// describes the request.
    case cancelled(String)
    /// A request was added, and its effect was started. Requests of the same set or dictionary start and end in no
    /// particular order.
    case started(String)
    /// A state was published.
    case state(State)
  }

  private struct Log: Sendable {
    var records: ArraySlice<Record> = []
    var effects = 0
    /// Before its first state, a loop doesn't count as idle, because it hasn't begun.
    var hasBegun = false
    var hasEnded = false
  }

  private let log = Watched(Log())
  private let patience: Duration
  private let clock: any Clock<Duration>
  private let run = Locked<Task<Void, Never>?>(nil)

  /// Starts a run of a loop. The probe reads each state immediately, so it doesn't delay the loop.
  ///
  /// - Parameters:
  ///   - loop: the loop to run until ``finish()`` or until the probe is released.
  ///   - patience: the longest wait for an expectation.
  ///   - clock: measures only the patience.
  public convenience init(
    _ loop: FeedbackLoop<State, Event>, patience: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.init(patience: patience, clock: clock)
    // The reference is weak, because an endless effect would keep the probe alive.
    let observed = loop.observed { [weak self] record in
      self?.log.update { log in
        switch record {
        case .event(let event): log.records.append(.event(event))
        case .cancelled(let request): log.records.append(.cancelled(String(describing: request)))
        case .started(let request):
          log.effects += 1
          log.records.append(.started(String(describing: request)))
        case .returned: log.effects -= 1
        case .state(let state):
          log.hasBegun = true
          log.records.append(.state(state))
        }
      }
    }
    start { _ in
      for await _ in observed {}
    }
  }

  /// Starts reading a sequence of states.
  ///
  /// - Parameters:
  ///   - states: the states, read as fast as they arrive, until ``finish()`` or until the probe is released.
  ///   - patience: the longest wait for an expectation.
  ///   - clock: measures only the patience.
  public convenience init(
    states: some AsyncSequence<State, Never> & Sendable, patience: Duration = .seconds(60),
    clock: any Clock<Duration> = ContinuousClock()
  ) where Event == Never {
    self.init(patience: patience, clock: clock)
    log.update { $0.hasBegun = true }
    start { record in
      for await state in states {
        record(.state(state))
      }
    }
  }

  private init(patience: Duration, clock: any Clock<Duration>) {
    self.patience = patience
    self.clock = clock
  }

  deinit {
    run.withLock { $0 }?.cancel()
  }

  /// Waits for the next record.
  ///
  /// - Returns: the first unchecked record.
  /// - Throws: ``ProbeFailure`` if no record arrives in time, or none can arrive any more; `CancellationError`.
  public func next() async throws -> Record {
    let found = try await value { log -> Record?? in
      log.records.first.map { .some($0) } ?? (log.hasEnded ? .some(nil) : nil)
    }
    switch found {
    case .some(let record?):
      log.update { _ = $0.records.popFirst() }
      return record
    case .some(nil): throw ProbeFailure("no more records: the states have ended")
    case nil: throw ProbeFailure("nothing happened within \(patience)")
    }
  }

  /// Waits for the next state, and skips the records before it.
  ///
  /// - Returns: the first unchecked state.
  /// - Throws: ``ProbeFailure`` if no state arrives in time, or none can arrive any more; `CancellationError`.
  public func nextState() async throws -> State {
    while true {
      if case .state(let state) = try await next() { return state }
    }
  }

  /// Waits until all effects have ended, and ends the run.
  ///
  /// - Throws: ``ProbeFailure`` if effects are still running when the patience ends, or if records are unchecked;
  ///   `CancellationError`.
  public func finish() async throws {
    let isQuiet = try await value { $0.hasBegun && $0.effects == 0 ? true : nil } ?? false
    let effects = log.current.effects
    let task = run.withLock { $0 }
    task?.cancel()
    await task?.value
    guard isQuiet else {
      throw ProbeFailure("effects still running: \(effects)")
    }
    let records = log.current.records
    guard records.isEmpty else {
      let list = records.map { "\n  \($0)" }.joined()
      throw ProbeFailure("unchecked records: \(records.count)\(list)")
    }
  }

  private func start(
    _ body: @escaping @Sendable (@escaping @Sendable (Record) -> Void) async -> Void
  ) {
    let task = Task { [weak self] in
      await body { [weak self] record in self?.log.update { $0.records.append(record) } }
      self?.log.update { $0.hasEnded = true }
    }
    run.withLock { $0 = task }
  }

  private func value<Value: Sendable>(
    _ look: @escaping @Sendable (Log) -> Value?
  ) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { [log, clock, patience] group in
      group.addTask { try await log.value(look) }
      group.addTask {
        try await clock.sleep(for: patience)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}

extension Probe.Record: Equatable where State: Equatable, Event: Equatable {}

extension Probe where State: Equatable, Event: Equatable {
  /// Expects exactly these records next, in this order.
  ///
  /// - Parameter records: the next records.
  /// - Throws: ``ProbeFailure`` at the first record that differs or doesn't arrive; `CancellationError`.
  public func expect(_ records: Record...) async throws {
    for expected in records {
      let record = try await next()
      guard record == expected else {
        throw ProbeFailure("expected \(expected), got \(record)")
      }
    }
  }
}

/// The difference between a test's expectation and a ``Probe``'s records.
public struct ProbeFailure: Error, CustomStringConvertible {
  /// The expectation and the actual record.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension FeedbackLoop {
  /// Runs the loop with a probe, and finishes the probe after the test.
  ///
  /// ```swift
  /// try await search.probed { probe in
  ///   try await probe.expect(.state(Search()))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - patience: the longest wait for an expectation.
  ///   - clock: measures only the patience.
  ///   - isolation: the caller's actor, on which the test runs.
  ///   - test: checks the records.
  /// - Returns: the result of the test.
  /// - Throws: the error of the test, or of ``Probe/finish()``.
  public func probed<Result>(
    patience: Duration = .seconds(60), clock: any Clock<Duration> = ContinuousClock(),
    isolation: isolated (any Actor)? = #isolation,
    _ test: (Probe<State, Event>) async throws -> Result
  ) async throws -> Result {
    let probe = Probe(self, patience: patience, clock: clock)
    let result = try await test(probe)
    try await probe.finish()
    return result
  }
}
