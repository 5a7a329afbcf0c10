import Reactive
import TestSupport
import Testing

@Suite("Reactor transforms", .timeLimit(.minutes(5)))
struct ReactorTransformTests {
  @Test("each transform is called once per reactor, whatever is used first")
  func calledOnce() async {
    let calls = Watched<[String]>([])
    let reactor = ScriptedReactor(
      transforms: .init(
        action: { source in
          calls.update { $0.append("action") }
          return source
        },
        mutation: { source in
          calls.update { $0.append("mutation") }
          return source
        },
        state: { source in
          calls.update { $0.append("state") }
          return source
        }))
    await withTaskGroup { group in
      for number in 0..<50 {
        group.addTask { await reactor.send("\(number)").applied }
        group.addTask { _ = await reactor.states { _ in true } }
      }
    }
    #expect(calls.current.sorted() == ["action", "mutation", "state"])
    #expect(reactor.currentState.count == 50)
  }

  @Test("a transform can drop, change and multiply actions")
  func actions() async {
    let reactor = ScriptedReactor(
      transforms: .init(action: { source in
        ReactorStream(source.filter { $0 != "no" }.flatMap { elements(["\($0)1", "\($0)2"]) })
      }))
    for action in ["a", "no", "b"] { await reactor.send(action).finished }
    #expect(reactor.currentState == ["a1", "a2", "b1", "b2"])
    #expect(!reactor.log.current.contains("mutate no"))
  }

  @Test(
    "a ticket follows its action through a transform until all results are finished")
  func ticketsOfTransformedActions() async {
    let gate = Gate()
    let reactor = ScriptedReactor(
      transforms: .init(action: { source in
        ReactorStream(source.flatMap { elements(["\($0)1", "\($0)2"]) })
      })
    ) { _, action in
      guard action == "slow2" else { return .just(action) }
      return .run { emit in
        await gate.wait()
        await emit(action)
      }
    }
    let slow = reactor.send("slow")
    await slow.applied
    #expect(reactor.currentState == ["slow1"])
    await reactor.send("quick").finished
    gate.open()
    await slow.finished
    #expect(reactor.currentState == ["slow1", "quick1", "quick2", "slow2"])
  }

  @Test("a transform can drop, change and multiply mutations")
  func mutations() async {
    let reactor = ScriptedReactor(
      transforms: .init(mutation: { source in
        ReactorStream(source.filter { $0 != "no" }.flatMap { elements(["\($0)1", "\($0)2"]) })
      })
    ) { _, _ in [.just("a"), .just("no"), .run { emit in await emit("b") }] }
    await reactor.send("go").finished
    #expect(reactor.currentState == ["a1", "a2", "b1", "b2"])
  }

  @Test("a transform can add mutations without an action")
  func foreignMutations() async {
    let (foreign, input) = AsyncStream.makeStream(of: String.self)
    let reactor = ScriptedReactor(transforms: .init(mutation: { _ in ReactorStream(foreign) }))
    input.yield("a")
    input.yield("b")
    #expect(await reactor.states { $0.count == 2 }.last == ["a", "b"])
  }

  @Test("the transform of states changes the visible state and not the reduced one")
  func states() async {
    let reactor = ScriptedReactor(
      transforms: .init(state: { source in ReactorStream(source.map { $0 + ["end"] }) }))
    let states = Reader(reactor.allStates)
    #expect(await states.next() == ["end"])
    await reactor.send("a").applied
    await reactor.send("b").applied
    #expect(await states.next() == ["a", "end"])
    #expect(await states.next() == ["a", "b", "end"])
    #expect(reactor.currentState == ["a", "b", "end"])
  }

  @Test("a watcher sees only the states that the transform passes on")
  func filteredStates() async {
    let reactor = ScriptedReactor(
      transforms: .init(state: { source in
        ReactorStream(source.filter { $0 != [] && $0.count.isMultiple(of: 2) })
      }))
    for action in ["a", "b", "c", "d"] { await reactor.send(action).applied }
    #expect(reactor.currentState == ["a", "b", "c", "d"])
    let states = Reader(reactor.allStates)
    #expect(await states.next() == ["a", "b", "c", "d"])

    let untouched = ScriptedReactor(
      transforms: .init(state: { source in ReactorStream(source.filter { $0 != [] }) }))
    let first = Reader(untouched.allStates)
    untouched.send("a")
    #expect(await first.next() == ["a"])
  }

  @Test(
    "a finished transform resumes all waiters", arguments: [Detour.actions, .mutations, .states])
  func ending(_ detour: Detour) async {
    var transforms = ScriptedReactor.Transforms()
    switch detour {
    case .actions: transforms.action = { ReactorStream($0.prefix(2)) }
    case .mutations: transforms.mutation = { ReactorStream($0.prefix(2)) }
    default: transforms.state = { ReactorStream($0.prefix(3)) }
    }
    let reactor = ScriptedReactor(transforms: transforms)
    for action in ["a", "b", "c", "d"] { await reactor.send(action).finished }
    #expect(reactor.currentState == ["a", "b"])
  }

  @Test("a transform can end while its input is still being read")
  func endsWhileRead() async {
    let readerEnded = Gate()
    let reactor = ScriptedReactor(
      transforms: .init(action: { source in
        let (actions, output) = AsyncStream.makeStream(of: String.self)
        Task {
          for await action in source {
            output.yield(action)
            if action == "last" { output.finish() }
          }
          readerEnded.open()
        }
        return ReactorStream(actions)
      }))
    for action in ["a", "last"] { await reactor.send(action).finished }
    // The transform passes the action on by a stream of its own, so that its end says nothing of the state.
    _ = await reactor.states { $0 == ["a", "last"] }
    await reactor.send("late").finished
    #expect(reactor.currentState == ["a", "last"])
    await readerEnded.wait()
  }
}
