import TestSupport
import Testing

@testable import IssueTracker

@Suite("Lists merged into one order")
struct MergeStateMachineTests {
  private static func machine(_ lanes: Int) -> MergeStateMachine<Int> {
    MergeStateMachine(lanes: lanes, by: >)
  }

  @Test("nothing is certain before each list has something to compare")
  func waiting() {
    var machine = Self.machine(2)
    machine.add([9, 5], to: 0)
    #expect(machine.take().items == [])
    machine.add([7, 6], to: 1)
    let (items, asks) = machine.take()
    #expect(items == [9, 7, 6])
    #expect(asks == 1)
    // 5 may come after what list 1 still has.
    #expect(machine.take().items == [])
    machine.end(1)
    #expect(machine.take().items == [5])
  }

  @Test("of equal items, the first list's come first")
  func ties() {
    var machine = MergeStateMachine<(Int, String)>(lanes: 2) { $0.0 > $1.0 }
    machine.add([(3, "b"), (1, "b")], to: 1)
    machine.add([(3, "a"), (2, "a")], to: 0)
    #expect(machine.take().items.map(\.1) == ["a", "b", "a"])
  }

  @Test("an empty part leaves the list asked, and a list that ended keeps nobody waiting")
  func endings() {
    var machine = Self.machine(3)
    machine.add([], to: 0)
    machine.add([4], to: 1)
    machine.end(2)
    #expect(machine.take().items == [])
    machine.end(0)
    let (items, asks) = machine.take()
    #expect(items == [4])
    #expect(asks == 1)
    machine.end(1)
    machine.end(1)
    #expect(machine.take().items == [])
  }

  @Test("a list that isn't in the order keeps its own, and loses nothing")
  func disorder() {
    var machine = Self.machine(2)
    machine.add([1, 8], to: 0)
    machine.add([5], to: 1)
    #expect(machine.take().items == [5])
    machine.end(1)
    #expect(machine.take().items == [1, 8])
  }

  @Test("whatever the parts and their arrival, the result is the order of all", arguments: 0..<50)
  func anyParts(seed: UInt64) {
    var random = FuzzSource(seed: seed)
    let lists = (0..<Int.random(in: 1...6, using: &random)).map { _ in
      (0..<Int.random(in: 0...40, using: &random)).map { _ in Int.random(in: 0...99, using: &random)
      }
      .sorted(by: >)
    }
    var rest = lists.map { $0[...] }
    var machine = Self.machine(lists.count)
    var open = Set(lists.indices)
    var result: [Int] = []
    while let lane = open.randomElement(using: &random) {
      if rest[lane].isEmpty {
        machine.end(lane)
      } else {
        let count = Int.random(in: 1...5, using: &random)
        machine.add(Array(rest[lane].prefix(count)), to: lane)
        rest[lane] = rest[lane].dropFirst(count)
      }
      open.remove(lane)
      let (items, asks) = machine.take()
      result += items
      if let asks { open.insert(asks) }
    }
    #expect(result == lists.flatMap(\.self).sorted(by: >))
  }
}
