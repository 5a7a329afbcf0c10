/// A view, or what controls one, that shows the state of a ``Reactor`` and sends it actions.
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
  /// The reactor that fits the view.
  associatedtype ViewReactor: Reactor

  /// The bindings of the view to its reactor: `let bindings = ReactorBindings<ViewReactor>()`.
  var bindings: ReactorBindings<ViewReactor> { get }

  /// Whether there is something to bind: a view that is loaded later says false until then, and
  /// ``performBinding()`` afterwards.
  var isViewLoaded: Bool { get }

  /// Connects the view and a reactor, by ``show(_:_:)`` above all.
  ///
  /// It is called once for each reactor that is set, not before the view is loaded.
  func bind(reactor: ViewReactor)
}

extension ReactorView {
  /// True: there is nothing to wait for.
  public var isViewLoaded: Bool { true }

  /// The reactor that the view is bound to.
  ///
  /// Setting it, be it to the same or to nil, first ends all bindings: when the setter returns, nothing
  /// of the reactor before is shown any more.
  public var reactor: ViewReactor? {
    get { bindings.reactor }
    set {
      bindings.replace(with: newValue)
      performBinding()
    }
  }

  /// Binds a reactor that was set before the view was loaded; else nothing is left to do.
  public func performBinding() {
    guard isViewLoaded, let reactor = bindings.takeUnbound() else { return }
    bind(reactor: reactor)
  }

  /// Shows each element of a sequence, until the reactor is replaced or dropped or the view goes away.
  ///
  /// - Parameters:
  ///   - elements: for instance the reactor's `state`.
  ///   - body: gets the view and an element. It isn't called any more once the binding has ended.
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

/// The bindings of a ``ReactorView`` to its reactor. They end with the view that holds them.
@MainActor
public final class ReactorBindings<ViewReactor: Reactor> {
  private(set) var reactor: ViewReactor?
  private var isUnbound = false
  private var tasks: [Task<Void, Never>] = []

  /// Creates bindings that bind nothing yet.
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
