import HTTPTargets
import TestSupport
import Testing

@testable import CurlTransport

@Suite("The head of a response", .timeLimit(.minutes(5)))
struct HeadTests {
  private func parse(_ head: String) -> HeadParser {
    var parser = HeadParser()
    for line in head.split(separator: "\r\n", omittingEmptySubsequences: false) {
      Array("\(line)\r\n".utf8).withUnsafeBytes { _ = parser.receive($0) }
    }
    return parser
  }

  @Test(
    "a folded line continues its field, whatever it looks like",
    arguments: [
      ("X-A: foo\r\n Location: https://evil.example/", "foo Location: https://evil.example/"),
      ("X-A: foo\r\n\tHTTP/1.1 404 Nope", "foo HTTP/1.1 404 Nope"),
      ("X-A: foo\r\n  ", "foo"),
      ("X-A: foo\r\n bar\r\n baz", "foo bar baz"),
    ])
  func folded(field: String, value: String) throws {
    let parser = parse("HTTP/1.1 200 OK\r\n\(field)\r\nLink: next\r\n")
    #expect(parser.isComplete)
    #expect(parser.status == 200)
    #expect(parser.lines.fields().count == 2)
    #expect(parser.lines.fields()[try #require(HTTPField.Name("X-A"))] == value)
    #expect(parser.lines.fields()[try #require(HTTPField.Name("Link"))] == "next")
    #expect(parser.lines.fields()[.location] == nil)
  }

  @Test("a field that resembles a status line remains a field")
  func statusLikeField() {
    let parser = parse("HTTP/1.1 200 OK\r\nHTTP/9: 404 yes\r\nLocation: /x\r\n")
    #expect(parser.isComplete)
    #expect(parser.status == 200)
    #expect(parser.lines.fields()[.location] == "/x")
  }

  @Test("a field of thousands of folded lines is joined once")
  func manyFolds() {
    let lines = String(repeating: "\r\n x", count: 50_000)
    let parser = parse("HTTP/1.1 200 OK\r\nServer: a\(lines)\r\n")
    #expect(parser.isComplete)
    #expect(parser.lines.fields()[.server]?.utf8.count == 1 + 2 * 50_000)
  }

  @Test(
    "the server's words follow the status code",
    arguments: [
      ("HTTP/1.1 503 Zoo Closed", 503, "Zoo Closed"), ("HTTP/1.1 404", 404, ""),
      ("HTTP/2 200 ", 200, ""), ("HTTP/1.1 2", 0, ""), ("HTTP/1.1", 0, ""),
    ])
  func statusLine(line: String, status: Int, reason: String) {
    let parser = parse("\(line)\r\nServer: x")
    #expect(parser.status == status)
    #expect(parser.reason == reason)
  }

  @Test("interim heads and trailers aren't taken for the head")
  func interim() {
    let parser = parse(
      "HTTP/1.1 103 Early Hints\r\nLocation: /early\r\n\r\nHTTP/2 204 \r\nServer: x\r\n\r\nLocation: /late\r\n"
    )
    #expect(parser.isComplete)
    #expect(parser.status == 204)
    #expect(parser.lines.fields()[.location] == nil)
    #expect(parser.lines.fields()[.server] == "x")
  }

  @Test(
    "a value keeps its bytes, except NUL, carriage return and surrounding spaces",
    arguments: [
      ("plain ~ text", "plain ~ text"), ("\t a\tb \t", "a\tb"), ("", ""), ("a\u{1}b", "a\u{1}b"),
      ("a\0b\rc", "a b c"), ("käse", "käse"),
    ])
  func values(sent: String, value: String) {
    let parser = parse("HTTP/1.1 200 OK\r\nServer:\(sent)\r\n")
    #expect(parser.lines.fields()[.server] == value)
  }

  @Test("a value that isn't UTF-8 keeps its bytes")
  func latin() {
    var parser = HeadParser()
    for line in [Array("HTTP/1.1 200 OK\r\n".utf8), Array("Server: ".utf8) + [0xE9], [0x0D, 0x0A]] {
      _ = line.withUnsafeBytes { parser.receive($0) }
    }
    let field = parser.lines.fields().first
    #expect(field?.withUnsafeBytesOfValue { Array($0) } == [0xE9])
  }

  @Test("a head with too many fields is refused, even if the fields are short")
  func manyFields() async throws {
    let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
    try await withLoopbackServer { _ in
      .raw("HTTP/1.1 200 OK\n" + String(repeating: "a:\n", count: 80_000) + "\n")
    } perform: { server in
      let error = await #expect(throws: NetworkError.self) {
        _ = try await transport.answer(TargetRequest(url: server.url))
      }
      #expect(error?.code == .tooLarge)
    }
  }

  @Test("a folded head from a real socket is joined")
  func wire() async throws {
    let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
    try await withLoopbackServer { _ in
      .raw(
        "HTTP/1.1 200 OK\r\nServer: a\r\n Location: /evil\r\nContent-Length: 2\r\n"
          + "Connection: close\r\n\r\nok")
    } perform: { server in
      let answer = try await transport.answer(TargetRequest(url: server.url))
      #expect(answer.headers[.server] == "a Location: /evil")
      #expect(answer.headers[.location] == nil)
    }
  }
}
