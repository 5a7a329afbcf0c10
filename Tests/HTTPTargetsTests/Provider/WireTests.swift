import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

/// Repeats the tests of the transport's seam over a real socket.
@Suite("Calls over a socket", .timeLimit(.minutes(5)))
struct WireTests {
  private let events = Events([])

  private var provider: Provider<Zoo> {
    Provider<Zoo>(plugins: [.recording(name: "A", events: events)], transport: CurlTransport.shared)
  }

  private func expectOnePair(_ word: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(
      events.current == [
        "A prepare", "A willSend", "A didReceive \(word)", "A process \(word)",
      ], sourceLocation: sourceLocation)
  }

  @Test("the path, query, fields and body arrive as defined by the target")
  func request() async throws {
    try await withLoopbackServer { _ in
      .json(#"{"name":"Gina"}"#, status: 201)
    } perform: { server in
      let target = Zoo(
        baseURL: "\(server.url)/api/?v=1", path: "animals/\("a/b c++")", method: .post,
        task: .json(["b": 1, "a": 2], query: [.init("q", "c++"), .init("q", "é")]),
        headers: [.accept: "text/zoo"])
      let response = try await provider.request(target)
      #expect(try response.decode(String.self, at: "name") == "Gina")
      let arrived = try #require(server.log.requests.first)
      #expect(arrived.target == "/api/animals/a%2Fb%20c%2B%2B?v=1&q=c%2B%2B&q=%C3%A9")
      #expect(arrived.method == "POST")
      #expect(arrived.headers["Content-Type"] == "application/json")
      #expect(arrived.headers["Accept"] == "text/zoo")
      #expect(arrived.headers["X-Prepared"] == "A")
      #expect(String(decoding: arrived.body, as: UTF8.self) == #"{"a":2,"b":1}"#)
      expectOnePair("201")
    }
  }

  @Test("a GET request is sent with a body if its task allows it", arguments: [3, 100_000])
  func bodyOfGET(size: Int) async throws {
    let folder = try ScratchFolder()
    let file = try folder.write(Data(count: size), to: "body")
    try await withLoopbackServer { _ in
      .text("found")
    } perform: { server in
      for task in [HTTPTask.data(Data(count: size)), .uploadFile(file)] {
        _ = try await provider.request(Zoo(baseURL: server.url, task: task.allowingGET()))
      }
      #expect(server.log.requests.map(\.method) == ["GET", "GET"])
      #expect(server.log.requests.map(\.body.count) == [size, size])
    }
  }

  @Test("a call that is stubbed or can't be encoded doesn't open a connection")
  func nothingSent() async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let stubbed = Provider<Zoo>(
        stubClosure: { _ in .immediate }, transport: CurlTransport.shared)
      let response = try await stubbed.request(Zoo(baseURL: server.url))
      #expect(response.text() == "sample")
      let outcome = await provider.outcome(
        Zoo(baseURL: server.url, method: .post, task: .json(Float.infinity)))
      #expect(outcome.word == "encoding")
      #expect(server.log.connectionCount == 0)
    }
  }

  @Test("a call canceled before the head has one pair of hooks and closes its connection")
  func cancelledBeforeHead() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let provider = provider
      let target = Zoo(baseURL: server.url)
      let call = Task { await provider.outcome(target) }
      try await server.log.requests(count: 1)
      call.cancel()
      #expect(await call.value.word == "cancelled")
      expectOnePair("cancelled")
      try await server.log.waitForCancellation()
    }
  }

  @Test("a call canceled during the body has one pair of hooks and closes its connection")
  func cancelledInBody() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .text("body").bodyHeld(by: gate)
    } perform: { server in
      let heads = Watched(0)
      let provider = provider
      let target = Zoo(baseURL: server.url)
      let call = Task { () async -> NetworkError.Code? in
        do throws(NetworkError) {
          _ = try await provider.request(target) { _ in heads.update { $0 += 1 } }
          return nil
        } catch {
          return error.code
        }
      }
      try await heads.value { $0 == 0 ? nil : () }
      call.cancel()
      #expect(await call.value == .cancelled)
      expectOnePair("cancelled")
      try await server.log.waitForCancellation()
    }
  }

  @Test("a call to a silent server times out with one pair of hooks")
  func timedOut() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let timeouts = Timeouts(total: .milliseconds(250))
      let outcome = await provider.outcome(Zoo(baseURL: server.url, timeouts: timeouts))
      guard case .failure(let error) = outcome else {
        Issue.record("a failure was expected")
        return
      }
      #expect(error.timedOutPhase == .total)
      expectOnePair("timedOut")
    }
  }

  @Test("a broken connection fails the call with one pair of hooks")
  func broken() async throws {
    try await withLoopbackServer { _ in
      .text("short").with { $0.framing = .declaredLength(100) }
    } perform: { server in
      #expect(await provider.outcome(Zoo(baseURL: server.url)).word == "transport")
      expectOnePair("transport")
    }
  }

  @Test("a body longer than the limit ends the call and the connection at once")
  func tooLarge() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .text(String(repeating: "x", count: 4000)).with {
        $0.sliceSize = 2000
        $0.betweenSlices = .gate(gate)
      }
    } perform: { server in
      let provider = Provider<Zoo>(
        endpointClosure: { target throws(NetworkError) in
          var endpoint = try Endpoint(target)
          endpoint.maximumBodySize = 1000
          return endpoint
        },
        transport: CurlTransport.shared)
      #expect(await provider.outcome(Zoo(baseURL: server.url)).word == "tooLarge")
      try await server.log.waitForCancellation()
    }
  }
}
