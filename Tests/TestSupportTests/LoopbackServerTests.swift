import PlatformModules
import Testing

@testable import TestSupport

@Suite("The loopback server", .timeLimit(.minutes(5)))
struct LoopbackServerTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: h\r\n\r\n"

  @Test("a connection is kept open for the next request")
  func keepAlive() async throws {
    try await withLoopbackServer {
      .text($0.path)
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
      let first = try await client.receive { $0.hasSuffix("/a") }
      #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n"))
      #expect(first.contains("\r\nContent-Length: 2\r\n"))
      try await client.send("GET /b HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
      let second = String(decoding: try await client.receiveAll(), as: UTF8.self)
      #expect(second.hasSuffix("/b"))
      #expect(server.log.connectionCount == 1)
      #expect(server.log.requests.map(\.number) == [1, 2])
      #expect(server.log.requests.map(\.connection) == [1, 1])
    }
  }

  @Test("a client with a complete response no longer counts as waiting")
  func inFlight() async throws {
    try await withLoopbackServer {
      .text($0.path)
    } perform: { server in
      let clients = [
        try await RawConnection(port: server.port), try await RawConnection(port: server.port),
      ]
      for number in 10..<210 {
        let client = clients[number % 2]
        try await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try await client.receive { $0.hasSuffix("/\(number)") }
      }
      #expect(server.log.requestCount == 200 && server.log.peakInFlight == 1)
    }
  }

  @Test(
    "targets in origin-form and absolute-form are parsed",
    arguments: [
      ("/x%2Fy?a=1&b=%2B+c&d", "/x%2Fy", "http://h:1"),
      ("http://other:80/x?a=1&b=%2B+c&d", "/x", "http://other:80"),
      ("http://other?a=1&b=%2B+c&d", "/", "http://other"),
      ("/x?a=1&b=%2B+c&d=", "/x", "http://h:1"),
    ]
  )
  func targets(target: String, path: String, origin: String) async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send("GET \(target) HTTP/1.1\r\nHost: h:1\r\nConnection: close\r\n\r\n")
      _ = try await client.receiveAll()
      let request = try await server.log.waitForRequest()
      #expect(request.target == target)
      #expect(request.path == path)
      #expect(request.query == [.init("a", "1"), .init("b", "+ c"), .init("d", "")])
      #expect(request.origin == origin)
    }
  }

  @Test(
    "a request body is read completely, however it is framed and split",
    arguments: [
      "Content-Length: 11\r\n\r\nhello world",
      "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n world\r\n0\r\nT: t\r\n\r\n",
    ]
  )
  func bodies(rest: String) async throws {
    try await withLoopbackServer { request in
      LoopbackResponse(body: request.body)
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      for piece in "POST / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(rest)" {
        try await client.send(String(piece))
      }
      let answer = String(decoding: try await client.receiveAll(), as: UTF8.self)
      #expect(answer.hasSuffix("\r\n\r\nhello world"))
    }
  }

  @Test("a HEAD response has the length and no body")
  func head() async throws {
    try await withLoopbackServer { _ in
      .text("hello")
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send("HEAD / HTTP/1.1\r\nConnection: close\r\n\r\n")
      let answer = String(decoding: try await client.receiveAll(), as: UTF8.self)
      #expect(answer.contains("Content-Length: 5\r\n"))
      #expect(answer.hasSuffix("\r\n\r\n"))
    }
  }

  @Test("an invalid request is refused, and its connection is closed")
  func malformed() async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send("NONSENSE\r\n\r\n")
      let answer = String(decoding: try await client.receiveAll(), as: UTF8.self)
      #expect(answer.hasPrefix("HTTP/1.1 400 "))
      #expect(server.log.requestCount == 0)
    }
  }

  @Test("a client that disconnects during a held response is detected", arguments: [true, false])
  func cancellation(headFirst: Bool) async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      headFirst ? .text("late").bodyHeld(by: gate) : .text("late").held(by: gate)
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      if headFirst {
        let head = try await client.receive { $0.hasSuffix("\r\n\r\n") }
        #expect(head.hasPrefix("HTTP/1.1 200"))
      }
      try await server.log.requests(count: 1)
      #expect(server.log.entries[0].outcome == .pending)
      await client.close()
      let request = try await server.log.waitForCancellation { $0.path == "/a" }
      #expect(request.number == 1)
      #expect(!gate.isOpen)
    }
  }

  @Test("a client that disconnects is detected even if the handler ignores cancellation")
  func cancelledHandler() async throws {
    let release = Gate()
    let left = Gate()
    try await withLoopbackServer { _ in
      // A task of its own isn't cancelled with the handler.
      await Task { await release.wait() }.value
      if Task.isCancelled { left.open() }
      return .text("")
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      try await server.log.requests(count: 1)
      await client.close()
      try await server.log.waitForCancellation()
      release.open()
      await left.wait()
    }
  }

  @Test("a complete response is logged as answered even after the client disconnects")
  func answered() async throws {
    try await withLoopbackServer { _ in
      .text("x")
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      _ = try await client.receive { $0.hasSuffix("x") }
      await client.close()
      try await server.log.openConnections(atMost: 0)
      #expect(server.log.entries.map(\.outcome) == [.answered])
    }
  }

  @Test("a stalled response is held until the server stops")
  func stall() async throws {
    let server = try await LoopbackServer.start { _ in .stall }
    let client = try await RawConnection(port: server.port)
    try await client.send(Self.get)
    try await server.log.requests(count: 1)
    await server.stop()
    #expect(try await client.receiveAll().isEmpty)
    // The connection's own task notes it, and may be late.
    try await server.log.waitForOutcome(.serverStopped)
    #expect(server.log.requestCount == 1)
    await client.close()
    await #expect(throws: (any Error).self) { try await RawConnection(port: server.port) }
  }

  @Test("a delayed response waits for the server's clock")
  func latency() async throws {
    let clock = TestClock()
    try await withLoopbackServer(clock: clock) { _ in
      .text("x").after(.seconds(100))
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      try await clock.sleepers(atLeast: 1)
      #expect(server.log.entries.map(\.outcome) == [.pending])
      clock.advance(by: .seconds(100))
      let answer = try await client.receive { $0.hasSuffix("x") }
      #expect(answer.hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("a raw response is sent unchanged")
  func raw() async throws {
    try await withLoopbackServer { _ in
      .raw("HTTP/1.1 999\n\u{1}")
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      #expect(try await client.receiveAll() == Data("HTTP/1.1 999\n\u{1}".utf8))
    }
  }

  @Test("a connection can be closed or reset without a response")
  func refusals() async throws {
    var routes = RouteTable()
    routes.on("/close", .closeWithoutAnswering)
    routes.on("/reset", .reset)
    try await withLoopbackServer(answering: routes.handler) { server in
      let first = try await RawConnection(port: server.port)
      try await first.send("GET /close HTTP/1.1\r\n\r\n")
      #expect(try await first.receiveAll().isEmpty)
      let second = try await RawConnection(port: server.port)
      try await second.send("GET /reset HTTP/1.1\r\n\r\n")
      await #expect(throws: (any Error).self) { try await second.receiveAll() }
    }
  }

  @Test("a body can be shorter than its declared length")
  func truncated() async throws {
    try await withLoopbackServer { _ in
      .text("short").with { $0.framing = .declaredLength(100) }
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      let answer = String(decoding: try await client.receiveAll(), as: UTF8.self)
      #expect(answer.contains("Content-Length: 100\r\n"))
      #expect(answer.hasSuffix("\r\n\r\nshort"))
    }
  }

  @Test("a chunked body is sent slice by slice according to the clock")
  func drip() async throws {
    let clock = TestClock()
    try await withLoopbackServer(clock: clock) { _ in
      .text("abcde").dripping(2, every: .seconds(1)).with { $0.framing = .chunked }
    } perform: { server in
      let client = try await RawConnection(port: server.port)
      try await client.send(Self.get)
      _ = try await client.receive { $0.hasSuffix("\r\n\r\n2\r\nab\r\n") }
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      #expect(try await client.receive { $0.hasSuffix("\r\n") } == "2\r\ncd\r\n")
      try await clock.sleepers(atLeast: 1)
      clock.advance(by: .seconds(1))
      #expect(try await client.receive { $0.hasSuffix("0\r\n\r\n") } == "1\r\ne\r\n0\r\n\r\n")
    }
  }

  @Test("the last response of a sequence is repeated")
  func sequence() async throws {
    var routes = RouteTable()
    routes.on("/a", [.text("1"), .text("2")])
    try await withLoopbackServer(answering: routes.handler) { server in
      var bodies: [Character] = []
      let client = try await RawConnection(port: server.port)
      for _ in 1...3 {
        try await client.send(Self.get)
        let answer = try await client.receive { $0.hasSuffix("1") || $0.hasSuffix("2") }
        bodies.append(try #require(answer.last))
      }
      #expect(bodies == ["1", "2", "2"])
    }
  }

  @Test("64 concurrent clients that connect and disconnect all get their responses")
  func concurrentClients() async throws {
    try await withLoopbackServer {
      .text($0.path)
    } perform: { server in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for client in 1...64 {
          group.addTask {
            for round in 1...8 {
              let connection = try await RawConnection(port: server.port)
              let path = "/\(client)/\(round)"
              try await connection.send("GET \(path) HTTP/1.1\r\n\r\n")
              let answer = try await connection.receive { $0.hasSuffix("\r\n\r\n\(path)") }
              #expect(answer.hasPrefix("HTTP/1.1 200"))
              await connection.close()
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(server.log.requestCount == 512)
      try await server.log.openConnections(atMost: 0)
    }
  }
}
