import IssueMirrorPostgres

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A day of requests and changes, after half a day in which the intervals settle. Times are in seconds.
struct SimulatedDay {
  struct Outcome {
    var active: Ages
    var idle: Ages
    var requestsPerHour: Int
    var paidPerHour: Int
  }

  /// How long a change had happened when it was seen.
  struct Ages: CustomStringConvertible {
    var seconds: [Double] = []

    var description: String {
      let sorted = seconds.sorted()
      guard !sorted.isEmpty else { return "none" }
      return "\(Self.text(sorted[sorted.count / 2])), \(Self.text(sorted[sorted.count * 95 / 100]))"
    }

    private static func text(_ seconds: Double) -> String {
      seconds < 120 ? "\(Int(seconds.rounded())) s" : "\(Int((seconds / 60).rounded())) min"
    }
  }

  private struct Repository {
    /// Changes a second.
    var rate: Double
    var nextChange: Double
    /// When the changes happened that no request has seen.
    var unseen: [Double] = []
    var pace = SyncPace()
    var askedAt: Double?
    var dueAt = 0.0
  }

  private static let settling = 43_200.0
  private static let end = settling + 86_400
  private static let requestsPerSecond = 15.0
  private static let paidPerHour = 5_000.0

  private let policy: Policy
  private var repositories: [Repository]
  private var random = SteadyRandom(seed: 21)

  init(repositories count: Int, changesPerDay: Int, policy: Policy) {
    self.policy = policy
    let weights = (1...count).map { 1 / pow(Double($0), 1.1) }
    let whole = weights.reduce(0, +)
    repositories = weights.map {
      Repository(rate: Double(changesPerDay) / 86_400 * $0 / whole, nextChange: 0)
    }
    for index in repositories.indices {
      repositories[index].nextChange = wait(index)
    }
  }

  mutating func run() -> Outcome {
    var due = DueQueue([])
    for index in repositories.indices {
      plan(index, at: Double(index) / Self.requestsPerSecond, in: &due)
    }
    // The number beyond the repositories stands for the organization's list.
    let list = repositories.count
    if policy == .listed { due.add(list, at: 0) }
    var (active, idle) = (Ages(), Ages())
    var (time, requests, paid) = (0.0, 0, 0)
    // A quota that fills up evenly: that of a whole hour at once would make the ages jump.
    var (left, filledAt) = (Self.paidPerHour, 0.0)
    while let (dueAt, index) = due.next() {
      // It was hastened meanwhile.
      if index != list, dueAt != repositories[index].dueAt { continue }
      time = max(time, dueAt)
      guard time < Self.end else { break }
      var seen: [Double] = []
      let isNews: Bool
      if index == list {
        isNews = hasten(at: time, in: &due)
        due.add(list, at: time + Self.listInterval)
      } else {
        seen = ask(index, at: time)
        isNews = !seen.isEmpty
        plan(index, at: time + interval(of: index), in: &due)
      }
      let cost = policy == .unconditional ? 3 : isNews ? 1 : 0
      if time >= Self.settling {
        requests += policy == .unconditional ? 3 : 1
        paid += cost
        let ages = seen.map { time - $0 }
        if index < repositories.count / 10 {
          active.seconds += ages
        } else if index >= repositories.count / 2 {
          idle.seconds += ages
        }
      }
      left = min(left + (time - filledAt) * Self.paidPerHour / 3_600, Self.paidPerHour)
      left -= Double(cost)
      filledAt = time
      time += (policy == .unconditional ? 3 : 1) / Self.requestsPerSecond
      if left < 0 { time = max(time, filledAt - left * 3_600 / Self.paidPerHour) }
    }
    let hours = (Self.end - Self.settling) / 3_600
    return Outcome(
      active: active, idle: idle, requestsPerHour: Int(Double(requests) / hours),
      paidPerHour: Int(Double(paid) / hours))
  }

  /// The times of the changes since the last time.
  private mutating func ask(_ index: Int, at time: Double) -> [Double] {
    var seen: [Double] = []
    while repositories[index].nextChange <= time {
      seen.append(repositories[index].nextChange)
      repositories[index].nextChange += wait(index)
    }
    let elapsed = repositories[index].askedAt.map { time - $0 }
    repositories[index].pace.note(changes: seen.count, after: elapsed)
    repositories[index].askedAt = time
    return seen
  }

  /// Makes due what the organization's list has; returns whether there is any.
  private mutating func hasten(at time: Double, in due: inout DueQueue) -> Bool {
    var isNews = false
    for index in repositories.indices where repositories[index].nextChange <= time {
      isNews = true
      if repositories[index].dueAt > time { plan(index, at: time, in: &due) }
    }
    return isNews
  }

  private mutating func plan(_ index: Int, at time: Double, in due: inout DueQueue) {
    repositories[index].dueAt = time
    due.add(index, at: time)
  }

  private func interval(of index: Int) -> Double {
    switch policy {
    case .unconditional, .inTurn: return 0
    case .adaptive:
      let usual = MirrorWorker.Options()
      return Self.seconds(
        repositories[index].pace.interval(within: usual.shortestInterval...usual.longestInterval))
    case .listed: return Self.seconds(MirrorWorker.Options().listedInterval)
    }
  }

  private static let listInterval = seconds(MirrorWorker.Options().organizationInterval)

  private static func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  /// Changes come independently of each other.
  private mutating func wait(_ index: Int) -> Double {
    -log(1 - random.next()) / repositories[index].rate
  }
}

/// What is due, the earliest first: a heap.
struct DueQueue {
  private var heap: [(at: Double, index: Int)] = []

  init(_ entries: [(Double, Int)]) {
    for (time, index) in entries { add(index, at: time) }
  }

  mutating func add(_ index: Int, at time: Double) {
    heap.append((time, index))
    var child = heap.count - 1
    while child > 0, heap[child].at < heap[(child - 1) / 2].at {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (Double, Int)? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].at < heap[least].at {
        least = child
      }
      guard least != parent else { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
