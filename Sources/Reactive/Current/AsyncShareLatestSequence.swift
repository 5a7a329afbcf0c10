internal import ConcurrencyPrimitives

extension AsyncSequence where Self: Sendable, Element: Sendable, Failure == Never {
  /// Lets several readers, such as views, share one run of a sequence, for example a ``FeedbackLoop`` or a search.
  ///
  /// ```swift
  /// let search = FeedbackLoop(…).shareLatest()
  /// Task { for await state in search { list.show(state) } }
  /// Task { for await state in search { counter.show(state) } }
  /// ```
  ///
  /// - The run begins with the first reader, and is canceled when the last one has left. A later reader begins another
  ///   run.
  /// - A reader receives the latest element, if available, and then the newest one at each request, even an equal one.
  ///   Elements that follow each other while it is busy are skipped, except the newest, and don't take memory.
  /// - With ``AsyncShareLatestSequence/all``, a reader receives every following element: in order, each exactly once.
  ///   Its unread elements are kept without limit.
  /// - The sequence is read as fast as it produces elements, in a separate task. Readers neither slow it down nor wait
  ///   for each other.
  /// - When the sequence ends, each reader reads the remaining elements and then ends.
  ///
  /// - Returns: the shared sequence. Copies of it share the same run.
  public func shareLatest() -> AsyncShareLatestSequence<Self> {
    AsyncShareLatestSequence(self)
  }
}

/// The elements of one run of a sequence for several readers.
///
/// Created by `shareLatest()` of a sequence that doesn't throw, which documents its behavior.
public struct AsyncShareLatestSequence<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Base.Element: Sendable, Base.Failure == Never {
  /// The elements of the base.
  public typealias Element = Base.Element

  /// The sequence doesn't fail; failures are values.
  public typealias Failure = Never

  private let source: ShareSource<Base>
  private var hasAll = false

  init(_ base: Base) {
    source = ShareSource(base)
  }

  /// The same run for a reader that receives every element: in order, each exactly once.
  public var all: Self {
    var sequence = self
    sequence.hasAll = true
    return sequence
  }

  /// Creates a reader, which joins the run with its first `next()`.
  public func makeAsyncIterator() -> Iterator {
    Iterator(source: source, hasAll: hasAll)
  }

  /// One reader.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let source: ShareSource<Base>
    fileprivate let hasAll: Bool
    private var run: ShareRun<Element>?
    private var elements: Current<Element?>.Values.Iterator?

    fileprivate init(source: ShareSource<Base>, hasAll: Bool) {
      self.source = source
      self.hasAll = hasAll
    }

    /// Waits for the next element on the caller's actor. Returns nil when the sequence has ended or the calling task is
    /// canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      if elements == nil {
        let run = source.join()
        self.run = run
        elements = (hasAll ? run.latest.values.all : run.latest.values).makeAsyncIterator()
      }
      while let latest = await elements?.next(isolation: actor) {
        // This is nil before the first element.
        if let latest { return latest }
      }
      // Leaves the run now instead of when the iterator is released.
      run = nil
      return nil
    }
  }
}

@available(*, unavailable)
extension AsyncShareLatestSequence.Iterator: Sendable {}

/// The sequence, and its run while it has readers.
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

/// One run, which is retained only by its readers.
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
