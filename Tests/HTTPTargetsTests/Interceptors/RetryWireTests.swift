import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Retrying over a socket", .timeLimit(.minutes(5)))
struct RetryWireTests {
  private let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))

  /// A provider that doesn't wait between attempts.
  private func provider(retries: Int = 3) -> Provider<Zoo> {
    let policy = RetryPolicy(maximumRetries: retries)
    return Provider<Zoo>(
      interceptors: [RetryInterceptor(policy: policy, random: { _ in 0 })], transport: transport)
  }

  private static let json = #"[{"title":"a ] \"quote\" \\","labels":[]},{"title":"b"}]"#

  /// Text as gzip without compression, so that a part of the bytes is a part of the text
  /// ([RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)).
  private static func gzip(_ text: String) -> Data {
    let bytes = Array(text.utf8)
    func littleEndian(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
    var crc: UInt32 = .max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1]
    let block = littleEndian(bytes.count, 2) + littleEndian(~bytes.count, 2) + bytes
    return Data(head + block + littleEndian(Int(~crc), 4) + littleEndian(bytes.count, 4))
  }

  private static func compressed(
    _ body: Data, type: String = "application/json; charset=utf-8"
  ) -> LoopbackResponse {
    LoopbackResponse(headers: ["Content-Type": type, "Content-Encoding": "gzip"], body: body)
  }

  /// Every beginning of the text that has lost more than blanks, as gzip of just the announced length.
  private static let cutBodies = (1..<json.utf8.count).map { gzip(json).prefix(15 + $0) }

  @Test(
    "a broken response is requested again as a whole",
    arguments: [
      LoopbackResponse.reset, .closeWithoutAnswering, .text("x", status: 503),
      .json(json).with { $0.framing = .declaredLength(1000) },
      .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"),
      compressed(Data("not gzip!".utf8)),
      compressed(gzip(json).prefix(40)),
      compressed(gzip(json).prefix(40), type: "application/vnd.github+json"),
    ])
  func broken(answer: LoopbackResponse) async throws {
    let answers = RouteTable.sequence([answer, answer, Self.compressed(Self.gzip(Self.json))])
    try await withLoopbackServer(answering: answers) { server in
      let response = try await provider(retries: 5).request(Zoo(baseURL: server.url))
      #expect(response.text() == Self.json)
      // A connection that was kept and breaks makes libcurl ask again by itself.
      #expect((2...3).contains(response.attempts))
      #expect(server.log.requestCount == 3)
    }
  }

  @Test("a compressed JSON body truncated anywhere counts as a broken connection")
  func cut() async throws {
    let answers = RouteTable.sequence(Self.cutBodies.map { Self.compressed($0) })
    try await withLoopbackServer(answering: answers) { server in
      for _ in Self.cutBodies {
        let outcome = await provider(retries: 0).outcome(Zoo(baseURL: server.url))
        guard case .failure(let error) = outcome else {
          Issue.record("a failure was expected")
          return
        }
        #expect(error.transportFailure?.reason == .interrupted)
        #expect(error.message.contains("gzip"))
        #expect(error.response.map { Self.json.hasPrefix($0.text()) } == true)
      }
    }
  }

  @Test(
    "a body without a sign of truncation is returned",
    arguments: [
      compressed(gzip(json)), compressed(gzip("  [] \n")), compressed(gzip("7")),
      compressed(gzip("]")), compressed(gzip("")), compressed(gzip("[1, 2"), type: "text/plain"),
      .json("[1, 2"), .json("[1, 2", headers: ["Content-Encoding": "identity"]),
      compressed(gzip("[1, 2")).with { $0.status = 206 },
    ])
  func whole(answer: LoopbackResponse) async throws {
    try await withLoopbackServer { _ in
      answer
    } perform: { server in
      let response = try await provider().request(Zoo(baseURL: server.url))
      #expect(response.attempts == 1)
    }
  }

  @Test("a head observer gets one head for each accepted response, including interrupted ones")
  func heads() async throws {
    let answers = RouteTable.sequence([
      .json("[1]", headers: ["X-Try": "1"]).with { $0.framing = .declaredLength(99) },
      .json("[]", status: 503), .json("[1]", headers: ["X-Try": "2"]),
    ])
    try await withLoopbackServer(answering: answers) { server in
      let heads = Events([])
      let response = try await provider().request(Zoo(baseURL: server.url)) { head in
        heads.note(head.headers[.named("X-Try")] ?? "none")
      }
      #expect(response.text() == "[1]")
      #expect(heads.current == ["1", "2"])
    }
  }

  @Test("a response other than HTTP isn't retried")
  func notHTTP() async throws {
    try await withLoopbackServer { _ in
      .raw("SSH-2.0-OpenSSH_9.2\r\n")
    } perform: { server in
      let outcome = await provider().outcome(Zoo(baseURL: server.url))
      guard case .failure(let error) = outcome else {
        Issue.record("a failure was expected")
        return
      }
      #expect(error.transportFailure?.reason == .malformedResponse)
      #expect(server.log.requestCount == 1)
    }
  }

  @Test("a refused connection and an unknown host are retried up to the limit")
  func unreachable() async throws {
    let gone = try await LoopbackServer.start { _ in .text("") }
    await gone.stop()
    for url in [gone.url, "http://nowhere.invalid"] {
      guard case .failure(let error) = await provider(retries: 2).outcome(Zoo(baseURL: url)) else {
        Issue.record("a failure was expected")
        return
      }
      #expect(error.attempts == 3)
    }
  }

  @Test("a POST is repeated after a refused connection, but not after a broken one")
  func once() async throws {
    let gone = try await LoopbackServer.start { _ in .text("") }
    await gone.stop()
    let post = { (url: String) in
      Zoo(baseURL: url, method: .post, task: .data(Data("once".utf8)))
    }
    guard case .failure(let error) = await provider(retries: 2).outcome(post(gone.url)) else {
      Issue.record("a failure was expected")
      return
    }
    #expect(error.attempts == 3 && error.bytesSent == 0)
    for answer in [
      LoopbackResponse.closeWithoutAnswering, .reset, .text("carried out", status: 502),
      .json("[1]").with { $0.framing = .declaredLength(99) },
    ] {
      try await withLoopbackServer { _ in
        answer
      } perform: { server in
        guard case .failure(let error) = await provider().outcome(post(server.url)) else {
          Issue.record("a failure was expected")
          return
        }
        #expect(error.attempts == 1 && error.bytesSent != 0)
        #expect(server.log.requestCount == 1)
      }
    }
  }

  @Test("a POST doesn't reuse a connection, because libcurl could repeat it there")
  func keptConnection() async throws {
    try await withLoopbackServer { request in
      request.method == "GET" ? .text("") : .closeWithoutAnswering
    } perform: { server in
      let provider = provider(retries: 0)
      for (method, mark) in [(HTTPRequest.Method.post, nil), (.delete, .once), (.patch, .once)]
        as [(HTTPRequest.Method, Idempotency?)]
      {
        _ = try await provider.request(Zoo(baseURL: server.url))
        #expect(
          await provider.outcome(Zoo(baseURL: server.url, method: method, marked: mark)).word
            == "transport")
        #expect(server.log.requests.count { $0.method == method.rawValue } == 1)
      }
      // libcurl itself repeats an idempotent request.
      _ = try await provider.request(Zoo(baseURL: server.url))
      _ = await provider.outcome(Zoo(baseURL: server.url, method: .put))
      #expect(server.log.requests.count { $0.method == "PUT" } == 2)
    }
  }
}
