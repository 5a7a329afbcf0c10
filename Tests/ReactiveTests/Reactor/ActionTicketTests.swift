import Reactive
import TestSupport
import Testing

@Suite("Action tickets", .timeLimit(.minutes(5)))
struct ActionTicketTests {
  @Test("'applied' returns after all mutations before the first work", arguments: Detour.allCases)
  func applied(_ detour: Detour) async {
    let gate = Gate()
    let reactor = ScriptedReactor(transforms: detour.transforms) { _, _ in
      [
        .just("1"), .just("2"),
        .run { emit in
          await gate.wait()
          await emit("3")
        },
        .just("4"),
      ]
    }
    let ticket = reactor.send("go")
    await ticket.applied
    #expect(reactor.currentState == ["1", "2"])
    gate.open()
    await ticket.finished
    #expect(reactor.currentState == ["1", "2", "3", "4"])
    await ticket.applied
  }

  @Test("an action without mutations is applied and finished")
  func nothing() async {
    let reactor = ScriptedReactor { _, _ in .none }
    let ticket = reactor.send("go")
    await ticket.applied
    await ticket.finished
    #expect(reactor.log.current == ["mutate go"])
  }

  @Test("a canceled task stops waiting, and the others continue to wait")
  func cancelledWaiter() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in
      .run { emit in
        await gate.wait()
        await emit("done")
      }
    }
    let ticket = reactor.send("go")
    let impatient = Task { await ticket.finished }
    let patient = Task {
      await ticket.finished
      return reactor.currentState
    }
    impatient.cancel()
    await impatient.value
    #expect(reactor.currentState == [])
    gate.open()
    #expect(await patient.value == ["done"])
  }

  @Test("several tasks can wait for one ticket")
  func manyWaiters() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, _ in
      .run { emit in
        await gate.wait()
        await emit("done")
      }
    }
    let ticket = reactor.send("go")
    await withTaskGroup { group in
      for _ in 0..<50 {
        group.addTask {
          await ticket.applied
          await ticket.finished
          #expect(reactor.currentState == ["done"])
        }
      }
      gate.open()
    }
  }

  @Test("releasing the reactor resumes all waiting tasks", arguments: Detour.allCases)
  func dropped(_ detour: Detour) async {
    let forever = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor(transforms: detour.transforms) { _, _ in
      // It neither returns nor takes notice of being cancelled.
      .run { _ in await forever.waitStubbornly() }
    }
    let tickets = (0..<20).compactMap { reactor?.send("\($0)") }
    await tickets[0].applied
    reactor = nil
    for ticket in tickets {
      await ticket.applied
      await ticket.finished
    }
    forever.open()
  }
}
