struct EffectLease: Hashable, Sendable {
  fileprivate let number: UInt64
}

/// The running effects of a mailbox. Only its drain uses them, so they don't need a lock.
struct Effects<Message: Sendable>: Sendable {
  let mailbox: Mailbox<Message>
  private var tasks: [EffectLease: Task<Void, Never>] = [:]
  private var lastNumber: UInt64 = 0

  init(of mailbox: Mailbox<Message>) {
    self.mailbox = mailbox
  }

  var count: Int { tasks.count }

  func isRunning(_ lease: EffectLease) -> Bool {
    tasks[lease] != nil
  }

  /// Runs a body in a separate task. The body may post messages under its lease until it returns.
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

  /// Cancels an effect. Its messages no longer reach a step, even if they are already queued.
  mutating func cancel(_ lease: EffectLease) {
    remove(lease)?.cancel()
  }

  mutating func cancelAll() {
    let running = tasks.values
    tasks = [:]
    for task in running {
      task.cancel()
    }
  }

  @discardableResult
  mutating func remove(_ lease: EffectLease) -> Task<Void, Never>? {
    tasks.removeValue(forKey: lease)
  }
}
