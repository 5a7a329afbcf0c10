internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Lets several readers, such as views, share one run of a sequence: a ``FeedbackLoop``, a search.
  ///
  /// ```swift
  /// let search = FeedbackLoop(…).shareLatest()
  /// Task { for await state in search.newest { list.show(state) } }
  /// Task { for await state in search.newest { counter.show(state) } }
  /// ```
  ///
  /// - The run begins with the first reader, and is cancelled when the last one has left. The next reader after
  ///   that begins another.
  /// - A reader gets the latest element, if there is one, then every element that follows: in order, each exactly
  ///   once, even equal ones. With ``AsyncShareLatestSequence/newest`` it gets the latest each time it asks.
  /// - The sequence is read as fast as it produces, in a task of its own. No reader slows it down or waits for
  ///   another. Unread elements are kept without limit, but not for a reader of the newest.
  /// - When the sequence ends, each reader reads the elements that are left and then ends.
  ///
  /// - Returns: the shared sequence. Copies share the run too.
  public func shareLatest() -> AsyncShareLatestSequence<Self> {
    AsyncShareLatestSequence(self)
  }
}

/// The elements of one run of a sequence for several readers.
///
/// Made by `shareLatest()` of a sequence that doesn't throw, which documents its behavior.
public struct AsyncShareLatestSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements of the base.
  public typealias Element = Base.Element

  /// Failures are values here.
  public typealias Failure = Never

  private let source: ShareSource<Base>
  private var isNewestOnly = false

  init(_ base: Base) {
    source = ShareSource(base)
  }

  /// The same run for a reader that may be too slow, such as a view: the latest element each time it asks, once.
  public var newest: Self {
    var sequence = self
    sequence.isNewestOnly = true
    return sequence
  }

  /// Makes a reader, which joins the run with its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, isNewestOnly: isNewestOnly)
  }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: ShareSource<Base>
    fileprivate let isNewestOnly: Bool
    private var run: ShareRun<Element>?
    private var elements: Current<Element?>.Values.Iterator?

    fileprivate init(source: ShareSource<Base>, isNewestOnly: Bool) {
      self.source = source
      self.isNewestOnly = isNewestOnly
    }

    /// Waits for the next element on the caller's actor; nil when the sequence has ended or the calling task is
    /// cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if elements == nil {
        let run = source.join()
        self.run = run
        elements = (isNewestOnly ? run.latest.values.newest : run.latest.values).makeAsyncIterator()
      }
      while let latest = await elements?.next(isolation: actor) {
        // Nil before the first element.
        if let latest { return latest }
      }
      // Leaves now, and not only when the iterator is released.
      run = nil
      return nil
    }
  }
}

@available(*, unavailable)
extension AsyncShareLatestSequence.Iterator: Sendable {}

/// The sequence, and its run as long as there are readers.
private final class ShareSource<Base: AsyncSequence & Sendable>: Sendable
where Base.Element: Sendable, Base.Failure == Never {
  private struct Running: Sendable {
    weak var run: ShareRun<Base.Element>?
  }

  private let base: Base
  private let running = Locked(Running())

  init(_ base: Base) {
    self.base = base
  }

  func join() -> ShareRun<Base.Element> {
    let fresh = ShareRun<Base.Element>()
    let run = running.withLock { running in
      let run = running.run ?? fresh
      running.run = run
      return run
    }
    if run === fresh { run.start(base) }
    return run
  }
}

/// One run, held by its readers alone.
private final class ShareRun<Element: Sendable>: Sendable {
  let latest = Current<Element?>(nil)
  private let reading = Locked<Task<Void, Never>?>(nil)

  deinit {
    reading.withLock { $0 }?.cancel()
  }

  func start(_ base: some AsyncSequence<Element, Never> & Sendable) {
    let task = Task { [latest] in
      for await element in base { latest.set(element) }
      latest.finish()
    }
    reading.withLock { $0 = task }
  }
}
