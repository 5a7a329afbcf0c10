import Testing

@testable import IssuesCommand

@Suite("A request for a worker's metrics")
struct MetricsRequestTests {
  private static func status(_ text: String) -> String? {
    MetricsRequest(Array(text.utf8)).map { request in
      let answer = request.answer(.success("up 1\n"))
      return String(
        decoding: answer.prefix { $0 != UInt8(ascii: "\r") }.dropFirst(9), as: UTF8.self)
    }
  }

  @Test(
    "each request for metrics has its status",
    arguments: [
      ("GET /metrics HTTP/1.1\r\nHost: localhost:9464\r\n\r\n", "200 OK"),
      ("GET /metrics?name=a HTTP/1.1\r\nhost:127.0.0.1\r\nAccept: */*\r\n\r\n", "200 OK"),
      ("GET /metrics HTTP/1.0\n\n", "200 OK"),
      ("HEAD /metrics HTTP/1.1\r\nHost: LOCALHOST\r\n\r\n", "200 OK"),
      ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"),
      ("GET http://localhost/metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "404 Not Found"),
      ("POST /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", "405 Method Not Allowed"),
      ("GET /metrics HTTP/1.1\r\nHost: evil.example:9464\r\n\r\n", "403 Forbidden"),
      ("GET /metrics HTTP/1.1\r\nHost: localhost.evil.example\r\n\r\n", "403 Forbidden"),
      ("GET /metrics HTTP/1.1\r\nHost:\r\n\r\n", "403 Forbidden"),
      ("GET /metrics HTTP/1.1\r\n\r\n", "400 Bad Request"),
      (
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
        "400 Bad Request"
      ),
      ("GET /metrics\r\n\r\n", "400 Bad Request"), ("\r\n\r\n", "400 Bad Request"),
      ("\u{16}\u{3}\u{1} x HTTP/2\r\n\r\n", "400 Bad Request"),
      (String(repeating: "x", count: 8192), "431 Request Header Fields Too Large"),
    ])
  func statuses(text: String, status: String) {
    #expect(Self.status(text) == status)
  }

  @Test("a request for metrics is read at the end of its head")
  func pieces() {
    let text = Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\nbody".utf8)
    let end = text.count - 4
    for count in 0..<end { #expect(MetricsRequest(Array(text[..<count])) == nil) }
    for count in end...text.count {
      #expect(MetricsRequest(Array(text[..<count]))?.refusal == .some(nil))
    }
  }

  @Test("a failed database is reported to Prometheus, and requests beyond the limit don't reach it")
  func failure() throws {
    let request = try #require(
      MetricsRequest(Array("GET /metrics HTTP/1.0\r\n\r\n".utf8)))
    let answer = request.answer(.failure(CommandFailure(.output, "it is away\nTry later.")))
    let text = String(decoding: answer, as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
    #expect(text.hasSuffix("\r\n\r\nit is away. Try later.\n"))
  }
}
