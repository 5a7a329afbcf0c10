import HTTPTargets
import TestSupport
import Testing

/// The order of a call, read off one list that everything writes to.
@Suite("Order of a call's steps", .timeLimit(.minutes(5)))
struct CallOrderTests {
  private let events = Events([])
  private let clock = TestClock()

  private func provider(
    transport: any Transport, stub: StubBehavior = .never,
    inner: [any Interceptor] = []
  ) -> Provider<Zoo> {
    Provider<Zoo>(
      endpointClosure: { [events] target throws(NetworkError) in
        events.note("endpoint")
        return try Endpoint(target)
      },
      requestClosure: { [events] endpoint throws(NetworkError) in
        events.note("request")
        return try endpoint.request()
      },
      stubClosure: { [events] _ in
        events.note("stub")
        return stub
      },
      plugins: [
        .recording(name: "A", events: events), .recording(name: "B", events: events),
      ],
      interceptors: [
        RecordingInterceptor(name: "1", events: events),
        RecordingInterceptor(name: "2", events: events),
      ] + inner,
      transport: transport, clock: clock)
  }

  private func transport(_ status: HTTPResponse.Status = .ok) -> RecordingTransport {
    RecordingTransport { [events] _ throws(NetworkError) in
      events.note("transport")
      return .reply(status)
    }
  }

  private static let before = ["endpoint", "stub", "request", "A prepare", "B prepare"]

  @Test("every hook runs once, in the documented order")
  func network() async throws {
    let transport = transport()
    _ = try await provider(transport: transport).request(Zoo())
    #expect(
      events.current == Self.before + [
        "1 in", "2 in", "A willSend", "B willSend", "transport", "A didReceive 200",
        "B didReceive 200", "2 out", "1 out", "A process 200", "B process 200",
      ])
    #expect(transport.requests.map { $0.headers[.prepared] } == ["AB"])
  }

  @Test("a stub runs the same hooks without the transport", arguments: [false, true])
  func stubs(isDelayed: Bool) async throws {
    let transport = transport()
    let provider = provider(
      transport: transport, stub: isDelayed ? .delayed(.seconds(5)) : .immediate)
    async let response = provider.request(Zoo())
    if isDelayed {
      try await clock.sleepers(atLeast: 1)
      #expect(events.current.last == "B willSend")
      clock.advance(by: .seconds(5))
    }
    #expect(try await response.request.headers[.prepared] == "AB")
    #expect(
      events.current == Self.before + [
        "1 in", "2 in", "A willSend", "B willSend", "A didReceive 200", "B didReceive 200",
        "2 out", "1 out", "A process 200", "B process 200",
      ])
    #expect(transport.requests.isEmpty)
  }

  @Test("didReceive receives the response before validation, and process the validated result")
  func validation() async {
    let outcome = await provider(transport: transport(.notFound)).outcome(Zoo())
    #expect(outcome.word == "statusCode")
    #expect(
      events.current.suffix(6) == [
        "A didReceive 404", "B didReceive 404", "2 out", "1 out", "A process statusCode",
        "B process statusCode",
      ])
  }

  @Test("a transport failure is received once by each plugin and processed once")
  func failure() async {
    let transport = RecordingTransport { _ throws(NetworkError) in
      throw .transport(TransportFailure(.connection, code: 7), "no connection")
    }
    #expect(await provider(transport: transport).outcome(Zoo()).word == "transport")
    #expect(
      events.current.dropFirst(Self.before.count) == [
        "1 in", "2 in", "A willSend", "B willSend", "A didReceive transport",
        "B didReceive transport", "2 out", "1 out", "A process transport", "B process transport",
      ])
  }

  @Test("willSend and didReceive run in pairs for each attempt, including redirects")
  func redirects() async throws {
    let transport = RecordingTransport([.redirect(to: "/b"), .redirect(to: "/c"), .reply()])
    let response = try await provider(transport: transport).request(Zoo())
    #expect(response.attempts == 3)
    #expect(
      events.current.dropFirst(Self.before.count) == [
        "1 in", "2 in",
        "A willSend", "B willSend", "A didReceive 302", "B didReceive 302",
        "A willSend", "B willSend", "A didReceive 302", "B didReceive 302",
        "A willSend", "B willSend", "A didReceive 200", "B didReceive 200",
        "2 out", "1 out", "A process 200", "B process 200",
      ])
  }

  @Test("an interceptor that sends again adds a pair of hooks, and prepare runs once")
  func repeating() async throws {
    struct Twice: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        _ = try? await next(request)
        return try await next(request)
      }
    }
    let response = try await provider(transport: transport(), inner: [Twice()]).request(Zoo())
    #expect(response.attempts == 2)
    for hook in ["willSend", "didReceive 200"] {
      #expect(events.current.filter { $0 == "A \(hook)" }.count == 2)
    }
    for hook in ["prepare", "process 200"] {
      #expect(events.current.filter { $0 == "A \(hook)" }.count == 1)
    }
  }

  @Test("a response created by an interceptor sends nothing, and process runs")
  func withoutSending() async throws {
    struct Known: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        TargetResponse(request: request, status: .ok)
      }
    }
    let transport = transport()
    let response = try await provider(transport: transport, inner: [Known()]).request(Zoo())
    #expect(response.attempts == 0)
    #expect(transport.requests.isEmpty)
    #expect(
      events.current == Self.before + [
        "1 in", "2 in", "2 out", "1 out", "A process 200", "B process 200",
      ])
  }

  @Test("an interceptor receives the target and the clock of the call")
  func call() async throws {
    struct Waits: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        #expect((call.target as? Zoo)?.path == "known")
        try? await call.clock.sleep(for: .seconds(7))
        return try await next(request)
      }
    }
    let transport = transport()
    let provider = provider(transport: transport, inner: [Waits()])
    async let response = provider.request(Zoo(path: "known"))
    try await clock.sleepers(atLeast: 1)
    #expect(clock.untilNextDeadline == .seconds(7))
    #expect(transport.requests.isEmpty)
    clock.advance(by: .seconds(7))
    #expect(try await response.status == .ok)
  }
}
