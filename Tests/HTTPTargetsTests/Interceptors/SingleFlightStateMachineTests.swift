import Testing

@testable import HTTPTargets

@Suite("SingleFlightStateMachine")
struct SingleFlightStateMachineTests {
  private typealias Machine = SingleFlightStateMachine<String, Int, String>

  @Test("a call during a flight joins it and gets its result")
  func joined() {
    var machine = Machine()
    let early = machine.join("a", 1)
    #expect(early == nil)
    let first = machine.start("a", 1)
    let (second, other) = (machine.join("a", 2), machine.join("b", 3))
    #expect(second != nil && second?.latest == nil)
    #expect(other == nil)
    #expect(machine.count == 1 && machine.waiterCount == 2)
    let served = machine.finish(first)
    #expect(served.sorted() == [1, 2])
    #expect(machine.count == 0)
    let late = machine.join("a", 4)
    #expect(late == nil)
  }

  @Test("a late call gets the flight's latest update")
  func updates() {
    var machine = Machine()
    let ticket = machine.start("a", 1)
    let told = [machine.update(ticket, "one"), machine.update(ticket, "two")]
    #expect(told == [[1], [1]])
    let late = machine.join("a", 2)
    #expect(late?.latest == "two")
    let all = machine.update(ticket, "three")
    #expect(all.sorted() == [1, 2])
  }

  @Test("a flight ends only when the last call leaves it")
  func leaving() throws {
    var machine = Machine()
    let first = machine.start("a", 1)
    let joined = machine.join("a", 2)
    let second = try #require(joined).ticket
    // The second time there is no call to leave.
    let leavings = [machine.leave(first), machine.leave(first)]
    #expect(leavings == [false, false])
    let told = machine.update(first, "one")
    #expect(told == [2])
    let lastLeavings = [machine.leave(second), machine.leave(second)]
    #expect(lastLeavings == [true, false])
    #expect(machine.count == 0)
  }

  @Test("an abandoned flight doesn't affect the next one of its key")
  func abandoned() {
    var machine = Machine()
    let old = machine.start("a", 1)
    let isLast = machine.leave(old)
    #expect(isLast)
    let new = machine.start("a", 2)
    let (told, ended, left) = (
      machine.update(old, "late"), machine.finish(old), machine.leave(old)
    )
    #expect(told.isEmpty && ended.isEmpty && !left)
    let joined = machine.join("a", 3)
    #expect(joined != nil && joined?.latest == nil)
    let served = machine.finish(new)
    #expect(served.sorted() == [2, 3])
    let leftAfter = machine.leave(new)
    #expect(!leftAfter)
  }
}
