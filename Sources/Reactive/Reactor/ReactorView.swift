/// A view or view controller that shows the state of a ``Reactor`` and sends actions to it.
///
/// ```swift
/// final class CounterViewController: UIViewController, ReactorView {
///   let bindings = ReactorBindings<CounterReactor>()
///
///   override func viewDidLoad() {
///     super.viewDidLoad()
///     performBinding()
///   }
///
///   func bind(reactor: CounterReactor) {
///     show(reactor.state) { view, state in view.label.text = "\(state.count)" }
///   }
/// }
/// ```
@MainActor
public protocol ReactorView: AnyObject {
  /// The type of the view's reactor.
  associatedtype ViewReactor: Reactor

  /// The bindings of the view to its reactor: `let bindings = ReactorBindings<ViewReactor>()`.
  var bindings: ReactorBindings<ViewReactor> { get }

  /// Whether the view is ready to bind. A view that loads later returns false until it is loaded, and then calls
  /// ``performBinding()``.
  var isViewLoaded: Bool { get }

  /// Connects the view to a reactor, mainly with ``show(_:_:)``.
  ///
  /// It is called once for each reactor that is set, but not before the view is loaded.
  func bind(reactor: ViewReactor)
}

extension ReactorView {
  /// True, for a view that doesn't need to be loaded.
  public var isViewLoaded: Bool { true }

  /// The reactor of the view.
  ///
  /// Setting it, even to the same reactor or nil, first ends all bindings. When the setter returns, the view no longer
  /// shows the previous reactor.
  public var reactor: ViewReactor? {
    get { bindings.reactor }
    set {
      bindings.replace(with: newValue)
      performBinding()
    }
  }

  /// Binds a reactor that was set before the view was loaded; otherwise does nothing.
  public func performBinding() {
    guard isViewLoaded, let reactor = bindings.takeUnbound() else { return }
    bind(reactor: reactor)
  }

  /// Shows each element of a sequence until the reactor is replaced or released, or the view is released.
  ///
  /// - Parameters:
  ///   - elements: the elements, for example those of the reactor's `state`, from which a slow view skips states.
  ///     `allStates` and `pulse` keep every element for the view.
  ///   - body: shows an element in the view. It is no longer called after the binding has ended.
  public func show<Elements: AsyncSequence & Sendable>(
    _ elements: Elements, _ body: @escaping @MainActor (Self, Elements.Element) -> Void
  ) where Elements.Element: Sendable, Elements.Failure == Never {
    bindings.add(
      Task { [weak self] in
        for await element in elements {
          guard let self, !Task.isCancelled else { return }
          body(self, element)
        }
      })
  }
}

/// The bindings of a ``ReactorView`` to its reactor. They end when the view that owns them is released.
@MainActor
public final class ReactorBindings<ViewReactor: Reactor> {
  private(set) var reactor: ViewReactor?
  private var isUnbound = false
  private var tasks: [Task<Void, Never>] = []

  /// Creates bindings without a reactor.
  public init() {}

  deinit {
    for task in tasks { task.cancel() }
  }

  func replace(with reactor: ViewReactor?) {
    let ended = tasks
    tasks = []
    self.reactor = reactor
    isUnbound = reactor != nil
    for task in ended { task.cancel() }
  }

  func takeUnbound() -> ViewReactor? {
    defer { isUnbound = false }
    return isUnbound ? reactor : nil
  }

  func add(_ task: Task<Void, Never>) {
    tasks.append(task)
  }
}
