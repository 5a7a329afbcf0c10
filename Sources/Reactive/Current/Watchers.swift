internal import Locking

/// The watchers of one ``Current`` and what each of them has not read yet.
///
/// An object of its own, so that watchers don't keep the `Current` alive: its end is theirs.
final class Watchers<Value: Sendable>: Sendable {
  private typealias Continuation = CheckedContinuation<Void, Never>

  private struct Entry: Sendable {
    let id: Int
    var unread: [Value]
    /// The watcher's call of `next()`, while it waits for something to read.
    var reader: Continuation?
  }

  private struct State: Sendable {
    var value: Value
    var isFinished = false
    var entries: [Entry] = []
    var lastID = 0

    func index(of id: Int) -> Int? { entries.firstIndex { $0.id == id } }
  }

  private let state: Locked<State>

  init(_ value: Value) {
    state = Locked(State(value: value))
  }

  var value: Value { state.withLock { $0.value } }

  var count: Int { state.withLock { $0.entries.count } }

  func update<Result>(
    _ change: (inout Value) -> Result, tellsOf isNews: (_ old: Value, _ new: Value) -> Bool
  ) -> Result {
    // The old value leaves with the result, so that its last reference doesn't go away under the lock.
    let (result, readers, _) = state.withLock { state -> (Result, [Continuation], Value) in
      let old = state.value
      let result = change(&state.value)
      guard !state.isFinished, isNews(old, state.value) else { return (result, [], old) }
      for index in state.entries.indices {
        state.entries[index].unread.append(state.value)
      }
      return (result, Self.takeReaders(&state), old)
    }
    for reader in readers {
      reader.resume()
    }
    return result
  }

  func finish() {
    let readers = state.withLock { state in
      state.isFinished = true
      return Self.takeReaders(&state)
    }
    for reader in readers {
      reader.resume()
    }
  }

  private static func takeReaders(_ state: inout State) -> [Continuation] {
    var readers: [Continuation] = []
    for index in state.entries.indices {
      if let reader = state.entries[index].reader.take() {
        readers.append(reader)
      }
    }
    return readers
  }

  /// One of the watchers, until it is dropped or cancelled.
  final class Watcher: Sendable {
    private let watchers: Watchers
    private let id: Int
    private let onWatch: (@Sendable () -> Void)?

    init(of watchers: Watchers, _ onWatch: (@Sendable () -> Void)?) {
      self.watchers = watchers
      self.onWatch = onWatch
      id = watchers.state.withLock { state in
        state.lastID += 1
        state.entries.append(Entry(id: state.lastID, unread: [state.value]))
        return state.lastID
      }
      onWatch?()
    }

    deinit {
      leave()
    }

    /// Waits until there is something to read.
    ///
    /// - Returns: the oldest last; nothing when the watcher has left, or nothing will come any more.
    func fetch(isolation actor: isolated (any Actor)?) async -> [Value] {
      await withTaskCancellationHandler {
        while true {
          if let unread = takeUnread() { return unread }
          await withCheckedContinuation(isolation: actor) { reader in
            if !waits(reader) { reader.resume() }
          }
        }
      } onCancel: {
        leave()
      }
    }

    /// - Returns: nil when it is worth waiting.
    private func takeUnread() -> [Value]? {
      watchers.state.withLock { state in
        guard let index = state.index(of: id) else { return [] }
        let unread = state.entries[index].unread
        guard !unread.isEmpty || state.isFinished else { return nil }
        state.entries[index].unread = []
        return unread.reversed()
      }
    }

    /// - Returns: false when there is nothing to wait for.
    private func waits(_ reader: Continuation) -> Bool {
      watchers.state.withLock { state in
        guard let index = state.index(of: id), state.entries[index].unread.isEmpty,
          !state.isFinished
        else { return false }
        precondition(state.entries[index].reader == nil, "two calls of next() at once")
        state.entries[index].reader = reader
        return true
      }
    }

    private func leave() {
      let entry = watchers.state.withLock { state in
        state.index(of: id).map { state.entries.remove(at: $0) }
      }
      entry?.reader?.resume()
      if entry != nil { onWatch?() }
    }
  }
}
