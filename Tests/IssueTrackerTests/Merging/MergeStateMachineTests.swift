import TestSupport
import Testing

@testable import IssueTracker

@Suite("Merging sorted lists")
struct MergeStateMachineTests {
  private static func machine(_ lanes: Int) -> MergeStateMachine<Int> {
    MergeStateMachine(lanes: lanes, by: >)
  }

  @Test("a list without items holds back the items of the other lists")
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

  @Test("equal items are taken from the first list first")
  func ties() {
    var machine = MergeStateMachine<(Int, String)>(lanes: 2) { $0.0 > $1.0 }
    machine.add([(3, "b"), (1, "b")], to: 1)
    machine.add([(3, "a"), (2, "a")], to: 0)
    #expect(machine.take().items.map(\.1) == ["a", "b", "a"])
  }

  @Test("a list is requested again after an empty part, and an ended list doesn't block the others")
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

  @Test("an unsorted list keeps its own order and all its items")
  func disorder() {
    var machine = Self.machine(2)
    machine.add([1, 8], to: 0)
    machine.add([5], to: 1)
    #expect(machine.take().items == [5])
    machine.end(1)
    #expect(machine.take().items == [1, 8])
  }

  @Test(
    "the result is sorted for any division into parts and any order of arrival", arguments: 0..<50)
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
