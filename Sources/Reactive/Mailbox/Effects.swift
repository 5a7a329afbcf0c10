/// The identity of an effect in its mailbox.
struct EffectLease: Hashable, Sendable {
  fileprivate let number: UInt64
}

/// The effects that run for a mailbox.
///
/// Only the drain of the mailbox uses it, so it needs no lock: an effect that returns reports so in a message,
/// and is removed when it is that message's turn.
struct Effects<Message: Sendable>: Sendable {
  let mailbox: Mailbox<Message>
  private var tasks: [EffectLease: Task<Void, Never>] = [:]
  private var lastNumber: UInt64 = 0

  init(of mailbox: Mailbox<Message>) {
    self.mailbox = mailbox
  }

  /// How many effects run.
  var count: Int { tasks.count }

  /// Whether messages of an effect are handled.
  func isRunning(_ lease: EffectLease) -> Bool {
    tasks[lease] != nil
  }

  /// Runs a body in a separate task, which inherits priority and task-local values.
  ///
  /// - Parameter body: receives the lease under which it may post messages until it returns.
  /// - Returns: the same lease.
  @discardableResult
  mutating func start(_ body: @escaping @Sendable (EffectLease) async -> Void) -> EffectLease {
    lastNumber += 1
    let lease = EffectLease(number: lastNumber)
    tasks[lease] = Task { [mailbox] in
      await body(lease)
      mailbox.effectEnded(lease)
    }
    return lease
  }

  /// Cancels an effect. None of its messages reaches a step any more, not even queued ones.
  mutating func cancel(_ lease: EffectLease) {
    remove(lease)?.cancel()
  }

  /// Cancels all of them.
  mutating func cancelAll() {
    let running = tasks.values
    tasks = [:]
    for task in running {
      task.cancel()
    }
  }

  /// Forgets an effect.
  @discardableResult
  mutating func remove(_ lease: EffectLease) -> Task<Void, Never>? {
    tasks.removeValue(forKey: lease)
  }
}
