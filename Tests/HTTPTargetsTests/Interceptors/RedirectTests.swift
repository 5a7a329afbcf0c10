import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Redirects")
struct RedirectTests {
  private func error(_ replies: [TransportReply], base: String = "https://zoo.example") async throws
    -> (error: NetworkError, sent: Int)
  {
    let transport = RecordingTransport(replies)
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await Provider<Zoo>(transport: transport).request(Zoo(baseURL: base))
      })
    return (error, transport.requests.count)
  }

  @Test(
    "each redirect status keeps or changes the method and the body as specified",
    arguments: [
      ("POST", 301, "GET"), ("POST", 302, "GET"), ("POST", 303, "GET"), ("POST", 307, "POST"),
      ("POST", 308, "POST"), ("PUT", 301, "PUT"), ("PUT", 302, "PUT"), ("PUT", 303, "GET"),
      ("PUT", 307, "PUT"), ("PATCH", 308, "PATCH"), ("DELETE", 303, "GET"),
      ("DELETE", 302, "DELETE"),
    ])
  func methods(method: String, status: Int, becomes: String) async throws {
    let transport = RecordingTransport([.redirect(status, to: "/b"), .reply()])
    var headers: HTTPFields = [.accept: "text/zoo", .contentType: "text/x"]
    for name in ["Content-Encoding", "Content-Language", "Content-Location"] {
      headers[.named(name)] = "1"
    }
    let target = Zoo(
      method: HTTPRequest.Method(method)!, task: .data(Data("body".utf8)), headers: headers)
    _ = try await Provider<Zoo>(transport: transport).request(target)
    let first = try #require(transport.requests.first)
    let second = try #require(transport.requests.last)
    #expect(transport.requests.count == 2)
    #expect(second.method.rawValue == becomes)
    #expect(second.body == (becomes == "GET" ? nil : first.body))
    #expect(second.headers == (becomes == "GET" ? [.accept: "text/zoo"] : first.headers))
    #expect(second.timeouts == first.timeouts)
  }

  @Test(
    "a write isn't redirected if configured so, and a safe request is redirected",
    arguments: [301, 303, 307])
  func writes(status: Int) async throws {
    for target in [Zoo(method: .post), Zoo(method: .put), Zoo(method: .post, marked: .safe)] {
      let transport = RecordingTransport([.redirect(status, to: "/b"), .reply()])
      let provider = Provider<Zoo>(
        redirects: RedirectInterceptor(followsWrites: false), transport: transport)
      let isFollowed = target.effectiveIdempotency == .safe
      #expect(await provider.outcome(target).word == (isFollowed ? "200" : "statusCode"))
      #expect(transport.requests.count == (isFollowed ? 2 : 1))
    }
  }

  @Test(
    "GET and HEAD keep their method after any redirect", arguments: ["GET", "HEAD"],
    [301, 302, 303, 307, 308])
  func safeMethods(method: String, status: Int) async throws {
    let transport = RecordingTransport([.redirect(status, to: "/b"), .reply()])
    let response = try await Provider<Zoo>(transport: transport)
      .request(Zoo(method: HTTPRequest.Method(method)!))
    #expect(transport.requests.map(\.method.rawValue) == [method, method])
    #expect(response.request.url == "https://zoo.example/b")
    #expect(response.redirects == ["https://zoo.example/animals"])
    #expect(response.attempts == 2)
  }

  @Test(
    "other 3xx statuses, such as 304, are returned as responses",
    arguments: [300, 304, 305, 306, 309])
  func noRedirects(status: Int) async throws {
    let transport = RecordingTransport([.redirect(status, to: "/b")])
    let response = try await Provider<Zoo>(transport: transport).request(Zoo(validation: .none))
    #expect(response.status.code == status)
    #expect(transport.requests.count == 1)
  }

  @Test(
    "a redirect without a Location field is returned as the response",
    arguments: [301, 302, 303, 307, 308])
  func noLocation(status: Int) async throws {
    let transport = RecordingTransport([.reply(.init(code: status))])
    let response = try await Provider<Zoo>(transport: transport).request(Zoo(validation: .none))
    #expect(response.status.code == status)
    #expect(response.redirects.isEmpty)
    let (error, _) = try await error([.reply(.init(code: status))])
    #expect(error.code == .statusCode)
  }

  @Test(
    "a redirect loop is refused",
    arguments: [["/b", "/animals"], ["/animals"], ["/b", "/c", "/b"]])
  func circle(locations: [String]) async throws {
    let (error, sent) = try await error(locations.map { .redirect(to: $0) })
    #expect(error.code == .tooManyRedirects)
    #expect(error.response?.status.code == 302)
    #expect(sent == locations.count)
  }

  @Test("a POST redirected to a GET of the same URL isn't a loop")
  func postToSelf() async throws {
    let transport = RecordingTransport([.redirect(303, to: "/animals"), .reply()])
    let response = try await Provider<Zoo>(transport: transport).request(Zoo(method: .post))
    #expect(response.request.method == .get)
  }

  @Test("ten redirects are followed, and the eleventh is refused")
  func tooMany() async throws {
    func redirects(_ count: Int) -> [TransportReply] {
      (1...count).map { .redirect(to: "/\($0)") } + [.reply()]
    }
    let transport = RecordingTransport(redirects(10))
    let response = try await Provider<Zoo>(transport: transport).request(Zoo())
    #expect(response.redirects.count == 10)
    #expect(response.request.url == "https://zoo.example/10")
    let (error, sent) = try await error(redirects(11))
    #expect(error.code == .tooManyRedirects)
    #expect(sent == 11)
  }

  @Test("the redirect limit can be set", arguments: [0, 1, 3])
  func limit(maximum: Int) async throws {
    let transport = RecordingTransport((1...9).map { .redirect(to: "/\($0)") })
    let provider = Provider<Zoo>(
      redirects: RedirectInterceptor(maximumRedirects: maximum), transport: transport)
    #expect(await provider.outcome(Zoo()).word == "tooManyRedirects")
    #expect(transport.requests.count == maximum + 1)
  }

  @Test(
    "a redirect from https to http is refused",
    arguments: ["http://zoo.example/", "HTTP://other.example", "http://127.0.0.1:80/"])
  func insecure(location: String) async throws {
    let (error, sent) = try await error([.redirect(to: location), .reply()])
    #expect(error.code == .insecureRedirect)
    #expect(error.response?.headers[.location] == location)
    #expect(sent == 1)
  }

  @Test("a redirect from http to https or http is followed")
  func upgrade() async throws {
    let transport = RecordingTransport([
      .redirect(to: "http://b.example/"), .redirect(to: "https://b.example/"), .reply(),
    ])
    _ = try await Provider<Zoo>(transport: transport).request(Zoo(baseURL: "http://a.example"))
    #expect(transport.requests.map(\.url).last == "https://b.example/")
  }

  @Test(
    "a redirect to a scheme other than http or https is refused",
    arguments: [
      "ftp://zoo.example/", "file:///etc/passwd", "javascript:alert(1)", "data:,x", "https://",
      "https://me:hunter2@zoo.example/", "https:zoo.example", "mailto:a@b", "\\\\evil.example\\x",
      "https://evil.example\\@zoo.example", "https://a.example, https://b.example", "//",
    ])
  func unusable(location: String) async throws {
    let (error, sent) = try await error([.redirect(to: location), .reply()])
    #expect(error.code == .decoding)
    #expect(error.response?.status.code == 302)
    #expect(!"\(error)".contains("hunter2"))
    #expect(sent == 1)
  }

  @Test(
    "more than one Location field is refused, even if the values are equal",
    arguments: [["/b", "/c"], ["/b?q=1", "x"], ["/b", "/b"]])
  func severalLocations(locations: [String]) async throws {
    var headers = HTTPFields()
    for location in locations {
      headers.append(HTTPField(name: .location, value: location))
    }
    let (error, sent) = try await error([.reply(.found, headers: headers), .reply()])
    #expect(error.code == .decoding)
    #expect(error.response?.status == .found)
    #expect(sent == 1)
  }

  @Test("a custom interceptor receives the redirected response, but not the redirects")
  func innermost() async throws {
    struct Statuses: Interceptor {
      let seen = Events([])

      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        let response = try await next(request)
        seen.note("\(response.status.code) after \(response.redirects.count)")
        return response
      }
    }
    let statuses = Statuses()
    let transport = RecordingTransport([.redirect(301, to: "/b"), .reply()])
    let provider = Provider<Zoo>(interceptors: [statuses], transport: transport)
    #expect(try await provider.request(Zoo()).request.url == "https://zoo.example/b")
    #expect(statuses.seen.current == ["200 after 1"])
  }

  @Test("redirects aren't followed without the redirect interceptor")
  func withoutInterceptor() async throws {
    let transport = RecordingTransport([.redirect(to: "/b")])
    let provider = Provider<Zoo>(redirects: nil, transport: transport)
    #expect(try await provider.request(Zoo(validation: .none)).status == .found)
    #expect(transport.requests.count == 1)
  }
}
