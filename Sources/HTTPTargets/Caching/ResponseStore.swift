internal import ConcurrencyPrimitives

/// A store for the responses of a ``CachingInterceptor``.
///
/// A store may lose any response at any time, but must never return an incomplete or wrong response. Failures of a
/// store don't affect the call.
public protocol ResponseStore: Sendable {
  /// Returns the response stored under a key; nil if there is none, or if the task is canceled.
  func response(for key: ResponseKey) async -> StoredResponse?

  /// Stores the ``StoredResponse/keepable()`` form of a response in place of the previous one. The caller waits until
  /// this method returns.
  func store(_ response: StoredResponse, for key: ResponseKey) async

  /// Removes the response stored under a key.
  func removeResponse(for key: ResponseKey) async

  /// Waits for postponed work before the process exits. The store limits the wait.
  func flush() async
}

extension ResponseStore {
  /// Returns immediately, because this store doesn't postpone work.
  public func flush() async {}
}

/// Keeps responses in memory while the process runs.
///
/// When the store exceeds its capacity, it drops the least recently used responses.
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

  /// The maximum number of bytes to keep.
  public let capacity: Int
  private let state = Locked(State())

  /// Creates an empty store.
  ///
  /// - Parameter capacity: The maximum number of bytes of bodies and header fields to keep; 16 MiB by default.
  public init(capacity: Int = 16 << 20) {
    self.capacity = capacity
  }

  /// The number of stored responses.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Returns the response stored under a key; nil if there is none.
  public func response(for key: ResponseKey) async -> StoredResponse? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.response
    }
  }

  /// Stores a response.
  public func store(_ response: StoredResponse, for key: ResponseKey) async {
    guard let response = response.keepable(), response.size(under: key) <= capacity else {
      return await removeResponse(for: key)
    }
    let size = response.size(under: key)
    // Declared here, so that the responses are released after the lock.
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

  /// Removes the response stored under a key.
  public func removeResponse(for key: ResponseKey) async {
    _ = state.withLock { state in
      let removed = state.entries.removeValue(forKey: key)
      state.size -= removed?.size ?? 0
      return removed
    }
  }

  /// Removes all responses.
  public func removeAll() {
    _ = state.withLock { state in
      let removed = state
      state = State()
      return removed
    }
  }
}

extension StoredResponse {
  fileprivate func size(under key: ResponseKey) -> Int {
    let fields = headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    let urls = ([url] + redirects).reduce(0) { $0 + $1.utf8.count }
    return body.count + fields + urls + key.text.utf8.count
  }
}
