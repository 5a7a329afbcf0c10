import HTTPTargets
import PlatformModules
import TestSupport
import Testing

/// A call that fails before it is sent has no attempt, only an outcome.
@Suite("Calls that send nothing", .timeLimit(.minutes(5)))
struct NothingSentTests {
  private let events = Events([])
  private let transport = RecordingTransport()

  private func expectNothingSent(
    _ code: NetworkError.Code, by provider: Provider<Zoo>, calling target: Zoo = Zoo(),
    prepared: Bool = false, sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    #expect(
      await provider.outcome(target).word == code.rawValue, sourceLocation: sourceLocation)
    #expect(transport.requests.isEmpty, sourceLocation: sourceLocation)
    #expect(
      events.current == (prepared ? ["A prepare"] : []) + ["A process \(code.rawValue)"],
      sourceLocation: sourceLocation)
  }

  private var plugins: [Plugin] { [.recording(name: "A", events: events)] }

  private func adjusting(_ adjust: @escaping @Sendable (inout TargetRequest) -> Void) -> Provider<
    Zoo
  > {
    let adjusting = Plugin(prepare: { request, _ in
      var request = request
      adjust(&request)
      return request
    })
    return Provider<Zoo>(plugins: plugins + [adjusting], transport: transport)
  }

  @Test("nothing is sent when the endpoint closure throws")
  func endpointClosure() async {
    let provider = Provider<Zoo>(
      endpointClosure: { _ in throw NetworkError(.decoding, "no") },
      plugins: plugins, transport: transport)
    await expectNothingSent(.decoding, by: provider)
  }

  @Test("nothing is sent when the request closure throws")
  func requestClosure() async {
    let provider = Provider<Zoo>(
      requestClosure: { _ in throw NetworkError(.decoding, "no") },
      plugins: plugins, transport: transport)
    await expectNothingSent(.decoding, by: provider)
  }

  @Test("nothing is sent when prepare throws", arguments: [StubBehavior.never, .immediate])
  func prepare(stub: StubBehavior) async {
    let refusing = Plugin(prepare: { _, _ in throw NetworkError(.rateLimited, "not now") })
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins + [refusing], transport: transport)
    await expectNothingSent(.rateLimited, by: provider, prepared: true)
  }

  @Test(
    "nothing is sent when the body can't be encoded",
    arguments: [Float.infinity, -.infinity, .nan], [StubBehavior.never, .immediate])
  func encoding(value: Float, stub: StubBehavior) async {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins, transport: transport)
    await expectNothingSent(
      .encoding, by: provider, calling: Zoo(method: .post, task: .json(value)))
  }

  @Test(
    "nothing is sent when the target can't be mapped", arguments: [StubBehavior.never, .immediate])
  func mapping(stub: StubBehavior) async {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins, transport: transport)
    await expectNothingSent(.requestMapping, by: provider, calling: Zoo(baseURL: "zoo"))
  }

  @Test(
    "nothing is sent when the task of a GET or HEAD request has a body",
    arguments: [HTTPRequest.Method.get, .head], [StubBehavior.never, .immediate])
  func bodyOfTask(method: HTTPRequest.Method, stub: StubBehavior) async {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins, transport: transport)
    await expectNothingSent(
      .requestMapping, by: provider, calling: Zoo(method: method, task: .json(1)), prepared: true)
  }

  @Test(
    "nothing is sent when a plugin adds a body to a GET or HEAD request",
    arguments: [HTTPRequest.Method.get, .head])
  func bodyOfPlugin(method: HTTPRequest.Method) async {
    await expectNothingSent(
      .requestMapping, by: adjusting { $0.body = RequestBody(Data("1".utf8)) },
      calling: Zoo(method: method),
      prepared: true)
  }

  @Test(
    "nothing is sent when a plugin sets an invalid URL",
    arguments: ["", "zoo", "ftp://zoo.example", "https://a@zoo.example/", "https://zoo.example/ "])
  func unusableURL(url: String) async {
    await expectNothingSent(.requestMapping, by: adjusting { $0.url = url }, prepared: true)
  }

  /// Changes requests below all plugins.
  private struct Changing: Interceptor {
    let change: @Sendable (inout TargetRequest) -> Void

    func intercept(_ request: TargetRequest, call: TargetCall, next: Next) async throws
      -> TargetResponse
    {
      var request = request
      change(&request)
      return try await next(request)
    }
  }

  private func problem(
    of target: Zoo = Zoo(),
    changing change: @escaping @Sendable (inout TargetRequest) -> Void = { _ in }
  ) async -> String {
    let provider = Provider<Zoo>(
      plugins: plugins, interceptors: [Changing(change: change)], transport: transport)
    guard case .failure(let error) = await provider.outcome(target) else { return "none" }
    #expect(error.code == .requestMapping)
    #expect(error.bytesSent == 0)
    #expect(transport.requests.isEmpty)
    #expect(!events.current.contains { $0.contains("willSend") })
    return error.message
  }

  @Test("nothing is sent when an interceptor makes an invalid request")
  func interceptors() async {
    for method in [HTTPRequest.Method.get, .head] {
      let message = await problem(of: Zoo(method: method)) { $0.body = RequestBody(Data("1".utf8)) }
      #expect(message.contains("\(method) can't have a body"))
    }
    let message = await problem { $0.url = "ftp://zoo.example" }
    #expect(message.hasSuffix("it is not an absolute http or https URL"))
  }

  @Test(
    "nothing is sent when a field reserved for the transport is set",
    arguments: [
      "Content-Length", "transfer-encoding", "Host", "Connection", "Keep-Alive",
      "Proxy-Connection", "Upgrade",
    ])
  func fieldsOfTransport(name: String) async {
    let field = HTTPField.Name.named(name)
    let expected = "the transport sets “\(name)” by itself"
    #expect(await problem(of: Zoo(headers: [field: "5"])).hasSuffix(expected))
    #expect(await problem { $0.headers[field] = "5" }.hasSuffix(expected))
  }

  @Test("nothing is sent to an international host name, and the error suggests Punycode")
  func internationalName() async {
    for url in ["http://bücher.example", "https://zoo.例え"] {
      #expect(await problem(of: Zoo(baseURL: url)).contains("in Punycode, as in xn--"))
      #expect(await problem { $0.url = url }.contains("in Punycode, as in xn--"))
    }
    #expect(await problem { $0.url = "http://zoo.example/ü" }.hasSuffix("percent-encoded"))
  }

  @Test("nothing is sent when the task is already canceled")
  func cancelledBefore() async {
    let provider = Provider<Zoo>(plugins: plugins, transport: transport)
    let gate = Gate()
    let call = Task {
      await gate.wait()
      return await provider.outcome(Zoo())
    }
    call.cancel()
    gate.open()
    #expect(await call.value.word == "cancelled")
    #expect(transport.requests.isEmpty)
    #expect(events.current == ["A prepare", "A process cancelled"])
  }
}
