import TestSupport
import TestTraits
import Testing

@testable import Reactive

/// Runs that are too fast for the reactor to be right by luck.
///
/// The time limit is the watchdog: what goes wrong here goes wrong as a hang.
@Suite("Reactor under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct ReactorStressTests {
  @Test("a reactor can be released while endless work runs", arguments: Detour.allCases)
  func released(_ detour: Detour) async throws {
    for _ in 0..<(100 * stressRounds) {
      let ended = Gate()
      var reactor: ScriptedReactor? = ScriptedReactor(transforms: detour.transforms) { _, _ in
        .run { emit in
          while !Task.isCancelled { await emit("again") }
          ended.open()
        }
      }
      weak let remains = reactor
      let states = try #require(reactor?.allStates)
      let watcher = Task { await states.contains { _ in false } }
      let ticket = reactor?.send("go")
      await ticket?.applied
      reactor = nil
      await ticket?.finished
      await ended.wait()
      #expect(await watcher.value == false)
      // The drain may be in the middle of a step, which it finishes.
      while remains != nil { await Task.yield() }
    }
  }

  @Test("thousands of actions don't leave entries in any table")
  func manyActions() async throws {
    let tokens = Watched(0)
    let reactor = TokenReactor()
    let count = 10_000 * stressRounds
    for begin in stride(from: 0, to: count, by: 100) {
      let tickets = (begin..<begin + 100).map { reactor.send(Token($0, in: tokens)) }
      for ticket in tickets { await ticket.finished }
    }
    #expect(reactor.currentState == 2 * count)
    #expect(await reactor.entries == 0)
    // An ended body may still retain its captures until it returns.
    try await tokens.value { $0 == 0 ? () : nil }
  }

  @Test("actions sent from many concurrent tasks are each handled once", arguments: Detour.allCases)
  func manySenders(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms) { _, action in
      action.hasSuffix("0") ? .run { emit in await emit(action) } : .just(action)
    }
    let (tasks, perTask) = (8, 100 * stressRounds)
    await withTaskGroup { group in
      for task in 0..<tasks {
        group.addTask {
          var tickets: [ActionTicket] = []
          for number in 0..<perTask { tickets.append(reactor.send("\(task).\(number)")) }
          for ticket in tickets { await ticket.finished }
        }
      }
    }
    let words = reactor.currentState
    #expect(words.count == tasks * perTask)
    #expect(Set(words).count == tasks * perTask)
    for task in 0..<tasks {
      let mine = words.filter { $0.hasPrefix("\(task).") && !$0.hasSuffix("0") }
      #expect(mine == (0..<perTask).map { "\(task).\($0)" }.filter { !$0.hasSuffix("0") })
    }
  }

  @Test(
    "rapid actions each end the work of the previous one", arguments: Detour.allCases)
  func untilStorm(_ detour: Detour) async {
    let reactor = ScriptedReactor(transforms: detour.transforms) { _, query in
      [
        .just("begin \(query)"),
        .run { emit in
          while !Task.isCancelled { await emit("work \(query)") }
        }
        .until { _ in true },
        .just("end \(query)"),
      ]
    }
    let count = 300 * stressRounds
    for query in 1...count {
      let ticket = reactor.send("\(query)")
      if query.isMultiple(of: 7) { await ticket.applied }
      if query.isMultiple(of: 5) { await Task.yield() }
    }
    await reactor.send("\(count + 1)").applied
    // One after the other, whole, and no work outside of its own part.
    var (current, isOver) = (0, true)
    for word in reactor.log.current where word.hasPrefix("reduce") {
      let parts = word.split(separator: " ")
      let query = Int(parts[2])
      switch parts[1] {
      case "begin":
        #expect(isOver && query == current + 1)
        (current, isOver) = (query ?? 0, false)
      case "work":
        // A mutation that has entered the transform is out of the reactor's control.
        if detour == .none || detour == .actions { #expect(!isOver && query == current) }
      default:
        #expect(!isOver && query == current)
        isOver = true
      }
    }
    #expect(current == count + 1 && !isOver)
  }
}

/// Something to be found again if it is forgotten anywhere.
private final class Token: Sendable {
  let number: Int
  private let alive: Watched<Int>

  init(_ number: Int, in alive: Watched<Int>) {
    self.number = number
    self.alive = alive
    alive.update { $0 += 1 }
  }

  deinit {
    alive.update { $0 -= 1 }
  }
}

/// Counts its mutations, two for each action, some of them from lasting work that is ended.
private final class TokenReactor: Reactor {
  let initialState = 0
  let engine = Engine()

  func mutate(_ action: Token) -> Mutations<Token, Token> {
    switch action.number % 4 {
    case 0: [.just(action), .just(action)]
    case 1: [.just(action), .run { emit in await emit(action) }]
    case 2:
      [
        .just(action),
        .run { emit in
          await cancellation()
          await emit(action)
        }
        .until { $0.number == action.number + 1 },
        .just(action),
      ]
    default: [.run { emit in await emit(action) }.until { _ in false }, .just(action)]
    }
  }

  func reduce(_ state: inout Int, _ mutation: Token) { state += 1 }
}

extension Reactor {
  /// How many entries the engine has in its tables.
  fileprivate var entries: Int {
    get async {
      let count = Watched<Int?>(nil)
      engine.mailbox.post(.count { entries in count.update { $0 = entries } })
      return (try? await count.value { $0 }) ?? -1
    }
  }
}
