internal import HTTPTargets

/// Decides when each request goes to libcurl. Each origin gets as many requests as its connections can carry, ordered
/// by priority and then by arrival. The others wait here, because inside libcurl each would use 60 KB, and its
/// connection timeout would already run.
///
/// Places and lines are objects, because each request changes them several times: this way the origin is looked up once
/// per request, and the place never. Copies would share these objects, so don't copy a machine in use.
struct AdmissionStateMachine<Request> {
  /// The number of simultaneous requests for each allowed connection of an origin that speaks HTTP/2. libcurl puts them
  /// all on one connection if the server allows enough streams, and servers should allow 100 (RFC 9113, section 6.5.2).
  /// With this limit, requests don't wait inside libcurl, and a broken connection doesn't fail hundreds of them.
  static var streamsPerConnection: Int { 8 }

  fileprivate struct Turn: Comparable {
    /// The raw value of the task's priority: see ``CurlMulti/Submission``.
    let priority: UInt8
    let ticket: Int
    let place: Place

    static func < (left: Turn, right: Turn) -> Bool {
      left.priority == right.priority
        ? left.ticket < right.ticket : left.priority > right.priority
    }

    static func == (left: Turn, right: Turn) -> Bool { left.ticket == right.ticket }
  }

  /// The place of a waiting or admitted request.
  final class Place {
    /// The request; nil after it has left.
    fileprivate var request: Request?
    fileprivate let line: Line
    fileprivate let needsConnection: Bool
    /// The request's share of the origin's capacity, in streams; nil while the request waits.
    fileprivate var load: Int?

    fileprivate init(_ request: Request, line: Line, needsConnection: Bool) {
      self.request = request
      self.line = line
      self.needsConnection = needsConnection
    }
  }

  /// The requests of an origin.
  fileprivate final class Line {
    let origin: Origin
    var turns = BinaryHeap<Turn>()
    var waiting = 0
    var load = 0
    var multiplexes = false
    var isToBeChecked = false

    init(origin: Origin) {
      self.origin = origin
    }

    var isEmpty: Bool { waiting == 0 && load == 0 }

    func admit(_ capacity: Int) -> Request? {
      while let place = turns.first?.place {
        guard let request = place.request else {
          turns.removeFirst()
          continue
        }
        let isShared = multiplexes && !place.needsConnection
        let share = isShared ? 1 : AdmissionStateMachine.streamsPerConnection
        guard load + share <= capacity else { return nil }
        turns.removeFirst()
        waiting -= 1
        load += share
        place.load = share
        return request
      }
      return nil
    }

    func leave(_ share: Int?) {
      guard let share else {
        waiting -= 1
        // Requests that left stay in the heap until they reach the top or outnumber the others.
        if turns.count > 2 * waiting + 64 {
          turns.removeAll { $0.place.request == nil }
        }
        return
      }
      load -= share
    }
  }

  private let capacity: Int
  private var tickets = 0
  private var lines: [Origin: Line] = [:]
  /// The lines of the origins that may have capacity for another request.
  private var toBeChecked: [Line] = []

  init(connectionsPerOrigin: Int) {
    capacity = max(connectionsPerOrigin, 1) * Self.streamsPerConnection
  }

  /// Adds a request. A request that `needsConnection` never shares its connection with simultaneous requests.
  mutating func arrived(
    _ request: Request, for origin: Origin, priority: TaskPriority, needsConnection: Bool
  ) -> Place {
    tickets += 1
    let line = line(of: origin)
    let place = Place(request, line: line, needsConnection: needsConnection)
    line.turns.insert(Turn(priority: priority.rawValue, ticket: tickets, place: place))
    line.waiting += 1
    check(line)
    return place
  }

  private mutating func line(of origin: Origin) -> Line {
    if let line = lines[origin] { return line }
    let line = Line(origin: origin)
    lines[origin] = line
    return line
  }

  /// Removes a request that ended, or that was canceled while it waited.
  mutating func left(_ place: Place) {
    guard place.request != nil else { return }
    place.request = nil
    place.line.leave(place.load)
    check(place.line)
  }

  /// Records whether the connection that was opened for an admitted request speaks HTTP/2.
  mutating func connected(_ place: Place, multiplexes: Bool) {
    guard place.request != nil else { return }
    place.line.multiplexes = multiplexes
    check(place.line)
  }

  /// Whether other requests wait for the origin of this admitted one.
  func isWaitedFor(_ place: Place) -> Bool { place.line.waiting > 0 }

  /// Returns the next request for libcurl. Call this method until it returns nil.
  mutating func next() -> Request? {
    while let line = toBeChecked.last {
      if let request = line.admit(capacity) { return request }
      toBeChecked.removeLast()
      line.isToBeChecked = false
      forget(line)
    }
    return nil
  }

  private mutating func check(_ line: Line) {
    guard !line.isToBeChecked else { return }
    line.isToBeChecked = true
    toBeChecked.append(line)
  }

  /// Removes an idle line, unless its origin is known to speak HTTP/2 and there are few origins.
  private mutating func forget(_ line: Line) {
    guard line.isEmpty else { return }
    if !line.multiplexes || lines.count > 64 { lines[line.origin] = nil }
  }
}
