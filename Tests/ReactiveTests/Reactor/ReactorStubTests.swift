import Reactive
import TestSupport
import Testing

@Suite("reactor's stub", .timeLimit(.minutes(5)))
struct ReactorStubTests {
  @Test("it takes down the actions, and runs nothing")
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

  @Test("it forces states on whoever reads or watches them")
  func states() async {
    let reactor = ScriptedReactor()
    let stub = reactor.stub()
    let states = Reader(reactor.state)
    #expect(await states.next() == [])
    stub.show(["forced"])
    #expect(reactor.currentState == ["forced"])
    #expect(await states.next() == ["forced"])
  }

  @Test("a reactor that runs already stops, and its watchers stay")
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
    reactor.send("b")
    stub.show(["forced"])
    #expect(await states.next() == ["forced"])
    #expect(stub.actions == ["b"])
  }
}
