import TestSupport
import Testing

@testable import Reactive

@Suite("Current", .timeLimit(.minutes(5)))
struct CurrentTests {
  @Test("a watcher gets the latest value and then every new one, even an equal one")
  func replaysThenFollows() async {
    let current = Current(1)
    current.set(2)
    var values = current.values.all.makeAsyncIterator()
    #expect(await values.next() == 2)
    current.set(3)
    current.set(3)
    current.update { $0 += 1 }
    #expect(await values.next() == 3)
    #expect(await values.next() == 3)
    #expect(await values.next() == 4)
    #expect(current.value == 4)
  }

  @Test("a value set before a watcher's first next() isn't lost")
  func watchesFromTheStart() async {
    let current = Current("latest")
    var values = current.values.all.makeAsyncIterator()
    current.set("newer")
    #expect(await values.next() == "latest")
    #expect(await values.next() == "newer")
  }

  @Test("each watcher gets all its values, however fast the others read")
  func independentWatchers() async {
    let current = Current(0)
    var early = current.values.all.makeAsyncIterator()
    current.set(1)
    var late = current.values.all.makeAsyncIterator()
    current.set(2)
    #expect([await late.next(), await late.next()] == [1, 2])
    #expect([await early.next(), await early.next(), await early.next()] == [0, 1, 2])
  }

  @Test("a waiting watcher gets the next value")
  func wakesWhoWaits() async {
    let current = Current(0)
    let reading = Gate()
    let watcher = Task {
      var seen: [Int] = []
      for await value in current.values.all {
        seen.append(value)
        reading.open()
        if value == 2 { break }
      }
      return seen
    }
    await reading.wait()
    current.set(1)
    current.set(2)
    #expect(await watcher.value == [0, 1, 2])
  }

  @Test("update returns the closure's result, and change(to:) skips an equal value")
  func changes() async {
    let current = Current(["a"])
    var values = current.values.all.makeAsyncIterator()
    #expect(current.update { $0.removeLast() } == "a")
    #expect(!current.change(to: []))
    #expect(current.change(to: ["b"]))
    current.finish()
    var seen: [[String]] = []
    while let value = await values.next() { seen.append(value) }
    #expect(seen == [["a"], [], ["b"]])
  }

  @Test(
    "after finish, watchers get the remaining values, and later ones only the latest value")
  func finishes() async {
    let current = Current(0)
    var early = current.values.all.makeAsyncIterator()
    current.set(1)
    current.finish()
    current.set(2)
    #expect([await early.next(), await early.next(), await early.next()] == [0, 1, nil])
    var late = current.values.all.makeAsyncIterator()
    #expect([await late.next(), await late.next()] == [2, nil])
    #expect(current.value == 2)
  }

  @Test("a waiting watcher ends when the object is released and doesn't retain it")
  func dropped() async {
    var current: Current<Int>? = Current(0)
    let reading = Gate()
    let values = current?.values
    let watcher = Task {
      var seen: [Int] = []
      if let values {
        for await value in values {
          seen.append(value)
          reading.open()
        }
      }
      return seen
    }
    await reading.wait()
    current?.set(1)
    current = nil
    #expect(await watcher.value == [0, 1])
  }

  @Test("a watcher whose task is canceled ends and is removed immediately")
  func cancelled() async {
    let current = Current(0)
    let reading = Gate()
    let watcher = Task {
      for await _ in current.values.all { reading.open() }
    }
    await reading.wait()
    watcher.cancel()
    await watcher.value
    #expect(current.watcherCount == 0)
  }

  @Test("a canceled watcher doesn't get its unread values")
  func cancelledWithUnread() async {
    let current = Current(0)
    let watcher = Task {
      var seen: [Int] = []
      for await value in current.values.all {
        seen.append(value)
        current.set(value + 1)
        current.set(value + 2)
        if value == 1 { withUnsafeCurrentTask { $0?.cancel() } }
      }
      return seen
    }
    #expect(await watcher.value == [0, 1])
  }

  @Test("a watcher that leaves its loop is removed")
  func left() async {
    let current = Current(0)
    for await _ in current.values.all {
      #expect(current.watcherCount == 1)
      break
    }
    #expect(current.watcherCount == 0)
  }

  @Test("a replaced value is released after all watchers have read it")
  func releases() async {
    let current = Current<Tracer?>(nil)
    let released = Gate()
    var values = current.values.all.makeAsyncIterator()
    current.set(Tracer(released))
    current.set(nil)
    for _ in 1...3 { _ = await values.next() }
    #expect(released.isOpen)
  }

  @Test("an observer gets the newest value at each request by default")
  func newest() async {
    let current = Current(1)
    var values = current.values.makeAsyncIterator()
    current.set(2)
    #expect(await values.next() == 2)
    current.set(3)
    current.set(4)
    current.set(4)
    #expect(await values.next() == 4)
    current.set(5)
    #expect(await values.next() == 5)
    current.set(6)
    current.finish()
    #expect(await values.next() == 6)
    #expect(await values.next() == nil)
  }

  @Test("an observer of the newest value doesn't retain a replaced value")
  func newestKeepsNothing() async {
    let current = Current<Tracer?>(nil)
    let released = Gate()
    var values = current.values.makeAsyncIterator()
    current.set(Tracer(released))
    #expect(!released.isOpen)
    current.set(nil)
    #expect(released.isOpen)
    let next = await values.next()
    #expect(next.map { $0 == nil } == true)
  }

  @Test("an observer of the newest value is removed when its task is canceled or it leaves")
  func newestLeaves() async {
    let current = Current(0)
    let reading = Gate()
    let watcher = Task {
      for await _ in current.values { reading.open() }
    }
    await reading.wait()
    #expect(current.watcherCount == 1)
    watcher.cancel()
    await watcher.value
    #expect(current.watcherCount == 0)
    for await _ in current.values { break }
    #expect(current.watcherCount == 0)
  }
}
