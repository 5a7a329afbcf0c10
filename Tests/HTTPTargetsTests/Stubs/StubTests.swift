import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Stubs", .timeLimit(.minutes(5)))
struct StubTests {
  private let transport = RecordingTransport()
  private let clock = TestClock()

  private func provider(
    _ stub: StubBehavior = .immediate, plugins: [Plugin] = [],
    interceptors: [any Interceptor] = []
  ) -> Provider<Zoo> {
    Provider<Zoo>(
      stubClosure: { _ in stub }, plugins: plugins, interceptors: interceptors,
      transport: transport, clock: clock)
  }

  @Test("an immediate stub returns 200 with the sample data of the prepared request")
  func immediate() async throws {
    let plugin = Plugin.recording(name: "A", events: Events([]))
    let response = try await provider(plugins: [plugin]).request(
      Zoo(task: .query([.init("q", "1")])))
    #expect(response.status == .ok)
    #expect(response.text() == "sample")
    #expect(response.request.url == "https://zoo.example/animals?q=1")
    #expect(response.request.headers[.prepared] == "A")
    #expect(response.attempts == 1)
    #expect(transport.requests.isEmpty)
  }

  @Test("a delayed stub responds after its delay on the clock")
  func delayed() async throws {
    let answered = Watched(false)
    let provider = provider(.delayed(.seconds(10)))
    let call = Task {
      defer { answered.update { $0 = true } }
      return try await provider.request(Zoo())
    }
    try await clock.sleepers(atLeast: 1)
    #expect(clock.untilNextDeadline == .seconds(10))
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1)
    #expect(!answered.current)
    clock.advance(by: .nanoseconds(1))
    let response = try await call.value
    #expect(response.text() == "sample")
    #expect(response.timings.total == .seconds(10))
    #expect(transport.requests.isEmpty)
  }

  @Test("a delayed stub canceled during its delay fails with 'cancelled' and is processed once")
  func cancelled() async throws {
    let events = Events([])
    let provider = provider(
      .delayed(.seconds(10)), plugins: [.recording(name: "A", events: events)])
    let call = Task { await provider.outcome(Zoo()) }
    try await clock.sleepers(atLeast: 1)
    call.cancel()
    #expect(await call.value.word == "cancelled")
    #expect(clock.sleeperCount == 0)
    #expect(
      events.current == [
        "A prepare", "A willSend", "A didReceive cancelled", "A process cancelled",
      ])
  }

  @Test("one provider can stub some targets and send others")
  func perTarget() async throws {
    let provider = Provider<Zoo>(
      stubClosure: { $0.path == "stubbed" ? .immediate : .never }, transport: transport)
    #expect(try await provider.request(Zoo(path: "stubbed")).text() == "sample")
    #expect(try await provider.request(Zoo(path: "sent")).text() == "")
    #expect(transport.requests.map(\.url) == ["https://zoo.example/sent"])
  }

  @Test("the endpoint closure can change the sample response")
  func sampleOfEndpoint() async throws {
    let provider = Provider<Zoo>(
      endpointClosure: { target throws(NetworkError) in
        var endpoint = try Endpoint(target)
        endpoint.sample = { .response(status: .created, body: Data("other".utf8)) }
        return endpoint
      },
      stubClosure: { _ in .immediate }, transport: transport)
    let response = try await provider.request(Zoo())
    #expect(response.status == .created)
    #expect(response.text() == "other")
  }

  @Test("a sample response can be a failure")
  func failure() async {
    let target = Zoo(sample: .failure(.timedOut(.idle, "silence")))
    guard case .failure(let error) = await provider().outcome(target) else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.code == .timedOut)
    #expect(error.timedOutPhase == .idle)
  }

  @Test("a sequence advances with each call, and its last response repeats")
  func sequenceOverCalls() async {
    let target = Zoo(
      sample: .sequence(
        .response(status: .serviceUnavailable), .failure(.cancelled),
        .response(status: .created)))
    let provider = provider()
    let copy = provider
    var words: [String] = []
    for provider in [provider, copy, provider, copy] {
      words.append(await provider.outcome(target).word)
    }
    #expect(words == ["statusCode", "cancelled", "201", "201"])
  }

  @Test("a sequence advances with each attempt of a call")
  func sequenceOverAttempts() async throws {
    let target = Zoo(
      sample: .sequence(
        .response(status: .found, headers: [.location: "/elsewhere"]),
        .sequence(
          .response(status: .found, headers: [.location: "/there"]),
          .response(body: Data("arrived".utf8)))))
    let response = try await provider().request(target)
    #expect(response.text() == "arrived")
    #expect(response.attempts == 3)
    #expect(response.request.url == "https://zoo.example/there")
    #expect(transport.requests.isEmpty)
  }

  @Test("attempts are counted by method, URL and query, and by provider")
  func separateCounts() async {
    let sample = SampleResponse.sequence(
      .response(status: .created), .response(status: .accepted))
    let targets = [
      Zoo(sample: sample), Zoo(path: "plants", sample: sample), Zoo(method: .put, sample: sample),
      Zoo(task: .query([.init("page", 2)]), sample: sample),
    ]
    let provider = provider()
    for word in ["201", "202"] {
      for target in targets { #expect(await provider.outcome(target).word == word) }
    }
    #expect(await self.provider().outcome(targets[0]).word == "201")
  }

  @Test("a sample response has a size limit")
  func cap() async {
    let provider = Provider<Zoo>(
      requestClosure: { endpoint throws(NetworkError) in
        var request = try endpoint.request()
        request.maximumBodySize = 5
        return request
      },
      stubClosure: { _ in .immediate }, transport: transport)
    #expect(await provider.outcome(Zoo()).word == "tooLarge")
  }

  @Test("a stub transport returns one sample response per request")
  func alone() async throws {
    let stub = StubTransport(.sequence(.response(), .response(status: .noContent)))
    let request = TargetRequest(url: "https://zoo.example")
    #expect(try await stub.send(request).status == .ok)
    #expect(try await stub.send(request).status == .noContent)
  }
}
