import HTTPTargets
import TestSupport
import Testing

@testable import CurlTransport

@Suite("Canceling a request", .timeLimit(.minutes(5)))
struct CancellationTests {
  let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))

  @Test("canceling before the head throws, and closes the server's connection")
  func waitingForHead() async throws {
    try await withLoopbackServer { _ in
      .stall
    } perform: { server in
      let url = server.url
      let call = Task { try await transport.answer(TargetRequest(url: url + "/held")) }
      _ = try await server.log.requests(count: 1)
      call.cancel()
      let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
      #expect(error?.code == .cancelled)
      _ = try await server.log.waitForCancellation { $0.path == "/held" }
    }
  }

  @Test("canceling while the body is read ends the body with an error")
  func readingBody() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .text("late").bodyHeld(by: gate)
    } perform: { server in
      let url = server.url
      let (heads, signal) = AsyncStream.makeStream(of: Void.self)
      let call = Task {
        let reply = try await transport.send(TargetRequest(url: url))
        signal.finish()
        for try await _ in reply.body {}
      }
      for await _ in heads {}
      call.cancel()
      let error = await #expect(throws: NetworkError.self) { try await call.value }
      #expect(error?.code == .cancelled)
      _ = try await server.log.waitForCancellation { _ in true }
    }
  }

  @Test("a request canceled before its start sends nothing")
  func beforeStart() async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let url = server.url
      let (start, go) = AsyncStream.makeStream(of: Void.self)
      let call = Task {
        for await _ in start {}
        return try await transport.answer(TargetRequest(url: url))
      }
      call.cancel()
      go.finish()
      let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
      #expect(error?.code == .cancelled)
      #expect(server.log.requestCount == 0)
    }
  }

  @Test("a reply that is dropped unread frees its connection")
  func droppedReply() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .text("late").bodyHeld(by: gate)
    } perform: { server in
      do {
        let reply = try await transport.send(TargetRequest(url: server.url))
        #expect(reply.status == .ok)
      }
      _ = try await server.log.waitForCancellation { _ in true }
    }
  }

  @Test("canceling one of many requests leaves the others running")
  func oneOfMany() async throws {
    let gate = Gate()
    try await withLoopbackServer { request in
      request.path == "/0" ? .stall : .text("x").held(by: gate)
    } perform: { server in
      let url = server.url
      let calls = (0..<6).map { index in
        // As long as the test may take: other tests may hold up the server.
        let request = TargetRequest(
          url: "\(url)/\(index)", timeouts: Timeouts(scaledTo: .seconds(300)))
        return Task { try await transport.answer(request).status }
      }
      _ = try await server.log.requests(count: 6)
      calls[0].cancel()
      _ = try await server.log.waitForCancellation { $0.path == "/0" }
      gate.open()
      for call in calls.dropFirst() { #expect(try await call.value == 200) }
    }
  }

  @Test("canceling at any moment has one outcome and closes all connections, 2,000 times")
  func storm() async throws {
    try await withLoopbackServer { _ in
      .text("x")
    } perform: { server in
      let url = server.url
      await withTaskGroup(of: Bool.self) { group in
        for index in 0..<2000 {
          group.addTask {
            let call = Task { try await transport.answer(TargetRequest(url: url)).status }
            // Not waiting at all, and waiting for a few other tasks, spread the moments.
            for _ in 0..<(index % 7) { await Task.yield() }
            call.cancel()
            switch await call.result {
            case .success(let status): return status == 200
            case .failure(let error): return NetworkError.Code.cancelled ~= error
            }
          }
          if index % 16 == 15 { for _ in 0..<16 { #expect(await group.next() == true) } }
        }
      }
      #expect(try await transport.answer(TargetRequest(url: url)).status == 200)
      try await server.log.openConnections(atMost: 8)
    }
  }
}
