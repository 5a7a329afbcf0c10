import TestSupport
import Testing

@testable import GitHubAPI

@Suite("Rate limits under random traffic", .timeLimit(.minutes(5)))
struct RateLimitSimulationTests {
  /// The outcomes of the requests, and the invariants.
  private struct Run {
    var random: FuzzSource
    let points: Int
    let maximum: Int
    var machine: RateLimitStateMachine
    var now = Duration.zero
    var lastID: UInt64 = 0
    var requests: [UInt64: RateLimitedRequest] = [:]
    var waiting: Set<UInt64> = []
    var underWay: Set<UInt64> = []
    var sent: [(at: Duration, request: RateLimitedRequest)] = []
    var told: [String: Int] = [:]

    init(seed: UInt64) {
      random = FuzzSource(seed: seed)
      points = Int.random(in: 5...40, using: &random)
      maximum = Int.random(in: 1...8, using: &random)
      machine = RateLimitStateMachine(pointsPerMinute: points, maximumInFlight: maximum)
    }

    mutating func apply(_ actions: RateLimitStateMachine.Actions) {
      for id in actions.admitted {
        #expect(waiting.remove(id) != nil)
        underWay.insert(id)
        guard let request = requests[id] else { continue }
        sent.append((now, request))
      }
      for (id, refusal) in actions.refused {
        #expect(waiting.remove(id) != nil)
        #expect(requests[id]?.allowance != nil)
        #expect(refusal.duration > .zero)
      }
      for announcement in actions.announcements {
        let key = "\(announcement.reason) \(announcement.resource ?? "-")"
        switch announcement.phase {
        case .began: told[key, default: 0] += 1
        case .extended: #expect(told[key] == 1)
        case .ended: told[key, default: 0] -= 1
        }
        #expect((0...1).contains(told[key, default: 0]))
      }
      #expect(underWay.count <= maximum)
      let recent = sent.filter { $0.at > now - .seconds(60) }
      #expect(recent.reduce(0) { $0 + $1.request.points } <= points)
      // No waiting request is forgotten: an event is due for each.
      #expect(waiting.isEmpty || !underWay.isEmpty || machine.wakeUp != nil)
    }

    mutating func enqueue(_ id: UInt64, _ request: RateLimitedRequest) {
      requests[id] = request
      waiting.insert(id)
      apply(machine.enqueue(id, request, at: now))
    }

    mutating func step() {
      now += .milliseconds(Int.random(in: 0...2_000, using: &random))
      if let wakeUp = machine.wakeUp, wakeUp <= now { apply(machine.timeCame(at: now)) }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<4:
        lastID += 1
        let allowance: Duration? = [nil, .zero, .seconds(30)].randomElement(using: &random) ?? nil
        let resource = ["core", "core", "search", nil].randomElement(using: &random) ?? nil
        enqueue(
          lastID,
          RateLimitedRequest(
            points: Bool.random(using: &random) ? 5 : 1, resource: resource, allowance: allowance))
      case 4..<5:
        guard let id = waiting.sorted().randomElement(using: &random) else { return }
        waiting.remove(id)
        apply(machine.cancel(id, at: now))
      default:
        guard let id = underWay.sorted().randomElement(using: &random) else { return }
        finish(id, answer())
      }
    }

    mutating func finish(_ id: UInt64, _ answer: RateLimitAnswer?) {
      underWay.remove(id)
      let (verdict, actions) = machine.finish(id, answer, at: now)
      apply(actions)
      if case .again(let request) = verdict { enqueue(id, request) }
    }

    mutating func answer() -> RateLimitAnswer? {
      let seconds = Double.random(in: 0...90, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: return nil
      case 1: return RateLimitAnswer(limit: .init(kind: .secondary, delay: .seconds(seconds)))
      case 2: return RateLimitAnswer(limit: .init(kind: .secondary, delay: nil))
      case 3: return RateLimitAnswer(limit: .init(kind: .primary, delay: .seconds(seconds)))
      case 4, 5:
        return RateLimitAnswer(
          quota: .init(
            remaining: Int.random(in: 0...3, using: &random),
            reset: Int((now / .seconds(1)) / 100) * 100, delay: .seconds(seconds)))
      default: return RateLimitAnswer()
      }
    }

    /// Lets everything come to its end; nothing is refused any more.
    mutating func drain() {
      for _ in 0..<10_000 where !waiting.isEmpty || !underWay.isEmpty {
        if let id = underWay.min() {
          finish(id, RateLimitAnswer())
        } else if let wakeUp = machine.wakeUp {
          now = max(now, wakeUp)
          apply(machine.timeCame(at: now))
        }
      }
    }
  }

  @Test("the limit rules hold, every request gets a result, and all reported waits end")
  func rules() {
    for seed in 0..<200 as Range<UInt64> {
      var run = Run(seed: seed)
      for _ in 0..<300 { run.step() }
      run.drain()
      #expect(run.waiting.isEmpty && run.underWay.isEmpty, "seed \(seed)")
      #expect(run.told.values.allSatisfy { $0 == 0 }, "seed \(seed)")
      #expect(run.machine.isIdle(at: run.now + .seconds(90_000)), "seed \(seed)")
    }
  }
}
