import Testing

@testable import Reactive

@Suite("The rules of the throttle")
struct ThrottleStateMachineTests {
  private var machine = ThrottleStateMachine<String>()

  @Test("the first passes, later ones replace each other until the interval ends")
  mutating func holdsTheNewest() {
    #expect(machine.arrived("a").name == "pass")
    #expect(machine.arrived("b").name == "hold")
    #expect(machine.arrived("c").name == "hold instead of b")
    #expect(machine.intervalEnded().name == "pass c, next interval")
    #expect(machine.arrived("d").name == "hold")
  }

  @Test("after an interval in which nothing came, the next passes at once")
  mutating func opens() {
    _ = machine.arrived("a")
    #expect(machine.intervalEnded().name == "open")
    #expect(machine.arrived("b").name == "pass")
  }

  @Test("the end of the source waits for what is held, and for nothing else")
  mutating func ends() {
    var isHeld = machine.sourceEnded()
    #expect(!isHeld)
    _ = machine.arrived("a")
    isHeld = machine.sourceEnded()
    #expect(!isHeld)
    _ = machine.arrived("b")
    isHeld = machine.sourceEnded()
    #expect(isHeld)
    #expect(machine.intervalEnded().name == "pass b")
  }
}

extension ThrottleStateMachine<String>.Arrival {
  fileprivate var name: String {
    switch self {
    case .pass: "pass"
    case .hold(let replaced): "hold" + (replaced.map { " instead of \($0)" } ?? "")
    }
  }
}

extension ThrottleStateMachine<String>.IntervalEnd {
  fileprivate var name: String {
    switch self {
    case .pass(let element, let beginsInterval):
      "pass \(element)" + (beginsInterval ? ", next interval" : "")
    case .open: "open"
    }
  }
}
