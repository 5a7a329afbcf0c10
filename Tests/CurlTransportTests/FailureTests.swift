import HTTPTargets
import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

@Suite("Network failures", .timeLimit(.minutes(5)))
struct FailureTests {
  let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))

  func failure(_ request: TargetRequest) async -> NetworkError? {
    await #expect(throws: NetworkError.self) { _ = try await transport.answer(request) }
  }

  @Test(
    "each kind of broken response has its error",
    arguments: [
      (LoopbackResponse.reset, TransportFailure.Reason.interrupted),
      (.closeWithoutAnswering, .interrupted),
      (.raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"), .interrupted),
      (.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab"), .interrupted),
      (.raw("SSH-2.0-OpenSSH_9.2\r\n"), .malformedResponse),
      (
        .raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 9\r\n\r\nnot gzip!"),
        .contentEncoding
      ),
    ])
  func brokenAnswers(response: LoopbackResponse, reason: TransportFailure.Reason) async throws {
    try await withLoopbackServer { _ in
      response
    } perform: { server in
      let error = await failure(TargetRequest(url: server.url))
      #expect(error?.code == .transport)
      #expect(error?.transportFailure?.reason == reason, "\(String(describing: error))")
      #expect(error?.message.contains("127.0.0.1") == true)
    }
  }

  @Test("a port without a listener causes a connection error")
  func refused() async throws {
    let server = try await LoopbackServer.start { _ in .text("") }
    await server.stop()
    let error = await failure(TargetRequest(url: server.url))
    #expect(error?.transportFailure?.reason == .connection)
  }

  @Test("a host name without an address causes a lookup error")
  func unknownName() async {
    let error = await failure(TargetRequest(url: "http://nowhere.invalid/"))
    #expect(error?.transportFailure?.reason == .nameLookup)
  }

  @Test("silence longer than the idle timeout ends a request")
  func idle() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let error = await failure(
        TargetRequest(url: server.url, timeouts: Timeouts(idle: .seconds(1), total: .seconds(30))))
      #expect(error?.code == .timedOut)
      #expect(error?.timedOutPhase == .idle)
    }
  }

  @Test("the total timeout ends a request")
  func total() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let error = await failure(
        TargetRequest(url: server.url, timeouts: Timeouts(total: .milliseconds(50))))
      #expect(error?.code == .timedOut)
      #expect(error?.timedOutPhase == .total)
    }
  }

  @Test("the total timeout ends a request that waits for a connection")
  func totalWhileQueued() async throws {
    let transport = CurlTransport(
      configuration: .init(maximumConnectionsPerHost: 1, certificates: CertificateStore()))
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let url = server.url
      let hanging = Task { try await transport.answer(TargetRequest(url: url + "/hanging")) }
      _ = try await server.log.requests(count: 1)
      let error = await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(
          TargetRequest(url: url + "/queued", timeouts: Timeouts(total: .milliseconds(50))))
      }
      #expect(error?.timedOutPhase == .total)
      #expect(error?.bytesSent == 0)
      hanging.cancel()
      _ = await hanging.result
      #expect(server.log.requestCount == 1)
    }
  }

  @Test("timeouts of any length are accepted", arguments: [Duration.seconds(Int64.max), .zero])
  func extremeTimeouts(duration: Duration) async throws {
    try await withLoopbackServer { _ in
      .text("x")
    } perform: { server in
      let timeouts = Timeouts(
        connect: .seconds(Int64.max), idle: .seconds(Int64.max), total: duration)
      let result = await Task {
        try await transport.answer(TargetRequest(url: server.url, timeouts: timeouts)).status
      }.result
      switch result {
      case .success(let status): #expect(status == 200)
      case .failure(let error): #expect(NetworkError.Code.timedOut ~= error && duration == .zero)
      }
    }
  }

  @Test(
    "a POST, PATCH or DELETE reuses a connection, and isn't repeated when the connection breaks",
    arguments: [HTTPRequest.Method.post, .patch, .delete],
    [LoopbackResponse.closeWithoutAnswering, .reset])
  func once(method: HTTPRequest.Method, end: LoopbackResponse) async throws {
    let folder = try ScratchFolder()
    let file = try RequestBody(file: try folder.write(Data(count: 100_000), to: "a"))
    for body in [nil, RequestBody(Data("{}".utf8)), file] {
      let served = RouteTable.sequence([.text("first"), end, .text("again")])
      try await withLoopbackServer(answering: served) { server in
        _ = try await transport.answer(TargetRequest(url: server.url))
        var request = TargetRequest(method: method, url: server.url + "/second", body: body)
        request.idempotency = .once
        let error = await failure(request)
        #expect(error?.transportFailure?.reason == .interrupted)
        #expect(error?.bytesSent != 0)
        #expect(server.log.requests.map(\.path) == ["/", "/second"])
        #expect(server.log.requests.map(\.connection) == [1, 1])
        #expect(try await transport.answer(request).status == 200)
      }
    }
  }

  @Test("a POST doesn't fail if its kept connection was closed earlier")
  func closedBefore() async throws {
    let kept = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    let served = RouteTable.sequence([.raw(kept), .text("second")])
    try await withLoopbackServer(answering: served) { server in
      _ = try await transport.answer(TargetRequest(url: server.url))
      try await server.log.openConnections(atMost: 0)
      let answer = try await transport.answer(TargetRequest(method: .post, url: server.url))
      #expect(answer.body == Data("second".utf8))
      #expect(server.log.requests.map(\.connection) == [1, 2])
    }
  }

  @Test("a GET may be sent again when a kept connection breaks")
  func safe() async throws {
    let served = RouteTable.sequence([.text("first"), .closeWithoutAnswering, .text("again")])
    try await withLoopbackServer(answering: served) { server in
      _ = try await transport.answer(TargetRequest(url: server.url))
      let answer = try await transport.answer(TargetRequest(url: server.url))
      #expect(answer.body == Data("again".utf8))
    }
  }

  @Test("an error reports the number of bytes sent, and zero without a connection")
  func bytesSent() async throws {
    let body = Data(repeating: 0x78, count: 300_000)
    func post(_ url: String, _ timeouts: Timeouts = Timeouts()) -> TargetRequest {
      TargetRequest(method: .post, url: url, body: body, timeouts: timeouts)
    }
    let gone = try await LoopbackServer.start { _ in .text("") }
    await gone.stop()
    #expect(await failure(post(gone.url))?.bytesSent == 0)
    #expect(await failure(post("http://nowhere.invalid/"))?.bytesSent == 0)
    try await withLoopbackServer { request in
      request.path == "/stall" ? .stall : .closeWithoutAnswering
    } perform: { server in
      let all = try #require(await failure(post(server.url))?.bytesSent)
      #expect(all > body.count)
      let silent = Timeouts(total: .milliseconds(500))
      let some = try #require(await failure(post(server.url + "/stall", silent))?.bytesSent)
      #expect(some > 0)
      // TLS to a server that doesn't speak it.
      let tls = post("https://127.0.0.1:\(server.port)/", Timeouts(connect: .milliseconds(200)))
      #expect(await failure(tls)?.bytesSent == 0)
    }
  }

  @Test("a TLS handshake without a reply ends with a connect timeout")
  func connect() async throws {
    // TLS to a server that accepts and says nothing: connected, but never ready.
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let error = await failure(
        TargetRequest(
          url: "https://127.0.0.1:\(server.port)/",
          timeouts: Timeouts(connect: .milliseconds(100))))
      #expect(error?.code == .timedOut)
      #expect(error?.timedOutPhase == .connect)
    }
  }

  @Test(
    "a URL without the scheme http or https never reaches libcurl",
    arguments: ["file:///etc/passwd", "ftp://127.0.0.1/", "", "127.0.0.1", "http://", "gopher://x"])
  func otherSchemes(url: String) async {
    #expect(await failure(TargetRequest(url: url))?.code == .requestMapping)
  }
}

@Suite("Certificate files from environment variables")
struct CertificateStoreTests {
  @Test(
    "certificate variables follow the rules of the curl command",
    arguments: [
      ([:], CertificateStore()),
      (["SSL_CERT_FILE": "/a.pem"], CertificateStore(file: "/a.pem")),
      (["SSL_CERT_FILE": "", "SSL_CERT_DIR": "/certs"], CertificateStore(directory: "/certs")),
      (["CURL_CA_BUNDLE": "/b.pem", "SSL_CERT_FILE": "/a.pem"], CertificateStore(file: "/b.pem")),
    ] as [([String: String], CertificateStore)])
  func rules(environment: [String: String], store: CertificateStore) {
    #expect(CertificateStore.environment(environment) == store)
  }
}
