import CCurl
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

/// Faults of HTTP/2, which doesn't break connections but streams.
///
/// They run with every libcurl that knows HTTP/2, also where the transport wouldn't use it: what is
/// looked at here doesn't depend on the defects of older ones.
@Suite(
  "HTTP/2 faults", .timeLimit(.minutes(5)),
  .enabled(if: CertificateAuthority.problem == nil, "\(CertificateAuthority.problem ?? "")"))
struct HTTP2FaultTests {
  private static func withServer<Result>(
    _ answers: [LoopbackHTTP2.Answer],
    _ body: (_ transport: CurlTransport, _ url: String, LoopbackHTTP2) async throws -> Result
  ) async throws -> Result {
    let authority = try await CertificateAuthority()
    let server = try LoopbackHTTP2.start(answers)
    let relay = try await LoopbackRelay.tls(
      authority.certificate(.good), to: server.port, speaksHTTP2: true)
    var configuration = CurlTransport.Configuration(
      certificates: CertificateStore(file: authority.file))
    configuration.usesHTTP2BelowMinimum = true
    let transport = CurlTransport(configuration: configuration)
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(
        try await body(transport, "https://127.0.0.1:\(relay.port)/", server))
    } catch {
      result = .failure(error)
    }
    await relay.stop()
    await server.stop()
    return try result.get()
  }

  @Test("a response over HTTP/2 arrives")
  func whole() async throws {
    try await Self.withServer([.json("[1]")]) { transport, url, server in
      for _ in 0..<3 {
        let answer = try await transport.answer(TargetRequest(url: url))
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self) == "[1]")
      }
      #expect(server.requestCount == 3)
    }
  }

  @Test("a request that must arrive only once avoids HTTP/2, because libcurl could repeat it")
  func once() async throws {
    try await Self.withServer([.json("[1]")]) { transport, url, server in
      var request = TargetRequest(method: .post, url: url)
      request.idempotency = .once
      // The server speaks nothing else, so that the request never gets to it.
      await #expect(throws: NetworkError.self) { try await transport.answer(request) }
      #expect(server.requestCount == 0)
    }
  }

  @Test(
    "a broken stream is reported as an interrupted connection, which permits a retry",
    arguments: [
      .resetStream(2), .resetStream(11), .resetHalfway("[1,2,3,4]", 2), .goAway(2),
    ] as [LoopbackHTTP2.Answer])
  func broken(answer: LoopbackHTTP2.Answer) async throws {
    try await Self.withServer([answer]) { transport, url, _ in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(TargetRequest(url: url))
      }
      #expect(error?.transportFailure?.reason == .interrupted, "\(String(describing: error))")
    }
  }

  @Test(
    "a retry after a broken stream gets the whole response",
    arguments: [
      .resetStream(2), .resetStream(7), .resetHalfway("[1,2,3,4]", 2), .goAway(0), .goAway(2),
    ] as [LoopbackHTTP2.Answer])
  func retried(answer: LoopbackHTTP2.Answer) async throws {
    try await Self.withServer([answer, .json("[1]")]) { transport, url, server in
      let provider = Provider<Page>(
        interceptors: [RetryInterceptor(policy: RetryPolicy(baseDelay: .zero))],
        transport: transport)
      let response = try await provider.request(Page(baseURL: url))
      #expect(response.text() == "[1]")
      #expect(server.requestCount == 2)
    }
  }

  @Test(
    "libcurl's error codes for HTTP/2 faults are reported as interrupted connections",
    arguments: [CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING])
  func codes(code: CURLcode) async throws {
    try await CurlLibrary.waitUntilLoaded()
    let easy = try #require(EasyHandle())
    let error = NetworkError.curl(code, of: TargetRequest(url: "https://127.0.0.1/"), on: easy)
    #expect(error.transportFailure?.reason == .interrupted)
  }

  private struct Page: TargetType {
    var baseURL: String
    var path: URLPath { "" }
    var method: HTTPRequest.Method { .get }
    var task: HTTPTask { .plain }
    var headers: HTTPFields { [:] }
    var policy: TargetPolicy { .standard }
  }
}
