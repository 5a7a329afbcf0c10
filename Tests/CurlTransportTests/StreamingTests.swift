import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

@Suite("A streamed response body", .timeLimit(.minutes(5)))
struct StreamingTests {
  let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))

  @Test("a second concurrent reader gets an error, and the first one gets its bytes")
  func twoReaders() async throws {
    let exchange = Exchange()
    let (chunks, first) = AsyncStream.makeStream(of: Exchange.Chunk.self)
    let second = await withCheckedContinuation { second in
      Task {
        first.yield(
          await withCheckedContinuation { waiting in
            exchange.read(waiting)
            exchange.read(second)
          })
      }
    }
    let error = #expect(throws: NetworkError.self) { try second.data.get() }
    #expect(error?.message.contains("only once") == true)
    #expect(Array("a".utf8).withUnsafeBytes { exchange.append($0) })
    exchange.wakeReader().carryOut()
    for await chunk in chunks {
      #expect(try chunk.data.get() == Data("a".utf8))
      break
    }
  }

  @Test("bytes stay as they are while the memory of others is used again")
  func buffers() {
    var kept: [(number: UInt8, data: Data)] = []
    for number in 0..<UInt8(60) {
      var buffer = BodyBuffer()
      for _ in 0..<4 {
        let isKept = [UInt8](repeating: number, count: 20_000).withUnsafeBytes { buffer.append($0) }
        #expect(isKept)
      }
      kept.append((number, buffer.data()))
      if number % 3 == 0 { kept.removeFirst() }
    }
    #expect(kept.allSatisfy { $0.data == Data(repeating: $0.number, count: 80_000) })
  }

  @Test("bytes that don't fit wait until the others are read")
  func oversized() throws {
    let exchange = Exchange()
    func append(_ count: Int) -> Bool {
      [UInt8](repeating: 7, count: count).withUnsafeBytes { exchange.append($0) }
    }
    #expect(append(100) && append(100_000) && !append(100_000))
    #expect(try exchange.readNow()?.data.get()?.count == 100_100)
    #expect(append(1_000_000) && !append(1))
    #expect(try exchange.readNow()?.data.get()?.count == 1_000_000)
    #expect(exchange.readNow()?.data == nil)
  }

  @Test("a reader that pauses stops the sender, and still reads to the last byte")
  func backPressure() async throws {
    let size = 64 << 20
    try await withLoopbackServer { _ in
      LoopbackResponse(body: Data(repeating: 7, count: size))
    } perform: { server in
      let reply = try await transport.send(TargetRequest(url: server.url))
      // While this body isn't read, others get through: it doesn't block the curl thread.
      let other = try await transport.answer(
        TargetRequest(method: .head, url: server.url + "/other"))
      #expect(other.status == 200)
      #expect(server.log.entries.first?.outcome != .answered)
      var count = 0
      for try await chunk in reply.body {
        #expect(chunk.count <= ExchangeStateMachine.highWaterMark + 64 << 10)
        count += chunk.count
      }
      #expect(count == size)
    }
  }

  @Test("an unread body is ended for waiting requests, and a body being read continues")
  func unread() async throws {
    let transport = CurlTransport(
      configuration: .init(maximumConnectionsPerHost: 2, certificates: CertificateStore()))
    let size = 8 << 20
    try await withLoopbackServer { request in
      request.path == "/small" ? .text("x") : LoopbackResponse(body: Data(count: size))
    } perform: { server in
      let timeouts = Timeouts(idle: .seconds(1))
      let unread = try await transport.send(TargetRequest(url: server.url, timeouts: timeouts))
      let read = try await transport.send(TargetRequest(url: server.url))
      // Both connections are taken until one of the bodies makes way.
      let answer = try await transport.answer(TargetRequest(url: server.url + "/small"))
      #expect(answer.status == 200)
      var count = 0
      for try await chunk in read.body { count += chunk.count }
      #expect(count == size)
      let error = await #expect(throws: NetworkError.self) { for try await _ in unread.body {} }
      #expect(error?.timedOutPhase == .idle)
      #expect(error?.message.contains("wasn't read") == true)
    }
  }

  @Test("an unread body is kept while no request waits for its connection")
  func unreadAlone() async throws {
    let size = 8 << 20
    try await withLoopbackServer { request in
      request.path == "/late"
        ? .text("x").after(.seconds(2)) : LoopbackResponse(body: Data(count: size))
    } perform: { server in
      let reply = try await transport.send(
        TargetRequest(url: server.url, timeouts: Timeouts(idle: .milliseconds(100))))
      #expect(try await transport.answer(TargetRequest(url: server.url + "/late")).status == 200)
      var count = 0
      for try await chunk in reply.body { count += chunk.count }
      #expect(count == size)
    }
  }

  @Test("a body that exceeds the allowed size ends the transfer, whatever its announced length")
  func tooLarge() async throws {
    try await withLoopbackServer { _ in
      LoopbackResponse(body: Data(repeating: 7, count: 100_000)).with { $0.framing = .chunked }
    } perform: { server in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(TargetRequest(url: server.url, maximumBodySize: 99_999))
      }
      #expect(error?.code == .tooLarge)
      let whole = try await transport.answer(
        TargetRequest(url: server.url, maximumBodySize: 100_000))
      #expect(whole.body.count == 100_000)
    }
  }

  @Test("an endless head is refused")
  func endlessHead() async throws {
    let field = "X-Filler: \(String(repeating: "x", count: 8000))\r\n"
    try await withLoopbackServer { _ in
      .raw("HTTP/1.1 200 OK\r\n" + String(repeating: field, count: 60) + "\r\n")
    } perform: { server in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(TargetRequest(url: server.url))
      }
      #expect(error?.code == .tooLarge)
    }
  }
}
