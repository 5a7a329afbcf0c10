import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@testable import GitHubAPI

@Suite("Concurrent requests under one limit", .timeLimit(.minutes(5)))
struct RateLimitSharingTests {
  private let clock = TestClock()

  private func provider(_ interceptors: any Interceptor...) -> Provider<Probe> {
    Provider<Probe>(
      plugins: [userAgent, .gitHubErrors(now: ProbeTime.now(clock))], interceptors: interceptors,
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
      clock: clock)
  }

  private var userAgent: Plugin {
    Plugin(prepare: { request, _ in
      var request = request
      request.headers[.userAgent] = "probe"
      return request
    })
  }

  /// Sends as many requests at once.
  ///
  /// - Returns: What became of them, and how often.
  private func outcomes(
    of count: Int, _ provider: Provider<Probe>, at server: LoopbackServer, path: URLPath
  ) async -> [String: Int] {
    await withTaskGroup(of: String.self) { group in
      for _ in 1...count { group.addTask { await provider.word(Probe(path, at: server)) } }
      var outcomes: [String: Int] = [:]
      for await outcome in group { outcomes[outcome, default: 0] += 1 }
      return outcomes
    }
  }

  /// Advances the clock whenever a task sleeps.
  private func withTimePassing<Result: Sendable>(
    _ work: @Sendable () async -> Result
  ) async -> Result {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [clock] in
        while (try? await clock.sleepers(atLeast: 1)) != nil { clock.advanceToNextDeadline() }
      }
      let result = await work()
      group.cancelAll()
      return result
    }
  }

  @Test("the number of concurrent requests is limited, and all get their responses")
  func inFlight() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      let provider = provider(RateLimitInterceptor(maximumInFlight: 4))
      let outcomes = await outcomes(of: 60, provider, at: server, path: "users/ada")
      #expect(outcomes == ["200": 60])
      #expect(server.log.peakInFlight <= 4)
    }
  }

  @Test("concurrent requests that meet a limit wait for it together")
  func oneWait() async throws {
    let github = LoopbackGitHub()
    let gate = Gate()
    let told = Watched<[RateLimitPause.Phase]>([])
    github.intercept(
      times: 4, where: { _ in true },
      response: { _, now in
        GitHubError.secondaryRateLimit(status: 403, retryAfter: 30).response(now: now).held(
          by: gate)
      })
    try await withLoopbackServer(answering: github.handler) { server in
      let limits = RateLimitInterceptor(
        maximumWait: .upTo(.seconds(40)), maximumInFlight: 4, now: ProbeTime.now(clock),
        onWait: { pause in told.update { $0.append(pause.phase) } })
      let provider = provider(limits)
      let outcomes = Task { await self.outcomes(of: 20, provider, at: server, path: "users/ada") }
      try await server.log.requests(count: 4)
      gate.open()
      // Time may pass only when all four have met the limit and wait again with the others: an answer's
      // 30 seconds count from when the limits hear of it.
      while limits.waiterCount < 20 { await Task.yield() }
      #expect(server.log.requestCount == 4)
      let result = await withTimePassing { await outcomes.value }
      #expect(result == ["200": 20])
      #expect(server.log.requestCount == 24)
      #expect(told.current.first == .began && told.current.last == .ended)
      #expect(told.current.count { $0 == .began } == 1)
    }
  }

  @Test("a request that can't wait fails without being sent")
  func refused() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.rateLimit = 5
    configuration.now = ProbeTime.now(clock)
    try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
      let provider = provider(
        RateLimitInterceptor(maximumInFlight: 3, now: ProbeTime.now(clock)))
      let outcomes = await outcomes(of: 40, provider, at: server, path: "users/ada")
      #expect(outcomes == ["200": 5, "rateLimited": 35])
      // Of the last requests no more were under way than were left: none was refused by the server.
      #expect(server.log.requestCount == 5)
    }
  }

  @Test("all waiting requests are served by a server that allows a few per window")
  func windows() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.rateLimit = 10
    configuration.rateLimitWindow = 60
    configuration.now = ProbeTime.now(clock)
    try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
      let provider = provider(
        RateLimitInterceptor(maximumWait: .forever, now: ProbeTime.now(clock)))
      let result = await withTimePassing {
        await outcomes(of: 55, provider, at: server, path: "users/ada")
      }
      #expect(result == ["200": 55])
      #expect(clock.now.offset >= .seconds(5 * 60))
    }
  }

  @Test("the points per minute are limited independently of the server")
  func pace() async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      let provider = provider(RateLimitInterceptor(pointsPerMinute: 10))
      let clock = clock
      async let outcomes = outcomes(of: 25, provider, at: server, path: "users/ada")
      for minute in 1...2 {
        try await clock.sleepers(atLeast: 1)
        try await server.log.requests(count: minute * 10)
        #expect(server.log.requestCount == minute * 10)
        clock.advance(by: .seconds(60))
      }
      #expect(await outcomes == ["200": 25])
    }
  }

  @Test("a GitHub provider respects the limits unless configured otherwise")
  func provider() async throws {
    var configuration = LoopbackGitHub.Configuration()
    configuration.rateLimit = 1
    try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
      let target = GitHub.userProfile(username: "ada")
      let kept = try Provider<GitHub>(asking: server)
      #expect(await kept.word(target) == "200")
      for _ in 1...3 { #expect(await kept.word(target) == "rateLimited") }
      #expect(server.log.requestCount == 1)
      let free = Provider.gitHub(
        .init(
          server: try GitHubServer(apiURL: server.url), rateLimits: nil,
          transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
      for _ in 1...3 { #expect(await free.word(target) == "rateLimited") }
      #expect(server.log.requestCount == 4)
    }
  }

  @Test(
    "the limit interceptor receives the redirected response, and outer interceptors each attempt")
  func order() async throws {
    struct Twice: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        _ = try await next(request)
        return try await next(request)
      }
    }
    var configuration = LoopbackGitHub.Configuration()
    configuration.rateLimit = 2
    try await withLoopbackServer(answering: LoopbackGitHub(configuration).handler) { server in
      let provider = try Provider<GitHub>(asking: server, interceptors: [Twice()])
      #expect(await provider.word(.repo(fullName: "apple/swift")) == "rateLimited")
      // The redirect and where it led; the second try was not sent.
      #expect(server.log.requestCount == 2)
    }
  }

  @Test("canceling waiting requests lets the others continue")
  func cancelled() async throws {
    let gate = Gate()
    let github = LoopbackGitHub()
    try await withLoopbackServer { request in
      await github.handler(request).held(by: gate)
    } perform: { server in
      let provider = provider(RateLimitInterceptor(maximumInFlight: 1))
      let first = Task { await provider.word(Probe("users/a", at: server)) }
      try await server.log.requests(count: 1)
      let waiting = (1...50).map { _ in
        Task { await provider.word(Probe("users/b", at: server)) }
      }
      for task in waiting.dropLast() { task.cancel() }
      for task in waiting.dropLast() { #expect(await task.value == "cancelled") }
      gate.open()
      #expect(await first.value == "200")
      #expect(await waiting.last?.value == "200")
      #expect(server.log.requestCount == 2)
    }
  }
}
