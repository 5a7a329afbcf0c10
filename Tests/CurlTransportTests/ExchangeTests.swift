import HTTPTargets
import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import CurlTransport

extension CurlTransport {
  /// Sends a request and reads all of the body.
  func answer(_ request: TargetRequest) async throws -> (
    status: Int, headers: HTTPFields, body: Data
  ) {
    let reply = try await send(request)
    var body = Data()
    for try await chunk in reply.body { body += chunk }
    return (reply.status.code, reply.headers, body)
  }
}

@Suite("An exchange over a real socket", .timeLimit(.minutes(5)))
struct ExchangeTests {
  let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))

  @Test("status, fields and body arrive as the server sent them")
  func plainAnswer() async throws {
    try await withLoopbackServer { _ in
      LoopbackResponse(
        status: 418, headers: ["X-Kind": "teapot", "X-Empty": "", "Set-Cookie": "a=1"],
        body: Data("short and stout".utf8)
      ).with { $0.headers.add("Set-Cookie", "b=2") }
    } perform: { server in
      let answer = try await transport.answer(TargetRequest(url: server.url + "/pot"))
      #expect(answer.status == 418)
      #expect(answer.headers[HTTPField.Name("x-kind")!] == "teapot")
      #expect(answer.headers[HTTPField.Name("x-empty")!] == "")
      #expect(answer.headers[values: .setCookie] == ["a=1", "b=2"])
      #expect(String(decoding: answer.body, as: UTF8.self) == "short and stout")
    }
  }

  @Test(
    "every method sends its body and length, and no fields added by libcurl",
    arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"],
    [nil, [], [0x61, 0, 0x62]] as [[UInt8]?])
  func methods(method: String, body: [UInt8]?) async throws {
    if body != nil && method == "HEAD" { return }
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      let request = TargetRequest(
        method: HTTPRequest.Method(method)!, url: server.url + "/x", headers: [.userAgent: "t"],
        body: body.map { RequestBody(Data($0)) })
      _ = try await transport.answer(request)
      let sent = try #require(server.log.requests.first)
      #expect(sent.method == method)
      #expect(sent.body == Data(body ?? []))
      #expect(sent.headers["Expect"] == nil)
      #expect(sent.headers["Content-Type"] == nil)
      let expectsBody = body != nil || ["POST", "PUT", "PATCH"].contains(method)
      #expect(sent.headers["Content-Length"] == (expectsBody ? "\(body?.count ?? 0)" : nil))
    }
  }

  @Test("the request target is sent byte for byte, including dot segments and escapes")
  func targetAsIs() async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      _ = try await transport.answer(
        TargetRequest(url: server.url + "/a/../b/%2e%2E/c%2Fd?q=%20+&r"))
      #expect(server.log.requests.map(\.target) == ["/a/../b/%2e%2E/c%2Fd?q=%20+&r"])
    }
  }

  @Test("a field with an empty value is sent, not dropped")
  func emptyField() async throws {
    try await withLoopbackServer { _ in
      .text("")
    } perform: { server in
      _ = try await transport.answer(
        TargetRequest(url: server.url, headers: [HTTPField.Name("X-Empty")!: ""]))
      #expect(server.log.requests.first?.headers["X-Empty"] == "")
    }
  }

  @Test("connections are kept alive and reused, up to the allowed number at a time")
  func keepAlive() async throws {
    let transport = CurlTransport(
      configuration: .init(maximumConnectionsPerHost: 3, certificates: CertificateStore()))
    try await withLoopbackServer { _ in
      .text("x")
    } perform: { server in
      let url = server.url
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<60 {
          group.addTask { try await transport.answer(TargetRequest(url: "\(url)/\(index)")).status }
        }
        for try await status in group { #expect(status == 200) }
      }
      #expect(Set(server.log.requests.map(\.target)).count == 60)
      #expect(server.log.connectionCount <= 3)
    }
  }

  @Test("the head of a response arrives while its body is still held back")
  func headFirst() async throws {
    let gate = Gate()
    try await withLoopbackServer { _ in
      .text("body").bodyHeld(by: gate)
    } perform: { server in
      let reply = try await transport.send(TargetRequest(url: server.url))
      #expect(reply.status == .ok)
      gate.open()
      var body = Data()
      for try await chunk in reply.body { body += chunk }
      #expect(body == Data("body".utf8))
    }
  }

  @Test("redirects are returned to the caller, not followed")
  func redirectsAreNotFollowed() async throws {
    try await withLoopbackServer { _ in
      LoopbackResponse(status: 302, headers: ["Location": "/elsewhere"])
    } perform: { server in
      let answer = try await transport.answer(TargetRequest(url: server.url))
      #expect(answer.status == 302)
      #expect(server.log.requestCount == 1)
    }
  }

  @Test("interim responses aren't taken for the final response")
  func interimAnswers() async throws {
    try await withLoopbackServer { _ in
      .raw(
        "HTTP/1.1 103 Early Hints\r\nX-Early: 1\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    } perform: { server in
      let answer = try await transport.answer(TargetRequest(url: server.url))
      #expect(answer.status == 200)
      #expect(answer.headers[HTTPField.Name("X-Early")!] == nil)
      #expect(answer.body == Data("ok".utf8))
    }
  }

  @Test("a hundred requests in flight succeed after their transport is released")
  func releasedWhileRunning() async throws {
    try await withLoopbackServer { request in
      .text(request.path)
    } perform: { server in
      let url = server.url
      try await withThrowingTaskGroup(of: Bool.self) { group in
        do {
          let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
          for index in 0..<100 {
            group.addTask {
              try await transport.answer(TargetRequest(url: "\(url)/\(index)")).body
                == Data("/\(index)".utf8)
            }
          }
        }
        for try await isRight in group { #expect(isRight) }
      }
    }
  }
}
