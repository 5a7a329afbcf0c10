import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("CachingInterceptor", .timeLimit(.minutes(5)))
struct CachingInterceptorTests {
  /// Answers with tagged numbers, and with 304 to who has them.
  private static func server(
    _ answer: @escaping @Sendable (TargetRequest) -> TransportReply?
  ) -> RecordingTransport {
    RecordingTransport { request in
      if let reply = answer(request) { return reply }
      let tag = "W/\"\(request.url)\""
      let isKnown = request.headers[.ifNoneMatch] == tag
      return .reply(
        isKnown ? .notModified : .ok,
        headers: [.eTag: tag, .contentType: "application/json"],
        body: isKnown ? "" : "[\"\(request.url)\"]")
    }
  }

  private func provider(
    _ transport: RecordingTransport, _ store: any ResponseStore = MemoryResponseStore(),
    outside: [any Interceptor] = [], inside: [any Interceptor] = [], plugins: [Plugin] = []
  ) -> Provider<Zoo> {
    Provider<Zoo>(
      plugins: plugins, interceptors: outside + [CachingInterceptor(store: store)] + inside,
      transport: transport)
  }

  @Test("a second call sends a conditional request, and returns the same response")
  func twice() async throws {
    let transport = Self.server { _ in nil }
    let provider = provider(transport)
    let first = try await provider.request(Zoo())
    let second = try await provider.request(Zoo())
    #expect(first.body == second.body)
    #expect(first.headers == second.headers)
    #expect([first.status, second.status] == [.ok, .ok])
    #expect(try second.decode([String].self) == ["https://zoo.example/animals"])
    #expect([first.isFromCache, second.isFromCache] == [false, true])
    #expect(
      transport.requests.map { $0.headers[.ifNoneMatch] } == [
        nil, "W/\"https://zoo.example/animals\"",
      ])
  }

  @Test("a stub's stored response is confirmed by its next sample")
  func stubbed() async throws {
    let sample = SampleResponse.sequence(
      .response(headers: [.lastModified: "then"], body: Data("cats".utf8)),
      .response(status: .notModified), .response(status: .internalServerError))
    let provider = Provider<Zoo>(
      stubClosure: { _ in .immediate },
      interceptors: [CachingInterceptor(store: MemoryResponseStore())],
      transport: RecordingTransport())
    for _ in 0..<2 { #expect(try await provider.request(Zoo(sample: sample)).text() == "cats") }
    #expect(await provider.outcome(Zoo(sample: sample)).word == "statusCode")
  }

  @Test("the stored head is reported before the request, and the head of the 304 isn't reported")
  func heads() async throws {
    let events = Events([])
    let transport = Self.server { request in
      events.note("sent")
      return nil
    }
    let provider = provider(transport)
    for _ in 0..<2 {
      _ = try await provider.request(Zoo()) { head in
        events.note("\(head.status.code) \(head.isFromCache) \(head.headers[.eTag] ?? "")")
      }
      events.note("answered")
    }
    let tag = "W/\"https://zoo.example/animals\""
    #expect(
      events.current == [
        "sent", "200 false \(tag)", "answered", "200 true \(tag)", "sent", "answered",
      ])
  }

  @Test(
    "a response without a validator is requested again, and is reported first only if configured",
    arguments: [true, false])
  func withoutValidator(keepsWithoutValidator: Bool) async throws {
    let transport = RecordingTransport([
      .reply(body: "cats"), .reply(body: "dogs"), .reply(.internalServerError), .reply(.notFound),
      .reply(body: "mice"),
    ])
    let cache = CachingInterceptor(
      store: MemoryResponseStore(), keepsWithoutValidator: keepsWithoutValidator)
    let provider = Provider<Zoo>(interceptors: [cache], transport: transport)
    let stored = Events([])
    var texts: [String] = []
    for _ in 0..<5 {
      let response = try? await provider.request(Zoo()) { head in
        if head.isFromCache { stored.note(String(decoding: head.body, as: UTF8.self)) }
      }
      texts.append(response?.text() ?? "failed")
      #expect(response?.isFromCache != true)
    }
    #expect(texts == ["cats", "dogs", "failed", "failed", "mice"])
    #expect(stored.current == (keepsWithoutValidator ? ["cats", "dogs", "dogs"] : []))
    #expect(transport.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
  }

  @Test("a changed response is reported after the stored one, and is returned")
  func changed() async throws {
    let transport = RecordingTransport([
      .reply(headers: [.eTag: "\"1\""], body: "cats"),
      .reply(headers: [.eTag: "\"2\""], body: "dogs"), .reply(.notModified),
    ])
    let provider = provider(transport)
    let heads = Events([])
    var texts: [String] = []
    for _ in 0..<3 {
      texts.append(
        try await provider.request(Zoo()) { heads.note($0.headers[.eTag] ?? "") }.text())
    }
    #expect(texts == ["cats", "dogs", "dogs"])
    #expect(heads.current == ["\"1\"", "\"1\"", "\"2\"", "\"2\""])
    #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", "\"2\""])
  }

  @Test("a 404 to a conditional request is verified by an unconditional request")
  func bogus() async throws {
    let isGone = Watched(false)
    let transport = Self.server { request in
      isGone.current || request.headers.contains(.ifNoneMatch) ? .reply(.notFound) : nil
    }
    let store = MemoryResponseStore()
    let provider = provider(transport, store)
    for _ in 0..<2 {
      #expect(try await provider.request(Zoo()).status == .ok)
    }
    #expect(transport.requests.count == 3)
    #expect(store.count == 1)

    isGone.update { $0 = true }
    let outcome = await provider.outcome(Zoo())
    #expect(outcome.word == "statusCode")
    #expect(transport.requests.count == 5)
    #expect(store.count == 0)
  }

  @Test(
    "errors, interrupted bodies and network failures aren't stored and keep the stored response")
  func errors() async throws {
    let failure = Watched<Int?>(nil)
    let transport = RecordingTransport { request throws(NetworkError) in
      switch failure.current {
      case nil:
        let isKnown = request.headers[.ifNoneMatch] == "\"1\""
        return .reply(isKnown ? .notModified : .ok, headers: [.eTag: "\"1\""], body: "cats")
      case 0: throw NetworkError.transport(TransportFailure(.interrupted, code: 0), "reset")
      case 1:
        return TransportReply(
          status: .ok, headers: [.eTag: "\"2\""],
          body: ResponseBody(maximumSize: 9) { () throws(NetworkError) in
            throw .transport(TransportFailure(.interrupted, code: 0), "cut")
          })
      case let code?:
        return .reply(HTTPResponse.Status(code: code), headers: [.eTag: "\"2\""], body: "no")
      }
    }
    let provider = provider(transport)
    _ = try await provider.request(Zoo())
    for code in [0, 1, 401, 403, 429, 500, 503] {
      failure.update { $0 = code }
      #expect((try? await provider.outcome(Zoo()).get()) == nil)
    }
    failure.update { $0 = nil }
    let last = try await provider.request(Zoo())
    #expect(last.text() == "cats" && last.isFromCache)
  }

  @Test("tokens don't share responses, and no token is stored")
  func tokens() async throws {
    let transport = Self.server { _ in nil }
    let store = MemoryResponseStore()
    let origin = try #require(Origin(url: "https://zoo.example"))
    for token in ["ghp_first0123456789", "ghp_second0123456789", nil] {
      let access = try token.map { text throws(NetworkError) in try AccessToken(text) }
      let plugin = Plugin.accessToken(origin: origin) { _ in access }
      let provider = provider(transport, store, plugins: [plugin])
      for _ in 0..<2 { _ = try await provider.request(Zoo(authorization: .bearer)) }
    }
    #expect(
      transport.requests.map { $0.headers.contains(.ifNoneMatch) } == [
        false, true, false, true, false, true,
      ])
    #expect(store.count == 3)
  }

  @Test("a redirected response is revalidated at the redirect's target")
  func redirects() async throws {
    let target = Watched("/beasts")
    let transport = Self.server { request in
      request.url.hasSuffix("/animals") ? .redirect(301, to: target.current) : nil
    }
    let provider = provider(transport)
    var responses: [TargetResponse] = []
    for _ in 0..<2 { responses.append(try await provider.request(Zoo())) }
    #expect(
      responses.map(\.request.url) == ["https://zoo.example/beasts", "https://zoo.example/beasts"])
    #expect(responses.allSatisfy { $0.redirects == ["https://zoo.example/animals"] })
    #expect(responses.map(\.isFromCache) == [false, true])
    #expect(responses.map(\.attempts) == [2, 2])
    #expect(transport.requests.last?.headers[.ifNoneMatch] == "W/\"https://zoo.example/beasts\"")

    // It leads elsewhere by now: what is there is another answer, whatever its tag.
    target.update { $0 = "/others" }
    let moved = try await provider.request(Zoo())
    #expect(moved.text() == "[\"https://zoo.example/others\"]")
    #expect(!moved.isFromCache)
  }

  @Test("a retry by an inner interceptor repeats the same condition")
  func retried() async throws {
    struct Twice: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        let response = try await next(request)
        return response.status == .serviceUnavailable ? try await next(request) : response
      }
    }
    let transport = RecordingTransport([
      .reply(headers: [.eTag: "\"1\""], body: "cats"), .reply(.serviceUnavailable),
      .reply(.notModified),
    ])
    let provider = provider(transport, inside: [Twice()])
    for _ in 0..<2 { #expect(try await provider.request(Zoo()).text() == "cats") }
    #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\"", "\"1\""])
  }

  @Test("canceling a call during a store lookup fails with 'cancelled' and sends nothing")
  func cancelled() async throws {
    struct Stuck: ResponseStore {
      let isAsked = Gate()

      func response(for key: ResponseKey) async -> StoredResponse? {
        isAsked.open()
        await Gate().wait()
        return nil
      }
      func store(_ response: StoredResponse, for key: ResponseKey) async {}
      func removeResponse(for key: ResponseKey) async {}
    }
    let store = Stuck()
    let transport = RecordingTransport()
    let provider = provider(transport, store)
    let call = Task { await provider.outcome(Zoo()) }
    await store.isAsked.wait()
    call.cancel()
    #expect(await call.value.word == "cancelled")
    #expect(transport.requests.isEmpty)
  }
}
