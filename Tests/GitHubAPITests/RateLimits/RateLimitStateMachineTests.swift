import HTTPTargets
import Testing

@testable import GitHubAPI

@Suite("The rate limit state machine")
struct RateLimitStateMachineTests {
  private typealias Machine = RateLimitStateMachine

  private static let read = RateLimitedRequest(allowance: nil)
  private static let write = RateLimitedRequest(points: 5, allowance: nil)
  private static let patient = RateLimitedRequest(allowance: .seconds(60))
  private static let impatient = RateLimitedRequest(allowance: .zero)
  private static let search = RateLimitedRequest(resource: "search", allowance: nil)

  private static func quota(
    _ remaining: Int, reset: Int = 1000, in seconds: Double = 900, of resource: String? = nil
  ) -> RateLimitAnswer {
    RateLimitAnswer(
      resource: resource,
      quota: .init(remaining: remaining, reset: reset, delay: .seconds(seconds)))
  }

  private static func secondary(_ seconds: Double? = nil) -> RateLimitAnswer {
    RateLimitAnswer(limit: .init(kind: .secondary, delay: seconds.map { .seconds($0) }))
  }

  /// Sends requests that are let go, and lets them be answered.
  private static func exchange(
    _ machine: inout Machine, _ ids: ClosedRange<UInt64>, _ answer: RateLimitAnswer,
    at seconds: Double = 0, _ request: RateLimitedRequest = read
  ) {
    for id in ids {
      #expect(machine.enqueue(id, request, at: .seconds(seconds)).admitted == [id])
    }
    for id in ids { _ = machine.finish(id, answer, at: .seconds(seconds)) }
  }

  // MARK: Quotas

  @Test("an exhausted quota delays requests until one second after its reset")
  func usedUp() {
    var machine = Machine()
    Self.exchange(&machine, 1...1, Self.quota(0))
    let waiting = machine.enqueue(2, Self.read, at: .seconds(10))
    #expect(waiting.admitted.isEmpty && waiting.refused.isEmpty)
    #expect(
      waiting.announcements == [
        .init(phase: .began, reason: .primaryLimit, resource: "core", duration: .seconds(891))
      ])
    #expect(machine.wakeUp == .seconds(901))
    #expect(machine.timeCame(at: .seconds(900.9)).admitted.isEmpty)
    let over = machine.timeCame(at: .seconds(901))
    #expect(over.admitted == [2])
    #expect(over.announcements.map(\.phase) == [.ended])
    #expect(machine.wakeUp == nil)
  }

  @Test("a request canceled in flight counts against its quota")
  func abandoned() {
    var machine = Machine()
    Self.exchange(
      &machine, 1...1, Self.quota(2, in: 60, of: "search"), at: 0, Self.search)
    #expect(machine.enqueue(2, Self.search, at: .zero).admitted == [2])
    #expect(machine.enqueue(3, Self.search, at: .zero).admitted == [3])
    // As many are under way as are left.
    #expect(machine.enqueue(4, Self.search, at: .zero).admitted.isEmpty)
    #expect(machine.abandon(2, at: .zero).admitted.isEmpty)
    #expect(machine.abandon(3, at: .zero).admitted.isEmpty)
    #expect(machine.timeCame(at: .seconds(60)).admitted.isEmpty)
    #expect(machine.timeCame(at: .seconds(61)).admitted == [4])
    // A quota that no answer has named is unknown.
    var unknown = Machine()
    #expect(unknown.enqueue(1, Self.search, at: .zero).admitted == [1])
    #expect(unknown.abandon(1, at: .zero).admitted.isEmpty)
    #expect(unknown.enqueue(2, Self.search, at: .zero).admitted == [2])
  }

  @Test("a request that can't wait long enough is refused at once with the remaining time")
  func refused() {
    var machine = Machine()
    Self.exchange(&machine, 1...1, Self.quota(0))
    for (id, request) in [(2 as UInt64, Self.impatient), (3, Self.patient)] {
      let actions = machine.enqueue(id, request, at: .seconds(100))
      #expect(actions.refused == [id: .init(kind: .primary, duration: .seconds(801))])
      #expect(actions.admitted.isEmpty && actions.announcements.isEmpty)
    }
    #expect(machine.wakeUp == nil)
    // For the last minute it may.
    #expect(machine.enqueue(4, Self.patient, at: .seconds(841)).refused.isEmpty)
    #expect(machine.timeCame(at: .seconds(901)).admitted == [4])
  }

  @Test("an exhausted quota doesn't delay requests of another quota or of none")
  func otherQuotas() {
    var machine = Machine()
    Self.exchange(&machine, 1...1, Self.quota(0, of: "core"))
    #expect(machine.enqueue(2, Self.read, at: .zero).admitted.isEmpty)
    #expect(machine.enqueue(3, Self.search, at: .zero).admitted == [3])
    let free = RateLimitedRequest(resource: nil, allowance: .zero)
    #expect(machine.enqueue(4, free, at: .zero).admitted == [4])
  }

  @Test("a response counts against the quota named in it")
  func namedQuota() {
    var machine = Machine()
    Self.exchange(&machine, 1...1, Self.quota(0, of: "search"))
    #expect(machine.enqueue(2, Self.read, at: .zero).admitted == [2])
    #expect(machine.enqueue(3, Self.search, at: .zero).admitted.isEmpty)
  }

  @Test("a server that names a new quota in each response can't exhaust memory")
  func manyQuotas() {
    var machine = Machine(pointsPerMinute: 10_000)
    let request = RateLimitedRequest(resource: "x", allowance: nil)
    let held = (1...1000 as ClosedRange<UInt64>).first { id in
      guard machine.enqueue(id, request, at: .zero).admitted == [id] else { return true }
      _ = machine.finish(id, Self.quota(0, of: "quota \(id)"), at: .zero)
      return false
    }
    // A quota named too late counts against the assumed one.
    #expect(held == 66)
  }

  @Test("the lowest remainder of a window counts in any order of responses")
  func overtaken() {
    var machine = Machine()
    for id in 1...3 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    _ = machine.finish(1, Self.quota(0), at: .zero)
    _ = machine.finish(2, Self.quota(2), at: .zero)
    // Late news of the window before.
    _ = machine.finish(3, Self.quota(40, reset: 100, in: 0), at: .zero)
    #expect(machine.enqueue(4, Self.impatient, at: .zero).refused.count == 1)
  }

  @Test("a response of the next window ends the wait")
  func nextWindow() {
    var machine = Machine()
    for id in 1...2 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    _ = machine.finish(1, Self.quota(0, reset: 1000), at: .zero)
    #expect(machine.enqueue(3, Self.read, at: .zero).announcements.map(\.phase) == [.began])
    let actions = machine.finish(2, Self.quota(59, reset: 4600, in: 3600), at: .zero).actions
    #expect(actions.admitted == [3])
    #expect(actions.announcements.map(\.phase) == [.ended])
  }

  @Test("the number of requests in flight never exceeds the remaining quota")
  func lastRequests() {
    var machine = Machine()
    Self.exchange(&machine, 1...1, Self.quota(2))
    #expect(machine.enqueue(2, Self.read, at: .zero).admitted == [2])
    #expect(machine.enqueue(3, Self.read, at: .zero).admitted == [3])
    #expect(machine.enqueue(4, Self.read, at: .zero).admitted.isEmpty)
    #expect(machine.enqueue(5, Self.search, at: .zero).admitted == [5])
    // A conditional request that cost nothing.
    #expect(machine.finish(2, Self.quota(2), at: .zero).actions.admitted == [4])
    #expect(machine.enqueue(6, Self.read, at: .zero).admitted.isEmpty)
    #expect(machine.finish(3, nil, at: .zero).actions.admitted == [6])
  }

  // MARK: Limits

  @Test("all requests wait for the time of a secondary limit, and continue in order")
  func secondaryLimit() {
    var machine = Machine()
    for id in 1...3 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    let (verdict, _) = machine.finish(2, Self.secondary(8), at: .seconds(1))
    #expect(verdict == .again(Self.read))
    _ = machine.enqueue(4, Self.search, at: .seconds(1))
    _ = machine.enqueue(2, Self.read, at: .seconds(1))
    _ = machine.finish(1, RateLimitAnswer(), at: .seconds(2))
    #expect(machine.wakeUp == .seconds(9))
    #expect(machine.timeCame(at: .seconds(9)).admitted == [2, 4])
  }

  @Test("a limit longer than the allowed wait is returned as the response")
  func tooLong() {
    var machine = Machine()
    #expect(machine.enqueue(1, Self.patient, at: .zero).admitted == [1])
    #expect(machine.finish(1, Self.secondary(61), at: .zero).verdict == .done)
    #expect(machine.enqueue(2, Self.impatient, at: .seconds(60)).refused[2]?.kind == .secondary)
    #expect(machine.enqueue(3, Self.patient, at: .seconds(60)).refused.isEmpty)
  }

  @Test("the waits of one request are added up without the time between them")
  func together() {
    var machine = Machine()
    #expect(machine.enqueue(1, Self.patient, at: .zero).admitted == [1])
    var now = Duration.zero
    for (wait, left) in [(20, 60), (40, 40)] {
      let request = RateLimitedRequest(allowance: .seconds(left))
      #expect(machine.finish(1, Self.secondary(Double(wait)), at: now).verdict == .again(request))
      #expect(machine.enqueue(1, request, at: now).refused.isEmpty)
      #expect(machine.timeCame(at: now + .seconds(wait)).admitted == [1])
      now += .seconds(wait + 500)
    }
    #expect(machine.finish(1, Self.secondary(1), at: now).verdict == .done)
  }

  @Test("a limit without a time lasts a minute, and doubles each time it recurs")
  func doubling() {
    var machine = Machine()
    var now = Duration.zero
    for seconds in [60, 120, 240, 480, 960, 1920, 3600, 3600] {
      #expect(machine.enqueue(1, Self.read, at: now).admitted == [1])
      #expect(machine.finish(1, Self.secondary(), at: now).verdict == .again(Self.read))
      let actions = machine.enqueue(1, Self.read, at: now)
      #expect(actions.announcements.map(\.duration) == [.seconds(seconds)])
      #expect(machine.timeCame(at: now + .seconds(seconds)).admitted == [1])
      now += .seconds(seconds)
      // The waiting request is under way: it fails, and is sent again.
      _ = machine.finish(1, nil, at: now)
    }
    Self.exchange(&machine, 2...2, RateLimitAnswer(), at: now / .seconds(1))
    Self.exchange(&machine, 3...3, Self.secondary(), at: now / .seconds(1))
    #expect(machine.enqueue(4, Self.read, at: now).announcements[0].duration == .seconds(60))
  }

  @Test("a recurring limit of zero seconds is waited for longer each time")
  func noStorm() {
    var machine = Machine()
    for (start, wait) in [(0, 1), (10, 2), (20, 4), (30, 8)] as [(Double, Double)] {
      Self.exchange(&machine, 1...1, Self.secondary(0), at: start)
      let actions = machine.enqueue(2, Self.read, at: .seconds(start))
      #expect(actions.announcements[0].duration == .seconds(wait))
      _ = machine.cancel(2, at: .seconds(start))
    }
  }

  @Test("requests sent before a limit was known count as meeting the same limit")
  func oneBurst() {
    var machine = Machine()
    for id in 1...5 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    for (index, id) in (1...4 as ClosedRange<UInt64>).enumerated() {
      _ = machine.finish(id, Self.secondary(), at: .milliseconds(index))
    }
    // Neither does the good luck of another end it.
    _ = machine.finish(5, RateLimitAnswer(), at: .milliseconds(9))
    #expect(machine.enqueue(6, Self.read, at: .milliseconds(9)).admitted.isEmpty)
    #expect(machine.timeCame(at: .seconds(60)).admitted == [6])
    _ = machine.finish(6, Self.secondary(), at: .seconds(60))
    #expect(
      machine.enqueue(7, Self.read, at: .seconds(60)).announcements[0].duration == .seconds(120))
  }

  @Test("a late response with a later time extends the wait, and the extension is reported")
  func extended() {
    var machine = Machine()
    for id in 1...3 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    _ = machine.finish(1, Self.secondary(5), at: .zero)
    _ = machine.enqueue(4, Self.read, at: .zero)
    #expect(machine.finish(2, Self.secondary(5), at: .seconds(0.5)).actions.announcements.isEmpty)
    let longer = machine.finish(3, Self.secondary(20), at: .seconds(1)).actions
    #expect(longer.announcements.map(\.phase) == [.extended])
    #expect(longer.announcements.map(\.duration) == [.seconds(20)])
    #expect(machine.timeCame(at: .seconds(20.9)).admitted.isEmpty)
    #expect(machine.timeCame(at: .seconds(21)).admitted == [4])
  }

  @Test("a wait that becomes too long is abandoned")
  func grown() {
    var machine = Machine()
    for id in 1...2 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    _ = machine.finish(1, Self.secondary(50), at: .zero)
    #expect(machine.enqueue(3, Self.patient, at: .zero).refused.isEmpty)
    let actions = machine.finish(2, Self.secondary(70), at: .seconds(1)).actions
    #expect(actions.refused == [3: .init(kind: .secondary, duration: .seconds(70))])
    #expect(actions.announcements.map(\.phase) == [.ended])
  }

  // MARK: The pace

  @Test("900 requests are sent at once, and the 901st waits until a minute after the first")
  func points() {
    var machine = Machine(maximumInFlight: 10_000)
    for id in 1...900 as ClosedRange<UInt64> {
      #expect(machine.enqueue(id, Self.impatient, at: .milliseconds(id)).admitted == [id])
    }
    // Waiting for points is not bounded by what may be waited for limits.
    let actions = machine.enqueue(901, Self.impatient, at: .seconds(1))
    #expect(actions.admitted.isEmpty && actions.refused.isEmpty)
    #expect(
      actions.announcements == [
        .init(phase: .began, reason: .pacing, resource: nil, duration: .milliseconds(59_001))
      ])
    #expect(machine.wakeUp == .milliseconds(60_001))
    let over = machine.timeCame(at: .milliseconds(60_001))
    #expect(over.admitted == [901])
    #expect(over.announcements.map(\.phase) == [.ended])
  }

  @Test("a write costs five points, and a cheaper request doesn't overtake a waiting one")
  func writes() {
    var machine = Machine(pointsPerMinute: 8)
    #expect(machine.enqueue(1, Self.write, at: .zero).admitted == [1])
    #expect(machine.enqueue(2, Self.write, at: .seconds(2)).admitted.isEmpty)
    #expect(machine.enqueue(3, Self.read, at: .seconds(2)).admitted.isEmpty)
    #expect(machine.cancel(2, at: .seconds(2)).admitted == [3])
  }

  @Test(
    "a read-only request costs one point with any method",
    arguments: [
      (.get, .safe, 1), (.post, .safe, 1), (.post, .once, 5), (.patch, .idempotent, 5),
      (.delete, .idempotent, 5),
    ] as [(HTTPRequest.Method, Idempotency, Int)])
  func points(method: HTTPRequest.Method, idempotency: Idempotency, points: Int) {
    var request = TargetRequest(method: method, url: "https://api.github.com/graphql")
    request.idempotency = idempotency
    #expect(RateLimitedRequest(request, allowance: nil).points == points)
  }

  @Test("a GraphQL query sent by POST counts as read-only")
  func queries() throws {
    let query = GitHub.presence(repositoryFullName: "o/r", numbers: [1])
    let request = try Endpoint(query).request()
    #expect(request.method == .post && request.idempotency == .safe)
    let mutation = try Endpoint(GitHub.mutate(.pin(issueID: "I_1"))).request()
    #expect(mutation.method == .post && mutation.idempotency == .once)
  }

  @Test("each redirect that led to a response costs one point")
  func redirects() {
    var machine = Machine(pointsPerMinute: 6)
    Self.exchange(&machine, 1...1, RateLimitAnswer(redirects: 4))
    #expect(machine.enqueue(2, Self.read, at: .zero).admitted == [2])
    #expect(machine.enqueue(3, Self.read, at: .zero).admitted.isEmpty)
  }

  @Test("requests beyond the concurrency limit are sent in order of arrival")
  func inFlight() {
    var machine = Machine(maximumInFlight: 2)
    for id in 1...5 as ClosedRange<UInt64> {
      #expect(machine.enqueue(id, Self.impatient, at: .zero).admitted == (id <= 2 ? [id] : []))
    }
    #expect(machine.cancel(3, at: .zero).admitted.isEmpty)
    #expect(machine.finish(2, nil, at: .zero).actions.admitted == [4])
    #expect(machine.finish(4, nil, at: .zero).actions.admitted == [5])
    #expect(machine.finish(4, nil, at: .zero).actions.admitted.isEmpty)
  }

  @Test("a request refused by a limit keeps its place in the queue")
  func place() {
    var machine = Machine(maximumInFlight: 1)
    for id in 1...3 as ClosedRange<UInt64> { _ = machine.enqueue(id, Self.read, at: .zero) }
    _ = machine.finish(1, Self.secondary(1), at: .zero)
    _ = machine.enqueue(1, Self.read, at: .zero)
    #expect(machine.timeCame(at: .seconds(1)).admitted == [1])
    #expect(machine.finish(1, nil, at: .seconds(1)).actions.admitted == [2])
  }

  @Test("the state machine is idle when it would act like a new one")
  func idle() {
    var machine = Machine()
    #expect(machine.isIdle(at: .zero))
    _ = machine.enqueue(1, Self.read, at: .zero)
    #expect(!machine.isIdle(at: .seconds(70)))
    _ = machine.finish(1, Self.quota(0, in: 100), at: .seconds(70))
    #expect(!machine.isIdle(at: .seconds(140)))
    #expect(machine.isIdle(at: .seconds(171)))
  }
}
