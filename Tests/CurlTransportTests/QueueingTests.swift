import HTTPTargets
import TestSupport
import Testing

@testable import CurlTransport

@Suite("Queued requests", .timeLimit(.minutes(5)))
struct QueueingTests {
  let multi: CurlMulti

  init() async throws {
    try await CurlLibrary.waitUntilLoaded()
    multi = try CurlMulti(
      configuration: .init(maximumConnectionsPerHost: 1, certificates: CertificateStore()))
  }

  /// Sends a request, and returns once the curl thread has it.
  private func send(
    _ request: TargetRequest, priority: TaskPriority = .medium
  ) async throws -> Sent {
    let origin = try #require(request.origin)
    let before = await multi.count
    let submission = CurlMulti.Submission(
      request: request, origin: origin, priority: priority, deadline: nil, onSent: nil)
    let reader = ExchangeReader(submission, multi: multi)
    let status = Task {
      await reader.waitForHead()
      return try reader.reply().status.code
    }
    while await multi.count == before { await Task.yield() }
    return Sent(reader: reader, status: status)
  }

  private struct Sent {
    let reader: ExchangeReader
    let status: Task<Int, any Error>

    func succeeded() async -> Bool {
      if case .success(200) = await status.result { true } else { false }
    }

    func isCancelled() async -> Bool {
      switch await status.result {
      case .success: false
      case .failure(let error): NetworkError.Code.cancelled ~= error
      }
    }
  }

  @Test("the connect timeout of a queued request begins when a connection is available")
  func connectTimeout() async throws {
    try await withLoopbackServer { request in
      request.path == "/slow" ? .text("").after(.seconds(1)) : .text("")
    } perform: { server in
      let slow = try await send(TargetRequest(url: server.url + "/slow"))
      let waiting = try await send(
        TargetRequest(url: server.url + "/next", timeouts: Timeouts(connect: .milliseconds(100))))
      #expect(await slow.succeeded())
      #expect(await waiting.succeeded())
    }
  }

  @Test("queued requests are sent by priority, then in order of arrival")
  func order() async throws {
    let gate = Gate()
    try await withLoopbackServer { request in
      request.path == "/first" ? .text("").held(by: gate) : .text("")
    } perform: { server in
      let (url, log) = (server.url, server.log)
      var sent = [try await send(TargetRequest(url: url + "/first"))]
      _ = try await log.requests(count: 1)
      for (path, priority) in [
        ("/a", TaskPriority.background), ("/b", .medium), ("/c", .high), ("/d", .medium),
        ("/e", .high),
      ] {
        sent.append(try await send(TargetRequest(url: url + path), priority: priority))
      }
      gate.open()
      for sent in sent { #expect(await sent.succeeded()) }
      #expect(log.requests.map(\.path) == ["/first", "/c", "/e", "/b", "/d", "/a"])
      #expect(log.connectionCount == 1)
    }
  }

  @Test("a canceled queued request fails at once, and the others keep their order")
  func cancelled() async throws {
    let gate = Gate()
    try await withLoopbackServer { request in
      .text("").held(by: gate)
    } perform: { server in
      let (url, log) = (server.url, server.log)
      var sent: [Sent] = []
      for index in 0..<6 { sent.append(try await send(TargetRequest(url: "\(url)/\(index)"))) }
      for index in [3, 1] {
        sent[index].reader.cancel()
        #expect(await sent[index].isCancelled())
      }
      gate.open()
      for index in [0, 2, 4, 5] { #expect(await sent[index].succeeded()) }
      #expect(log.requests.map(\.path) == ["/0", "/2", "/4", "/5"])
    }
  }

  @Test("ten thousand queued requests can be canceled, and the next request is sent")
  func manyCancelled() async throws {
    let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
    try await withLoopbackServer { request in
      request.path == "/held" ? .stall : .text("")
    } perform: { server in
      let (url, log) = (server.url, server.log)
      func calls(_ count: Int) -> [Task<Int, any Error>] {
        (0..<count).map { _ in
          Task { try await transport.answer(TargetRequest(url: url + "/held")).status }
        }
      }
      let held = calls(8)
      _ = try await log.requests(count: 8)
      let waiting = calls(10_000)
      for calls in [waiting, held] {
        for call in calls { call.cancel() }
        for call in calls {
          let error = await #expect(throws: NetworkError.self) { _ = try await call.value }
          #expect(error?.code == .cancelled)
        }
      }
      #expect(try await transport.answer(TargetRequest(url: url)).status == 200)
      #expect(log.requestCount == 9)
    }
  }
}

extension CurlMulti {
  fileprivate var count: Int { transfers.count }
}
