import Reactive
import TestSupport
import Testing

@Suite("Reactor stub", .timeLimit(.minutes(5)))
struct ReactorStubTests {
  @Test("a stub records actions and runs nothing")
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

  @Test("a stub shows forced states to readers and watchers")
  func states() async {
    let reactor = ScriptedReactor()
    let stub = reactor.stub()
    let states = Reader(reactor.allStates)
    #expect(await states.next() == [])
    stub.show(["forced"])
    #expect(reactor.currentState == ["forced"])
    #expect(await states.next() == ["forced"])
  }

  @Test("stubbing a running reactor stops its work and shows the forced states")
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
    let states = Reader(reactor.allStates)
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
    #expect(await Reader(reactor.allStates).next() == ["forced"])
    #expect(stub.actions == ["b"])
  }

  @Test("a stub's forced states end with the reactor")
  func drop() async throws {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let stub = reactor?.stub()
    let states = Reader(try #require(reactor?.allStates))
    stub?.show(["forced"])
    reactor = nil
    #expect(await states.next() == [])
    #expect(await states.next() == ["forced"])
    #expect(await states.next() == nil)
  }
}
