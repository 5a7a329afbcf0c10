import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Provider", .timeLimit(.minutes(5)))
struct ProviderTests {
  /// Turns every outcome into another one, and notes what it saw.
  private func replacing(
    _ seen: Events, by replacement: Result<TargetResponse, NetworkError>
  ) -> Plugin {
    Plugin(process: { result, _ in
      seen.note(result.word)
      return replacement
    })
  }

  private static func response(_ code: Int) -> TargetResponse {
    TargetResponse(request: TargetRequest(url: "https://zoo.example"), status: .init(code: code))
  }

  @Test("the caller gets the result of process, and each plugin gets the previous plugin's result")
  func process() async throws {
    let seen = Events([])
    let provider = Provider<Zoo>(
      plugins: [
        replacing(seen, by: .failure(NetworkError(.rateLimited, "wait"))),
        replacing(seen, by: .success(Self.response(203))),
      ],
      transport: RecordingTransport([.reply(.created)]))
    #expect(try await provider.request(Zoo()).status.code == 203)
    #expect(seen.current == ["201", "rateLimited"])
  }

  @Test("process can turn a success into a failure")
  func processFails() async {
    let provider = Provider<Zoo>(
      plugins: [replacing(Events([]), by: .failure(.cancelled))],
      transport: RecordingTransport())
    #expect(await provider.outcome(Zoo()).word == "cancelled")
  }

  @Test("a validation error contains the response", arguments: [StubBehavior.never, .immediate])
  func validation(stub: StubBehavior) async throws {
    let provider = Provider<Zoo>(
      stubClosure: { _ in stub },
      transport: RecordingTransport([
        .reply(.notFound, headers: [.contentType: "text/plain"], body: "no such animal")
      ]))
    let target = Zoo(
      sample: .response(
        status: .notFound, headers: [.contentType: "text/plain"],
        body: Data("no such animal".utf8)))
    let error = try #require(
      await #expect(throws: NetworkError.self) { try await provider.request(target) })
    #expect(error.code == .statusCode)
    #expect(error.message.contains("404"))
    let response = try #require(error.response)
    #expect(response.status == .notFound)
    #expect(response.text() == "no such animal")
    #expect(response.headers[.contentType] == "text/plain")
  }

  @Test("a value is decoded with the provider's decoder")
  func value() async throws {
    struct Animal: Decodable, Equatable { var legCount: Int }
    let transport = RecordingTransport { _ in .reply(body: #"{"items":[{"leg_count":4}]}"#) }
    let provider = Provider<Zoo>(
      transport: transport,
      decoder: {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
      })
    let animals = try await provider.value(of: Zoo(), as: [Animal].self, at: "items")
    #expect(animals == [Animal(legCount: 4)])
    let error = await #expect(throws: NetworkError.self) {
      try await provider.value(of: Zoo(), as: Int.self)
    }
    #expect(error?.code == .decoding && error?.attempts == 1)
  }

  @Test("the target's validation decides which responses are successful")
  func targetValidation() async throws {
    let provider = Provider<Zoo>(transport: RecordingTransport([.reply(.notFound)]))
    #expect(try await provider.request(Zoo(validation: .none)).status == .notFound)
    #expect(try await provider.request(Zoo(validation: .codes([404]))).status == .notFound)
    #expect(await provider.outcome(Zoo(validation: .codes([200]))).word == "statusCode")
  }

  @Test("the head is reported before the body is read")
  func headFirst() async throws {
    let gate = Gate()
    let heads = Events([])
    let transport = RecordingTransport { _ throws(NetworkError) in
      let sent = Watched(false)
      let body = ResponseBody(maximumSize: 100) { () async throws(NetworkError) in
        await gate.wait()
        return sent.update { sent in
          defer { sent = true }
          return sent ? nil : Data("late".utf8)
        }
      }
      return TransportReply(status: .ok, headers: [.eTag: "\"1\""], body: body)
    }
    let provider = Provider<Zoo>(transport: transport)
    let call = Task {
      try await provider.request(Zoo()) { head in
        heads.note("\(head.status.code) \(head.headers[.eTag] ?? "") \(head.body.count)")
      }
    }
    // The body comes only after the head was told: a test that waits for both in the other order
    // would never end.
    try await heads.value { $0.isEmpty ? nil : () }
    gate.open()
    #expect(try await call.value.text() == "late")
    #expect(heads.current == ["200 \"1\" 0"])
  }

  @Test("the head of a response is reported only if it passes validation")
  func headsOfAnswers() async throws {
    let heads = Watched<[Int]>([])
    let provider = Provider<Zoo>(
      transport: RecordingTransport([.redirect(to: "/b"), .reply(), .reply(.notFound)]))
    let note: Provider<Zoo>.HeadObserver = { head in heads.update { $0.append(head.status.code) } }
    _ = try await provider.request(Zoo(), onHead: note)
    #expect(heads.current == [200])
    _ = try? await provider.request(Zoo(), onHead: note)
    #expect(heads.current == [200])
  }

  @Test(
    "the head of a redirect is reported only if it is the final response",
    arguments: [(RedirectInterceptor(), [200]), (nil, [302])])
  func headsOfRedirects(redirects: RedirectInterceptor?, told: [Int]) async throws {
    let heads = Watched<[Int]>([])
    let provider = Provider<Zoo>(
      redirects: redirects, transport: RecordingTransport([.redirect(to: "/b"), .reply()]))
    _ = try await provider.request(Zoo(validation: .none)) { head in
      heads.update { $0.append(head.status.code) }
    }
    #expect(heads.current == told)
  }

  @Test("an interceptor's own response reports its head if it passes validation")
  func headsOfInterceptors() async throws {
    struct Cache: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        for status in [404, 203] {
          call.didReceiveHead(TargetResponse(request: request, status: .init(code: status)))
        }
        return TargetResponse(request: request, status: .nonAuthoritativeInformation)
      }
    }
    let heads = Watched<[Int]>([])
    let provider = Provider<Zoo>(interceptors: [Cache()], transport: RecordingTransport())
    _ = try await provider.request(Zoo()) { head in heads.update { $0.append(head.status.code) } }
    #expect(heads.current == [203])
  }

  @Test("timings use the provider's clock and separate the head from the body")
  func timings() async throws {
    let clock = TestClock()
    let transport = RecordingTransport { _ throws(NetworkError) in
      clock.advance(by: .seconds(2))
      let body = ResponseBody(maximumSize: 0) { () throws(NetworkError) in
        clock.advance(by: .seconds(3))
        return nil
      }
      return TransportReply(status: .ok, headers: [:], body: body)
    }
    let response = try await Provider<Zoo>(transport: transport, clock: clock).request(Zoo())
    #expect(response.timings.head == .seconds(2))
    #expect(response.timings.total == .seconds(5))
  }

  @Test("a provider can be released during its call")
  func releasedInFlight() async throws {
    let gate = Gate()
    let transport = RecordingTransport { _ throws(NetworkError) in
      await gate.wait()
      return .reply(body: "here")
    }
    var provider: Provider<Zoo>? = Provider<Zoo>(transport: transport)
    let call = Task { [provider] in try await provider?.request(Zoo()).text() }
    try await transport.requests(count: 1)
    provider = nil
    gate.open()
    #expect(try await call.value == "here")
  }
}
