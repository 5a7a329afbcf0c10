import Reactive
import TestSupport
import Testing

@Suite("Reactor lifetime", .timeLimit(.minutes(5)))
struct ReactorLifetimeTests {
  @Test("releasing the reactor cancels its works and ends its states", arguments: Detour.allCases)
  func drop(_ detour: Detour) async throws {
    let cancelled = Gate()
    var reactor: ScriptedReactor? = ScriptedReactor(transforms: detour.transforms) { _, _ in
      [
        .just("begun"),
        .run { _ in
          await cancellation()
          cancelled.open()
        },
      ]
    }
    weak let remains = reactor
    let states = try #require(reactor?.allStates)
    let watching = Task { await states.reduce(into: []) { $0.append($1) } }
    await reactor?.send("go").applied
    reactor = nil
    // The step that has just applied it lets go of it when it returns.
    while remains != nil { await Task.yield() }
    await cancelled.wait()
    #expect(await watching.value.last == ["begun"])
  }

  @Test("states first read after the release also end")
  func lateWatcher() async throws {
    var reactor: ScriptedReactor? = ScriptedReactor()
    let states = try #require(reactor?.allStates)
    await reactor?.send("a").applied
    reactor = nil
    #expect(await states.reduce(into: []) { $0.append($1) } == [["a"]])
  }

  @Test("a reactor released during a step finishes the step")
  func dropInStep() async {
    let holder = Watched<ScriptedReactor?>(nil)
    let reduced = Watched<[String]>([])
    holder.update {
      $0 = ScriptedReactor(onReduce: { _, mutation in
        reduced.update { $0.append(mutation) }
        if mutation == "last" { holder.update { $0 = nil } }
      })
    }
    weak let remains = holder.current
    let ticket = holder.current?.send("last")
    let never = holder.current?.send("never")
    await ticket?.finished
    await never?.finished
    // The step lets go of it when it returns.
    while remains != nil { await Task.yield() }
    #expect(reduced.current == ["last"])
  }

  @Test("an unused reactor is released")
  func unused() {
    var reactor: ScriptedReactor? = ScriptedReactor()
    weak let remains = reactor
    reactor = nil
    #expect(remains == nil)
  }
}
