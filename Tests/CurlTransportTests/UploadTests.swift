import HTTPTargets
import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

@Suite("A body that is read while being sent", .timeLimit(.minutes(2)))
struct UploadTests {
  let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
  let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func bytes(_ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ ($0 >> 8)) })
  }

  @Test(
    "any method can send files and bytes in sequence, with their length",
    arguments: ["POST", "PUT", "PATCH", "DELETE"], [0, 1, 5, 300_000])
  func segments(method: String, size: Int) async throws {
    let content = bytes(size)
    let path = try folder.write(content, to: "a")
    let file = try RequestBody(file: path)
    let body = RequestBody(
      segments: [.bytes(Data("<".utf8))] + file.segments + [.bytes(Data("|".utf8))]
        + file.segments + [.bytes(Data(">".utf8))])
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      for body in [body, file, RequestBody(content)] {
        _ = try await transport.answer(
          TargetRequest(method: HTTPRequest.Method(method)!, url: server.url, body: body))
      }
      let requests = server.log.requests
      #expect(requests.map(\.method) == [method, method, method])
      #expect(
        requests[0].body == Data("<".utf8) + content + Data("|".utf8) + content + Data(">".utf8))
      #expect(requests[1].body == content)
      #expect(requests[2].body == content)
      #expect(
        requests.map { $0.headers["Content-Length"] } == ["\(2 * size + 3)", "\(size)", "\(size)"])
      for request in requests {
        #expect(request.headers["Transfer-Encoding"] == nil)
        #expect(request.headers["Expect"] == nil)
        #expect(request.headers["Content-Type"] == nil)
      }
    }
  }

  @Test("a body of 200 MiB arrives")
  func large() async throws {
    let size = 200 << 20
    let path = try folder.resize("a", to: size)
    let body = RequestBody(
      segments: [.bytes(Data([1, 2]))] + (try RequestBody(file: path).segments)
        + [.bytes(Data([3]))])
    let server = try DiscardingServer()
    let answer = try await transport.answer(
      TargetRequest(method: .put, url: server.url, body: body))
    #expect(answer.status == 200)
    let received = try await server.outcome()
    #expect(received.count == size + 3)
    #expect(received.ends == [1, 3])
  }

  @Test("a file larger than the memory is sent until the server refuses it")
  func largerThanMemory() async throws {
    let size = 1 << 38
    let body = try RequestBody(file: try folder.resize("a", to: size))
    let server = try DiscardingServer(limit: 1 << 20, status: 413)
    let answer = try await transport.answer(
      TargetRequest(method: .post, url: server.url, body: body))
    #expect(answer.status == 413)
    #expect(try await server.outcome().head.contains("\r\nContent-Length: \(size)\r\n"))
  }

  @Test("a file that shrinks while being sent fails the request")
  func shrinking() async throws {
    let (folder, size) = (folder, 64 << 20)
    let path = try folder.resize("a", to: size)
    let server = try DiscardingServer(onHead: { _ = try? folder.resize("a", to: 1) })
    let error = await #expect(throws: NetworkError.self) {
      _ = try await transport.answer(
        TargetRequest(method: .put, url: server.url, body: try RequestBody(file: path)))
    }
    #expect(error?.code == .encoding)
    #expect(error?.message.contains(path) == true)
    #expect(try await server.outcome().count < size)
  }

  @Test("a file that grows while being sent is sent up to the announced length")
  func growing() async throws {
    let (folder, size) = (folder, 32 << 20)
    let path = try folder.resize("a", to: size)
    let server = try DiscardingServer(onHead: { _ = try? folder.resize("a", to: 2 * size) })
    let body = try RequestBody(file: path)
    try folder.resize("a", to: size + 1)
    _ = try await transport.answer(TargetRequest(method: .put, url: server.url, body: body))
    #expect(try await server.outcome().count == size)
  }

  @Test("a file that was removed before it is sent fails the request")
  func gone() async throws {
    let path = try folder.write(bytes(5), to: "a")
    let body = try RequestBody(file: path)
    try FileManager.default.removeItem(atPath: path)
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(TargetRequest(method: .put, url: server.url, body: body))
      }
      #expect(error?.code == .encoding)
      #expect(server.log.requestCount == 0)
    }
  }

  @Test("libcurl restarts the body if a kept connection turns out to be closed")
  func rewinding() async throws {
    let content = bytes(100_000)
    let body = try RequestBody(file: try folder.write(content, to: "a"))
    try await withLoopbackServer { request in
      request.number == 2 ? .closeWithoutAnswering : .text("ok")
    } perform: { server in
      _ = try await transport.answer(TargetRequest(url: server.url))
      let answer = try await transport.answer(
        TargetRequest(method: .put, url: server.url, body: body))
      #expect(answer.status == 200)
      #expect(server.log.requests.map(\.connection) == [1, 1, 2])
      #expect(server.log.requests.dropFirst().map(\.body) == [content, content])
    }
  }

  @Test("the progress of an upload is reported up to the last byte", arguments: [false, true])
  func progress(isFile: Bool) async throws {
    let size = 4 << 20
    let path = try folder.resize("a", to: size)
    let body = isFile ? try RequestBody(file: path) : RequestBody(Data(count: size))
    let counts = Watched<[Int]>([])
    try await withLoopbackServer { _ in
      .text("ok")
    } perform: { server in
      let reply = try await transport.send(
        TargetRequest(method: .post, url: server.url, body: body)
      ) { count in counts.update { $0.append(count) } }
      for try await _ in reply.body {}
    }
    let seen = counts.current
    #expect(seen == Array(Set(seen)).sorted())
    #expect(seen.last == size)
    #expect(seen.count > 1)
  }

  @Test("a response is decoded unless the request asks for an encoding")
  func acceptEncoding() async throws {
    // Not compressed at all: undoing the compression fails.
    try await withLoopbackServer { _ in
      .text("plain", headers: ["Content-Encoding": "gzip"])
    } perform: { server in
      for encoding in ["gzip", "identity"] {
        let answer = try await transport.answer(
          TargetRequest(url: server.url, headers: [.acceptEncoding: encoding]))
        #expect(answer.body == Data("plain".utf8))
      }
      await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(TargetRequest(url: server.url))
      }
      let asked = server.log.requests.map { $0.headers.values(of: "Accept-Encoding") }
      #expect(asked.prefix(2) == [["gzip"], ["identity"]])
      #expect(asked.last?.first?.contains("gzip") == true)
    }
  }
}
