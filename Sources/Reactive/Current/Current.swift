internal import ConcurrencyPrimitives

/// A value that changes over time, and that any number of readers watch.
///
/// ```swift
/// let query = Current("")
/// Task {
///   for await text in query.values { show(text) }   // "", then "swift"
/// }
/// query.set("swift")
/// ```
///
/// - An observer gets the latest value first, and then every value that is set after it began: in order, each
///   exactly once, equal or not.
/// - All observers see the same order, even if several tasks set values at once.
/// - Setting never waits. Unread values are kept for each observer without limit, so an observer that stops
///   reading should leave.
/// - When this object is released, or ``finish()`` is called, each observer reads the earlier values and then
///   ends.
public final class Current<Value: Sendable>: Sendable {
  /// A separate object, so that observers don't keep the `Current` alive. They end when it is released.
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

  /// The latest value, and then each that is set.
  ///
  /// Each iterator is an observer from its creation until it is released, or until its task is cancelled while
  /// it waits. The sequence doesn't keep this object alive.
  public var values: Values { Values(content: content) }

  /// The ``values``, for an object that tracks its observers.
  ///
  /// - Parameter onWatch: is called after a watcher came, and after it went.
  /// - Returns: the latest value, and then each that is set.
  package func values(onWatch: @escaping @Sendable () -> Void) -> Values {
    Values(content: content, onWatch: onWatch)
  }

  /// How many watch at this moment.
  package var watcherCount: Int { content.read { $0.unread.count } }

  /// Sets the value and tells the watchers.
  public func set(_ value: Value) {
    update { $0 = value }
  }

  /// Changes the value and tells the watchers, with no other change in between.
  ///
  /// - Parameter change: changes the value in place. It runs under a lock, so it must neither use
  ///   this object nor wait.
  /// - Returns: what `change` returned.
  @discardableResult
  public func update<Result>(_ change: (inout Value) -> Result) -> Result {
    // The old value leaves with the result, so that its last reference doesn't go away under the lock.
    let (result, _) = content.update { content in
      let old = content.value
      let result = change(&content.value)
      content.tellWatchers()
      return (result, old)
    }
    return result
  }

  /// Ends the sequence of each watcher once it has read all that was set, and of each that is still
  /// to come after the latest value.
  ///
  /// The value can be set as before, but the watchers are no longer told.
  public func finish() {
    content.update { $0.isFinished = true }
  }

  /// The values of a ``Current`` for an observer: the latest one, and then each that is set.
  public struct Values: AsyncSequence, Sendable {
    /// The observed value.
    public typealias Element = Value

    /// Nothing: there is nothing that could fail.
    public typealias Failure = Never

    fileprivate let content: Watched<Content>
    fileprivate var onWatch: (@Sendable () -> Void)?

    /// Begins to watch.
    public func makeAsyncIterator() -> Iterator {
      Iterator(watcher: Watcher(of: content, onWatch))
    }

    /// One watcher.
    public struct Iterator: AsyncIteratorProtocol {
      /// Stops watching when the last copy of the iterator is gone: that is all a `break` leaves to see.
      fileprivate let watcher: Watcher
      /// The fetched and unread values, the oldest last.
      ///
      /// All at once, because taking the first of many, one by one, moves the others each time.
      private var fetched: [Value] = []

      fileprivate init(watcher: Watcher) {
        self.watcher = watcher
      }

      /// Waits for the next value, on the caller's actor.
      ///
      /// - Parameter actor: the actor to come back to.
      /// - Returns: nil when there will be no more values, or when the calling task is cancelled.
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
    /// The unread values of each observer.
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
      // By index, which changes the lists where they are; by key, each would be copied first.
      var index = unread.startIndex
      while index != unread.endIndex {
        unread.values[index].append(value)
        unread.formIndex(after: &index)
      }
    }
  }

  /// One of the watchers, until it is dropped or cancelled.
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

    /// Waits until there is something to read.
    ///
    /// - Returns: the oldest last; nothing when the task is cancelled, or nothing will come any more.
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
  /// Sets the value and tells the watchers, unless it is the latest already.
  ///
  /// - Returns: whether the value has changed.
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
