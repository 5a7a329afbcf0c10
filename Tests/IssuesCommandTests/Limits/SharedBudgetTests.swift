import GitHubAPI
import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("The shared budget")
struct SharedBudgetTests {
  private static func quota(
    _ remaining: Int, limit: Int? = 15, reset: Int = 9000, delay: Double = 100
  ) -> QuotaAnswer {
    QuotaAnswer(
      resource: "core",
      quota: QuotaAnswer.Quota(limit: limit, remaining: remaining, reset: reset, delay: delay))
  }

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  /// Takes requests out of it as long as there are any.
  private static func granted(_ budget: inout SharedBudget, from id: UInt64 = 1) -> [UInt64] {
    var granted: [UInt64] = []
    while case .granted(let id) = budget.reserve(
      "core", id: id + UInt64(granted.count), at: 1000), granted.count < 200
    {
      granted.append(id)
    }
    return granted
  }

  @Test("few requests run at once while the quota is unknown")
  func unknown() {
    var budget = SharedBudget()
    #expect(Self.granted(&budget).count == SharedBudget.mostUnknown)
    #expect(budget.reserve("core", id: 99, at: 1000) == .full)
    // Other quotas have their own.
    #expect(budget.reserve("search", id: 100, at: 1000) == .granted(100))
  }

  @Test("concurrent requests never exceed the lowest reported remainder")
  func known() {
    var budget = SharedBudget()
    for id in Self.granted(&budget) {
      // The answers overtake each other.
      budget.finish(id, "core", Self.quota(id == 4 ? 12 : 11), at: 1000)
    }
    #expect(Self.granted(&budget).count == 11)
    for id in 1...11 as ClosedRange<UInt64> {
      budget.finish(id, "core", Self.quota(11 - Int(id)), at: 1000)
    }
    #expect(budget.reserve("core", id: 50, at: 1000) == .spent(until: Self.date(1100)))
    #expect(budget.reserve("core", id: 51, at: 1100) == .spent(until: Self.date(1100)))
  }

  @Test("a new window starts with the full quota, and its responses are counted")
  func renewed() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", Self.quota(0), at: 1000)
    #expect(budget.reserve("core", id: 2, at: 1101) == .granted(2))
    #expect(budget.quotas["core"]?.remaining == 15)
    budget.finish(2, "core", Self.quota(14, reset: 9100), at: 1102)
    #expect(budget.quotas["core"]?.remaining == 14)
    // A late answer of the window before says nothing.
    _ = budget.reserve("core", id: 3, at: 1103)
    budget.finish(3, "core", Self.quota(0), at: 1103)
    #expect(budget.quotas["core"]?.remaining == 14)
  }

  @Test("a free 304 costs nothing, and a request without a response costs one")
  func costs() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", Self.quota(10), at: 1000)
    _ = budget.reserve("core", id: 2, at: 1000)
    budget.finish(2, "core", Self.quota(10), at: 1000)
    #expect(budget.quotas["core"]?.remaining == 10)
    _ = budget.reserve("core", id: 3, at: 1000)
    budget.finish(3, "core", QuotaAnswer(), at: 1000)
    #expect(budget.quotas["core"]?.remaining == 9)
  }

  @Test("a killed process's request counts as sent and blocks others only temporarily")
  func killed() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", Self.quota(2), at: 1000)
    _ = budget.reserve("core", id: 2, at: 1000)
    _ = budget.reserve("core", id: 3, at: 1000)
    #expect(budget.reserve("core", id: 4, at: 1029) == .full)
    #expect(budget.reserve("core", id: 5, at: 1030) == .spent(until: Self.date(1100)))
  }

  @Test("a server's pause applies to every quota")
  func paused() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", QuotaAnswer(pause: 30), at: 1000)
    #expect(budget.reserve("search", id: 2, at: 1029) == .paused(until: Self.date(1030)))
  }

  @Test("the longest pause survives an earlier response that is recorded later")
  func longestPause() {
    var budget = SharedBudget()
    budget.finish(1, "core", QuotaAnswer(pause: 1e9), at: 1000)
    budget.finish(2, "core", QuotaAnswer(), at: 999.99)
    #expect(budget.reserve("core", id: 3, at: 1001) == .paused(until: Self.date(87_400)))
    // A clock that was set back by more than a second.
    budget.finish(4, "core", QuotaAnswer(), at: 900)
    #expect(budget.reserve("core", id: 5, at: 1001) == .granted(5))
    #expect(budget.reserve("search", id: 2, at: 1030) == .granted(2))
  }

  @Test("a server without quotas allows as many concurrent requests as GitHub")
  func unlimited() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", QuotaAnswer(isUnlimited: true), at: 1000)
    #expect(Self.granted(&budget).count == SharedBudget.mostInFlight)
  }

  @Test("all processes share one limit per minute, and a write costs five points")
  func points() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", Self.quota(4000, limit: 5000), at: 1000)
    var (id, count): (UInt64, Int) = (2, 1)
    func send(_ points: Int, at time: Double) -> Bool {
      defer { id += 1 }
      guard case .granted = budget.reserve("core", points: points, id: id, at: time) else {
        return false
      }
      budget.finish(id, "core", Self.quota(4000, limit: 5000), at: time)
      return true
    }
    // Half of them in each half of a minute: a minute slides.
    while count < 450, send(1, at: 1000) { count += 1 }
    while count < 895, send(1, at: 1030) { count += 1 }
    #expect(send(5, at: 1040))
    #expect(!send(1, at: 1041))
    #expect(SharedBudget(budget.text) == budget)
    #expect(budget.spendings.count == 3)
    // The first ones are over, and those of the second half aren't.
    #expect(send(450, at: 1066))
    #expect(!send(1, at: 1066))
  }

  @Test("a server without quotas has no limit per minute")
  func noPoints() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1000)
    budget.finish(1, "core", QuotaAnswer(isUnlimited: true), at: 1000)
    for id in 2...1000 as ClosedRange<UInt64> {
      #expect(budget.reserve("core", id: id, at: 1000) == .granted(id))
      budget.finish(id, "core", QuotaAnswer(isUnlimited: true), at: 1000)
    }
  }

  @Test("a clock set back by days doesn't block a process")
  func clock() {
    var budget = SharedBudget()
    _ = budget.reserve("core", id: 1, at: 1_000_000)
    budget.finish(1, "core", Self.quota(0), at: 1_000_000)
    budget.finish(2, "core", QuotaAnswer(pause: 100), at: 1_000_000)
    #expect(budget.reserve("core", id: 3, at: 1000) == .granted(3))
  }

  @Test("a budget is restored from its own text only")
  func text() throws {
    var budget = SharedBudget()
    for id in Self.granted(&budget).dropLast() {
      budget.finish(id, "core", Self.quota(7), at: 1000)
    }
    _ = budget.reserve("search", id: 77, at: 1000.5)
    budget.finish(77, "search", QuotaAnswer(pause: 5, isUnlimited: true), at: 1000.5)
    let text = budget.text
    #expect(SharedBudget(text) == budget)
    #expect(SharedBudget("") == nil)
    for length in 0..<text.utf8.count {
      #expect(SharedBudget(String(text.prefix(length))) == nil, "the first \(length)")
    }
    #expect(SharedBudget(text.replacing("quota core 15 7", with: "quota core 15 9")) == nil)
    #expect(SharedBudget(text + text) == nil)
  }

  @Test("a quota name with spaces and line breaks is stored as one word")
  func names() {
    var budget = SharedBudget()
    budget.finish(1, "core", QuotaAnswer(resource: "a b\nquota x", isUnlimited: true), at: 1000)
    #expect(SharedBudget(budget.text) == budget)
  }
}
