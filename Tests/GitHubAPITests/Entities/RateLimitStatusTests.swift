import Foundation
import GitHubAPI
import HTTPTargets
import Testing

@Suite("The rate limit status")
struct RateLimitStatusTests {
  private func decode(_ json: String) throws -> RateLimitStatus {
    try GitHubJSON.decode(RateLimitStatus.self, from: Data(json.utf8))
  }

  @Test("the sample response has the date that its limits refer to")
  func sample() async throws {
    let provider = Provider.gitHub(.stubbed())
    let response = try await provider.request(.rateLimit)
    let status = try response.decode(RateLimitStatus.self)
    #expect(status.names == ["core", "search", "graphql"])
    let core = try #require(status.resources["core"])
    #expect(core.used + core.remaining == core.limit)
    let date = try #require(response.headers[.date].flatMap(HTTPDate.date(from:)))
    #expect(core.resetDate.timeIntervalSince(date) == 720)
  }

  @Test("known quotas come first, and others are in alphabetical order")
  func order() {
    let quota = RateLimitStatus.Quota(limit: 1, used: 0, remaining: 1, resetTime: 0)
    let names = ["scim", "graphql", "code_search", "core", "search"]
    let status = RateLimitStatus(
      resources: Dictionary(uniqueKeysWithValues: names.map { ($0, quota) }))
    #expect(status.names == ["core", "search", "graphql", "code_search", "scim"])
  }

  @Test("the status of a server with one quota and no used count is decoded")
  func old() throws {
    let status = try decode(#"{"rate":{"limit":60,"remaining":13,"reset":9}}"#)
    let quota = RateLimitStatus.Quota(limit: 60, used: 47, remaining: 13, resetTime: 9)
    #expect(status == RateLimitStatus(resources: ["core": quota]))
  }

  @Test("rate limit numbers at the limits of their range are accepted")
  func extremes() throws {
    let status = try decode(
      """
      {"resources":{"a":{"limit":\(Int.max),"remaining":\(Int.min),"reset":\(Int.max)},\
      "b":{"limit":\(Int.min),"remaining":\(Int.max),"reset":\(Int.min)}}}
      """)
    #expect(status.resources.values.allSatisfy { $0.used == 0 })
    let encoded = try GitHubJSON.encoder().encode(status)
    #expect(try GitHubJSON.decode(RateLimitStatus.self, from: encoded) == status)
  }

  @Test(
    "JSON other than a rate limit status is refused",
    arguments: ["{}", "[]", #"{"resources":{"core":{}}}"#, #"{"resources":[],"rate":null}"#])
  func refused(json: String) {
    #expect(throws: DecodingError.self) { try decode(json) }
  }
}
