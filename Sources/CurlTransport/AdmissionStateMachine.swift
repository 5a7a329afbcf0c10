internal import HTTPTargets

/// Decides which requests libcurl gets, and when: as many for each origin as its connections can carry, by
/// priority and then by arrival. The others wait here: inside libcurl each would take 60 KB, and its time to
/// connect would run.
struct AdmissionStateMachine<ID: Hashable> {
  /// The requests at a time for each allowed connection of an origin that speaks HTTP/2. libcurl puts them all on
  /// one connection if the server allows so many streams, and servers should allow 100 (RFC 9113, section 6.5.2).
  /// So none waits inside libcurl, and a single broken connection fails no hundreds.
  static var streamsPerConnection: Int { 8 }

  private struct Turn: Comparable {
    let priority: TaskPriority
    let ticket: Int
    let id: ID

    static func < (left: Turn, right: Turn) -> Bool {
      left.priority == right.priority
        ? left.ticket < right.ticket : left.priority > right.priority
    }

    static func == (left: Turn, right: Turn) -> Bool { left.ticket == right.ticket }
  }

  /// A request, waiting or admitted.
  private struct Place {
    let origin: Origin
    let ticket: Int
    let needsConnection: Bool
    /// Its share of the origin's capacity, in streams; nil while it waits.
    var load: Int?
  }

  /// The requests of an origin.
  private struct Line {
    var turns = BinaryHeap<Turn>()
    var waiting = 0
    var load = 0
    var multiplexes = false
    var isToBeChecked = false

    var isEmpty: Bool { waiting == 0 && load == 0 }

    mutating func admit(_ capacity: Int, _ places: inout [ID: Place]) -> ID? {
      while let turn = turns.first {
        guard let place = places[turn.id], place.ticket == turn.ticket else {
          turns.removeFirst()
          continue
        }
        let isShared = multiplexes && !place.needsConnection
        let share = isShared ? 1 : AdmissionStateMachine.streamsPerConnection
        guard load + share <= capacity else { return nil }
        turns.removeFirst()
        waiting -= 1
        load += share
        places[turn.id]?.load = share
        return turn.id
      }
      return nil
    }

    mutating func leave(_ share: Int?, _ places: [ID: Place]) {
      guard let share else {
        waiting -= 1
        // Those who left stay in the heap until they come up, or outnumber the others.
        if turns.count > 2 * waiting + 64 {
          turns.removeAll { places[$0.id]?.ticket != $0.ticket }
        }
        return
      }
      load -= share
    }
  }

  private let capacity: Int
  private var tickets = 0
  private var places: [ID: Place] = [:]
  private var lines: [Origin: Line] = [:]
  /// The origins that may have room for another request.
  private var toBeChecked: [Origin] = []

  init(connectionsPerOrigin: Int) {
    capacity = max(connectionsPerOrigin, 1) * Self.streamsPerConnection
  }

  /// A request arrives. One that `needsConnection` never shares it with others at the same time.
  mutating func arrived(
    _ id: ID, for origin: Origin, priority: TaskPriority, needsConnection: Bool
  ) {
    tickets += 1
    places[id] = Place(origin: origin, ticket: tickets, needsConnection: needsConnection)
    lines[origin, default: Line()].turns.insert(
      Turn(priority: priority, ticket: tickets, id: id))
    lines[origin]?.waiting += 1
    check(origin)
  }

  /// A request ended, or was cancelled while it waited.
  mutating func left(_ id: ID) {
    guard let place = places.removeValue(forKey: id) else { return }
    lines[place.origin]?.leave(place.load, places)
    check(place.origin)
  }

  /// A connection was opened for an admitted request, and speaks HTTP/2 or not.
  mutating func connected(_ id: ID, multiplexes: Bool) {
    guard let origin = places[id]?.origin else { return }
    lines[origin]?.multiplexes = multiplexes
    check(origin)
  }

  /// Whether requests wait for the origin of an admitted one.
  func isWaitedFor(_ id: ID) -> Bool {
    places[id].flatMap { lines[$0.origin]?.waiting } ?? 0 > 0
  }

  /// Returns a request that libcurl is to get now. Ask again until there is none.
  mutating func next() -> ID? {
    while let origin = toBeChecked.last {
      if let id = lines[origin]?.admit(capacity, &places) { return id }
      toBeChecked.removeLast()
      lines[origin]?.isToBeChecked = false
      forget(origin)
    }
    return nil
  }

  private mutating func check(_ origin: Origin) {
    guard lines[origin]?.isToBeChecked == false else { return }
    lines[origin]?.isToBeChecked = true
    toBeChecked.append(origin)
  }

  /// Knowing that an origin speaks HTTP/2 is worth a place until there are many.
  private mutating func forget(_ origin: Origin) {
    guard let line = lines[origin], line.isEmpty else { return }
    if !line.multiplexes || lines.count > 64 { lines[origin] = nil }
  }
}
