import Testing

@testable import Reactive

@Suite("The rules of the throttle")
struct ThrottleStateMachineTests {
  private var machine = ThrottleStateMachine<String>()

  @Test("the first element passes, later ones replace each other until the interval ends")
  mutating func holdsTheNewest() {
    #expect(machine.arrived("a") == (true, nil))
    #expect(machine.arrived("b") == (false, nil))
    #expect(machine.arrived("c") == (false, "b"))
    #expect(machine.intervalEnded() == ("c", true))
    #expect(machine.arrived("d") == (false, nil))
  }

  @Test("after an interval without an element, the next one passes the state machine at once")
  mutating func opens() {
    _ = machine.arrived("a")
    #expect(machine.intervalEnded() == (nil, false))
    #expect(machine.arrived("b") == (true, nil))
  }

  @Test("the end of the source waits for a held element only")
  mutating func ends() {
    #expect(machine.sourceEnded() == false)
    _ = machine.arrived("a")
    #expect(machine.sourceEnded() == false)
    _ = machine.arrived("b")
    #expect(machine.sourceEnded() == true)
    #expect(machine.intervalEnded() == ("b", false))
  }
}
