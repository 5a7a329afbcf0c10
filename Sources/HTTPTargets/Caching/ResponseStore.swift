internal import ConcurrencyPrimitives

/// A place where a ``CachingInterceptor`` keeps answers.
///
/// A store may lose any answer at any time. It never returns anything but what was stored under the same key,
/// complete. Its failures are its own: the call goes on without it.
public protocol ResponseStore: Sendable {
  /// Returns the answer stored under a key; nil if there is none, or if the task is cancelled.
  func response(for key: ResponseKey) async -> StoredResponse?

  /// Stores the ``StoredResponse/keepable()`` form of an answer, in place of the previous one.
  ///
  /// The caller gets its answer only after this returns, so slow work should be put off.
  func store(_ response: StoredResponse, for key: ResponseKey) async

  /// Forgets what is stored under a key.
  func removeResponse(for key: ResponseKey) async

  /// Waits for work that was put off, before a process ends. A store bounds this wait itself.
  func flush() async
}

extension ResponseStore {
  /// Returns at once: this store puts nothing off.
  public func flush() async {}
}

/// Keeps answers in memory while the process runs.
///
/// Beyond its capacity it drops the answers that were unused for the longest time.
public final class MemoryResponseStore: ResponseStore {
  private struct Entry {
    let response: StoredResponse
    let size: Int
    var lastUse: Int
  }

  private struct State {
    var entries: [ResponseKey: Entry] = [:]
    var size = 0
    var uses = 0
  }

  /// The most bytes to keep.
  public let capacity: Int
  private let state = Locked(State())

  /// Creates an empty store.
  ///
  /// - Parameter capacity: The most bytes of bodies and header fields to keep; 16 MiB by default.
  public init(capacity: Int = 16 << 20) {
    self.capacity = capacity
  }

  /// How many answers are stored.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Returns the answer stored under a key; nil if there is none.
  public func response(for key: ResponseKey) async -> StoredResponse? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.response
    }
  }

  /// Stores an answer.
  public func store(_ response: StoredResponse, for key: ResponseKey) async {
    guard let response = response.keepable(), response.size(under: key) <= capacity else {
      return await removeResponse(for: key)
    }
    let size = response.size(under: key)
    // Released after the lock.
    var removed: [Entry] = []
    state.withLock { state in
      state.uses += 1
      let entry = Entry(response: response, size: size, lastUse: state.uses)
      if let previous = state.entries.updateValue(entry, forKey: key) { removed.append(previous) }
      state.size += size - (removed.first?.size ?? 0)
      while state.size > capacity,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.entries[oldest.key] = nil
        state.size -= oldest.value.size
        removed.append(oldest.value)
      }
    }
  }

  /// Forgets what is stored under a key.
  public func removeResponse(for key: ResponseKey) async {
    _ = state.withLock { state in
      let removed = state.entries.removeValue(forKey: key)
      state.size -= removed?.size ?? 0
      return removed
    }
  }

  /// Forgets everything.
  public func removeAll() {
    _ = state.withLock { state in
      let removed = state
      state = State()
      return removed
    }
  }
}

extension StoredResponse {
  /// The bytes it takes in memory, without the overhead of each value.
  fileprivate func size(under key: ResponseKey) -> Int {
    let fields = headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    let urls = ([url] + redirects).reduce(0) { $0 + $1.utf8.count }
    return body.count + fields + urls + key.text.utf8.count
  }
}
