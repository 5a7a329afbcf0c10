import Foundation
import Testing

@testable import TestSupport

@Suite("Rate limits of the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackRateLimitsTests {
  private typealias Limits = LoopbackRateLimits

  @Test("each token's quota counts down and is restored after its window")
  func quota() {
    var limits = Limits(limit: 2, window: 60, pointsPerMinute: nil)
    for used in 1...2 {
      #expect(limits.charge("a", method: "GET", isFree: false, now: 1000) == .admitted)
      #expect(
        limits.standing(of: "a", now: 1000)
          == .init(limit: 2, used: used, remaining: 2 - used, reset: 1060))
    }
    #expect(limits.charge("a", method: "GET", isFree: false, now: 1059) == .primaryLimit(reset: 1))
    #expect(limits.charge("b", method: "GET", isFree: false, now: 1059) == .admitted)
    #expect(limits.charge(nil, method: "GET", isFree: false, now: 1059) == .admitted)
    #expect(limits.charge("a", method: "GET", isFree: true, now: 1059) == .admitted)
    limits.refund("a", now: 1059)
    #expect(limits.charge("a", method: "GET", isFree: false, now: 1059) == .admitted)
    #expect(limits.charge("a", method: "GET", isFree: false, now: 1060) == .admitted)
    #expect(limits.standing(of: "a", now: 1060).remaining == 1)
  }

  @Test("reads cost one point and writes cost five in each minute")
  func points() {
    var limits = Limits(limit: nil, window: 3600, pointsPerMinute: 6)
    #expect(limits.charge(nil, method: "POST", isFree: false, now: 0) == .admitted)
    #expect(limits.charge(nil, method: "GET", isFree: false, now: 10) == .admitted)
    #expect(
      limits.charge(nil, method: "GET", isFree: false, now: 20) == .secondaryLimit(retryAfter: 40))
    #expect(limits.charge(nil, method: "PATCH", isFree: false, now: 60) == .admitted)
    #expect(
      limits.charge(nil, method: "PATCH", isFree: false, now: 61) == .secondaryLimit(retryAfter: 59)
    )
    #expect(
      limits.standing(of: nil, now: 61) == .init(limit: 60, used: 3, remaining: 57, reset: 3600))
  }

  @Test("every response reports the quota, and a 304 with a token is free")
  func answers() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.rateLimit = 3
    configuration.rateLimitWindow = 60
    configuration.now = { Date(timeIntervalSince1970: 1_000_000) }
    let github = LoopbackGitHub(configuration)
    func get(_ path: String, _ headers: LoopbackHeaders = [:]) async -> LoopbackResponse {
      var fields = headers
      fields.add("User-Agent", "t")
      return await github.handler(LoopbackRequest(method: "GET", target: path, headers: fields))
    }
    let (list, token) = ("/repos/swiftlang/swift/issues", LoopbackHeaders.Field.authorised)
    let first = await get(list, LoopbackHeaders([token]))
    #expect(first.headers["x-ratelimit-remaining"] == "2")
    let tag = LoopbackHeaders.Field(
      name: "If-None-Match", value: try #require(first.headers["ETag"]))
    for _ in 1...5 {
      let unchanged = await get(list, LoopbackHeaders([token, tag]))
      #expect(unchanged.status == 304)
      #expect(unchanged.headers["x-ratelimit-remaining"] == "2")
    }
    #expect(await get("/users/nobody/x", LoopbackHeaders([token])).status == 404)
    let last = await get(list, LoopbackHeaders([token]))
    #expect(last.headers["x-ratelimit-remaining"] == "0")
    let refused = await get(list, LoopbackHeaders([token]))
    #expect(refused.status == 403)
    #expect(refused.headers["x-ratelimit-limit"] == "3")
    #expect(refused.headers["x-ratelimit-used"] == "3")
    #expect(refused.headers["x-ratelimit-reset"] == "1000060")
    let limits = await get("/rate_limit", LoopbackHeaders([token]))
    #expect(limits.status == 200)
    #expect(
      String(decoding: limits.body, as: UTF8.self)
        .contains(#""rate":{"limit":3,"used":3,"remaining":0,"reset":1000060}"#))
    // Without a token even a 304 counts.
    #expect(await get(list).headers["x-ratelimit-remaining"] == "2")
  }

  @Test("exceeding the points per minute gives a response with the waiting time")
  func secondary() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.pointsPerMinute = 1
    let github = LoopbackGitHub(configuration)
    let request = LoopbackRequest(
      method: "GET", target: "/users/a", headers: ["User-Agent": "t"])
    #expect(await github.handler(request).status == 200)
    let refused = await github.handler(request)
    #expect(refused.status == 403)
    #expect((50...60).contains(refused.headers["Retry-After"].flatMap(Int.init) ?? 0))
  }
}

extension LoopbackHeaders.Field {
  fileprivate static let authorised = Self(name: "Authorization", value: "Bearer t")
}
