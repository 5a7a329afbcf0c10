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
  }

  @Test("a target needs only the properties required by Moya, and has defaults for the others")
  func defaults() throws {
    let target = Minimal()
    let request = try Endpoint(target).request()
    #expect(request == TargetRequest(url: "https://zoo.example"))
    #expect(target.validation == .successCodes)
    #expect(target.authorization == .none)
    #expect(target.idempotency == .safe)
    #expect(target.timeouts == Timeouts())
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
    #expect(box.validation == target.validation)
    #expect(box.authorization == target.authorization)
    #expect(box.idempotency == target.idempotency)
    #expect(box.timeouts == target.timeouts)
    #expect(box.sampleData == target.sampleData)
    #expect(try Endpoint(box).request() == target.request())
    let provider = Provider<AnyTarget>(
      stubClosure: { _ in .immediate }, transport: RecordingTransport())
    #expect(try await provider.request(box).status.code == 418)
  }

  @Test(
    "a target is idempotent by its method as in RFC 9110, unless it overrides that",
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
    }
    let target = Sender(method: try #require(HTTPRequest.Method(method)))
    #expect(target.idempotency == expected)
    #expect(try Endpoint(target).request().idempotency == expected)
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
