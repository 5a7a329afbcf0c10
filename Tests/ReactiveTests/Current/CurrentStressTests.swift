import Reactive
import TestSupport
import TestTraits
import Testing

@Suite("Current under stress", .tags(.heavy), .timeLimit(.minutes(10)), .serialized)
struct CurrentStressTests {
  @Test("watchers canceled during publishing never hang or miss a value")
  func cancelledWatchers() async {
    let current = Current(0)
    let rounds = 16_000 * stressRounds
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        var published = 0
        while !Task.isCancelled {
          published += 1
          current.set(published)
          // Else the watchers that live long get a list of millions.
          await Task.yield()
        }
      }
      for _ in 0..<rounds {
        let reading = Gate()
        let watcher = Task {
          var last: Int?
          for await value in current.values.all {
            #expect(last.map { value == $0 + 1 } ?? true)
            last = value
            reading.open()
          }
        }
        await reading.wait()
        watcher.cancel()
        await watcher.value
      }
      group.cancelAll()
    }
  }

  @Test("concurrent publishers give all watchers the same complete order")
  func oneOrder() async {
    for _ in 0..<(20 * stressRounds) {
      let current = Current(0)
      let lists = await withTaskGroup { group in
        for _ in 0..<4 {
          let values = current.values.all
          group.addTask { await values.reduce(into: []) { $0.append($1) } }
        }
        await withTaskGroup { publishers in
          for publisher in 1...4 {
            publishers.addTask {
              for step in 0..<250 {
                current.set(publisher * 1_000 + step)
                if step.isMultiple(of: 50) { await Task.yield() }
              }
            }
          }
        }
        current.finish()
        return await group.reduce(into: []) { $0.append($1) }
      }
      let longest = lists.max { $0.count < $1.count } ?? []
      for list in lists {
        #expect(list == Array(longest.suffix(list.count)))
      }
    }
  }

  @Test("a watcher that is 100,000 values behind reads all of them in order")
  func fallsBehind() async {
    let current = Current(0)
    var values = current.values.all.makeAsyncIterator()
    for value in 1...100_000 {
      current.set(value)
    }
    var wrong = 0
    for value in 0...100_000 where await values.next() != value {
      wrong += 1
    }
    #expect(wrong == 0)
  }
}
