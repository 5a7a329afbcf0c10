import HTTPTargets
import TestSupport
import Testing

@testable import CurlTransport

@Suite("The order of admission to libcurl")
struct AdmissionTests {
  /// Finds the places of requests by their numbers.
  struct Machine {
    private var machine: AdmissionStateMachine<Int>
    private var places: [Int: AdmissionStateMachine<Int>.Place] = [:]

    init(connectionsPerOrigin: Int) {
      machine = AdmissionStateMachine(connectionsPerOrigin: connectionsPerOrigin)
    }

    mutating func arrived(
      _ id: Int, for origin: Origin, priority: TaskPriority, needsConnection: Bool
    ) {
      places[id] = machine.arrived(
        id, for: origin, priority: priority, needsConnection: needsConnection)
    }

    mutating func left(_ id: Int) {
      if let place = places[id] { machine.left(place) }
    }

    mutating func connected(_ id: Int, multiplexes: Bool) {
      if let place = places[id] { machine.connected(place, multiplexes: multiplexes) }
    }

    func isWaitedFor(_ id: Int) -> Bool { places[id].map { machine.isWaitedFor($0) } ?? false }

    mutating func next() -> Int? { machine.next() }
  }

  let first: Origin
  let second: Origin

  init() throws {
    first = try #require(Origin(url: "https://a.example/"))
    second = try #require(Origin(url: "https://b.example/"))
  }

  private func arrive(
    _ machine: inout Machine, _ ids: some Sequence<Int>, for origin: Origin,
    priority: TaskPriority = .medium, needsConnection: Bool = true
  ) {
    for id in ids {
      machine.arrived(id, for: origin, priority: priority, needsConnection: needsConnection)
    }
  }

  private func admitted(by machine: inout Machine) -> [Int] {
    var ids: [Int] = []
    while let id = machine.next() { ids.append(id) }
    return ids
  }

  @Test("as many requests are admitted as there are connections, in order of arrival")
  func order() {
    var machine = Machine(connectionsPerOrigin: 2)
    arrive(&machine, 0..<5, for: first)
    #expect(admitted(by: &machine) == [0, 1])
    machine.left(1)
    #expect(admitted(by: &machine) == [2])
    machine.left(2)
    machine.left(0)
    #expect(admitted(by: &machine) == [3, 4])
    machine.left(3)
    #expect(admitted(by: &machine) == [])
  }

  @Test("a request of higher priority is admitted first")
  func priority() {
    var machine = Machine(connectionsPerOrigin: 1)
    arrive(&machine, [0], for: first, priority: .low)
    #expect(admitted(by: &machine) == [0])
    arrive(&machine, [1, 2], for: first, priority: .background)
    arrive(&machine, [3], for: first, priority: .medium)
    arrive(&machine, [4, 5], for: first, priority: .high)
    arrive(&machine, [6], for: first, priority: .medium)
    var order = [0]
    for _ in 1...6 {
      machine.left(order[order.count - 1])
      order += admitted(by: &machine)
    }
    #expect(order == [0, 4, 5, 3, 6, 1, 2])
  }

  @Test("an origin's requests don't wait for another origin's")
  func origins() {
    var machine = Machine(connectionsPerOrigin: 1)
    arrive(&machine, [0, 1], for: first)
    arrive(&machine, [2, 3], for: second)
    #expect(Set(admitted(by: &machine)) == [0, 2])
    #expect(machine.isWaitedFor(0))
    machine.left(3)
    #expect(!machine.isWaitedFor(2))
    machine.left(2)
    #expect(admitted(by: &machine) == [])
    machine.left(0)
    #expect(admitted(by: &machine) == [1])
  }

  @Test("a request that is canceled while waiting is never admitted")
  func leaving() {
    var machine = Machine(connectionsPerOrigin: 1)
    arrive(&machine, 0..<1000, for: first)
    #expect(admitted(by: &machine) == [0])
    for id in 1..<999 { machine.left(id) }
    arrive(&machine, [1], for: first)
    #expect(admitted(by: &machine) == [])
    machine.left(0)
    #expect(admitted(by: &machine) == [999])
    machine.left(999)
    #expect(admitted(by: &machine) == [1])
    machine.left(1)
    machine.left(1)
    #expect(admitted(by: &machine) == [])
  }

  @Test("a connection admits eight requests once the origin speaks HTTP/2")
  func multiplexing() {
    var machine = Machine(connectionsPerOrigin: 2)
    arrive(&machine, 0..<40, for: first, needsConnection: false)
    #expect(admitted(by: &machine) == [0, 1])
    machine.connected(0, multiplexes: true)
    // The second request still counts as a connection.
    #expect(admitted(by: &machine).isEmpty)
    machine.left(0)
    #expect(admitted(by: &machine) == Array(2..<10))
    machine.left(1)
    #expect(admitted(by: &machine) == Array(10..<18))
    machine.connected(2, multiplexes: false)
    for id in 2..<17 { machine.left(id) }
    #expect(admitted(by: &machine) == [18])
  }

  @Test("a request with an exclusive connection counts as a whole connection among streams")
  func exclusive() {
    var machine = Machine(connectionsPerOrigin: 2)
    arrive(&machine, [0], for: first, needsConnection: false)
    #expect(admitted(by: &machine) == [0])
    machine.connected(0, multiplexes: true)
    machine.left(0)
    #expect(admitted(by: &machine) == [])
    arrive(&machine, [1], for: first)
    arrive(&machine, 2..<12, for: first, needsConnection: false)
    #expect(admitted(by: &machine) == Array(1..<10))
    machine.left(1)
    #expect(admitted(by: &machine) == [10, 11])
  }

  @Test("no request is lost, repeated or reordered among equals in 300 random histories")
  func random() {
    for seed in 1...300 {
      var random = FuzzSource(seed: UInt64(seed))
      var machine = Machine(connectionsPerOrigin: 2)
      var waiting: [Origin: [(id: Int, priority: TaskPriority)]] = [:]
      var running: [Origin: [Int]] = [:]
      var last = 0
      for _ in 0..<200 {
        let origin = random.next() % 2 == 0 ? first : second
        switch random.next() % 5 {
        case 0, 1, 2:
          last += 1
          let priority = [TaskPriority.low, .medium, .high][Int(random.next() % 3)]
          arrive(&machine, [last], for: origin, priority: priority)
          waiting[origin, default: []].append((last, priority))
        case 3:
          guard let index = running[origin]?.indices.randomElement(using: &random) else { continue }
          machine.left(running[origin]!.remove(at: index))
        default:
          guard let index = waiting[origin]?.indices.randomElement(using: &random) else { continue }
          machine.left(waiting[origin]!.remove(at: index).id)
        }
        for id in admitted(by: &machine) {
          let origin = waiting[first]?.contains { $0.id == id } == true ? first : second
          let line = waiting[origin, default: []]
          let highest = line.map(\.priority).max()
          #expect(line.first { $0.priority == highest }?.id == id, "seed \(seed)")
          waiting[origin] = line.filter { $0.id != id }
          running[origin, default: []].append(id)
        }
        for origin in [first, second] {
          let count = running[origin, default: []].count
          #expect(count == 2 || (count < 2 && waiting[origin, default: []].isEmpty), "seed \(seed)")
        }
      }
    }
  }
}
