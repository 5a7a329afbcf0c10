import TestSupport
import Testing

@testable import HTTPTargets

@Suite("Refreshing tokens", .timeLimit(.minutes(5)))
struct TokenRefreshTests {
  private static let target = Zoo(authorization: .bearer)

  /// The tokens that a refresh was asked for.
  private let refreshes = Events([])
  private let gate = Gate(isOpen: true)
  private let origin: Origin

  init() throws {
    origin = try #require(Origin(url: "https://zoo.example"))
  }

  /// An interceptor that makes `t1` of `t0`, `t2` of `t1`, when the gate is open.
  private func refreshing(
    failing: @escaping @Sendable (Int) -> Bool = { _ in false },
    isRefused: @escaping @Sendable (TargetResponse) -> Bool = { $0.status == .unauthorized }
  ) -> TokenRefreshInterceptor {
    TokenRefreshInterceptor(origin: origin, isRefused: isRefused) {
      [refreshes, gate] old async throws(NetworkError) in
      let count = refreshes.update { refreshes in
        refreshes.append(old?.secret ?? "none")
        return refreshes.count
      }
      await gate.wait()
      if Task.isCancelled {
        refreshes.note("cancelled")
        throw .cancelled
      }
      if failing(count) { throw NetworkError(.encoding, "no new token") }
      let number = old.flatMap { Int($0.secret.dropFirst()) } ?? -1
      return try AccessToken("t\(number + 1)")
    }
  }

  /// A provider that sends `t0`, whatever happens.
  private func provider(
    _ interceptor: TokenRefreshInterceptor, _ transport: any Transport, token: String? = "t0"
  ) throws -> Provider<Zoo> {
    let token = try token.map { try AccessToken($0) }
    return Provider<Zoo>(
      plugins: [.accessToken(origin: origin) { _ in token }], interceptors: [interceptor],
      transport: transport)
  }

  /// A server that takes some tokens only.
  private func server(accepting tokens: Set<String>) -> RecordingTransport {
    RecordingTransport { request in
      let token = request.headers[.authorization]?.split(separator: " ").last.map(String.init)
      return .reply(tokens.contains(token ?? "none") ? .ok : .unauthorized)
    }
  }

  private func tokens(_ transport: RecordingTransport) -> [String] {
    transport.requests.map { $0.headers[.authorization] ?? "none" }
  }

  @Test("a refused token is replaced once, and later calls use the new token")
  func replaced() async throws {
    let transport = server(accepting: ["t1"])
    let provider = try provider(refreshing(), transport)
    let response = try await provider.request(Self.target)
    #expect(response.attempts == 2)
    _ = try await provider.request(Self.target)
    #expect(tokens(transport) == ["Bearer t0", "Bearer t1", "Bearer t1"])
    #expect(refreshes.current == ["t0"])
  }

  @Test("a token isn't sent after sign-out")
  func signedOut() async throws {
    let transport = server(accepting: ["t0"])
    let interceptor = refreshing()
    let provider = try provider(interceptor, transport, token: nil)
    _ = try await provider.request(Self.target)
    _ = try await provider.request(Self.target)
    interceptor.forgetTokens()
    _ = try await provider.request(Self.target)
    #expect(
      tokens(transport) == ["none", "Bearer t0", "Bearer t0", "none", "Bearer t0"])
    #expect(refreshes.current == ["none", "none"])
  }

  @Test("a refresh during sign-out serves only the requests that wait for it")
  func signedOutMeanwhile() async throws {
    let transport = server(accepting: ["t0"])
    let interceptor = refreshing()
    let provider = try provider(interceptor, transport, token: nil)
    gate.close()
    let first = Task { await provider.outcome(Self.target).word }
    try await refreshes.value { $0 == ["none"] ? () : nil }
    interceptor.forgetTokens()
    gate.open()
    #expect(await first.value == "200")
    #expect(await provider.outcome(Self.target).word == "200")
    #expect(tokens(transport) == ["none", "Bearer t0", "none", "Bearer t0"])
  }

  @Test("a request refused after sign-out isn't sent again")
  func refusedAfterSigningOut() async throws {
    let interceptor = refreshing()
    let transport = RecordingTransport { _ in
      interceptor.forgetTokens()
      return .reply(.unauthorized)
    }
    let provider = try provider(interceptor, transport)
    #expect(await provider.outcome(Self.target).word == "statusCode")
    #expect(tokens(transport) == ["Bearer t0"])
    #expect(refreshes.current.isEmpty)
  }

  @Test("a refreshed token can expire and is refreshed again")
  func again() async throws {
    let valid = Watched("t1")
    let transport = RecordingTransport { request in
      .reply(request.headers[.authorization] == "Bearer \(valid.current)" ? .ok : .unauthorized)
    }
    let provider = try provider(refreshing(), transport)
    _ = try await provider.request(Self.target)
    valid.update { $0 = "t2" }
    _ = try await provider.request(Self.target)
    _ = try await provider.request(Self.target)
    #expect(refreshes.current == ["t0", "t1"])
    #expect(tokens(transport).suffix(3) == ["Bearer t1", "Bearer t2", "Bearer t2"])
  }

  @Test("a second refusal is returned without another refresh")
  func refusedAgain() async throws {
    let transport = server(accepting: [])
    let provider = try provider(refreshing(), transport)
    #expect(await provider.outcome(Self.target).word == "statusCode")
    #expect(refreshes.current == ["t0"])
    #expect(transport.requests.count == 2)
  }

  @Test("many simultaneous refusals cause one refresh")
  func singleFlight() async throws {
    let arrived = Gate()
    let count = Watched(0)
    let transport = RecordingTransport { request in
      guard request.headers[.authorization] == "Bearer t0" else { return .reply() }
      let arrivals = count.update { count in
        count += 1
        return count
      }
      if arrivals == 20 { arrived.open() }
      await arrived.wait()
      return .reply(.unauthorized)
    }
    let provider = try provider(refreshing(), transport)
    let calls = (0..<20).map { _ in Task { await provider.outcome(Self.target).word } }
    for call in calls { #expect(await call.value == "200") }
    #expect(refreshes.current == ["t0"])
    #expect(transport.requests.count == 40)
  }

  @Test("a request refused after the refresh is retried with the new token")
  func lateRefusal() async throws {
    let late = Gate()
    let transport = RecordingTransport { request in
      guard request.headers[.authorization] == "Bearer t0" else { return .reply() }
      if request.url.hasSuffix("/late") { await late.wait() }
      return .reply(.unauthorized)
    }
    let provider = try provider(refreshing(), transport)
    let call = Task { await provider.outcome(Zoo(path: "late", authorization: .bearer)).word }
    try await transport.requests(count: 1)
    #expect(await provider.outcome(Self.target).word == "200")
    late.open()
    #expect(await call.value == "200")
    #expect(tokens(transport) == ["Bearer t0", "Bearer t0", "Bearer t1", "Bearer t1"])
    #expect(refreshes.current == ["t0"])
  }

  @Test("a request during a refresh waits for the new token")
  func waiting() async throws {
    gate.close()
    let interceptor = refreshing()
    let transport = server(accepting: ["t1"])
    let provider = try provider(interceptor, transport)
    let first = Task { await provider.outcome(Self.target).word }
    try await refreshes.value { $0.isEmpty ? nil : () }
    let others = (0..<5).map { _ in Task { await provider.outcome(Self.target).word } }
    while interceptor.waiterCount < 6 { await Task.yield() }
    gate.open()
    #expect(await first.value == "200")
    for call in others { #expect(await call.value == "200") }
    #expect(tokens(transport) == ["Bearer t0"] + Array(repeating: "Bearer t1", count: 6))
    #expect(refreshes.current == ["t0"])
  }

  @Test("a request refused with the new token returns the refusal")
  func waitedInVain() async throws {
    gate.close()
    let interceptor = refreshing()
    let transport = server(accepting: [])
    let provider = try provider(interceptor, transport)
    let calls = (0..<5).map { _ in Task { await provider.outcome(Self.target).word } }
    while interceptor.waiterCount < 5 { await Task.yield() }
    gate.open()
    for call in calls { #expect(await call.value == "statusCode") }
    #expect(refreshes.current == ["t0"])
  }

  @Test("a failed refresh fails each waiting call once, and the next call tries again")
  func failure() async throws {
    gate.close()
    let interceptor = refreshing(failing: { $0 == 1 })
    let transport = server(accepting: ["t1"])
    let provider = try provider(interceptor, transport)
    let calls = (0..<5).map { _ in Task { await provider.outcome(Self.target).word } }
    while interceptor.waiterCount < 5 { await Task.yield() }
    gate.open()
    for call in calls { #expect(await call.value == "encoding") }
    #expect(refreshes.current == ["t0"])
    #expect(await provider.outcome(Self.target).word == "200")
    #expect(refreshes.current == ["t0", "t0"])
  }

  @Test("canceling the call that started a refresh doesn't fail the others")
  func cancelledWaiter() async throws {
    gate.close()
    let interceptor = refreshing()
    let provider = try provider(interceptor, server(accepting: ["t1"]))
    let first = Task { await provider.outcome(Self.target).word }
    try await refreshes.value { $0.isEmpty ? nil : () }
    let second = Task { await provider.outcome(Self.target).word }
    while interceptor.waiterCount < 2 { await Task.yield() }
    first.cancel()
    #expect(await first.value == "cancelled")
    gate.open()
    #expect(await second.value == "200")
    #expect(refreshes.current == ["t0"])
  }

  @Test("a refresh continues when all calls are canceled, and the next call gets its token")
  func allCancelled() async throws {
    gate.close()
    let interceptor = refreshing()
    let transport = server(accepting: ["t1"])
    let provider = try provider(interceptor, transport)
    let call = Task { await provider.outcome(Self.target).word }
    try await refreshes.value { $0.isEmpty ? nil : () }
    call.cancel()
    #expect(await call.value == "cancelled")
    let next = Task { await provider.outcome(Self.target).word }
    while interceptor.waiterCount < 1 { await Task.yield() }
    gate.open()
    #expect(await next.value == "200")
    #expect(refreshes.current == ["t0"])
    #expect(tokens(transport) == ["Bearer t0", "Bearer t1"])
  }

  @Test("a custom error in a refresh reaches the caller")
  func ownError() async throws {
    struct LoggedOut: Error {}
    let interceptor = TokenRefreshInterceptor(origin: origin) { _ in throw LoggedOut() }
    let provider = try provider(interceptor, server(accepting: []))
    guard case .failure(let error) = await provider.outcome(Self.target) else {
      Issue.record("no failure")
      return
    }
    #expect(error.code == .underlying)
    #expect(error.underlying is LoggedOut)
  }

  @Test("the first and latest tokens of a long chain lead to the newest")
  func succession() throws {
    var succession = TokenSuccession()
    let tokens = try (0...100).map { try AccessToken("t\($0)") }
    for (old, new) in zip(tokens, tokens.dropFirst()) { succession.replace(old, by: new) }
    #expect(succession.count == TokenSuccession.maximumReplaced)
    for token in [tokens[0], tokens[98], tokens[99]] {
      #expect(succession.successor(of: token) == tokens[100])
    }
    #expect(succession.successor(of: tokens[50]) == nil)
    #expect(succession.successor(of: tokens[100]) == nil)
    // A token that is valid again has no successor.
    succession.replace(tokens[100], by: tokens[99])
    #expect(succession.successor(of: tokens[99]) == nil)
    #expect(succession.successor(of: tokens[0]) == tokens[99])
    // Another user's chain stands by itself.
    succession.replace(nil, by: try AccessToken("other"))
    #expect(succession.successor(of: tokens[0]) == tokens[99])
  }

  @Test("a refresh without a token gets one")
  func noToken() async throws {
    let transport = server(accepting: ["t0"])
    let provider = try provider(refreshing(), transport, token: nil)
    _ = try await provider.request(Self.target)
    #expect(tokens(transport) == ["none", "Bearer t0"])
    #expect(refreshes.current == ["none"])
  }

  @Test("one user's token isn't used for another user's requests")
  func users() async throws {
    let transport = server(accepting: ["t1", "t6"])
    let interceptor = refreshing()
    let (one, other) = (
      try provider(interceptor, transport), try provider(interceptor, transport, token: "t5")
    )
    _ = try await one.request(Self.target)
    _ = try await other.request(Self.target)
    _ = try await one.request(Self.target)
    #expect(
      tokens(transport) == ["Bearer t0", "Bearer t1", "Bearer t5", "Bearer t6", "Bearer t1"])
  }

  @Test(
    "a refused request to another origin or without authorization doesn't cause a refresh",
    arguments: [
      Zoo(baseURL: "https://other.example", authorization: .bearer),
      Zoo(baseURL: "http://zoo.example", authorization: .bearer),
      Zoo(baseURL: "https://zoo.example:8443", authorization: .bearer),
      Zoo(authorization: .none),
    ])
  func others(target: Zoo) async throws {
    let transport = server(accepting: ["t1"])
    let provider = try provider(refreshing(), transport)
    // So that there is a new token that could be sent.
    _ = try await provider.request(Self.target)
    #expect(await provider.outcome(target).word == "statusCode")
    #expect(tokens(transport) == ["Bearer t0", "Bearer t1", "none"])
    #expect(refreshes.current == ["t0"])
  }

  @Test("an Authorization field of another kind is kept")
  func otherScheme() async throws {
    let transport = server(accepting: ["t1"])
    let provider = Provider<Zoo>(interceptors: [refreshing()], transport: transport)
    let target = Zoo(headers: [.authorization: "Basic YTpi"], authorization: .bearer)
    #expect(await provider.outcome(target).word == "statusCode")
    #expect(tokens(transport) == ["Basic YTpi"])
    #expect(refreshes.current.isEmpty)
  }

  @Test("a refusal after a redirect to another server doesn't cause a refresh")
  func redirected() async throws {
    let transport = RecordingTransport([
      .redirect(307, to: "https://other.example/"), .reply(.unauthorized),
    ])
    let provider = try provider(refreshing(), transport)
    #expect(await provider.outcome(Self.target).word == "statusCode")
    #expect(tokens(transport) == ["Bearer t0", "none"])
    #expect(refreshes.current.isEmpty)
  }

  @Test("the refusal condition can be customized")
  func otherRefusal() async throws {
    let transport = RecordingTransport([.reply(.forbidden), .reply()])
    let provider = try provider(refreshing(isRefused: { $0.status == .forbidden }), transport)
    _ = try await provider.request(Self.target)
    #expect(refreshes.current == ["t0"])
  }
}
