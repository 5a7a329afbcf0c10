internal import ConcurrencyPrimitives

/// The logic of a view without the view itself: it receives actions and provides states.
///
/// ``mutate(_:)`` converts an action to mutations, and may start asynchronous work. ``reduce(_:_:)``, a pure function,
/// applies a mutation to the state. A queue handles everything one at a time: an action sent from anywhere, even from
/// `reduce` or from an observer of the state, waits until the current step is over.
///
/// ```swift
/// final class CounterReactor: Reactor {
///   enum Action { case increase, refresh }
///   enum Mutation { case add(Int), set(Int), setLoading(Bool) }
///   struct State: Equatable {
///     var count = 0
///     var isLoading = false
///   }
///
///   let initialState = State()
///   let engine = Engine()
///   private let load: @Sendable () async throws -> Int
///
///   init(load: @escaping @Sendable () async throws -> Int) {
///     self.load = load
///   }
///
///   func mutate(_ action: Action) -> Mutations<Action, Mutation> {
///     switch action {
///     case .increase:
///       .just(.add(1))
///     case .refresh:
///       [
///         .just(.setLoading(true)),
///         .run { [load] emit in try await emit(.set(load())) }
///           .until { if case .refresh = $0 { true } else { false } },
///         .just(.setLoading(false)),
///       ]
///     }
///   }
///
///   func reduce(_ state: inout State, _ mutation: Mutation) {
///     switch mutation {
///     case .add(let number): state.count += number
///     case .set(let count): state.count = count
///     case .setLoading(let isLoading): state.isLoading = isLoading
///     }
///   }
/// }
///
/// let counter = CounterReactor { 40 }
/// await counter.send(.refresh).finished
/// await counter.send(.increase).applied
/// print(counter.currentState.count)   // 41
/// ```
///
/// Nothing runs before the first ``send(_:)`` or the first use of ``state``. Only its owner keeps a reactor alive,
/// unless work or a transform captures it. When it is released, it cancels its work, ends its sequences of states, and
/// resumes tasks that wait for a ticket.
///
/// A reactor without asynchronous work needs neither mutations nor ``mutate(_:)``: its actions are its mutations.
public protocol Reactor<Action, Mutation, State>: AnyObject, Sendable {
  /// The input of the reactor.
  associatedtype Action: Sendable
  /// A change of the state; by default, the action itself.
  associatedtype Mutation: Sendable = Action
  /// The visible state.
  associatedtype State: Sendable

  /// The engine of this reactor.
  typealias Engine = ReactorEngine<Action, Mutation, State>

  /// The state before the first mutation.
  var initialState: State { get }

  /// The engine that runs the reactor: `let engine = Engine()`.
  var engine: Engine { get }

  /// Returns the effects of an action.
  ///
  /// It is called when it is the action's turn, when ``currentState`` is up to date. If actions are mutations, it passes
  /// them on by default.
  func mutate(_ action: Action) -> Mutations<Action, Mutation>

  /// Applies a mutation to the state.
  func reduce(_ state: inout State, _ mutation: Mutation)

  /// Transforms the actions before ``mutate(_:)``. It is called once.
  ///
  /// By default, each of the three transforms returns its input. An action takes effect (and ends work with
  /// ``Mutations/until(_:)``) when the transform reads it. When the returned stream ends, no further actions are
  /// handled.
  func transform(action: ReactorStream<Action>) -> ReactorStream<Action>

  /// Transforms the mutations before ``reduce(_:_:)``. It is called once.
  ///
  /// It can merge in other mutations. ``Mutations/until(_:)`` doesn't affect mutations that have entered the transform.
  func transform(mutation: ReactorStream<Mutation>) -> ReactorStream<Mutation>

  /// Transforms the states before they become visible. It is called once.
  ///
  /// It starts with the initial state. The next mutation is applied to the state before the transform.
  func transform(state: ReactorStream<State>) -> ReactorStream<State>
}

extension Reactor where Mutation == Action {
  /// Passes on the action as its only mutation.
  public func mutate(_ action: Action) -> Mutations<Action, Mutation> { .just(action) }
}

extension Reactor {
  /// Passes on every action.
  public func transform(action: ReactorStream<Action>) -> ReactorStream<Action> { action }

  /// Passes on every mutation.
  public func transform(mutation: ReactorStream<Mutation>) -> ReactorStream<Mutation> { mutation }

  /// Passes on every state.
  public func transform(state: ReactorStream<State>) -> ReactorStream<State> { state }

  /// Sends an action from anywhere, without waiting, and returns its progress.
  @discardableResult
  public func send(_ action: Action) -> ActionTicket {
    engine.send(action, to: self)
  }

  /// The latest state, followed by the newest one at each request, until the reactor is released.
  ///
  /// States that follow each other while the observer is busy are skipped, except the newest, and don't take memory.
  /// ``allStates`` has all of them. The sequence doesn't keep the reactor alive.
  public var state: some AsyncSequence<State, Never> & Sendable {
    engine.start(self)
    return engine.shown.values.compactMap { $0 }
  }

  /// The latest state, followed by each new one, equal or not, until the reactor is released.
  ///
  /// Each observer receives every state in order, even if it reads late, because unread states are kept without limit.
  /// The sequence doesn't keep the reactor alive.
  public var allStates: some AsyncSequence<State, Never> & Sendable {
    engine.start(self)
    return engine.shown.values.all.compactMap { $0 }
  }

  /// The latest state, or ``initialState`` before the first.
  public var currentState: State {
    engine.shown.value ?? initialState
  }

  /// Replaces the behavior of the reactor, to test a view.
  ///
  /// From then on, the reactor only records actions, and the test sets the states. Call it before the view receives the
  /// reactor, because it ends running work and sequences of states.
  ///
  /// - Returns: the stub, which is the same for every call.
  @discardableResult
  public func stub() -> ReactorStub<Action, State> {
    engine.stub(for: self)
  }
}

/// The input or output of one of a ``Reactor``'s three transforms.
///
/// ```swift
/// func transform(action: ReactorStream<Action>) -> ReactorStream<Action> {
///   ReactorStream(action.filter { $0 != .ignored })
/// }
/// ```
///
/// This is a separate type, so that the compiler reports a misspelled transform instead of treating it as an unrelated
/// function.
public struct ReactorStream<Element: Sendable>: AsyncSequence, Sendable {
  /// The stream doesn't fail; failures are values.
  public typealias Failure = Never

  /// The source, if the stream is an unchanged input.
  let source: ReactorSource<Element>?
  private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

  /// Creates a stream from any sequence that doesn't throw.
  public init(_ base: some AsyncSequence<Element, Never> & Sendable) {
    source = nil
    begin = { base.makeAsyncIterator() }
  }

  init(of source: ReactorSource<Element>) {
    self.source = source
    begin = { source.makeAsyncIterator() }
  }

  /// Starts reading. The input of a transform has only one reader.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: begin())
  }

  /// The reader's end.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: any AsyncIteratorProtocol<Element, Never>

    /// Waits for the next element; nil when no more elements will come, for example because the reactor was released.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension ReactorStream.Iterator: Sendable {}

/// A replacement for the behavior of a ``Reactor``: it records actions and shows the states set by a test.
///
/// Created by ``Reactor/stub()``.
public final class ReactorStub<Action: Sendable, State: Sendable>: Sendable {
  let shown: Current<State?>
  private let sent = Locked<[Action]>([])

  init(showing state: State) {
    shown = Current(state)
  }

  /// The actions sent since the reactor was stubbed, in order.
  public var actions: [Action] { sent.withLock { $0 } }

  /// Sets the visible state of the reactor.
  public func show(_ state: State) {
    shown.set(state)
  }

  func record(_ action: Action) {
    sent.withLock { $0.append(action) }
  }
}
