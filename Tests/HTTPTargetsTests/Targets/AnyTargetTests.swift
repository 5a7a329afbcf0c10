import HTTPTargets
import PlatformModules
import Testing

@Suite("Targets")
struct TargetTests {
  private struct Minimal: TargetType {
    var baseURL: String { "https://zoo.example" }
    var path: URLPath { "" }
    var method: HTTPRequest.Method { .get }
    var task: HTTPTask { .plain }
    var headers: HTTPFields { [:] }
    var policy: TargetPolicy { .standard }
  }

  @Test("the standard policy accepts 2xx, sends no credentials, and depends on the method")
  func defaults() throws {
    let target = Minimal()
    let request = try Endpoint(target).request()
    #expect(request == TargetRequest(url: "https://zoo.example"))
    #expect(target.policy == TargetPolicy())
    #expect(target.policy.validation == .successCodes)
    #expect(target.policy.authorization == .none)
    #expect(target.policy.idempotency == nil && target.effectiveIdempotency == .safe)
    #expect(target.policy.timeouts == Timeouts())
    #expect(target.sampleData.isEmpty)
  }

  @Test("a boxed target has the properties of its target")
  func box() async throws {
    let target = Zoo(
      baseURL: "https://other.example", path: "a/\("b c")", method: .patch,
      task: .json(["a": 1], query: [.init("q", "1")]), headers: [.accept: "text/html"],
      validation: .codes([418]), authorization: .custom("token"),
      timeouts: Timeouts(connect: .seconds(1), idle: .seconds(2), total: nil),
      sampleData: Data("bytes".utf8), sample: .response(status: .init(code: 418)),
      marked: .idempotent)
    let box = AnyTarget(target)
    #expect(box.baseURL == target.baseURL)
    #expect(box.path == target.path)
    #expect(box.method == target.method)
    #expect(box.headers == target.headers)
    #expect(box.policy == target.policy && box.policy != .standard)
    #expect(box.sampleData == target.sampleData)
    #expect(try Endpoint(box).request() == target.request())
    let provider = Provider<AnyTarget>(
      stubClosure: { _ in .immediate }, transport: RecordingTransport())
    #expect(try await provider.request(box).status.code == 418)
  }

  @Test(
    "a target is idempotent by its method as in RFC 9110, unless its policy overrides that",
    arguments: [
      ("GET", .safe), ("HEAD", .safe), ("OPTIONS", .safe), ("TRACE", .safe), ("PUT", .idempotent),
      ("DELETE", .idempotent), ("POST", .once), ("PATCH", .once), ("LINK", .once),
    ] as [(String, Idempotency)])
  func idempotency(method: String, expected: Idempotency) throws {
    struct Sender: TargetType {
      var method: HTTPRequest.Method
      var baseURL: String { "https://zoo.example" }
      var path: URLPath { "" }
      var task: HTTPTask { .plain }
      var headers: HTTPFields { [:] }
      var policy = TargetPolicy.standard
    }
    var target = Sender(method: try #require(HTTPRequest.Method(method)))
    #expect(target.effectiveIdempotency == expected)
    #expect(try Endpoint(target).request().idempotency == expected)
    for own in [Idempotency.safe, .idempotent, .once] {
      target.policy.idempotency = own
      #expect(try Endpoint(target).request().idempotency == own)
    }
  }

  @Test("a boxed target isn't boxed again")
  func boxOfABox() {
    let box = AnyTarget(AnyTarget(AnyTarget(Minimal())))
    #expect(box.base is Minimal)
    let existential: any TargetType = AnyTarget(Minimal())
    #expect(AnyTarget(existential).base is Minimal)
  }

  @Test("one provider can serve several APIs")
  func severalAPIs() async throws {
    let transport = RecordingTransport()
    let provider = Provider<AnyTarget>(transport: transport)
    _ = try await provider.request(AnyTarget(Zoo()))
    _ = try await provider.request(AnyTarget(Minimal()))
    #expect(
      transport.requests.map(\.url) == ["https://zoo.example/animals", "https://zoo.example"])
  }
}
