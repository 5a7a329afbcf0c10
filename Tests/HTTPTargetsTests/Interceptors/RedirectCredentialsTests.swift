import CurlTransport
import HTTPTargets
import TestSupport
import Testing

@Suite("Credentials across redirects", .timeLimit(.minutes(5)))
struct RedirectCredentialsTests {
  private static let credentials: HTTPFields = [
    .authorization: "Bearer hunter2", .cookie: "a=hunter2", .proxyAuthorization: "hunter2",
    .named("X-GitHub-OTP"): "hunter2", .named("Private-Token"): "hunter2",
    .named("X-Api-Key"): "hunter2", .named("X-Auth-Token"): "hunter2",
  ]
  private static let headers = credentials + [.accept: "text/zoo", .userAgent: "zoo"]

  private func sent(
    from base: String = "https://zoo.example", via locations: String...
  ) async throws -> [HTTPFields] {
    let transport = RecordingTransport(locations.map { .redirect(to: $0) } + [.reply()])
    let target = Zoo(baseURL: base, headers: Self.headers)
    _ = try await Provider<Zoo>(transport: transport).request(target)
    return transport.requests.map(\.headers)
  }

  @Test(
    "credentials stay on a redirect within an origin",
    arguments: ["/b", "//zoo.example/b", "https://ZOO.example:443/b", "https://zoo.example./b"])
  func sameOrigin(location: String) async throws {
    #expect(try await sent(via: location) == [Self.headers, Self.headers])
  }

  @Test(
    "a redirect to another scheme, host or port drops all credentials and keeps other fields",
    arguments: [
      ("http://zoo.example", "https://zoo.example/b"),
      ("https://zoo.example", "https://a.example/b"),
      ("https://zoo.example", "https://www.zoo.example/b"),
      ("https://zoo.example", "https://zoo.example:444/b"),
      ("http://127.0.0.1:1", "http://127.0.0.1:2/b"),
      ("http://127.0.0.1:1", "http://localhost:1/b"),
    ])
  func otherOrigin(base: String, location: String) async throws {
    #expect(
      try await sent(from: base, via: location)
        == [Self.headers, [.accept: "text/zoo", .userAgent: "zoo"]])
  }

  @Test("a redirect back to the first origin doesn't restore the credentials")
  func comingBack() async throws {
    let sent = try await sent(via: "/b", "https://a.example/", "https://zoo.example/c", "/d")
    #expect(sent.map { $0[.authorization] != nil } == [true, true, false, false, false])
    #expect(sent.last == [.accept: "text/zoo", .userAgent: "zoo"])
  }

  @Test("a redirect to another port doesn't send credentials over the socket")
  func wire() async throws {
    try await withLoopbackServer { _ in
      .text("arrived")
    } perform: { other in
      let location = "\(other.url)/there?q=%20+&a[0]=1"
      try await withLoopbackServer { request in
        request.path == "/animals"
          ? LoopbackResponse(status: 302, headers: ["Location": "/b"])
          : LoopbackResponse(status: 307, headers: ["Location": location])
      } perform: { first in
        let response = try await Provider<Zoo>(transport: CurlTransport.shared).request(
          Zoo(baseURL: first.url, headers: Self.headers))
        #expect(response.text() == "arrived")
        #expect(response.redirects == ["\(first.url)/animals", "\(first.url)/b"])
        #expect(first.log.requests.map { $0.headers["Private-Token"] } == ["hunter2", "hunter2"])
        let arrived = try #require(other.log.requests.first)
        #expect(arrived.target == "/there?q=%20+&a[0]=1")
        #expect(!"\(arrived.headers)".contains("hunter2"))
        #expect(arrived.headers["Accept"] == "text/zoo")
      }
    }
  }
}

extension HTTPFields {
  fileprivate static func + (left: HTTPFields, right: HTTPFields) -> HTTPFields {
    var sum = left
    sum.append(contentsOf: right)
    return sum
  }
}
