internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import HTTPTypes
internal import PlatformModules

/// The checks of ``TransportConformance``, each with its own server.
struct ConformanceCheck: Sendable {
  let transport: any Transport

  private struct Answer {
    var status: Int
    var headers: HTTPFields
    var body: Data
  }

  private func with(
    _ script: @escaping ScriptedServer.Script, perform body: (ScriptedServer) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(script)
    do {
      try await withTaskCancellationHandler {
        try await body(server)
      } onCancel: {
        server.beginStopping()
      }
      await server.stop()
    } catch {
      await server.stop()
      throw error
    }
  }

  private func ask(_ request: TargetRequest) async throws(NetworkError) -> Answer {
    let reply = try await transport.send(request)
    var body = Data()
    for try await chunk in reply.body { body += chunk }
    return Answer(status: reply.status.code, headers: reply.headers, body: body)
  }

  private func failure(of request: TargetRequest) async throws(ConformanceFailure) -> NetworkError {
    let answer: Answer
    do throws(NetworkError) {
      answer = try await ask(request)
    } catch {
      return error
    }
    throw ConformanceFailure("no error, but \(answer.status) with \(answer.body.count) bytes")
  }

  private func expect(
    code: NetworkError.Code, of request: TargetRequest
  ) async throws(ConformanceFailure) -> NetworkError {
    let error = try await failure(of: request)
    try expect(error.code == code, "\(code) expected, not \(error)")
    return error
  }

  private func expect(
    _ condition: Bool, _ problem: @autoclosure () -> String
  ) throws(ConformanceFailure) {
    guard condition else { throw ConformanceFailure(problem()) }
  }

  /// Returns a script that sends this text in response to each request, and keeps the connection open.
  private static func text(_ answer: String) -> ScriptedServer.Script {
    { _, connection in connection.send(answer) }
  }

  private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

  func sendsRequestsAsTheyAre() async throws {
    try await with(Self.text(Self.ok)) { server in
      let target = "/a%2Fb//c?x=c%2B%2B&y=%20&y=a%3Db&z"
      var request = TargetRequest(
        method: .patch, url: server.url + target,
        headers: [.accept: "application/vnd.test+json", .contentType: "application/json"],
        body: Data(#"{"a":1}"#.utf8))
      request.headers[.authorization] = "Bearer secret"
      _ = try await ask(request)
      let got = try first(server)
      try expect(got.method == "PATCH", "the method \(got.method)")
      try expect(got.target == target, "the target \(got.target)")
      for field in request.headers {
        let values = got.values(field.name.rawName)
        try expect(values == [field.value], "\(field.name): \(values)")
      }
      try expect(got.body == Array(#"{"a":1}"#.utf8), "\(got.body.count) bytes of the body")
      try expect(got.values("Content-Length") == ["7"], "the body has no length")
    }
  }

  func sendsFiles() async throws {
    let folder = FileManager.default.temporaryDirectory
    let path = folder.appending(path: "TransportConformance-\(UInt64.random(in: 0 ... .max))")
      .path()
    let bytes = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    try bytes.write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try RequestBody(file: path)
    let body = RequestBody(segments: [.bytes(Data("<".utf8))] + file.segments)
    try await with(Self.text(Self.ok)) { server in
      let counts = SentCounts()
      let request = TargetRequest(method: .put, url: server.url, body: body)
      let reply = try await transport.send(request, onSent: { counts.add($0) })
      for try await _ in reply.body {}
      let got = try first(server)
      try expect(got.body == Array("<".utf8) + Array(bytes), "\(got.body.count) bytes arrived")
      let reported = counts.values
      try expect(reported.last == body.size, "the last progress was \(reported.last ?? 0)")
      try expect(reported == reported.sorted(), "the progress went back")
    }
  }

  func sendsStreams() async throws {
    struct SourceFailure: Error {}
    let bytes = Data((0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    func stream(size: Int?, failing: Bool = false) -> RequestBody.Stream {
      RequestBody.Stream(size: size) {
        AsyncThrowingStream<Data, any Error> { source in
          for start in stride(from: 0, to: bytes.count, by: 10_000) {
            source.yield(bytes[start..<min(start + 10_000, bytes.count)])
          }
          source.finish(throwing: failing ? SourceFailure() : nil)
        }
      }
    }
    for size in [bytes.count, nil] {
      try await with(Self.text(Self.ok)) { server in
        func request(_ stream: RequestBody.Stream) -> TargetRequest {
          TargetRequest(
            method: .put, url: server.url,
            body: RequestBody(segments: [.bytes(Data("<".utf8)), .stream(stream)]))
        }
        let answer = try await ask(request(stream(size: size)))
        try expect(answer.status == 200, "\(answer.status)")
        let got = try first(server)
        try expect(got.body == Array("<".utf8) + Array(bytes), "\(got.body.count) bytes arrived")
        if let size {
          let length = got.values("Content-Length")
          try expect(length == ["\(size + 1)"], "the length was \(length)")
        }
        let wrongSize = size.map { $0 + 1 }
        for stream in [stream(size: size, failing: true)]
          + (size == nil ? [] : [stream(size: wrongSize)])
        {
          _ = try await expect(code: .encoding, of: request(stream))
        }
        try expect(server.requests.count == 1, "a part of a body arrived as a whole one")
      }
    }
  }

  func refusesOtherSchemes() async throws {
    for url in ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://x", "127.0.0.1", ""] {
      _ = try await expect(code: .requestMapping, of: TargetRequest(url: url))
    }
  }

  func leavesRedirectsAlone() async throws {
    for status in [301, 302, 303, 307, 308] {
      try await with(
        Self.text(
          "HTTP/1.1 \(status) Elsewhere\r\nLocation: /other\r\nContent-Length: 4\r\n\r\nthis")
      ) { server in
        let answer = try await ask(TargetRequest(url: server.url))
        try expect(answer.status == status, "the status \(answer.status)")
        try expect(answer.headers[.location] == "/other", "no Location")
        try expect(answer.body == Data("this".utf8), "\(status): \(answer.body.count) bytes")
        try expect(server.requests.count == 1, "the redirect was followed")
      }
    }
  }

  func keepsNoCredentials() async throws {
    let answer =
      "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\nSet-Cookie: a=b; Path=/\r\n"
      + "Content-Length: 2\r\n\r\nno"
    try await with(Self.text(answer)) { server in
      for _ in 0..<2 {
        let answer = try await ask(TargetRequest(url: server.url))
        try expect(answer.status == 401, "the status \(answer.status)")
        try expect(answer.body == Data("no".utf8), "\(answer.body.count) bytes of the body")
      }
      let requests = server.requests
      try expect(requests.count == 2, "\(requests.count) requests for two")
      for request in requests {
        try expect(request.values("Cookie") == [], "a cookie went back")
        try expect(request.values("Authorization") == [], "credentials were sent")
      }
    }
  }

  func keepsNoCache() async throws {
    let answer =
      "HTTP/1.1 200 OK\r\nCache-Control: max-age=3600\r\nETag: \"1\"\r\nContent-Length: 2\r\n\r\nok"
    try await with(Self.text(answer)) { server in
      for _ in 0..<2 { _ = try await ask(TargetRequest(url: server.url)) }
      try expect(server.requests.count == 2, "\(server.requests.count) requests for two")
      let asked = server.requests[1].values("If-None-Match")
      try expect(asked == [], "it asked for what it had")
    }
  }

  func streams() async throws {
    try await with { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n")
      guard connection.wait(for: "head") else { return false }
      connection.send("one")
      guard connection.wait(for: "one") else { return false }
      return connection.send("two")
    } perform: { server in
      let reply = try await transport.send(TargetRequest(url: server.url))
      server.note("head")
      var body = Data()
      for try await chunk in reply.body {
        body += chunk
        if body == Data("one".utf8) { server.note("one") }
      }
      try expect(body == Data("onetwo".utf8), "\(body.count) of 6 bytes")
    }
  }

  func appliesBackPressure() async throws {
    let (piece, pieces) = ([UInt8](repeating: 7, count: 1 << 20), 64)
    try await with { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(piece.count * pieces)\r\n\r\n")
      for _ in 0..<pieces {
        guard connection.send(piece, stalled: "stalled") else { return false }
      }
      connection.note("sent")
      // Ends the check's wait for the event if the sender never stalled.
      connection.note("stalled")
      return true
    } perform: { server in
      let reply = try await transport.send(TargetRequest(url: server.url))
      await server.wait(for: "stalled")
      try expect(!server.has("sent"), "the sender never had to wait for the reader")
      var count = 0
      for try await chunk in reply.body { count += chunk.count }
      try expect(count == piece.count * pieces, "\(count) of \(piece.count * pieces) bytes")
    }
  }

  private static let neverAnswers: ScriptedServer.Script = { _, connection in
    if connection.waitForLeave() { connection.note("left") }
    return false
  }

  func cancelsBeforeTheHead() async throws {
    try await with(Self.neverAnswers) { server in
      let url = server.url
      let call = Task { try await self.failure(of: TargetRequest(url: url)) }
      await server.wait(forRequests: 1)
      call.cancel()
      let error = try await call.value
      try expect(error.code == .cancelled, "cancelled expected, not \(error)")
      await server.wait(for: "left")
    }
  }

  func cancelsInTheBody() async throws {
    try await with { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
      if connection.waitForLeave() { connection.note("left") }
      return false
    } perform: { server in
      let url = server.url
      let call = Task { () -> NetworkError? in
        do throws(NetworkError) {
          let reply = try await transport.send(TargetRequest(url: url))
          for try await _ in reply.body { server.note("reading") }
          return nil
        } catch {
          return error
        }
      }
      await server.wait(for: "reading")
      call.cancel()
      let error = await call.value
      try expect(error?.code == .cancelled, "cancelled expected, not \(String(describing: error))")
      await server.wait(for: "left")
    }
  }

  func sendsNothingWhenCancelled() async throws {
    try await with(Self.text(Self.ok)) { server in
      let url = server.url
      let call = Task {
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        return try await self.failure(of: TargetRequest(url: url + "/cancelled"))
      }
      let error = try await call.value
      try expect(error.code == .cancelled, "cancelled expected, not \(error)")
      _ = try await ask(TargetRequest(url: url + "/next"))
      let targets = server.requests.map(\.target)
      try expect(targets == ["/next"], "these were sent: \(targets)")
    }
  }

  func endsDroppedReplies() async throws {
    try await with { _, connection in
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
      if connection.waitForLeave() { connection.note("left") }
      return false
    } perform: { server in
      _ = try await transport.send(TargetRequest(url: server.url)).status
      await server.wait(for: "left")
    }
  }

  func limitsBodies() async throws {
    let body = String(repeating: "x", count: 100_000)
    let chunks = "186a0\r\n\(body)\r\n0\r\n\r\n"
    try await with(Self.text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)) {
      server in
      let short = TargetRequest(url: server.url, maximumBodySize: 99_999)
      _ = try await expect(code: .tooLarge, of: short)
      let answer = try await ask(TargetRequest(url: server.url, maximumBodySize: 100_000))
      try expect(answer.body.count == 100_000, "\(answer.body.count) of 100000 bytes")
    }
  }

  func limitsHeads() async throws {
    let field = "X-Filler: " + String(repeating: "x", count: 8000) + "\r\n"
    try await with { _, connection in
      connection.send("HTTP/1.1 200 OK\r\n")
      for _ in 0..<8000 { guard connection.send(field) else { return false } }
      connection.note("all taken")
      return false
    } perform: { server in
      let error = try await failure(of: TargetRequest(url: server.url))
      try expect(error.code != .timedOut && error.code != .cancelled, "\(error)")
      try expect(!server.has("all taken"), "64 MB of fields were taken")
    }
  }

  func limitsTime() async throws {
    try await with(Self.neverAnswers) { server in
      let timeouts = Timeouts(total: .milliseconds(200))
      let request = TargetRequest(url: server.url, timeouts: timeouts)
      let error = try await expect(code: .timedOut, of: request)
      try expect(error.timedOutPhase == .total, "the phase \(String(describing: error))")
      await server.wait(for: "left")
    }
  }

  func noticesTruncation() async throws {
    for answer in [
      "Content-Length: 10\r\n\r\nshort", "Transfer-Encoding: chunked\r\n\r\n5\r\nab",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n",
    ] {
      try await with { _, connection in
        connection.send("HTTP/1.1 200 OK\r\n" + answer)
        return false
      } perform: { server in
        let error = try await expect(code: .transport, of: TargetRequest(url: server.url))
        let reason = error.transportFailure?.reason
        try expect(reason == .interrupted, "interrupted expected, not \(error)")
      }
    }
  }

  func keepsFieldOrder() async throws {
    let fields = "Link: <c>\r\nX-A: 1\r\nLink: <a>\r\nX-A: 2\r\nLink: <b>\r\n"
    let answer = "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 2\r\n\r\nok"
    try await with(Self.text(answer)) { server in
      let answer = try await ask(TargetRequest(url: server.url))
      // One field with a list is equivalent to several fields (RFC 9110, section 5.3).
      for (name, value) in [("Link", "<c>, <a>, <b>"), ("X-A", "1, 2")] {
        let got = HTTPField.Name(name).flatMap { answer.headers[$0] }
        let plain = got?.split(separator: ",").map { $0.drop { $0 == " " } }.joined(separator: ", ")
        try expect(plain == value, "\(name): \(got ?? "none")")
      }
    }
  }

  func ignoresTrailers() async throws {
    let answer =
      "HTTP/1.1 200 OK\r\nTrailer: X-Late, Location\r\nTransfer-Encoding: chunked\r\n\r\n"
      + "2\r\nok\r\n0\r\nX-Late: 1\r\nLocation: /late\r\n\r\n"
    try await with(Self.text(answer)) { server in
      for _ in 0..<2 {
        let answer = try await ask(TargetRequest(url: server.url))
        try expect(answer.body == Data("ok".utf8), "\(answer.body.count) of 2 bytes")
        try expect(answer.headers[.location] == nil, "the trailer is among the fields")
      }
    }
  }

  func ignoresInterimHeads() async throws {
    let early = "HTTP/1.1 103 Early Hints\r\nLocation: /early\r\n\r\n"
    try await with(Self.text(early + Self.ok)) { server in
      let answer = try await ask(TargetRequest(url: server.url))
      try expect(answer.status == 200, "the status \(answer.status)")
      try expect(answer.headers[.location] == nil, "a field of the interim head is there")
      try expect(answer.body == Data("ok".utf8), "\(answer.body.count) of 2 bytes")
    }
  }

  func endsWithoutBody() async throws {
    for (method, head) in [
      (HTTPRequest.Method.head, "200 OK\r\nContent-Length: 1000"), (.delete, "204 No Content"),
      (.get, "304 Not Modified\r\nETag: \"1\""),
    ] {
      try await with(Self.text("HTTP/1.1 \(head)\r\n\r\n")) { server in
        for _ in 0..<2 {
          let answer = try await ask(TargetRequest(method: method, url: server.url))
          try expect(head.hasPrefix("\(answer.status)"), "the status \(answer.status)")
          try expect(answer.body.isEmpty, "\(answer.body.count) bytes of a body")
        }
      }
    }
  }

  func decompresses() async throws {
    // “hello, hello, hello”, compressed with gzip.
    let bytes: [UInt8] = [
      31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 64, 162, 0, 159, 161,
      202, 9, 19, 0, 0, 0,
    ]
    let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(bytes.count)\r\n\r\n"
    try await with { _, connection in
      connection.send(Array(head.utf8) + bytes)
    } perform: { server in
      let answer = try await ask(TargetRequest(url: server.url))
      let text = String(decoding: answer.body, as: UTF8.self)
      try expect(text == "hello, hello, hello", "\(answer.body.count) bytes")
    }
  }

  func sendsOnce() async throws {
    try await with { request, connection in
      request.method == "GET" ? connection.send(Self.ok) : false
    } perform: { server in
      _ = try await ask(TargetRequest(url: server.url))
      var request = TargetRequest(method: .post, url: server.url, body: Data("{}".utf8))
      request.idempotency = .once
      let error = try await expect(code: .transport, of: request)
      try expect(error.bytesSent != 0, "it says that nothing was sent")
      let count = server.requests.count { $0.method == "POST" }
      try expect(count == 1, "it was sent \(count) times")
    }
  }

  func reportsRefusedConnections() async throws {
    let server = try ScriptedServer(Self.text(Self.ok))
    await server.stop()
    let error = try await expect(code: .transport, of: TargetRequest(url: server.url))
    let reason = error.transportFailure?.reason
    try expect(reason == .connection, "connection expected, not \(error)")
  }

  func keepsAnswersApart() async throws {
    try await with { request, connection in
      connection.send(
        "HTTP/1.1 200 OK\r\nContent-Length: \(request.target.utf8.count)\r\n\r\n\(request.target)")
    } perform: { server in
      let url = server.url
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<20 {
          group.addTask {
            let answer = try await ask(TargetRequest(url: "\(url)/\(index)"))
            try expect(answer.body == Data("/\(index)".utf8), "another answer for \(index)")
          }
        }
        try await group.waitForAll()
      }
    }
  }

  private func first(_ server: ScriptedServer) throws(ConformanceFailure) -> ScriptedRequest {
    guard server.requests.count == 1, let request = server.requests.first else {
      throw ConformanceFailure("\(server.requests.count) requests for one")
    }
    return request
  }
}

private final class SentCounts: Sendable {
  private let counts = Locked<[Int]>([])

  var values: [Int] { counts.withLock { $0 } }

  func add(_ count: Int) { counts.withLock { $0.append(count) } }
}
