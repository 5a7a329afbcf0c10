import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Streaming calls", .timeLimit(.minutes(5)))
struct StreamTests {
  private let events = Events([])

  private func provider(
    _ transport: some Transport, interceptors: [any Interceptor] = []
  ) -> Provider<Zoo> {
    Provider<Zoo>(
      plugins: [.recording(name: "A", events: events)], interceptors: interceptors,
      transport: transport)
  }

  private func read(_ response: StreamedResponse) async throws(NetworkError) -> [String] {
    var chunks: [String] = []
    for try await chunk in response.body { chunks.append(String(decoding: chunk, as: UTF8.self)) }
    return chunks
  }

  @Test("a stream returns its head first, runs the hooks once, and keeps the chunks unchanged")
  func headFirst() async throws {
    let gate = Gate()
    let transport = RecordingTransport([
      .redirect(to: "/b"),
      .chunks(headers: [.eTag: "\"1\""], [Data("a".utf8), Data("bc".utf8)]) { _ in
        await gate.wait()
      },
    ])
    let response = try await provider(transport).stream(Zoo())
    #expect(response.status == .ok)
    #expect(response.headers[.eTag] == "\"1\"")
    #expect(response.redirects == ["https://zoo.example/animals"])
    #expect(response.request.url == "https://zoo.example/b")
    #expect(response.attempts == 2)
    let hooks = [
      "A prepare", "A willSend", "A didReceive 302", "A willSend", "A didReceive 200",
      "A process 200",
    ]
    #expect(events.current == hooks)
    gate.open()
    #expect(try await read(response) == ["a", "bc"])
    #expect(events.current == hooks)
  }

  @Test("header fields for one call replace those of the target, also in streams and events")
  func addedFields() async throws {
    let transport = RecordingTransport()
    let provider = provider(transport)
    let target = Zoo(headers: [.accept: "text/html", .userAgent: "zoo"])
    let added: HTTPFields = [.accept: "text/plain"]
    _ = try await provider.stream(target, adding: added)
    for try await _ in provider.events(target, adding: added) {}
    _ = try? await provider.value(of: target, as: Int.self, adding: added)
    for request in transport.requests {
      #expect(request.headers[values: .accept] == ["text/plain"])
      #expect(request.headers[.userAgent] == "zoo")
    }
    #expect(transport.requests.count == 3)
  }

  @Test("a stream doesn't read ahead of its reader")
  func backPressure() async throws {
    let asked = Watched(0)
    let chunks = Array(repeating: Data("x".utf8), count: 100)
    let transport = RecordingTransport([
      .chunks(chunks) { index in asked.update { $0 = index } }
    ])
    let response = try await provider(transport).stream(Zoo())
    var iterator = response.body.makeAsyncIterator()
    for index in 0..<3 {
      _ = try await iterator.next(isolation: nil)
      #expect(asked.current == index)
    }
  }

  @Test("a stream that breaks throws to its reader")
  func broken() async throws {
    let transport = RecordingTransport([.chunks([Data("a".utf8)], failure: .interrupted)])
    let response = try await provider(transport).stream(Zoo())
    let error = await #expect(throws: NetworkError.self) { _ = try await read(response) }
    #expect(error?.transportFailure?.reason == .interrupted)
  }

  @Test("a stream has no size limit unless one is set")
  func maximumSize() async throws {
    let large = RecordingTransport { request throws(NetworkError) in
      let body = ResponseBody(Data("0123456789".utf8), maximumSize: request.maximumBodySize)
      return TransportReply(status: .ok, headers: [:], body: body)
    }
    _ = try await provider(large).stream(Zoo())
    #expect(large.requests.first?.maximumBodySize == .max)
    let capped = Provider<Zoo>(
      endpointClosure: { target throws(NetworkError) in
        var endpoint = try Endpoint(target)
        endpoint.maximumBodySize = 9
        return endpoint
      }, transport: large)
    let response = try await capped.stream(Zoo())
    let error = await #expect(throws: NetworkError.self) { _ = try await read(response) }
    #expect(error?.code == .tooLarge)
  }

  @Test("an invalid response is collected and thrown")
  func invalid() async throws {
    let transport = RecordingTransport([
      .chunks(.notFound, [Data("no ".utf8), Data("animal".utf8)])
    ])
    let error = await #expect(throws: NetworkError.self) {
      _ = try await provider(transport).stream(Zoo())
    }
    #expect(error?.code == .statusCode)
    #expect(error?.response?.text() == "no animal")
    #expect(
      events.current == ["A prepare", "A willSend", "A didReceive 404", "A process statusCode"])
  }

  @Test("the body of an error has a size limit, even for a stream")
  func endlessError() async throws {
    let chunk = Data(repeating: 0, count: 1 << 20)
    let transport = RecordingTransport([
      .chunks(.notFound, Array(repeating: chunk, count: 65))
    ])
    let error = await #expect(throws: NetworkError.self) {
      _ = try await provider(transport).stream(Zoo())
    }
    #expect(error?.code == .tooLarge)
  }

  @Test("a stub streams its sample data")
  func stub() async throws {
    let provider = Provider<Zoo>(
      stubClosure: { _ in .immediate }, transport: RecordingTransport())
    #expect(try await read(try await provider.stream(Zoo())) == ["sample"])
  }

  @Test("a response created by an interceptor is streamed")
  func ownAnswer() async throws {
    struct Known: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        TargetResponse(request: request, status: .ok, body: Data("known".utf8))
      }
    }
    let transport = RecordingTransport()
    let response = try await provider(transport, interceptors: [Known()]).stream(Zoo())
    #expect(try await read(response) == ["known"])
    #expect(transport.requests.isEmpty)
  }

  @Test("an attempt abandoned by an interceptor is dropped and closed")
  func dropped() async throws {
    struct Twice: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        _ = try await next(request)
        return try await next(request)
      }
    }
    let isDropped = Gate()
    let count = Watched(0)
    let transport = RecordingTransport { _ throws(NetworkError) in
      let isFirst = count.update { count in
        count += 1
        return count == 1
      }
      guard isFirst else { return .chunks([Data("second".utf8)]) }
      return .chunks([Data("first".utf8)], onDrop: { isDropped.open() })
    }
    let response = try await provider(transport, interceptors: [Twice()]).stream(Zoo())
    await isDropped.wait()
    #expect(try await read(response) == ["second"])
    #expect(response.attempts == 2)
  }

  @Test("a response dropped unread ends its exchange")
  func droppedResponse() async throws {
    let isDropped = Gate()
    let transport = RecordingTransport { _ throws(NetworkError) in
      .chunks([Data("a".utf8)], onDrop: { isDropped.open() })
    }
    _ = try await provider(transport).stream(Zoo())
    await isDropped.wait()
  }

  @Test("the description contains neither fields nor the body")
  func description() async throws {
    let transport = RecordingTransport([
      .reply(headers: [.setCookie: "hunter2"], body: "hunter2")
    ])
    let response = try await provider(transport).stream(Zoo())
    #expect(!shown(response).contains("hunter2"))
    #expect(shown(response).contains("200 for GET https://zoo.example/animals, streaming"))
  }
}
