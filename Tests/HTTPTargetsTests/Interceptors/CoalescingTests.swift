import CurlTransport
import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

@Suite("Joining equal calls", .timeLimit(.minutes(5)))
struct CoalescingTests {
  private let joins = Watched(0)
  private let coalescing: CoalescingInterceptor

  init() {
    coalescing = CoalescingInterceptor { [joins] _ in joins.update { $0 += 1 } }
  }

  private func provider(
    _ transport: any Transport, plugins: [Plugin] = []
  ) -> Provider<Zoo> {
    Provider<Zoo>(plugins: plugins, interceptors: [coalescing], transport: transport)
  }

  private var socketProvider: Provider<Zoo> {
    provider(CurlTransport(configuration: .init(certificates: CertificateStore())))
  }

  private func waitForJoins(_ count: Int) async throws {
    try await joins.value { $0 == count ? () : nil }
  }

  @Test("a hundred equal calls send one request, and all get its response")
  func hundred() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .json("[1]").held(by: gate)
    } perform: { server in
      let (provider, target) = (socketProvider, Zoo(baseURL: server.url))
      let calls = (0..<100).map { _ in Task { try await provider.request(target) } }
      try await waitForJoins(99)
      gate.open()
      var attempts = 0
      for call in calls {
        let response = try await call.value
        #expect(response.text() == "[1]")
        attempts += response.attempts
      }
      #expect(attempts == 1)
      #expect(server.log.requestCount == 1)
      #expect(coalescing.count == 0)

      // A call after it asks anew.
      _ = try await provider.request(target)
      #expect(server.log.requestCount == 2)
    }
  }

  @Test(
    "calls of targets with different authorization aren't joined",
    .timeLimit(.minutes(5)))
  func credentialsFromInside() async throws {
    let gate = Gate()
    try await withLoopbackServer { request in
      LoopbackResponse.json(request.headers["Authorization"] ?? "none").held(by: gate)
    } perform: { server in
      let refresh = TokenRefreshInterceptor(
        origin: try #require(Origin(url: server.url)), isRefused: { $0.text() == "none" }
      ) { _ throws(NetworkError) in try AccessToken("0123456789") }
      let provider = Provider<Zoo>(
        interceptors: [coalescing, refresh],
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
      let own = Task {
        try await provider.request(Zoo(baseURL: server.url, authorization: .bearer)).text()
      }
      try await server.log.requests(count: 1)
      let anonymous = Task { try await provider.request(Zoo(baseURL: server.url)).text() }
      try await server.log.requests(count: 2)
      gate.open()
      #expect(try await own.value == "Bearer 0123456789")
      #expect(try await anonymous.value == "none")
    }
  }

  @Test("the last of a hundred joined calls is served when the others are canceled")
  func ninetyNineCancelled() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .json("[1]").held(by: gate)
    } perform: { server in
      let (provider, target) = (socketProvider, Zoo(baseURL: server.url))
      let first = Task { await provider.outcome(target).word }
      try await server.log.requests(count: 1)
      let others = (0..<99).map { _ in Task { await provider.outcome(target).word } }
      try await waitForJoins(99)
      // The one whose request it is, too.
      first.cancel()
      for call in others.dropLast() { call.cancel() }
      #expect(await first.value == "cancelled")
      for call in others.dropLast() { #expect(await call.value == "cancelled") }
      #expect(coalescing.count == 1)
      gate.open()
      #expect(await others.last?.value == "200")
      #expect(server.log.requestCount == 1)
      // The server notes it after it has sent the last byte, so the client may be first.
      try await server.log.waitForOutcome(.answered)
    }
  }

  @Test("canceling all joined calls cancels the request, and the next call sends a new one")
  func allCancelled() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .json("[1]").held(by: gate)
    } perform: { server in
      let (provider, target) = (socketProvider, Zoo(baseURL: server.url))
      let calls = (0..<10).map { _ in Task { await provider.outcome(target).word } }
      try await waitForJoins(9)
      try await server.log.requests(count: 1)
      for call in calls { call.cancel() }
      for call in calls { #expect(await call.value == "cancelled") }
      #expect(coalescing.count == 0)
      try await server.log.waitForCancellation()
      gate.open()
      #expect(await provider.outcome(target).word == "200")
      #expect(server.log.requestCount == 2)
    }
  }

  @Test("every joined call gets the head before the body, even if it joins late")
  func heads() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .json("[1]").bodyHeld(by: gate)
    } perform: { server in
      let (provider, target) = (socketProvider, Zoo(baseURL: server.url))
      let heads = Events([])
      @Sendable func call(_ name: String) -> Task<String, any Error> {
        Task {
          try await provider.request(target) { heads.note("\(name) \($0.status.code)") }.text()
        }
      }
      let first = call("first")
      try await heads.value { $0.isEmpty ? nil : () }
      let late = call("late")
      try await heads.value { $0.count < 2 ? nil : () }
      #expect(heads.current == ["first 200", "late 200"])
      // The head goes on being told when the one whose request it was has left.
      first.cancel()
      _ = await first.result
      let last = call("last")
      try await heads.value { $0.count < 3 ? nil : () }
      gate.open()
      #expect(try await late.value == "[1]")
      #expect(try await last.value == "[1]")
      #expect(heads.current == ["first 200", "late 200", "last 200"])
      #expect(server.log.requestCount == 1)
    }
  }

  @Test("each joined call has its own validation, head and process hook")
  func ownOutcome() async throws {
    let (gate, heads, events) = (Gate(), Events([]), Events([]))
    let transport = RecordingTransport { _ in
      await gate.wait()
      return .reply(.notFound)
    }
    let provider = provider(transport, plugins: [.recording(name: "A", events: events)])
    let strict = Task {
      try? await provider.request(Zoo()) { _ in heads.note("strict") }
    }
    try await transport.requests(count: 1)
    let tolerant = Task {
      try? await provider.request(Zoo(validation: .none)) { _ in heads.note("tolerant") }
    }
    try await waitForJoins(1)
    gate.open()
    #expect(await strict.value == nil)
    #expect(await tolerant.value?.status == .notFound)
    #expect(heads.current == ["tolerant"])
    #expect(
      events.current.sorted() == [
        "A didReceive 404", "A prepare", "A prepare", "A process 404", "A process statusCode",
        "A willSend",
      ])
  }

  @Test("the flight of a failed call is removed", arguments: [503, nil] as [Int?])
  func failure(status: Int?) async throws {
    let gate = Gate()
    let transport = RecordingTransport { _ throws(NetworkError) in
      await gate.wait()
      guard let status else {
        throw .transport(TransportFailure(.interrupted, code: 56), "broken")
      }
      return .reply(.init(code: status))
    }
    let provider = provider(transport)
    let calls = (0..<5).map { _ in Task { await provider.outcome(Zoo()).word } }
    try await waitForJoins(4)
    gate.open()
    for call in calls { #expect(await call.value == (status == nil ? "transport" : "statusCode")) }
    #expect(transport.requests.count == 1)
    #expect(coalescing.count == 0)
    _ = await provider.outcome(Zoo())
    #expect(transport.requests.count == 2)
  }

  @Test(
    "calls with any relevant difference, and unsafe calls, aren't joined",
    arguments: [
      (Zoo(), Zoo(path: "plants")), (Zoo(), Zoo(task: .query([.init("q", "1")]))),
      (Zoo(), Zoo(method: .head)), (Zoo(), Zoo(headers: [.accept: "text/html"])),
      (
        Zoo(headers: [.authorization: "Bearer one"]), Zoo(headers: [.authorization: "Bearer two"])
      ),
      (Zoo(), Zoo(headers: [.authorization: "Bearer one"])),
      (Zoo(), Zoo(timeouts: Timeouts(total: .seconds(1)))),
      (Zoo(method: .post), Zoo(method: .post)), (Zoo(method: .put), Zoo(method: .put)),
      (Zoo(method: .delete), Zoo(method: .delete)),
      (
        Zoo(method: .post, marked: .safe), Zoo(method: .post, marked: .safe)
      ),
      (Zoo(headers: [.range: "bytes=0-1"]), Zoo(headers: [.range: "bytes=0-1"])),
    ])
  func apart(first: Zoo, second: Zoo) async throws {
    let gate = Gate()
    let transport = RecordingTransport { _ in
      await gate.wait()
      return .reply()
    }
    let provider = provider(transport)
    let calls = [first, second].map { target in Task { await provider.outcome(target).word } }
    try await transport.requests(count: 2)
    gate.open()
    for call in calls { #expect(await call.value == "200") }
    #expect(joins.current == 0)
  }

  @Test("joined calls share a retry and get its head")
  func retryInside() async throws {
    let (gate, heads) = (Gate(), Events([]))
    let answers = RouteTable.sequence([
      .json("[1]", headers: ["X-Try": "1"]).bodyHeld(by: gate)
        .with { $0.framing = .declaredLength(99) },
      .json("[1]", headers: ["X-Try": "2"]),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let provider = Provider<Zoo>(
        interceptors: [coalescing, RetryInterceptor(random: { _ in 0 })],
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
      let target = Zoo(baseURL: server.url)
      let calls = (0..<3).map { _ in
        Task {
          try await provider.request(target) { heads.note($0.headers[.named("X-Try")] ?? "") }
            .text()
        }
      }
      try await waitForJoins(2)
      try await heads.value { $0.count < 3 ? nil : () }
      gate.open()
      for call in calls { #expect(try await call.value == "[1]") }
      #expect(heads.current == ["1", "1", "1", "2", "2", "2"])
      #expect(server.log.requestCount == 2)
    }
  }
}
