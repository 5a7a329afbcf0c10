import Reactive
import TestSupport
import Testing

@Suite("Reactor view", .timeLimit(.minutes(5)))
@MainActor
struct ReactorViewTests {
  /// Shows the states of a reactor, and counts how often it was bound.
  private final class ListView: ReactorView {
    let bindings = ReactorBindings<ScriptedReactor>()
    var isViewLoaded: Bool
    var bound: [ScriptedReactor] = []
    let shown = Watched<[[String]]>([])

    init(isViewLoaded: Bool = true) {
      self.isViewLoaded = isViewLoaded
    }

    func bind(reactor: ScriptedReactor) {
      bound.append(reactor)
      show(reactor.state) { view, state in view.shown.update { $0.append(state) } }
    }
  }

  @Test("setting the reactor binds it and shows its states")
  func binds() async throws {
    let (view, reactor) = (ListView(), ScriptedReactor())
    #expect(view.reactor == nil)
    view.reactor = reactor
    #expect(view.reactor === reactor)
    #expect(view.bound.count == 1)
    try await view.shown.value { $0 == [[]] ? () : nil }
    reactor.send("a")
    try await view.shown.value { $0 == [[], ["a"]] ? () : nil }
  }

  @Test("a busy view is shown only the newest state afterward")
  func showsNewest() async throws {
    let (view, reactor) = (ListView(), ScriptedReactor())
    view.reactor = reactor
    try await view.shown.value { $0 == [[]] ? () : nil }
    let mutations = (1...50).map(String.init)
    for mutation in mutations { reactor.send(mutation) }
    // Without a pause, so that the view has no turn on the main actor.
    while reactor.currentState.count < mutations.count {}
    try await view.shown.value { $0 == [[], mutations] ? () : nil }
  }

  @Test("binding waits until the view is loaded and happens once")
  func waitsForView() async throws {
    let (view, first, reactor) = (
      ListView(isViewLoaded: false), ScriptedReactor(), ScriptedReactor()
    )
    view.performBinding()
    view.reactor = first
    view.reactor = reactor
    #expect(view.bound.isEmpty)
    view.isViewLoaded = true
    view.performBinding()
    view.performBinding()
    #expect(view.bound.map(ObjectIdentifier.init) == [ObjectIdentifier(reactor)])
    try await view.shown.value { $0 == [[]] ? () : nil }
  }

  @Test("setting another reactor ends the bindings to the previous one")
  func rebinds() async throws {
    let (view, old, new) = (ListView(), ScriptedReactor(), ScriptedReactor())
    view.reactor = old
    await old.send("old").applied
    try await view.shown.value { $0.last == ["old"] ? () : nil }
    // On its way to the view, which this task keeps from looking.
    old.send("late")
    view.reactor = new
    #expect(view.bound.count == 2)
    await old.send("later").applied
    await new.send("new").applied
    try await view.shown.value { $0.last == ["new"] ? () : nil }
    #expect(!view.shown.current.contains { $0.contains("late") })
  }

  @Test("an element in transit when the bindings end isn't shown")
  func onItsWay() async throws {
    let (view, shown) = (ListView(), Watched<[Int]>([]))
    let (numbers, input) = AsyncStream.makeStream(of: Int.self)
    view.show(numbers) { _, number in shown.update { $0.append(number) } }
    input.yield(1)
    // From here on the binding waits for the next element.
    try await shown.value { $0 == [1] ? () : nil }
    input.yield(2)
    view.reactor = nil
    let (last, lastInput) = AsyncStream.makeStream(of: Int.self)
    view.show(last) { _, number in shown.update { $0.append(number) } }
    lastInput.yield(3)
    #expect(try await shown.value { $0.last == 3 ? $0 : nil } == [1, 3])
  }

  @Test("setting the same reactor again binds it again and shows each state once")
  func sameAgain() async throws {
    let (view, reactor) = (ListView(), ScriptedReactor())
    view.reactor = reactor
    view.reactor = reactor
    #expect(view.bound.count == 2)
    await reactor.send("a").applied
    try await view.shown.value { $0.last == ["a"] ? () : nil }
    #expect(view.shown.current.filter { $0 == ["a"] }.count == 1)
  }

  @Test("setting nil releases the reactor")
  func setsNil() async {
    let view = ListView()
    var reactor: ScriptedReactor? = ScriptedReactor()
    weak let remains = reactor
    view.reactor = reactor
    view.bound = []
    view.reactor = nil
    reactor = nil
    #expect(view.reactor == nil)
    // The binding that has ended lets go of it when it has its turn.
    while remains != nil { await Task.yield() }
  }

  @Test("the bindings end with the view and don't retain it")
  func endsWithView() async {
    let ended = Gate()
    let (states, input) = AsyncStream.makeStream(of: Int.self)
    input.onTermination = { _ in ended.open() }
    var view: ListView? = ListView()
    weak let remains = view
    view?.show(states) { _, _ in }
    view = nil
    #expect(remains == nil)
    await ended.wait()
  }
}
