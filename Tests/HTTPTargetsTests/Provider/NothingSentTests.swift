import HTTPTargets
import TestSupport
import Testing

/// A call that fails before it is sent has no attempt, only an outcome.
@Suite("Nothing is sent", .timeLimit(.minutes(1)))
struct NothingSentTests {
  private struct Refusing: Plugin {
    func prepare(
      _ request: Request, target: any TargetType
    ) async throws(NetworkError) -> Request {
      throw NetworkError(.rateLimited, "not now")
    }
  }

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

  private var plugins: [any Plugin] { [RecordingPlugin(name: "A", events: events)] }

  @Test("when the endpoint closure throws")
  func endpointClosure() async {
    let provider = Provider<Zoo>(
      endpointClosure: { _ throws(NetworkError) in throw NetworkError(.decoding, "no") },
      plugins: plugins, transport: transport)
    await expectNothingSent(.decoding, by: provider)
  }

  @Test("when the request closure throws")
  func requestClosure() async {
    let provider = Provider<Zoo>(
      requestClosure: { _ throws(NetworkError) in throw NetworkError(.decoding, "no") },
      plugins: plugins, transport: transport)
    await expectNothingSent(.decoding, by: provider)
  }

  @Test("when prepare throws", arguments: [StubBehavior.never, .immediate])
  func prepare(stub: StubBehavior) async {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins + [Refusing()], transport: transport)
    await expectNothingSent(.rateLimited, by: provider, prepared: true)
  }

  @Test(
    "when the body can't be encoded",
    arguments: [Float.infinity, -.infinity, .nan], [StubBehavior.never, .immediate])
  func encoding(value: Float, stub: StubBehavior) async {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins, transport: transport)
    await expectNothingSent(
      .encoding, by: provider, calling: Zoo(method: .post, task: .json(value)))
  }

  @Test("when the target can't be mapped", arguments: [StubBehavior.never, .immediate])
  func mapping(stub: StubBehavior) async {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins, transport: transport)
    await expectNothingSent(.requestMapping, by: provider, calling: Zoo(baseURL: "zoo"))
  }

  @Test("when the task is cancelled before")
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
