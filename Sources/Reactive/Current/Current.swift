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
/// - A watcher gets the latest value first, and then every value that is set after it began to
///   watch: in order, none lost, none twice, equal or not.
/// - All watchers see the same order, also when several tasks set values at once.
/// - Setting never waits. What a watcher has not read yet is kept for it without limit, so one that
///   reads nothing for long should leave.
/// - When this object is dropped, or ``finish()`` is called, each watcher reads what was set before and
///   then ends.
public final class Current<Value: Sendable>: Sendable {
  private let watchers: Watchers<Value>

  /// Creates an object that holds a value.
  public init(_ value: Value) {
    watchers = Watchers(value)
  }

  deinit {
    watchers.finish()
  }

  /// The latest value.
  public var value: Value { watchers.value }

  /// The latest value, and then each that is set.
  ///
  /// Each iterator is a watcher, from the moment it is made until it is dropped or its task is
  /// cancelled while it waits. The sequence does not keep this object alive.
  public var values: Values { Values(watchers: watchers) }

  /// ``values``, for an object that wants to know who watches.
  ///
  /// - Parameter onWatch: is called after a watcher came, and after it went.
  /// - Returns: the latest value, and then each that is set.
  package func values(onWatch: @escaping @Sendable () -> Void) -> Values {
    Values(watchers: watchers, onWatch: onWatch)
  }

  /// How many watch at this moment.
  package var watcherCount: Int { watchers.count }

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
    watchers.update(change) { _, _ in true }
  }

  /// Ends the sequence of each watcher once it has read all that was set, and of each that is still
  /// to come after the latest value.
  ///
  /// The value can be set as before, but the watchers are no longer told.
  public func finish() {
    watchers.finish()
  }

  /// What the watchers of a ``Current`` read: the latest value, and then each that is set.
  public struct Values: AsyncSequence, Sendable {
    /// What is watched.
    public typealias Element = Value

    /// Nothing: there is nothing that could fail.
    public typealias Failure = Never

    let watchers: Watchers<Value>
    var onWatch: (@Sendable () -> Void)?

    /// Begins to watch.
    public func makeAsyncIterator() -> Iterator {
      Iterator(watcher: Watchers.Watcher(of: watchers, onWatch))
    }

    /// One watcher.
    public struct Iterator: AsyncIteratorProtocol {
      /// Stops watching when the last copy of the iterator is gone: that is all a `break` leaves to see.
      let watcher: Watchers<Value>.Watcher
      /// What has been fetched and not been read, the oldest last.
      ///
      /// All at once, because taking the first of many, one by one, moves the others each time.
      var fetched: [Value] = []

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
}

extension Current where Value: Equatable {
  /// Sets the value and tells the watchers, unless it is the latest already.
  ///
  /// - Returns: whether the value has changed.
  @discardableResult
  public func change(to value: Value) -> Bool {
    watchers.update(
      { latest in
        defer { latest = value }
        return latest != value
      }, tellsOf: !=)
  }
}

@available(*, unavailable)
extension Current.Values.Iterator: Sendable {}
