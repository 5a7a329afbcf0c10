internal import Locking

/// A view's logic without the view: actions in, state out.
///
/// An action becomes mutations (``mutate(_:)``, where work is done), a mutation and the state become the
/// next state (``reduce(_:_:)``, a pure function). Everything is queued and handled one at a time, so
/// an action sent from anywhere, also from `reduce` or by a watcher of the state, waits until the
/// current step is over.
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
///   func reduce(_ state: State, _ mutation: Mutation) -> State {
///     var state = state
///     switch mutation {
///     case .add(let number): state.count += number
///     case .set(let count): state.count = count
///     case .setLoading(let isLoading): state.isLoading = isLoading
///     }
///     return state
///   }
/// }
///
/// let counter = CounterReactor { 40 }
/// await counter.send(.refresh).finished
/// await counter.send(.increase).applied
/// print(counter.currentState.count)   // 41
/// ```
///
/// Nothing runs before the first ``send(_:)`` or the first look at ``state``. Nothing but its owner
/// keeps a reactor alive, unless work or a transform captures it; when it goes, its works are cancelled,
/// its sequences of states end, and whoever waits for a ticket goes on.
public protocol Reactor<Action, Mutation, State>: AnyObject, Sendable {
  /// What can happen to the reactor from outside.
  associatedtype Action: Sendable
  /// What can happen to the state.
  associatedtype Mutation: Sendable
  /// What there is to see.
  associatedtype State: Sendable

  /// The engine that fits the reactor.
  typealias Engine = ReactorEngine<Action, Mutation, State>

  /// The state before the first mutation.
  var initialState: State { get }

  /// Where the reactor runs: `let engine = Engine()`.
  var engine: Engine { get }

  /// What an action leads to.
  ///
  /// It is called when the action's turn has come; ``currentState`` holds all that was reduced until then.
  func mutate(_ action: Action) -> Mutations<Action, Mutation>

  /// The state after a mutation.
  func reduce(_ state: State, _ mutation: Mutation) -> State

  /// What becomes of the actions on their way to ``mutate(_:)``; called once.
  ///
  /// Like the other two it gives back what it got, if the reactor doesn't say otherwise. An action is taken
  /// (and ends what has to end by ``Mutations/until(_:)``) when the transform asks for it; when the
  /// stream ends, no more are taken.
  func transform(action: ReactorStream<Action>) -> ReactorStream<Action>

  /// What becomes of the mutations on their way to ``reduce(_:_:)``; called once.
  ///
  /// Here mutations from elsewhere can be merged in. What has entered the transform is its own: an
  /// ``Mutations/until(_:)`` doesn't take it back.
  func transform(mutation: ReactorStream<Mutation>) -> ReactorStream<Mutation>

  /// What becomes of the states on their way to whoever sees them; called once.
  ///
  /// It begins with the initial state. What is reduced next is the state before the transform.
  func transform(state: ReactorStream<State>) -> ReactorStream<State>
}

extension Reactor {
  /// Passes on every action.
  public func transform(action: ReactorStream<Action>) -> ReactorStream<Action> { action }

  /// Passes on every mutation.
  public func transform(mutation: ReactorStream<Mutation>) -> ReactorStream<Mutation> { mutation }

  /// Passes on every state.
  public func transform(state: ReactorStream<State>) -> ReactorStream<State> { state }

  /// Sends an action; from anywhere, at once.
  ///
  /// - Returns: a ticket that tells how far it has come.
  @discardableResult
  public func send(_ action: Action) -> ActionTicket {
    engine.send(action, to: self)
  }

  /// The latest state, and then each that follows, equal or not, until the reactor is dropped.
  ///
  /// Each watcher gets every state in order. The sequence doesn't keep the reactor alive.
  public var state: some AsyncSequence<State, Never> & Sendable {
    engine.start(self)
    return engine.shown.values.compactMap { $0 }
  }

  /// The latest state; the initial one before there is another.
  public var currentState: State {
    engine.shown.value ?? initialState
  }

  /// Replaces all that the reactor does, for the test of a view.
  ///
  /// From then on actions are taken down and states are set by hand; nothing runs. It is meant to be called
  /// before the reactor is given to a view: what runs already is ended, its sequences of states too.
  ///
  /// - Returns: what stands in, the same at every call.
  @discardableResult
  public func stub() -> ReactorStub<Action, State> {
    engine.stub(for: self)
  }
}

/// What flows through a ``Reactor`` at one of its three transforms: actions, mutations or states.
///
/// ```swift
/// func transform(action: ReactorStream<Action>) -> ReactorStream<Action> {
///   ReactorStream(action.filter { $0 != .ignored })
/// }
/// ```
///
/// A type of its own, so that a transform can't be written in a way that the compiler takes for another
/// function, and be passed by without a word.
public struct ReactorStream<Element: Sendable>: AsyncSequence, Sendable {
  /// Nothing: failures are values here.
  public typealias Failure = Never

  /// Where the stream comes from, if nothing was done to it.
  let source: ReactorSource<Element>?
  private let begin: @Sendable () -> any AsyncIteratorProtocol<Element, Never>

  /// Makes a stream of any sequence that doesn't throw.
  public init(_ base: some AsyncSequence<Element, Never> & Sendable) {
    source = nil
    begin = { base.makeAsyncIterator() }
  }

  init(of source: ReactorSource<Element>) {
    self.source = source
    begin = { source.makeAsyncIterator() }
  }

  /// Begins to read. What a transform was given is for one reader.
  public func makeAsyncIterator() -> Iterator {
    Iterator(base: begin())
  }

  /// The reader's end.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var base: any AsyncIteratorProtocol<Element, Never>

    /// Waits for the next element.
    ///
    /// - Parameter actor: the actor to come back to.
    /// - Returns: nil when there will be no more, because the reactor is gone for instance.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await base.next(isolation: actor)
    }
  }
}

@available(*, unavailable)
extension ReactorStream.Iterator: Sendable {}

/// Stands in for what a ``Reactor`` does: takes down actions, shows the states that a test wants shown.
///
/// Made by ``Reactor/stub()``.
public final class ReactorStub<Action: Sendable, State: Sendable>: Sendable {
  let shown: Current<State?>
  private let sent = Locked<[Action]>([])

  init(showing state: State) {
    shown = Current(state)
  }

  /// What was sent since the reactor is stubbed, in order.
  public var actions: [Action] { sent.withLock { $0 } }

  /// Makes this the reactor's state, for whoever reads or watches it.
  public func show(_ state: State) {
    shown.set(state)
  }

  func record(_ action: Action) {
    sent.withLock { $0.append(action) }
  }
}
