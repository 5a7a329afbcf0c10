import Reactive
import TestSupport
import Testing

@Suite("reactor's stub", .timeLimit(.minutes(5)))
struct ReactorStubTests {
  @Test("a stub records the actions, and runs nothing")
  func actions() async {
    let reactor = ScriptedReactor()
    let stub = reactor.stub()
    for action in ["a", "b"] {
      let ticket = reactor.send(action)
      await ticket.applied
      await ticket.finished
    }
    #expect(stub.actions == ["a", "b"])
    #expect(reactor.stub() === stub)
    #expect(reactor.log.current == [])
    #expect(reactor.currentState == [])
  }

  @Test("a stub's states replace those of the reactor for all readers and watchers")
  func states() async {
    let reactor = ScriptedReactor()
    let stub = reactor.stub()
    let states = Reader(reactor.state)
    #expect(await states.next() == [])
    stub.show(["forced"])
    #expect(reactor.currentState == ["forced"])
    #expect(await states.next() == ["forced"])
  }

  @Test("a stub stops a running reactor and its watchers, and shows its own states")
  func afterStart() async {
    let cancelled = Gate()
    let reactor = ScriptedReactor { _, action in
      [
        .just(action),
        .run { _ in
          await cancellation()
          cancelled.open()
        },
      ]
    }
    let states = Reader(reactor.state)
    #expect(await states.next() == [])
    let ticket = reactor.send("a")
    await ticket.applied
    #expect(await states.next() == ["a"])
    let stub = reactor.stub()
    await ticket.finished
    await cancelled.wait()
    #expect(await states.next() == nil)
    #expect(reactor.currentState == ["a"])
    reactor.send("b")
    stub.show(["forced"])
    #expect(await Reader(reactor.state).next() == ["forced"])
    #expect(stub.actions == ["b"])
  }

  @Test("the stub's sequence of states ends with the reactor")
  func drop() async throws {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let stub = reactor?.stub()
    let states = Reader(try #require(reactor?.state))
    stub?.show(["forced"])
    reactor = nil
    #expect(await states.next() == [])
    #expect(await states.next() == ["forced"])
    #expect(await states.next() == nil)
  }
}
