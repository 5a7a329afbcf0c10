import Reactive
import TestSupport
import Testing

@Suite("Reactor mutations with 'until'", .timeLimit(.minutes(5)))
struct UntilTests {
  @Test("the guarded part ends, and the following mutations still reset the flag")
  func flagIsReset() async {
    let (cancelled, second) = (Gate(), Gate())
    let reactor = ScriptedReactor { _, query in
      [
        .just("loading"),
        .run { emit in
          if query == "a" {
            await cancellation()
            cancelled.open()
          } else {
            await second.wait()
          }
          await emit("results of \(query)")
        }
        .until { _ in true },
        .just("idle"),
      ]
    }
    let first = reactor.send("a")
    let last = reactor.send("b")
    await first.finished
    await cancelled.wait()
    second.open()
    await last.finished
    #expect(
      reactor.log.current == [
        "mutate a", "reduce loading",
        "reduce idle", "mutate b", "reduce loading",
        "reduce results of b", "reduce idle",
      ])
  }

  @Test("only an action that meets the condition ends the guarded part")
  func condition() async {
    let gate = Gate()
    let reactor = ScriptedReactor { _, action in
      guard action == "work" else { return .just(action) }
      return .run { emit in
        await gate.wait()
        await emit("done")
      }
      .until { $0 == "stop" }
    }
    let work = reactor.send("work")
    await reactor.send("other").finished
    gate.open()
    await work.finished
    #expect(reactor.currentState == ["other", "done"])
  }

  @Test(
    "each action in a sequence ends the work of the previous one", arguments: Detour.allCases)
  func inRow(_ detour: Detour) async {
    let gate = Gate()
    let reactor = ScriptedReactor(transforms: detour.transforms) { _, query in
      [
        .just("begin \(query)"),
        .run { emit in
          await gate.wait()
          guard !Task.isCancelled else { return }
          await emit("results of \(query)")
        }
        .until { _ in true },
        .just("end \(query)"),
      ]
    }
    let tickets = ["a", "b", "c"].map { reactor.send($0) }
    for ticket in tickets.dropLast() { await ticket.finished }
    await tickets[2].applied
    gate.open()
    await tickets[2].finished
    #expect(
      reactor.currentState == [
        "begin a", "end a", "begin b", "end b", "begin c", "results of c", "end c",
      ])
  }

  @Test("an action doesn't end its own work")
  func ownAction() async {
    let reactor = ScriptedReactor { _, _ in
      .run { emit in await emit("done") }.until { _ in true }
    }
    await reactor.send("work").finished
    #expect(reactor.currentState == ["done"])
  }

  @Test(
    "mutations emitted after the ending action are dropped",
    arguments: [Detour.none, .mutations, .states])
  func queuedMutation(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms) { reactor, action in
      guard action == "work" else { return .just(action) }
      return .run { [weak reactor] emit in
        await emit("early")
        reactor?.send("stop")
        await emit("late")
      }
      .until { $0 == "stop" }
    }
    await reactor.send("work").finished
    _ = await reactor.states { $0.last == "stop" }
    await reactor.send("end").applied
    #expect(reactor.currentState == ["early", "stop", "end"])
  }

  @Test("mutations of work that ignores cancellation are dropped")
  func stubbornWork() async {
    let (gate, returned) = (Gate(), Gate())
    let reactor = ScriptedReactor { _, action in
      guard action == "work" else { return .just(action) }
      return .run { emit in
        await gate.waitStubbornly()
        await emit("late")
        returned.open()
      }
      .until { $0 == "stop" }
    }
    let work = reactor.send("work")
    await work.applied
    await reactor.send("stop").applied
    await work.finished
    gate.open()
    await returned.wait()
    await reactor.send("end").applied
    #expect(reactor.currentState == ["stop", "end"])
  }

  @Test("the condition receives actions as sent, before the transform")
  func rawActions() async {
    let looked = Watched<[String]>([])
    let reactor = ScriptedReactor(
      transforms: .init(action: { source in
        ReactorStream(source.filter { $0 == "work" }.map { "\($0)!" })
      })
    ) { _, _ in
      [
        .run { _ in await cancellation() }
          .until { action in
            looked.update { $0.append(action) }
            return action == "stop"
          },
        .just("ended"),
      ]
    }
    let work = reactor.send("work")
    await work.applied
    reactor.send("other")
    reactor.send("stop")
    await work.finished
    #expect(looked.current == ["other", "stop"])
    #expect(reactor.currentState == ["ended"])
  }

  @Test("nested guarded parts each end at their own action")
  func nested() async {
    let reactor = ScriptedReactor { _, action in
      guard action == "work" else { return .just(action) }
      let inner: Mutations<String, String> = [
        .run { _ in await cancellation() }.until { $0 == "inner" },
        .just("after inner"),
        .run { _ in await cancellation() },
        .just("never"),
      ]
      return [inner.until { $0 == "outer" }, .just("after outer")]
    }
    let work = reactor.send("work")
    await reactor.send("inner").applied
    #expect(reactor.currentState == ["after inner", "inner"])
    await reactor.send("inner").applied
    await reactor.send("outer").applied
    await work.finished
    #expect(
      reactor.currentState == ["after inner", "inner", "inner", "after outer", "outer"])
  }

  @Test("works ended by the same action continue in the order in which they began")
  func several() async {
    let reactor = ScriptedReactor { _, action in
      guard action.hasPrefix("work") else { return .just(action) }
      return [
        .run { _ in await cancellation() }.until { $0 == "stop" }, .just("\(action) ended"),
      ]
    }
    for number in 1...9 { reactor.send("work \(number)") }
    await reactor.send("stop").applied
    #expect(reactor.currentState == (1...9).map { "work \($0) ended" } + ["stop"])
  }
}
