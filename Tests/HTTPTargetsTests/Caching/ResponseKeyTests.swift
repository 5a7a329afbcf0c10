import HTTPTargets
import Testing

@Suite("ResponseKey")
struct ResponseKeyTests {
  private static let token: HTTPFields = [.authorization: "Bearer ghp_0123456789abcdefghijklmnop"]

  private func key(_ headers: HTTPFields, url: String = "https://zoo.example/a?b=c") -> ResponseKey?
  {
    ResponseKey(TargetRequest(url: url, headers: headers))
  }

  @Test("ResponseKey is the same in every process")
  func stable() throws {
    let stable = try #require(key([.accept: "text/zoo", .authorization: "Bearer 1"]))
    #expect(stable.name == "3402f21ea3c5963c74a011b37b2c6217")
    #expect(
      stable.text == """
        GET https://zoo.example/a?b=c
        accept: text/zoo
        credentials: 0d02190b730beb171a0b8c1ab7037474
        """)
  }

  @Test(
    "ResponseKey differs with the fields that select a response",
    arguments: [
      [.accept: "text/zoo"], [.accept: "text/other"], [.acceptLanguage: "de"],
      [.named("X-GitHub-Api-Version"): "2022-11-28"], [.named("Zoo-Version"): "2"], token,
      [.authorization: "Bearer ghp_0123456789abcdefghijklmnoq"], [.cookie: "a=b"],
      [.named("X-Api-Key"): "Bearer ghp_0123456789abcdefghijklmnop"],
    ] as [HTTPFields])
  func differs(headers: HTTPFields) {
    #expect(key(headers) != key([:]))
    #expect(key(headers)?.name != key([:])?.name)
    for other in [[.accept: "text/third"], [.cookie: "c=d"]] as [HTTPFields] {
      #expect(key(headers) != key(other))
    }
  }

  @Test(
    "ResponseKey ignores all other fields and their order",
    arguments: [
      [.userAgent: "zoo/2"], [.named("X-Request-Id"): "17"], [.named("Link"): "x"],
    ] as [HTTPFields])
  func same(headers: HTTPFields) {
    #expect(key(headers) == key([:]))
    #expect(
      key([.accept: "a", .acceptLanguage: "b", .cookie: "c", .authorization: "d"])
        == key([.authorization: "d", .acceptLanguage: "b", .cookie: "c", .accept: "a"]))
  }

  @Test("ResponseKey differs with the URL and the method")
  func request() {
    let paths = ["", "?b=c", "?b=d", "/", "#"].map { key([:], url: "https://zoo.example/a\($0)") }
    #expect(Set(paths).count == paths.count)
    #expect(
      ResponseKey(TargetRequest(method: .head, url: "https://zoo.example/"))
        != key(
          [:], url: "https://zoo.example/"))
  }

  @Test("ResponseKey doesn't contain any part of the credentials")
  func fingerprint() throws {
    let text = try #require(key(Self.token)).text
    #expect(!text.contains("ghp_") && !text.contains("0123456789") && !text.contains("Bearer"))
  }

  @Test(
    "a URL with a secret has no ResponseKey",
    arguments: ["?access_token=1", "?x=1&key=2", "#token=3"])
  func secrets(tail: String) {
    #expect(key([:], url: "https://zoo.example/a\(tail)") == nil)
  }
}
