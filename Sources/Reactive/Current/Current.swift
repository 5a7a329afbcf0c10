internal import ConcurrencyPrimitives

/// A value that changes over time, with any number of observers.
///
/// ```swift
/// let query = Current("")
/// Task {
///   for await text in query.values { show(text) }   // "", then "swift"
/// }
/// query.set("swift")
/// ```
///
/// - An observer gets the latest value, then every value set after it began: in order, each exactly once,
///   equal or not.
/// - All observers see the same order, even if several tasks set values at once.
/// - Setting never waits. Each observer's unread values are kept without limit, so an observer that stops
///   reading should leave.
/// - After this object is released, or after ``finish()``, each observer reads the values that are left and
///   then ends.
public final class Current<Value: Sendable>: Sendable {
  /// A separate object, so that observers don't keep the `Current` alive.
  private let content: Watched<Content>

  /// Creates an object that holds a value.
  public init(_ value: Value) {
    content = Watched(Content(value: value))
  }

  deinit {
    finish()
  }

  /// The latest value.
  public var value: Value { content.read { $0.value } }

  /// The latest value, then each that is set.
  ///
  /// Each iterator observes from its creation until it is released, or until its task is cancelled while
  /// waiting. The sequence doesn't keep this object alive.
  public var values: Values { Values(content: content) }

  /// The ``values``; calls `onWatch` after an observer came and after it left.
  package func values(onWatch: @escaping @Sendable () -> Void) -> Values {
    Values(content: content, onWatch: onWatch)
  }

  package var watcherCount: Int { content.read { $0.unread.count } }

  /// Sets the value and tells the observers.
  public func set(_ value: Value) {
    update { $0 = value }
  }

  /// Changes the value and tells the observers, with no other change in between.
  ///
  /// - Parameter change: changes the value in place. It runs under a lock, so it must neither use this object
  ///   nor wait.
  /// - Returns: the result of `change`.
  @discardableResult
  public func update<Result>(_ change: (inout Value) -> Result) -> Result {
    // Returned, so that the old value isn't released under the lock.
    let (result, _) = content.update { content in
      let old = content.value
      let result = change(&content.value)
      content.tellWatchers()
      return (result, old)
    }
    return result
  }

  /// Ends each observer once it has read the remaining values, and later observers after the latest value.
  ///
  /// The value can still be set, but observers are no longer told.
  public func finish() {
    content.update { $0.isFinished = true }
  }

  /// The values of a ``Current`` for an observer: the latest, then each that is set.
  public struct Values: AsyncSequence, Sendable {
    /// The observed value.
    public typealias Element = Value

    /// Values never fail.
    public typealias Failure = Never

    fileprivate let content: Watched<Content>
    fileprivate var onWatch: (@Sendable () -> Void)?

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator {
      Iterator(watcher: Watcher(of: content, onWatch))
    }

    /// One observer.
    public struct Iterator: AsyncIteratorProtocol {
      /// Stops watching when the last copy of the iterator is gone: the only sign of a `break`.
      fileprivate let watcher: Watcher
      /// Fetched all at once: taking the first of many moves the rest. The oldest is last.
      private var fetched: [Value] = []

      fileprivate init(watcher: Watcher) {
        self.watcher = watcher
      }

      /// Waits for the next value on the caller's actor; nil when no more will come or the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
        if fetched.isEmpty || Task.isCancelled {
          fetched = await watcher.fetch(isolation: actor)
        }
        return fetched.popLast()
      }
    }
  }

  fileprivate struct Content: Sendable {
    var value: Value
    var isFinished = false
    var unread: [Int: [Value]] = [:]
    private var lastID = 0

    init(value: Value) {
      self.value = value
    }

    mutating func addWatcher() -> Int {
      lastID += 1
      unread[lastID] = [value]
      return lastID
    }

    mutating func tellWatchers() {
      guard !isFinished else { return }
      // By index, which changes the lists in place; by key, each would be copied first.
      var index = unread.startIndex
      while index != unread.endIndex {
        unread.values[index].append(value)
        unread.formIndex(after: &index)
      }
    }
  }

  fileprivate final class Watcher: Sendable {
    private let content: Watched<Content>
    private let id: Int
    private let onWatch: (@Sendable () -> Void)?

    init(of content: Watched<Content>, _ onWatch: (@Sendable () -> Void)?) {
      self.content = content
      self.onWatch = onWatch
      id = content.update { $0.addWatcher() }
      onWatch?()
    }

    deinit {
      leave()
    }

    /// Waits for values, the oldest last; empty when none will come or the task is cancelled.
    func fetch(isolation actor: isolated (any Actor)?) async -> [Value] {
      let unread = await content.take(
        isolation: actor, when: { [id] in $0.isFinished || $0.unread[id]?.isEmpty != true },
        { content in
          defer { content.unread[id]? = [] }
          return content.unread[id] ?? []
        })
      if unread == nil { leave() }
      return unread?.reversed() ?? []
    }

    private func leave() {
      if content.update({ $0.unread.removeValue(forKey: id) }) != nil { onWatch?() }
    }
  }
}

extension Current where Value: Equatable {
  /// Sets the value, tells the observers unless it equals the latest, and returns whether it changed.
  @discardableResult
  public func change(to value: Value) -> Bool {
    let (hasChanged, _) = content.update { content in
      let old = content.value
      content.value = value
      if value != old { content.tellWatchers() }
      return (value != old, old)
    }
    return hasChanged
  }
}

@available(*, unavailable)
extension Current.Values.Iterator: Sendable {}
