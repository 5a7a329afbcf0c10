import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@testable import GitHubAPI

@Suite("RateLimitInterceptor", .timeLimit(.minutes(5)))
struct RateLimitInterceptorTests {
  private let clock = TestClock()
  private let told = Watched<[RateLimitPause]>([])

  private func interceptor(
    _ wait: RateLimitWait, maximumInFlight: Int = 16
  ) -> RateLimitInterceptor {
    RateLimitInterceptor(
      maximumWait: wait, maximumInFlight: maximumInFlight, now: ProbeTime.now(clock),
      onWait: { [told] pause in told.update { $0.append(pause) } })
  }

  private func provider(
    _ wait: RateLimitWait, transport: (any Transport)? = nil, maximumInFlight: Int = 16,
    plugins: [Plugin] = []
  ) -> Provider<Probe> {
    provider(
      interceptor(wait, maximumInFlight: maximumInFlight), transport: transport, plugins: plugins)
  }

  private func provider(
    _ limits: RateLimitInterceptor, transport: (any Transport)? = nil, plugins: [Plugin] = []
  ) -> Provider<Probe> {
    Provider<Probe>(
      stubClosure: { _ in transport == nil ? .immediate : .never },
      plugins: plugins + [.gitHubErrors(now: ProbeTime.now(clock))],
      interceptors: [limits],
      transport: transport ?? StubTransport(.answer(500)), clock: clock)
  }

  // MARK: Waiting

  @Test(
    "a limit that ends soon is waited for by the server's clock, and the request is sent again",
    arguments: [
      (SampleResponse.retryAfter("8"), 8), (.retryAfter("8", status: 403), 8),
      (.retryAfter("Sun, 06 Nov 1994 08:46:25 GMT"), 8),
      // The reset is in whole seconds, so that one may be missing.
      (.quota(0, resetIn: 8, status: 403), 9), (.quota(0, resetIn: 8, status: 429), 9),
      (.withoutTime, 60), (.answer(429), 60),
    ])
  func waits(limit: SampleResponse, seconds: Int) async throws {
    let provider = provider(.upTo(.seconds(60)))
    let answer = Task { try await provider.request(Probe(limit, .answer(200))) }
    try await clock.sleepers(atLeast: 1)
    #expect(clock.untilNextDeadline == .seconds(seconds))
    // It goes to sleep on another thread than the one that tells.
    let began = try await told.value { $0.first }
    #expect(began.phase == .began && began.duration == .seconds(seconds))
    #expect(began.until == ProbeTime.start.addingTimeInterval(Double(seconds)))
    clock.advance(by: .seconds(seconds))
    let response = try await answer.value
    #expect(response.status == .ok)
    #expect(response.attempts == 2)
    #expect(told.current.map(\.phase) == [.began, .ended])
  }

  @Test("a limit that lasts too long fails at once, and the error has its end")
  func tooLong() async throws {
    for (wait, seconds) in [(RateLimitWait.never, 1), (.upTo(.seconds(60)), 61)] {
      let probe = Probe(.retryAfter("\(seconds)"), .answer(200))
      let error = try #require(
        await #expect(throws: NetworkError.self) { try await provider(wait).request(probe) })
      #expect(error.code == .rateLimited)
      #expect(error.retryDate == ProbeTime.start.addingTimeInterval(Double(seconds)))
      #expect(error.response?.status.code == 429)
    }
    #expect(told.current.isEmpty)
  }

  @Test("a permission error or another status isn't a limit")
  func otherStatus() async {
    let provider = provider(.forever)
    let forbidden = SampleResponse.answer(403, body: #"{"message": "Must have push access"}"#)
    #expect(await provider.word(Probe("a", forbidden)) == "statusCode")
    #expect(await provider.word(Probe("b", .answer(503, ["Retry-After": "5"]))) == "statusCode")
    #expect(await provider.word(Probe("c", .quota(7, resetIn: 9, status: 404))) == "statusCode")
    #expect(await provider.word(Probe("d", .answer(200))) == "200")
  }

  @Test("a write refused by a limit is sent again unchanged")
  func body() async throws {
    let sent = Watched<[TargetRequest]>([])
    let transport = ClosureTransport { request in
      let isFirst = sent.update { sent in
        sent.append(request)
        return sent.count == 1
      }
      return isFirst ? .reply(429, ["Retry-After": "3"]) : .reply(201)
    }
    let provider = provider(.forever, transport: transport)
    var probe = Probe(.answer(200))
    probe.method = .post
    probe.task = .json(["title": "x"])
    let answer = Task { [probe] in await provider.word(probe) }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    #expect(await answer.value == "201")
    #expect(sent.current.count == 2)
    #expect(sent.current.first == sent.current.last)
    #expect(sent.current.first?.body != nil)
  }

  @Test("canceling a wait ends it at once and leaves nothing behind")
  func cancelled() async throws {
    let limits = interceptor(.forever)
    let provider = provider(limits)
    let probe = Probe(.retryAfter("50"), .answer(200))
    // The limit is there before the others ask: one of them would get the answer after it.
    let first = Task { await provider.word(probe) }
    try await told.value { $0.isEmpty ? nil : () }
    let answers = [first] + (1...2).map { _ in Task { await provider.word(probe) } }
    // One that comes when the others are gone already would begin a wait of its own.
    while limits.waiterCount < 3 { await Task.yield() }
    for answer in answers { answer.cancel() }
    for answer in answers { #expect(await answer.value == "cancelled") }
    #expect(told.current.map(\.phase) == [.began, .ended])
    // The clock hears of the cancelled timer a moment later.
    while clock.sleeperCount > 0 { await Task.yield() }
  }

  @Test("a request that is already canceled isn't sent")
  func cancelledBefore() async {
    let sent = Watched(0)
    let transport = ClosureTransport { _ in
      sent.update { $0 += 1 }
      return .reply(200)
    }
    let interceptor = interceptor(.forever)
    let call = Task {
      while !Task.isCancelled { await Task.yield() }
      let request = TargetRequest(url: "https://api.github.com/x")
      let provider = Provider<Probe>(
        interceptors: [CallingNext(interceptor: interceptor, request: request)],
        transport: transport, clock: clock)
      return await provider.word(Probe(.answer(200)))
    }
    call.cancel()
    #expect(await call.value == "cancelled")
    #expect(sent.current == 0)
  }

  /// Calls an interceptor although its task is cancelled: a provider wouldn't come so far.
  private struct CallingNext: Interceptor {
    let interceptor: RateLimitInterceptor
    let request: TargetRequest

    func intercept(
      _ request: TargetRequest, call: TargetCall, next: Next
    ) async throws(NetworkError) -> TargetResponse {
      try await interceptor.intercept(self.request, call: call, next: next)
    }
  }

  // MARK: The budget

  @Test("an exhausted quota delays requests until the reset")
  func exhausted() async throws {
    let counted = SentCount()
    let provider = provider(.never, plugins: [counted.plugin])
    #expect(await provider.word(Probe("a", .quota(0, resetIn: 90))) == "200")
    let copy = provider
    let error = try #require(
      await #expect(throws: NetworkError.self) {
        try await copy.request(Probe("b", .answer(200)))
      })
    #expect(error.code == .rateLimited)
    #expect(error.retryDate == ProbeTime.start.addingTimeInterval(91))
    #expect(error.message == "the rate limit of the API is used up until 1994-11-06T08:57:48Z")
    #expect(counted.count == 1)
    // The search has a quota of its own, and asking for the limits is free.
    for path in ["search/issues", "rate_limit"] as [URLPath] {
      #expect(await provider.word(Probe(path, .answer(200))) == "200")
    }
    #expect(await provider.word(Probe("api/v3/search/issues", .answer(200))) == "200")
    clock.advance(by: .seconds(90))
    #expect(await provider.word(Probe("b", .answer(200))) == "rateLimited")
    clock.advance(by: .seconds(1))
    #expect(await provider.word(Probe("b", .answer(200))) == "200")
  }

  @Test("a request waits for a known limit before it is sent")
  func waitsBeforeAsking() async throws {
    let counted = SentCount()
    let provider = provider(.upTo(.seconds(60)), plugins: [counted.plugin])
    #expect(await provider.word(Probe("a", .quota(0, resetIn: 59))) == "200")
    let answer = Task { await provider.word(Probe("b", .answer(200))) }
    try await clock.sleepers(atLeast: 1)
    #expect(counted.count == 1)
    let began = try await told.value { $0.first }
    #expect(began.reason == .primaryLimit)
    clock.advance(by: .seconds(60))
    #expect(await answer.value == "200")
    #expect(counted.count == 2)
  }

  @Test("a past or invalid reset time doesn't delay requests")
  func overAlready() async {
    let provider = provider(.never)
    #expect(await provider.word(Probe("a", .quota(0, resetIn: -1))) == "200")
    #expect(await provider.word(Probe("b", .answer(200, ["x-ratelimit-remaining": "0"]))) == "200")
    for value in ["soon", "1e9", "99999999999999999999"] {
      let fields = ["x-ratelimit-remaining": "0", "x-ratelimit-reset": value]
      #expect(await provider.word(Probe("c\(value)", .answer(200, fields))) == "200")
    }
    #expect(await provider.word(Probe("d", .answer(200))) == "200")
  }

  @Test("each token and each server has its own budget")
  func budgets() async throws {
    let interceptor = interceptor(.never)
    func word(_ token: String?, _ baseURL: String, _ sample: SampleResponse) async throws -> String
    {
      let origin = try #require(Origin(url: baseURL))
      let accessToken: AccessToken? = if let token { try AccessToken(token) } else { nil }
      let credentials = Plugin.accessToken(origin: origin) { _ in accessToken }
      let provider = Provider<Authorised>(
        stubClosure: { _ in .immediate },
        plugins: [credentials, .gitHubErrors(now: ProbeTime.now(clock))],
        interceptors: [interceptor], transport: StubTransport(.answer(500)), clock: clock)
      return await provider.word(Authorised(baseURL: baseURL, sampleResponse: sample))
    }
    let (one, other) = ("https://api.github.com", "https://github.example.com/api/v3")
    #expect(try await word("a", one, .quota(0, resetIn: 900)) == "200")
    #expect(try await word("b", one, .answer(200)) == "200")
    #expect(try await word(nil, one, .answer(200)) == "200")
    #expect(try await word("a", other, .answer(200)) == "200")
    #expect(try await word("a", one, .answer(200)) == "rateLimited")
  }

  private struct Authorised: TargetType {
    var baseURL: String
    var path: URLPath = "x"
    var method: HTTPRequest.Method { .get }
    var task: HTTPTask { .plain }
    var headers: HTTPFields { [:] }
    var policy: TargetPolicy { TargetPolicy(authorization: .bearer) }
    var sampleResponse: SampleResponse
  }

  @Test("a limit of a redirect's target server isn't this server's limit")
  func anotherServer() async throws {
    let transport = ClosureTransport { request in
      request.url.hasPrefix("https://elsewhere.example")
        ? .reply(429, ["Retry-After": "900"])
        : .reply(302, ["Location": "https://elsewhere.example/x"])
    }
    let provider = provider(.forever, transport: transport)
    for _ in 1...2 { #expect(await provider.word(Probe(.answer(200))) == "rateLimited") }
    #expect(told.current.isEmpty)
  }

  @Test("a failed request frees its place for the next one")
  func failure() async {
    let transport = ClosureTransport { _ throws(NetworkError) in
      throw NetworkError.transport(TransportFailure(.connection, code: 7), "no connection")
    }
    let provider = provider(.never, transport: transport, maximumInFlight: 1)
    for _ in 1...3 { #expect(await provider.word(Probe(.answer(200))) == "transport") }
  }

  @Test("waiting requests end when they are canceled")
  func released() async throws {
    final class Observer: Sendable {
      func tell(_ pause: RateLimitPause) {}
    }
    weak var released: Observer?
    do {
      let observer = Observer()
      released = observer
      let provider = Provider<Probe>(
        stubClosure: { _ in .immediate },
        interceptors: [
          RateLimitInterceptor(maximumWait: .forever, onWait: { observer.tell($0) })
        ],
        transport: StubTransport(.answer(500)), clock: clock)
      let waiting = Task { await provider.word(Probe(.retryAfter("50"))) }
      try await clock.sleepers(atLeast: 1)
      waiting.cancel()
      #expect(await waiting.value == "cancelled")
    }
    while released != nil { await Task.yield() }
  }
}

/// Counts what is sent.
private struct SentCount {
  private let sent = Watched(0)

  var count: Int { sent.current }

  var plugin: Plugin { Plugin(willSend: { [sent] _, _ in sent.update { $0 += 1 } }) }
}

/// A transport that answers by a closure.
private struct ClosureTransport: Transport {
  let answer: @Sendable (TargetRequest) async throws(NetworkError) -> TransportReply

  func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    try await answer(request)
  }
}

extension TransportReply {
  fileprivate static func reply(
    _ status: Int, _ fields: [String: String] = [:]
  ) -> TransportReply {
    var headers = HTTPFields()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { headers[name] = value }
    }
    return TransportReply(
      status: .init(code: status), headers: headers, body: ResponseBody(Data(), maximumSize: 0))
  }
}
