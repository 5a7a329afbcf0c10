import HTTPTargets
import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

@Suite("A body from an asynchronous sequence", .timeLimit(.minutes(2)))
struct StreamUploadTests {
  let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))

  private func chunks(_ count: Int, of size: Int) -> RequestBody.Stream {
    RequestBody.Stream {
      AsyncStream { source in
        for number in 0..<count { source.yield(Data(repeating: UInt8(number & 0xFF), count: size)) }
        source.finish()
      }
    }
  }

  private func failure(of request: TargetRequest) async throws -> NetworkError {
    try #require(
      await #expect(throws: NetworkError.self) { _ = try await transport.answer(request) })
  }

  @Test(
    "any method can send a streamed body, in chunks or with a known length",
    arguments: ["POST", "PUT", "PATCH", "DELETE"])
  func arrives(method: String) async throws {
    let whole = Data((0..<40).flatMap { Data(repeating: $0, count: 10_000) })
    let paths: [RequestBody.Segment] = [.bytes(Data("<".utf8)), .stream(chunks(40, of: 10_000))]
    let known = RequestBody.Stream(size: whole.count) {
      AsyncStream { source in
        source.yield(whole)
        source.finish()
      }
    }
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      for segments in [paths, [.stream(known)], [.stream(chunks(0, of: 0))]] {
        _ = try await transport.answer(
          TargetRequest(
            method: HTTPRequest.Method(method)!, url: server.url,
            body: RequestBody(segments: segments)))
      }
      let requests = server.log.requests
      #expect(requests.map(\.method) == [method, method, method])
      #expect(requests.map(\.body) == [Data("<".utf8) + whole, whole, Data()])
      #expect(requests.map { $0.headers["Content-Length"] } == [nil, "\(whole.count)", nil])
      #expect(
        requests.map { $0.headers["Transfer-Encoding"] } == ["chunked", nil, "chunked"])
      for request in requests { #expect(request.headers["Expect"] == nil) }
      // The connection stays usable.
      #expect(Set(requests.map(\.connection)) == [1])
    }
  }

  @Test("each chunk of a streamed body is sent before the next one is produced")
  func interactive() async throws {
    let server = try DiscardingServer()
    let source = PacedSource<Data>()
    let stream = RequestBody.Stream(size: 3) { source }
    let request = TargetRequest(method: .put, url: server.url, body: RequestBody(stream))
    async let answer = transport.answer(request)
    for byte in 1...3 as ClosedRange<UInt8> {
      await source.send(Data([byte]))
      // The last one waits for the end, which could show that there are more.
      if byte < 3 { await server.count.wait { $0 == byte } }
    }
    source.finish()
    #expect(try await answer.status == 200)
    #expect(try await server.outcome().ends == [1, 3])
  }

  /// Released with the sequence that takes from it.
  private final class Bytes: Sendable {
    private let onRelease: @Sendable () -> Void

    init(onRelease: @escaping @Sendable () -> Void) {
      self.onRelease = onRelease
    }

    deinit { onRelease() }

    func next() -> Data { Data(count: 100_000) }
  }

  @Test("an endless body is read until the server refuses it, and then released")
  func endless() async throws {
    let server = try DiscardingServer(limit: 1 << 20, status: 413)
    let isOver = Gate()
    let stream = RequestBody.Stream {
      let bytes = Bytes { isOver.open() }
      return AsyncStream<Data> { bytes.next() }
    }
    let request = TargetRequest(method: .post, url: server.url, body: RequestBody(stream))
    #expect(try await transport.answer(request).status == 413)
    await isOver.wait()
    #expect(try await server.outcome().count >= 1 << 20)
  }

  @Test("an early response ends a request while its body source is idle")
  func earlyAnswer() async throws {
    let server = try DiscardingServer(limit: 0, status: 413)
    let isOver = Gate()
    // Nothing else keeps the sequence: it ends by being released if the answer comes before anybody asked it.
    func request() -> TargetRequest {
      let (bytes, source) = AsyncStream.makeStream(of: Data.self)
      source.onTermination = { _ in isOver.open() }
      return TargetRequest(
        method: .post, url: server.url, body: RequestBody(RequestBody.Stream(once: bytes)))
    }
    #expect(try await transport.answer(request()).status == 413)
    await isOver.wait()
  }

  @Test("canceling the request cancels the source of its body")
  func cancelling() async throws {
    let server = try DiscardingServer()
    let isOver = Gate()
    let (bytes, source) = AsyncStream.makeStream(of: Data.self)
    source.onTermination = { _ in isOver.open() }
    source.yield(Data([1]))
    let body = RequestBody(segments: [.stream(RequestBody.Stream(once: bytes))])
    let request = TargetRequest(method: .put, url: server.url, body: body)
    let task = Task { try await transport.answer(request) }
    await server.count.wait { $0 > 0 }
    task.cancel()
    let error = await #expect(throws: NetworkError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await isOver.wait()
  }

  @Test("a failing body source ends the request, and its body never looks complete")
  func failing() async throws {
    struct Failure: Error {}
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      for size in [nil, 10] {
        let stream = RequestBody.Stream(size: size) {
          AsyncThrowingStream<Data, any Error> { source in
            source.yield(Data([1, 2, 3]))
            source.finish(throwing: Failure())
          }
        }
        let error = try await failure(
          of: TargetRequest(method: .put, url: server.url, body: RequestBody(stream)))
        #expect(error.code == .encoding)
        #expect(error.underlying is Failure)
      }
      #expect(server.log.requests.isEmpty)
    }
  }

  @Test(
    "a streamed body whose length differs from the announced length ends the request",
    arguments: [39, 41])
  func wrongSize(size: Int) async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let stream = RequestBody.Stream(size: size) {
        AsyncStream { source in
          for _ in 0..<4 { source.yield(Data(count: 10)) }
          source.finish()
        }
      }
      let error = try await failure(
        of: TargetRequest(method: .put, url: server.url, body: RequestBody(stream)))
      #expect(error.code == .encoding)
      #expect(server.log.requests.isEmpty)
    }
  }

  @Test("libcurl restarts the sequence if a kept connection turns out to be closed")
  func rewinding() async throws {
    try await withLoopbackServer { request in
      request.number == 2 ? .closeWithoutAnswering : .text("ok")
    } perform: { server in
      _ = try await transport.answer(TargetRequest(url: server.url))
      let answer = try await transport.answer(
        TargetRequest(method: .put, url: server.url, body: RequestBody(chunks(10, of: 1000))))
      #expect(answer.status == 200)
      let bodies = server.log.requests.dropFirst().map(\.body)
      #expect(bodies.count == 2)
      #expect(bodies.first?.count == 10_000)
      #expect(Set(bodies).count == 1)
    }
  }

  @Test("the body of a response can be sent on as the body of a request")
  func relay() async throws {
    let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) })
    try await withLoopbackServer { request in
      request.method == "GET" ? LoopbackResponse(body: content) : .text("")
    } perform: { server in
      let reply = try await transport.send(TargetRequest(url: server.url))
      let stream = RequestBody.Stream(once: reply.body, size: content.count)
      _ = try await transport.answer(
        TargetRequest(method: .put, url: server.url, body: RequestBody(stream)))
      #expect(server.log.requests.last?.body == content)
    }
  }

  @Test("a body source that is idle longer than the idle timeout ends the request")
  func idle() async throws {
    let server = try DiscardingServer()
    let (bytes, source) = AsyncStream.makeStream(of: Data.self)
    defer { source.finish() }
    let error = try await failure(
      of: TargetRequest(
        method: .post, url: server.url, body: RequestBody(RequestBody.Stream(once: bytes)),
        timeouts: Timeouts(idle: .milliseconds(100))))
    #expect(error.code == .timedOut)
  }
}
