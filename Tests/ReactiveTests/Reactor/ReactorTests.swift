import Reactive
import TestSupport
import Testing

@Suite("Reactor", .timeLimit(.minutes(5)))
struct ReactorTests {
  @Test("an action becomes mutations, which change the state", arguments: Detour.allCases)
  func oneWay(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms) { _, action in
      [.just("\(action)1"), .just("\(action)2")]
    }
    await reactor.send("a").applied
    #expect(reactor.currentState == ["a1", "a2"])
    await reactor.send("b").applied
    #expect(reactor.currentState == ["a1", "a2", "b1", "b2"])
  }

  // MARK: Lazily built

  @Test("nothing is built before the first use, and the state is the initial one")
  func lazy() async throws {
    let calls = Watched(0)
    let transforms = ScriptedReactor.Transforms(state: { states in
      calls.update { $0 += 1 }
      return states
    })
    let looked = ScriptedReactor(transforms: transforms)
    let sent = ScriptedReactor(transforms: transforms)
    #expect(looked.currentState == [])
    #expect(calls.current == 0)
    _ = looked.state
    try await calls.value { $0 == 1 ? () : nil }
    await sent.send("a").applied
    #expect(calls.current == 2)
    #expect(looked.currentState == [])
  }

  @Test("actions sent early are kept in order", arguments: Detour.allCases)
  func early(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms)
    let words = (0..<200).map(String.init)
    var last: ActionTicket?
    for word in words { last = reactor.send(word) }
    await last?.applied
    #expect(reactor.currentState == words)
  }

  // MARK: The state

  @Test("a new watcher first gets the latest state", arguments: Detour.allCases)
  func replay(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms)
    #expect(await reactor.states { _ in true } == [[]])
    await reactor.send("a").applied
    await reactor.send("b").applied
    #expect(await reactor.states { _ in true } == [["a", "b"]])
  }

  @Test("each watcher gets every state in order, even equal ones", arguments: Detour.allCases)
  func completeWatchers(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms)
    let words = (0..<100).map(String.init)
    let first = Reader(reactor.allStates)
    let start = await first.next()
    #expect(start == [])
    for word in words { reactor.send(word) }
    let late = Task { await reactor.states { $0.count == words.count } }
    for count in 1...words.count {
      let state = await first.next()
      #expect(state == Array(words.prefix(count)))
    }
    let seen = await late.value
    #expect(seen == (words.count + 1 - seen.count...words.count).map { Array(words.prefix($0)) })
  }

  @Test("equal states are emitted separately")
  func equalStates() async {
    let reactor = EvenReactor()
    let states = Reader(reactor.allStates)
    for _ in 1...3 { reactor.send(2) }
    for _ in 0...3 { #expect(await states.next() == 0) }
  }

  // MARK: Order

  @Test("each mutation is reduced before the next step is evaluated", arguments: Detour.allCases)
  func reducedBeforeNext(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms) { reactor, _ in
      let look: @Sendable (String) -> Mutations<String, String> = { name in
        .run { [weak reactor] emit in
          guard let reactor else { return }
          await emit("\(name) saw \(reactor.currentState.count)")
          await emit("\(name) saw \(reactor.currentState.count)")
        }
      }
      return [.just("1"), look("x"), .just("4"), look("y")]
    }
    await reactor.send("go").finished
    #expect(
      reactor.currentState == ["1", "x saw 1", "x saw 2", "4", "y saw 4", "y saw 5"])
  }

  @Test("works of different actions run concurrently, and each keeps its order")
  func sideBySide() async {
    let gates = ["a": Gate(), "b": Gate()]
    let reactor = ScriptedReactor { _, action in
      [
        .just("\(action)1"),
        .run { emit in
          await gates[action]?.wait()
          await emit("\(action)2")
        },
        .just("\(action)3"),
      ]
    }
    let a = reactor.send("a")
    let b = reactor.send("b")
    await b.applied
    #expect(reactor.currentState == ["a1", "b1"])
    gates["b"]?.open()
    await b.finished
    #expect(reactor.currentState == ["a1", "b1", "b2", "b3"])
    gates["a"]?.open()
    await a.finished
    #expect(reactor.currentState == ["a1", "b1", "b2", "b3", "a2", "a3"])
  }

  @Test("the elements of a sequence become mutations")
  func sequence() async {
    let reactor = ScriptedReactor { _, _ in [.init(elements(["a", "b"])), .none, .just("c")] }
    await reactor.send("go").finished
    #expect(reactor.currentState == ["a", "b", "c"])
  }

  @Test("an action sent from reduce is processed after the whole step")
  func sentFromReduce() async {
    let reactor = ScriptedReactor(
      onMutate: { _, action in
        action == "outer" ? [.just("1"), .just("2")] : .just(action)
      },
      onReduce: { reactor, mutation in if mutation == "1" { reactor.send("inner") } })
    reactor.send("outer")
    _ = await reactor.states { $0.last == "inner" }
    #expect(
      reactor.log.current == [
        "mutate outer", "reduce 1", "reduce 2", "mutate inner", "reduce inner",
      ])
  }

  @Test("an action sent by a watcher of the state is processed after the whole step")
  func sentByWatcher() async {
    let reactor = ScriptedReactor { _, action in
      action == "outer" ? [.just("1"), .just("2")] : .just(action)
    }
    reactor.send("outer")
    var hasSent = false
    for await state in reactor.allStates {
      if state.contains("1"), !hasSent {
        hasSent = true
        reactor.send("inner")
      }
      if state.last == "inner" { break }
    }
    #expect(reactor.currentState == ["1", "2", "inner"])
  }

  // MARK: Failures

  @Test("a failing work discards only its action's remaining mutations")
  func failure() async {
    struct Failure: Error {}
    let reactor = ScriptedReactor { _, action in
      guard action == "bad" else { return .just(action) }
      return [
        .just("1"),
        .run { emit in
          await emit("2")
          throw Failure()
        },
        .just("3"),
      ]
    }
    await reactor.send("bad").finished
    await reactor.send("good").finished
    #expect(reactor.currentState == ["1", "2", "good"])
  }

  @Test("a throwing sequence discards its action's remaining mutations")
  func failingSequence() async {
    let reactor = ScriptedReactor { _, _ in
      let failing = AsyncThrowingStream<String, any Error> { input in
        input.yield("1")
        input.finish(throwing: CancellationError())
      }
      return [.init(failing), .just("2")]
    }
    await reactor.send("go").finished
    #expect(reactor.currentState == ["1"])
  }

  @Test("a mutation emitted by a canceled task is dropped", arguments: Detour.allCases)
  func cancelledEmit(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms) { _, _ in
      .run { emit in
        await withTaskGroup(of: Void.self) { group in
          group.cancelAll()
          group.addTask { await emit("never") }
        }
        await emit("end")
      }
    }
    await reactor.send("go").finished
    #expect(reactor.currentState == ["end"])
  }
}

/// Its state never changes.
private final class EvenReactor: Reactor {
  typealias Action = Int

  let initialState = 0
  let engine = Engine()

  func reduce(_ state: inout Int, _ mutation: Int) { state = (state + mutation) % 2 }
}
