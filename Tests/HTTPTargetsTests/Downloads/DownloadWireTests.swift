import CurlTransport
import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("Downloads and streams over a socket", .timeLimit(.minutes(5)))
struct DownloadWireTests {
  private static let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 9) })

  private let folder: ScratchFolder
  private let provider = Provider<Zoo>(transport: CurlTransport.shared)

  init() throws {
    folder = try ScratchFolder()
  }

  /// A file on a server, whose first answers break.
  private struct ServedFile: Sendable {
    var content = DownloadWireTests.content
    var tag = "\"1\""
    /// How many bytes of the answer are sent, for the first answers.
    var lengths: [Int] = []

    /// Answers a range as RFC 9110, section 14, has it.
    func answer(_ request: LoopbackRequest) -> LoopbackResponse {
      var headers: LoopbackHeaders = ["ETag": tag]
      var status = 200
      var body = content
      if let range = request.headers["Range"], request.headers["If-Range"] == tag,
        let start = Int(range.dropFirst("bytes=".count).dropLast())
      {
        guard start < content.count else {
          return .text(
            "too far", status: 416, headers: ["Content-Range": "bytes */\(content.count)"])
        }
        status = 206
        headers.add("Content-Range", "bytes \(start)-\(content.count - 1)/\(content.count)")
        body = content.suffix(from: start)
      }
      let response = LoopbackResponse(status: status, headers: headers, body: body)
      guard request.number <= lengths.count else { return response }
      return response.with {
        $0.framing = .declaredLength(body.count)
        $0.body = body.prefix(lengths[request.number - 1])
      }
    }
  }

  private func target(_ server: LoopbackServer) -> Zoo {
    Zoo(baseURL: server.url, task: .download(to: folder["file"]))
  }

  @Test("a download broken twice is completed by two more calls without repeating a byte")
  func broken() async throws {
    let file = ServedFile(lengths: [1_500_001, 700_000])
    try await withLoopbackServer {
      file.answer($0)
    } perform: { server in
      for _ in 0..<2 {
        let outcome = await provider.outcome(target(server))
        #expect(outcome.word == "transport")
        #expect(folder.contents("file") == nil)
      }
      let response = try await provider.request(target(server))
      #expect(response.file == folder["file"])
      #expect(folder.contents("file") == Self.content)
      #expect(folder.names == ["file"])
      let requests = server.log.requests
      #expect(
        requests.map { $0.headers["Range"] } == [nil, "bytes=1500001-", "bytes=2200001-"])
      #expect(requests.map { $0.headers["If-Range"] } == [nil, "\"1\"", "\"1\""])
      #expect(requests.allSatisfy { $0.headers.values(of: "Accept-Encoding") == ["identity"] })
    }
  }

  @Test("a retry in the same call resumes the download")
  func retried() async throws {
    struct UntilItWorks: Interceptor {
      func intercept(
        _ request: TargetRequest, call: TargetCall, next: Next
      ) async throws(NetworkError) -> TargetResponse {
        for _ in 0..<3 {
          do throws(NetworkError) {
            return try await next(request)
          } catch {
            guard error.code == .transport else { throw error }
          }
        }
        return try await next(request)
      }
    }
    let file = ServedFile(lengths: [1_000_000, 0, 1_000_000])
    try await withLoopbackServer {
      file.answer($0)
    } perform: { server in
      let provider = Provider<Zoo>(
        interceptors: [UntilItWorks()], transport: CurlTransport.shared)
      var last: TransferProgress?
      for try await event in provider.events(target(server)) {
        if case .progress(let progress) = event { last = progress }
        if case .completed(let response) = event { #expect(response.attempts == 4) }
      }
      #expect(last == TransferProgress(.receiving, completed: 3_000_000, expected: 3_000_000))
      #expect(folder.contents("file") == Self.content)
      #expect(
        server.log.requests.map { $0.headers["Range"] }
          == [nil, "bytes=1000000-", "bytes=1000000-", "bytes=2000000-"])
    }
  }

  @Test("a file changed during a download is received whole")
  func changed() async throws {
    let file = Watched(ServedFile(lengths: [2_000_000]))
    try await withLoopbackServer {
      file.current.answer($0)
    } perform: { server in
      _ = await provider.outcome(target(server))
      file.update { $0 = ServedFile(content: Data("new".utf8), tag: "\"2\"") }
      let response = try await provider.request(target(server))
      #expect(response.status == .ok)
      #expect(server.log.requests.last?.headers["Range"] == "bytes=2000000-")
      #expect(folder.contents("file") == Data("new".utf8))
    }
  }

  @Test("a file now shorter than the partial file is requested whole after a 416")
  func notSatisfiable() async throws {
    let file = Watched(ServedFile(lengths: [2_000_000]))
    try await withLoopbackServer {
      file.current.answer($0)
    } perform: { server in
      _ = await provider.outcome(target(server))
      // With the same tag: a server that is wrong about its versions.
      file.update { $0 = ServedFile(content: Data("new".utf8)) }
      let response = try await provider.request(target(server))
      #expect(response.attempts == 2)
      #expect(
        server.log.requests.map { $0.headers["Range"] } == [nil, "bytes=2000000-", nil])
      #expect(folder.contents("file") == Data("new".utf8))
      #expect(folder.names == ["file"])
    }
  }

  @Test("a connection reset keeps the old file, and the next call replaces it")
  func reset() async throws {
    try folder.write(Data("old".utf8), to: "file")
    let file = ServedFile()
    try await withLoopbackServer { request in
      guard request.number == 1 else { return file.answer(request) }
      let head = "HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 3000000\r\n\r\n"
      return .script([.send(Data(head.utf8) + Self.content.prefix(1_000_000)), .reset])
    } perform: { server in
      #expect(await provider.outcome(target(server)).word == "transport")
      #expect(folder.contents("file") == Data("old".utf8))
      _ = try await provider.request(target(server))
      #expect(folder.contents("file") == Self.content)
      #expect(folder.names == ["file"])
    }
  }

  @Test("a stream returns its head before the body, and then the whole body")
  func stream() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      LoopbackResponse(body: Self.content).bodyHeld(by: gate)
    } perform: { server in
      let response = try await provider.stream(Zoo(baseURL: server.url))
      #expect(response.status == .ok)
      gate.open()
      var body = Data()
      for try await chunk in response.body { body += chunk }
      #expect(body == Self.content)
    }
  }

  @Test("a dropped stream closes its connection")
  func droppedStream() async throws {
    try await withLoopbackServer { _ in
      LoopbackResponse(body: Data(count: 64 << 20))
    } perform: { server in
      do {
        let response = try await provider.stream(Zoo(baseURL: server.url))
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next(isolation: nil)
      }
      try await server.log.waitForCancellation()
    }
  }
}
