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
///   reading should leave. One that only shows values should read ``Values/newest``, which keeps none.
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

  /// The values set after an observer began, for a ``Subject``.
  var comingValues: Values { Values(content: content, attention: .coming) }

  package var watcherCount: Int { content.read { $0.watchers.count } }

  /// Sets the value and notifies the observers.
  public func set(_ value: Value) {
    update { $0 = value }
  }

  /// Changes the value and notifies the observers, with no other change in between.
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
      content.tellWatchers(content.value)
      return (result, old)
    }
    return result
  }

  /// Sends a value to the observers without storing it.
  func tell(_ value: Value) {
    content.update { $0.tellWatchers(value) }
  }

  /// Ends each observer once it has read the remaining values, and later observers after the latest value.
  ///
  /// The value can still be set, but observers aren't notified any more.
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
    fileprivate var attention = Attention.all
    fileprivate var onWatch: (@Sendable () -> Void)?

    /// These values for an observer that may be too slow, such as a view: the latest each time it asks, once.
    ///
    /// Values that follow each other while the observer is busy are skipped, except the newest, and take no
    /// memory.
    public var newest: Self {
      var values = self
      values.attention = .newest
      return values
    }

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator {
      Iterator(watcher: Watcher(of: content, attention, onWatch))
    }

    /// One observer.
    public struct Iterator: AsyncIteratorProtocol {
      /// Stops watching when the last copy of the iterator is gone: the only sign of a `break`.
      fileprivate let watcher: Watcher
      /// All fetched at once, because removing the first of many moves the rest. The oldest is last.
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

  fileprivate enum Attention: Sendable {
    case all, coming, newest
  }

  fileprivate struct WatcherState: Sendable {
    /// Values to read, the oldest first; none if only the newest is wanted.
    var unread: [Value]
    let isNewestOnly: Bool
    /// Whether the newest is unread, if only the newest is wanted.
    var hasNews: Bool
  }

  fileprivate struct Content: Sendable {
    var value: Value
    var isFinished = false
    var watchers: [Int: WatcherState] = [:]
    private var lastID = 0

    init(value: Value) {
      self.value = value
    }

    mutating func addWatcher(_ attention: Attention) -> Int {
      lastID += 1
      watchers[lastID] = WatcherState(
        unread: attention == .all ? [value] : [], isNewestOnly: attention == .newest,
        hasNews: attention == .newest)
      return lastID
    }

    mutating func tellWatchers(_ value: Value) {
      guard !isFinished else { return }
      // By index, which changes the lists in place; by key, each would be copied first.
      var index = watchers.startIndex
      while index != watchers.endIndex {
        if watchers.values[index].isNewestOnly {
          watchers.values[index].hasNews = true
        } else {
          watchers.values[index].unread.append(value)
        }
        watchers.formIndex(after: &index)
      }
    }

    func mayRead(_ id: Int) -> Bool {
      guard !isFinished, let watcher = watchers[id] else { return true }
      return watcher.hasNews || !watcher.unread.isEmpty
    }

    mutating func read(_ id: Int) -> [Value] {
      guard let watcher = watchers[id] else { return [] }
      watchers[id]?.unread = []
      watchers[id]?.hasNews = false
      return watcher.hasNews ? [value] : watcher.unread
    }
  }

  fileprivate final class Watcher: Sendable {
    private let content: Watched<Content>
    private let id: Int
    private let onWatch: (@Sendable () -> Void)?

    init(of content: Watched<Content>, _ attention: Attention, _ onWatch: (@Sendable () -> Void)?) {
      self.content = content
      self.onWatch = onWatch
      id = content.update { $0.addWatcher(attention) }
      onWatch?()
    }

    deinit {
      leave()
    }

    /// Waits for values, the oldest last; empty when none will come or the task is cancelled.
    func fetch(isolation actor: isolated (any Actor)?) async -> [Value] {
      let unread = await content.take(
        isolation: actor, when: { [id] in $0.mayRead(id) }, { [id] in $0.read(id) })
      if unread == nil { leave() }
      return unread?.reversed() ?? []
    }

    private func leave() {
      if content.update({ $0.watchers.removeValue(forKey: id) }) != nil { onWatch?() }
    }
  }
}

extension Current where Value: Equatable {
  /// Sets the value, notifies the observers unless it equals the latest, and returns whether it changed.
  @discardableResult
  public func change(to value: Value) -> Bool {
    let (hasChanged, _) = content.update { content in
      let old = content.value
      content.value = value
      if value != old { content.tellWatchers(value) }
      return (value != old, old)
    }
    return hasChanged
  }
}

@available(*, unavailable)
extension Current.Values.Iterator: Sendable {}
