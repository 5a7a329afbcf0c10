internal import Locking

/// Where a ``CachingInterceptor`` keeps answers.
///
/// A store may lose any answer at any time, and never gives anything but what was stored under the same
/// key, whole. What goes wrong in it is its own affair: the call goes on without.
public protocol ResponseStore: Sendable {
  /// Returns what is stored under a key; nil when there is nothing, or when the task is cancelled.
  func response(for key: ResponseKey) async -> StoredResponse?

  /// Stores what is ``StoredResponse/keepable()`` of an answer, in place of what was there.
  ///
  /// The answer isn't handed on before this returns: what takes long goes on afterwards.
  func store(_ response: StoredResponse, for key: ResponseKey) async

  /// Forgets what is stored under a key.
  func removeResponse(for key: ResponseKey) async

  /// Returns when what was asked for is done: before a process ends. A store that hangs is not waited for.
  func flush() async
}

extension ResponseStore {
  /// Returns at once, for stores that put nothing off.
  public func flush() async {}
}

/// Keeps answers in memory, for as long as the process runs.
///
/// When they take more room than there is, those go first that were not used for the longest time.
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

  /// How many bytes are kept at most.
  public let capacity: Int
  private let state = Locked(State())

  /// Creates an empty store.
  ///
  /// - Parameter capacity: How many bytes of bodies and header fields are kept at most; 16 MiB unless said
  ///   otherwise.
  public init(capacity: Int = 16 << 20) {
    self.capacity = capacity
  }

  /// How many answers are stored.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Returns what is stored under a key.
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
    // Let go of after the lock is.
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
  /// How many bytes it takes in memory, not counting what every value takes.
  fileprivate func size(under key: ResponseKey) -> Int {
    let fields = headers.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    let urls = ([url] + redirects).reduce(0) { $0 + $1.utf8.count }
    return body.count + fields + urls + key.text.utf8.count
  }
}
