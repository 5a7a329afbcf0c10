import Testing

@testable import Reactive

@Suite("Throttle state machine")
struct ThrottleStateMachineTests {
  private var machine = ThrottleStateMachine<String>()

  @Test("the first element passes, and later ones replace each other until the interval ends")
  mutating func holdsTheNewest() {
    #expect(machine.arrived("a") == (true, nil))
    #expect(machine.arrived("b") == (false, nil))
    #expect(machine.arrived("c") == (false, "b"))
    #expect(machine.intervalEnded() == ("c", true))
    #expect(machine.arrived("d") == (false, nil))
  }

  @Test("after an interval without elements, the next element passes immediately")
  mutating func opens() {
    _ = machine.arrived("a")
    #expect(machine.intervalEnded() == (nil, false))
    #expect(machine.arrived("b") == (true, nil))
  }

  @Test("the end of the source waits only for a held element")
  mutating func ends() {
    #expect(machine.sourceEnded() == false)
    _ = machine.arrived("a")
    #expect(machine.sourceEnded() == false)
    _ = machine.arrived("b")
    #expect(machine.sourceEnded() == true)
    #expect(machine.intervalEnded() == ("b", false))
  }
}
