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
/// - An observer receives the latest value, and then the newest one at each request, equal or not. Values that follow
///   each other while it is busy are skipped, except the newest, and don't take memory.
/// - With ``Values/all``, an observer receives every value that is set after it began: in order, each exactly once. Its
///   unread values are kept without limit, so it should leave when it stops reading.
/// - All observers see the same order, even if several tasks set values concurrently. Setting a value never waits.
/// - After this object is released, or after ``finish()``, each observer reads the remaining values and then ends.
public final class Current<Value: Sendable>: Sendable {
  /// The content is a separate object, so that observers don't keep the `Current` alive.
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

  /// The latest value, followed by the newest one at each request; with ``Values/all``, by each new one.
  ///
  /// Each iterator observes from its creation until it is released, or until its task is canceled while it waits. The
  /// sequence doesn't keep this object alive.
  public var values: Values { Values(content: content) }

  /// All ``values``. Calls `onWatch` after an observer has joined and after it has left.
  package func values(onWatch: @escaping @Sendable () -> Void) -> Values {
    Values(content: content, attention: .all, onWatch: onWatch)
  }

  /// The values set after an observer began, for a ``Subject``.
  var comingValues: Values { Values(content: content, attention: .coming) }

  package var watcherCount: Int { content.read { $0.watchers.count } }

  /// Sets the value and notifies the observers.
  public func set(_ value: Value) {
    update { $0 = value }
  }

  /// Changes the value and notifies the observers as one step, without another change in between.
  ///
  /// - Parameter change: changes the value in place. It runs under a lock, so it must not use this object and must not
  ///   wait.
  /// - Returns: the result of `change`.
  @discardableResult
  public func update<Result>(_ change: (inout Value) -> Result) -> Result {
    // The old value is returned, so that it isn't released under the lock.
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

  /// Ends each observer after it has read the remaining values. Later observers end after the latest value.
  ///
  /// The value can still be set, but observers are no longer notified.
  public func finish() {
    content.update { $0.isFinished = true }
  }

  /// The values of a ``Current`` for an observer: the latest value, followed by the newest one at each request.
  public struct Values: AsyncSequence, Sendable {
    /// The observed value.
    public typealias Element = Value

    /// The sequence doesn't fail.
    public typealias Failure = Never

    fileprivate let content: Watched<Content>
    fileprivate var attention = Attention.newest
    fileprivate var onWatch: (@Sendable () -> Void)?

    /// The latest value, followed by each new one: in order, each exactly once. Unread values are kept without limit.
    public var all: Self {
      var values = self
      values.attention = .all
      return values
    }

    /// Starts observing.
    public func makeAsyncIterator() -> Iterator {
      Iterator(watcher: Watcher(of: content, attention, onWatch))
    }

    /// One observer.
    public struct Iterator: AsyncIteratorProtocol {
      /// Stops watching when the last copy of the iterator is released, which is the only indication of a `break`.
      fileprivate let watcher: Watcher
      /// The values fetched together, oldest last, because removing the first of many values would move the others.
      private var fetched: [Value] = []

      fileprivate init(watcher: Watcher) {
        self.watcher = watcher
      }

      /// Waits for the next value on the caller's actor. Returns nil when no more values will come or the task is
      /// canceled.
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
    /// The unread values, oldest first; always empty if only the newest value is wanted.
    var unread: [Value]
    let isNewestOnly: Bool
    /// Whether the newest value is unread, if only the newest value is wanted.
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
      // This uses indices, which change the lists in place. With keys, each list would be copied first.
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

    /// Waits for values, and returns them with the oldest last. The result is empty when no more values will come or
    /// the task is canceled.
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
  /// Sets the value, and notifies the observers unless it equals the latest value. Returns whether the value changed.
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
