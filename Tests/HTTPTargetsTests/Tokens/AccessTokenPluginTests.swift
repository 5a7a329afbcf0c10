import HTTPTargets
import TestSupport
import Testing

@Suite("Plugin.accessToken")
struct AccessTokenPluginTests {
  private let transport = RecordingTransport()

  /// The `Authorization` that a call of a target sent.
  private func sent(
    _ target: Zoo, origin: String = "https://zoo.example", token: String? = "hunter2"
  ) async throws -> [String] {
    let plugin = Plugin.accessToken(origin: try #require(Origin(url: origin))) {
      _ throws(NetworkError) in
      try token.map { text throws(NetworkError) in try AccessToken(text) }
    }
    _ = try await Provider<Zoo>(plugins: [plugin], transport: transport).request(target)
    return transport.requests.last?.headers[values: .authorization] ?? []
  }

  @Test(
    "the token is sent with the authorization type of the target",
    arguments: [
      (.none, []), (.bearer, ["Bearer hunter2"]), (.basic, ["Basic hunter2"]),
      (.custom("token"), ["token hunter2"]),
    ] as [(AuthorizationType, [String])])
  func schemes(authorization: AuthorizationType, fields: [String]) async throws {
    #expect(try await sent(Zoo(authorization: authorization)) == fields)
  }

  @Test("existing Authorization fields are all replaced, whatever their case")
  func replacing() async throws {
    var headers: HTTPFields = [:]
    headers.append(HTTPField(name: .named("authorization"), value: "Basic old"))
    headers.append(HTTPField(name: .named("AUTHORIZATION"), value: "Basic older"))
    #expect(try await sent(Zoo(headers: headers, authorization: .bearer)) == ["Bearer hunter2"])
  }

  @Test("a target without authorization keeps its own Authorization field")
  func ownAuthorization() async throws {
    #expect(try await sent(Zoo(headers: [.authorization: "Basic own"])) == ["Basic own"])
  }

  @Test("a call without a token doesn't add a field")
  func noToken() async throws {
    #expect(try await sent(Zoo(authorization: .bearer), token: nil) == [])
  }

  @Test(
    "the token is sent only to its origin",
    arguments: [
      ("https://zoo.example", true), ("https://ZOO.example:443/api", true),
      ("https://zoo.example.", true), ("http://zoo.example", false),
      ("https://zoo.example:444", false), ("https://www.zoo.example", false),
      ("https://zoo.example.evil.example", false), ("https://evil.example", false),
    ])
  func origins(base: String, isSent: Bool) async throws {
    let target = Zoo(baseURL: base, authorization: .bearer)
    #expect(try await sent(target) == (isSent ? ["Bearer hunter2"] : []))
  }

  @Test("the token isn't requested for another origin")
  func notAsked() async throws {
    let asked = Watched(0)
    let plugin = Plugin.accessToken(origin: try #require(Origin(url: "https://zoo.example"))) {
      _ throws(NetworkError) in
      asked.update { $0 += 1 }
      return nil
    }
    let provider = Provider<Zoo>(plugins: [plugin], transport: transport)
    _ = try await provider.request(Zoo(baseURL: "https://evil.example", authorization: .bearer))
    _ = try await provider.request(Zoo(authorization: .none))
    #expect(asked.current == 0)
    _ = try await provider.request(Zoo(authorization: .bearer))
    #expect(asked.current == 1)
  }

  @Test("the token isn't sent over plain http, except to a loopback address")
  func plainHTTP() async throws {
    let plain = "http://zoo.example"
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await sent(Zoo(baseURL: plain, authorization: .bearer), origin: plain)
      })
    #expect(error.code == .requestMapping)
    #expect(error.message.contains("https"))
    #expect(!shown(error).contains("hunter2"))
    #expect(transport.requests.isEmpty)
    for base in ["http://127.0.0.1:8080", "http://[::1]", "http://localhost:1"] {
      let target = Zoo(baseURL: base, authorization: .bearer)
      #expect(try await sent(target, origin: base) == ["Bearer hunter2"])
    }
  }

  @Test("a redirect to another origin is sent without the token")
  func redirect() async throws {
    let transport = RecordingTransport([.redirect(to: "https://evil.example/"), .reply()])
    let plugin = Plugin.accessToken(origin: try #require(Origin(url: "https://zoo.example"))) {
      _ throws(NetworkError) in try AccessToken("hunter2")
    }
    _ = try await Provider<Zoo>(plugins: [plugin], transport: transport)
      .request(Zoo(authorization: .bearer))
    #expect(
      transport.requests.map { $0.headers[.authorization] } == ["Bearer hunter2", nil])
  }
}
