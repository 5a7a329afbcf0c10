import Reactive
import TestSupport
import Testing

@Suite("ActivityIndicator", .timeLimit(.minutes(5)))
struct ActivityIndicatorTests {
  private struct Failure: Error {}

  @Test("the indicator is true while any operation runs, and emits each change once")
  func countsOperations() async {
    let indicator = ActivityIndicator()
    let isActive = Reader(indicator.isActive)
    #expect(await isActive.next() == false)
    await indicator.track {
      #expect(await isActive.next() == true)
      await indicator.track {}
      await indicator.track {}
    }
    #expect(await isActive.next() == false)
    await indicator.track {}
    #expect([await isActive.next(), await isActive.next()] == [true, false])
  }

  @Test("a later watcher immediately gets the current activity")
  func replays() async {
    let indicator = ActivityIndicator()
    await indicator.track {
      let isActive = Reader(indicator.isActive)
      #expect(await isActive.next() == true)
    }
    let isActive = Reader(indicator.isActive)
    #expect(await isActive.next() == false)
  }

  @Test("an operation that throws stops counting, and its error is rethrown")
  func throwing() async {
    let indicator = ActivityIndicator()
    await #expect(throws: Failure.self) {
      try await indicator.track { () throws(Failure) in throw Failure() }
    }
    let isActive = Reader(indicator.isActive)
    #expect(await isActive.next() == false)
  }

  @Test("a canceled operation counts until it returns")
  func cancelled() async {
    let indicator = ActivityIndicator()
    let mayReturn = Gate()
    let operation = Task { await indicator.track { await mayReturn.waitStubbornly() } }
    let isActive = Reader(indicator.isActive)
    while await isActive.next() == false {}
    operation.cancel()
    await indicator.track {}
    let meanwhile = Reader(indicator.isActive)
    #expect(await meanwhile.next() == true)
    mayReturn.open()
    await operation.value
    #expect(await isActive.next() == false)
  }

  @Test("the indicator's sequence ends when the indicator is released")
  func dropped() async {
    let isActive = ActivityIndicator().isActive
    #expect(await isActive.reduce(into: []) { $0.append($1) } == [false])
  }
}
