import ConcurrencyPrimitives
import TestSupport
import Testing

@Suite("Waiting for a watched value", .timeLimit(.minutes(5)))
struct WatchedTests {
  @Test("a new value resumes exactly the waiters whose condition it meets")
  func conditions() async {
    let number = Watched(0)
    let passed = Watched<[Int]>([])
    await withTaskGroup { group in
      for least in 1...20 {
        group.addTask {
          await number.wait { $0 >= least }
          #expect(number.current >= least)
          passed.update { $0.append(least) }
        }
      }
      for least in 1...20 {
        number.update { $0 = least }
        await passed.wait { $0.count == least }
      }
    }
    #expect(passed.current == Array(1...20))
  }

  @Test("a wait ends when its task is canceled at any moment", arguments: 0..<20)
  func cancelled(round: Int) async {
    let number = Watched(0)
    let waiting = Task {
      await number.wait { $0 == 1 }
      return await number.take(when: { $0 == 1 }, { $0 })
    }
    for _ in 0..<round { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == nil)
  }

  @Test(
    "a waiter gets the value that met its condition, even if the value has changed since",
    arguments: 0..<100)
  func passingValue(round: Int) async throws {
    let number = Watched(0)
    let looked = Gate()
    let value = Task {
      try await number.value { number in
        looked.open()
        return number == 1 ? "one" : nil
      }
    }
    await looked.wait()
    number.update { $0 = 1 }
    number.update { $0 = 2 }
    #expect(try await value.value == "one")
  }

  @Test("several waiting tasks take each item exactly once")
  func takesOnce() async {
    let stock = Watched<[Int]>([])
    let taken = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          var mine: [Int] = []
          while let item = await stock.take(when: { !$0.isEmpty }, { $0.removeLast() }), item > 0 {
            mine.append(item)
          }
          return mine
        }
      }
      for item in 1...1_000 {
        stock.update { $0.append(item) }
        if item.isMultiple(of: 7) { await Task.yield() }
      }
      // Taken last, one by each.
      stock.update { $0.insert(contentsOf: [0, 0, 0, 0], at: 0) }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(taken.sorted() == Array(1...1_000))
  }
}
