import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Retrying", .timeLimit(.minutes(5)))
struct RetryTests {
  private let clock = TestClock()
  private let notices = Events([])

  /// A provider whose waits are as long as they can be.
  private func provider(
    _ transport: any Transport, _ policy: RetryPolicy = RetryPolicy(), plugins: [Plugin] = []
  ) -> Provider<Zoo> {
    let retry = RetryInterceptor(
      policy: policy,
      onRetry: { [notices] in
        notices.note("\($0.number) of \($0.maximum) in \($0.delay): \($0.reason)")
      }, random: { $0.upperBound }, now: { Date(timeIntervalSince1970: 784_111_777) })
    return Provider<Zoo>(
      plugins: plugins, interceptors: [retry], transport: transport, clock: clock)
  }

  /// Calls a target, and moves the clock through the waits.
  private func outcome(
    _ provider: Provider<Zoo>, _ target: Zoo = Zoo(), waits: Int
  ) async throws -> (result: Result<TargetResponse, NetworkError>, waits: [Duration]) {
    let call = Task { await provider.outcome(target) }
    var passed: [Duration] = []
    for _ in 0..<waits {
      try await clock.sleepers(atLeast: 1)
      passed.append(clock.advanceToNextDeadline())
    }
    return (await call.value, passed)
  }

  @Test("a call succeeds after two failures, and each failure is reported before its wait")
  func answer() async throws {
    let transport = RecordingTransport([
      .reply(.serviceUnavailable), .reply(.badGateway), .reply(body: "there"),
    ])
    let (result, waits) = try await outcome(provider(transport), waits: 2)
    let response = try result.get()
    #expect(response.text() == "there")
    #expect(response.attempts == 3)
    #expect(waits == [.seconds(0.5), .seconds(1)])
    #expect(
      notices.current == [
        "1 of 3 in 0.5 seconds: status 503", "2 of 3 in 1.0 seconds: status 502",
      ])
    #expect(Set(transport.requests).count == 1)
  }

  @Test("the response of the last attempt is returned with the number of attempts")
  func lastAnswer() async throws {
    let transport = RecordingTransport([
      .reply(.internalServerError), .reply(.badGateway), .reply(.gatewayTimeout),
      .reply(.serviceUnavailable, body: "closed"), .reply(),
    ])
    let (result, waits) = try await outcome(provider(transport), waits: 3)
    #expect(waits == [.seconds(0.5), .seconds(1), .seconds(2)])
    guard case .failure(let error) = result else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.code == .statusCode)
    #expect(error.attempts == 4)
    #expect(error.response?.attempts == 4)
    #expect(error.response?.text() == "closed")
    #expect(clock.sleeperCount == 0)
  }

  @Test("the error of the last attempt is thrown with the number of attempts")
  func lastError() async throws {
    let transport = RecordingTransport { _ throws(NetworkError) in
      throw .transport(TransportFailure(.interrupted, code: 56), "broken")
    }
    let (result, _) = try await outcome(
      provider(transport, RetryPolicy(maximumRetries: 2)), waits: 2)
    guard case .failure(let error) = result else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.transportFailure == TransportFailure(.interrupted, code: 56))
    #expect(error.attempts == 3)
    #expect(transport.requests.count == 3)
  }

  @Test("a permanent failure ends the retries, even after transient ones")
  func otherFailure() async throws {
    let transport = RecordingTransport([.reply(.serviceUnavailable), .reply(.notFound)])
    let (result, _) = try await outcome(provider(transport), waits: 1)
    guard case .failure(let error) = result else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.response?.status == .notFound)
    #expect(error.attempts == 2)
  }

  @Test("plugins see a pair of hooks for each attempt, and process once")
  func plugins() async throws {
    let events = Events([])
    let transport = RecordingTransport([.reply(.serviceUnavailable), .reply()])
    let recording = provider(transport, plugins: [.recording(name: "A", events: events)])
    _ = try await outcome(recording, waits: 1)
    #expect(
      events.current == [
        "A prepare", "A willSend", "A didReceive 503", "A willSend", "A didReceive 200",
        "A process 200",
      ])
  }

  @Test(
    "a refused request is sent once", arguments: [400, 401, 403, 404, 410, 422, 429, 501])
  func refused(status: Int) async throws {
    let transport = RecordingTransport([
      .reply(.init(code: status), headers: [.retryAfter: "0"]), .reply(),
    ])
    #expect(await provider(transport).outcome(Zoo()).word == "statusCode")
    #expect(transport.requests.count == 1)
  }

  @Test(
    "a request that the server may have processed is repeated only if it is idempotent",
    arguments: [
      (.get, nil, true), (.head, nil, true), (.post, nil, false), (.put, nil, true),
      (.patch, nil, false), (.delete, nil, true), (.put, .once, false), (.post, .safe, true),
      (.patch, .idempotent, true), (.get, .once, false),
    ] as [(HTTPRequest.Method, Idempotency?, Bool)])
  func methods(method: HTTPRequest.Method, mark: Idempotency?, isRetried: Bool) async throws {
    let transport = RecordingTransport([.reply(.serviceUnavailable), .reply()])
    let (result, _) = try await outcome(
      provider(transport), Zoo(method: method, marked: mark), waits: isRetried ? 1 : 0)
    #expect(result.word == (isRetried ? "200" : "statusCode"))
    #expect(transport.requests.count == (isRetried ? 2 : 1))
  }

  /// A failure before a connection, of which a transport may know that nothing left.
  private static func unconnected(bytesSent: Int?) -> NetworkError {
    var error = NetworkError.transport(TransportFailure(.connection, code: 7), "no connection")
    error.bytesSent = bytesSent
    return error
  }

  @Test("an unsent POST is retried until an attempt may have sent bytes")
  func unsent() async throws {
    let attempts = Watched(0)
    let transport = RecordingTransport { _ throws(NetworkError) in
      let attempt = attempts.update { attempts in
        attempts += 1
        return attempts
      }
      throw Self.unconnected(bytesSent: attempt < 3 ? 0 : nil)
    }
    let (result, _) = try await outcome(provider(transport), Zoo(method: .post), waits: 2)
    guard case .failure(let error) = result else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.attempts == 3)
    #expect(error.bytesSent == nil)
  }

  @Test(
    "an error reports that nothing was sent only if no attempt sent anything",
    arguments: [
      ([0, 0, 0, 0], 0), ([400, 0, 0, 0], nil), ([0, 0, 0, 7], 7), ([0, 9, 0, 0], nil),
    ]
      as [([Int], Int?)])
  func bytesSent(ofAttempts counts: [Int], ofCall expected: Int?) async throws {
    let attempts = Watched(0)
    let transport = RecordingTransport { _ throws(NetworkError) in
      let attempt = attempts.update { attempts in
        defer { attempts += 1 }
        return attempts
      }
      throw Self.unconnected(bytesSent: counts[attempt])
    }
    let (result, _) = try await outcome(provider(transport), Zoo(method: .put), waits: 3)
    guard case .failure(let error) = result else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.bytesSent == expected)
  }

  @Test("a call canceled before anything was sent reports zero bytes sent")
  func cancelledBeforeSending() async throws {
    let transport = RecordingTransport { _ throws(NetworkError) in
      throw Self.unconnected(bytesSent: 0)
    }
    let provider = provider(transport)
    let call = Task { await provider.outcome(Zoo(method: .post)) }
    try await clock.sleepers(atLeast: 1)
    call.cancel()
    guard case .failure(let error) = await call.value else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.code == .cancelled && error.attempts == 1 && error.bytesSent == 0)
  }

  @Test("a GET that an endpoint closure turns into a POST is sent once")
  func changedMethod() async throws {
    let transport = RecordingTransport([.reply(.serviceUnavailable)])
    let provider = Provider<Zoo>(
      endpointClosure: { target throws(NetworkError) in
        var endpoint = try Endpoint(target)
        endpoint.method = .post
        return endpoint
      }, interceptors: [RetryInterceptor()], transport: transport, clock: clock)
    #expect(await provider.outcome(Zoo()).word == "statusCode")
    #expect(transport.requests.count == 1)
  }

  @Test(
    "Retry-After is the minimum wait, in seconds or until a date by the server's clock",
    arguments: [
      (["3"], "Sun, 06 Nov 1994 08:49:37 GMT", 3), (["0"], nil, 0.5),
      (["Sun, 06 Nov 1994 08:49:44 GMT"], "Sun, 06 Nov 1994 08:49:37 GMT", 7),
      (["Sun, 06 Nov 1994 08:49:44 GMT"], nil, 7),
      (["Sun, 06 Nov 1994 08:49:44 GMT"], "Sun, 06 Nov 1994 09:49:44 GMT", 0.5),
      (["soon"], nil, 0.5), (["-5"], nil, 0.5), ([""], nil, 0.5), (["2", "9", "x"], nil, 9),
    ] as [([String], String?, Double)])
  func retryAfter(values: [String], date: String?, seconds: Double) async throws {
    var headers = HTTPFields()
    for value in values { headers.append(HTTPField(name: .retryAfter, value: value)) }
    headers[.date] = date
    let transport = RecordingTransport([.reply(.serviceUnavailable, headers: headers), .reply()])
    let (result, waits) = try await outcome(provider(transport), waits: 1)
    #expect(result.word == "200")
    #expect(waits == [.seconds(seconds)])
  }

  @Test(
    "a response whose Retry-After exceeds the budget is returned at once",
    arguments: ["31", "99999999999999999999999", "Sun, 06 Nov 1994 08:50:37 GMT"])
  func longRetryAfter(value: String) async throws {
    let transport = RecordingTransport([
      .reply(.serviceUnavailable, headers: [.retryAfter: value], body: "later"), .reply(),
    ])
    let result = await provider(transport).outcome(Zoo(validation: .none))
    #expect(try result.get().text() == "later")
    #expect(transport.requests.count == 1)
    #expect(notices.current.isEmpty)
  }

  @Test("canceling a call ends its wait and sends nothing more")
  func cancelled() async throws {
    let transport = RecordingTransport([.reply(.serviceUnavailable), .reply()])
    let provider = provider(transport)
    let call = Task { await provider.outcome(Zoo()) }
    try await clock.sleepers(atLeast: 1)
    call.cancel()
    guard case .failure(let error) = await call.value else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.code == .cancelled)
    #expect(error.attempts == 1)
    #expect(transport.requests.count == 1)
    #expect(clock.sleeperCount == 0)
  }

  @Test("stubs are retried like responses of the network")
  func stub() async throws {
    let sample = SampleResponse.sequence(
      .failure(.transport(TransportFailure(.nameLookup, code: 6), "no name")),
      .response(status: .gatewayTimeout), .response(body: Data("at last".utf8)))
    let stubbed = Provider<Zoo>(
      stubClosure: { _ in .immediate }, interceptors: [RetryInterceptor(random: { _ in 0 })],
      transport: RecordingTransport(), clock: clock)
    let response = try await stubbed.request(Zoo(sample: sample))
    #expect(response.text() == "at last")
    #expect(response.attempts == 3)
  }
}
