import PlatformModules
import Testing

@testable import TestSupport

@Suite("Recorded exchanges", .timeLimit(.minutes(5)))
struct RecordedExchangesTests {
  private func ask(_ target: String, of server: LoopbackServer) async throws -> String {
    let connection = try await RawConnection(port: server.port)
    try await connection.send(
      "GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
    return String(decoding: try await connection.receiveAll(), as: UTF8.self)
  }

  @Test("a response is replayed by path and unordered query, with rewritten addresses")
  func replay() async throws {
    let recorded = RecordedExchanges([
      .init(
        name: "a", method: "GET", url: "https://api.github.com/x%20y?b=2&a=1", status: 200,
        headers: [
          "Content-Length": "999", "Transfer-Encoding": "chunked", "Connection": "close",
          "Link": "<https://api.github.com:443/x?page=2>; rel=\"next\"", "X": "y",
        ], body: #"{"url":"https://api.github.com/x"}"#),
      .init(
        name: "b", method: "GET", url: "https://api.github.com/x%20y?a=1&b=2", status: 404,
        headers: ["Retry-After": "{{now offset='8 seconds' format='unix'}}"], body: ""),
    ])
    try await withLoopbackServer(answering: recorded.handler) { server in
      let first = try await ask("/x%20y?a=1&b=2", of: server)
      #expect(first.contains("\r\nLink: <\(server.url)/x?page=2>; rel=\"next\"\r\nX: y\r\n"))
      let body = #"{"url":"\#(server.url)/x"}"#
      #expect(
        first.hasSuffix("Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"))
      for _ in 1...2 {
        let again = try await ask("/x%20y?b=2&a=1", of: server)
        #expect(again.hasPrefix("HTTP/1.1 404 "))
        #expect(again.contains("Retry-After: 1") || again.contains("Retry-After: 2"))
      }
      #expect(try await ask("/x%20y?a=1", of: server).contains("Not recorded"))
    }
  }

  @Test(
    "writes and the reads between them are replayed in order",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
  func inOrder() async throws {
    let recorded = try RecordedExchanges(file: "writes-08-milestones.json")
      .scenario("set-unset-milestone-2020")
    #expect(recorded.exchanges.count == 6)
    #expect(recorded.exchanges[2].requestBody == #"{"milestone":1}"#)
    try await withLoopbackServer(answering: recorded.handlerInOrder) { server in
      let client = WritingClient(port: server.port)
      var titles: [JSONInput?] = []
      for (place, exchange) in recorded.exchanges.enumerated() {
        let early = try await client.send("DELETE", "//not/the/next")
        #expect(early.status == 404)
        let answer = try await client.send(
          exchange.method, "/" + RecordedExchanges.path(of: exchange), exchange.requestBody)
        #expect(answer.status == exchange.status)
        if place > 1 { titles.append(answer.json.at("milestone.number")) }
      }
      #expect(titles == [.number(1), .number(1), nil, nil])
    }
  }

  @Test(
    "every recorded request gets its recorded response",
    .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here")
  )
  func files() async throws {
    var count = 0
    for name in try RecordedExchanges.files() {
      let recorded = try RecordedExchanges(file: name)
      try await withLoopbackServer(answering: recorded.handler) { server in
        for exchange in recorded.exchanges where exchange.method == "GET" {
          let answer = try await ask(RecordedExchanges.path(of: exchange), of: server)
          #expect(answer.hasPrefix("HTTP/1.1 \(exchange.status) "), "\(exchange.name)")
          #expect(!answer.contains("https://api.github.com"), "\(exchange.name)")
          count += 1
        }
      }
    }
    #expect(count > 40)
  }
}
