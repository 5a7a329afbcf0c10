import HTTPTargets
import PlatformModules
import TestSupport
import Testing

@Suite("ResponseBody.lines")
struct ResponseLinesTests {
  private func lines(
    _ chunks: [Data], maximumLength: Int = 1 << 20
  ) async -> (lines: [String], code: NetworkError.Code?) {
    var lines: [String] = []
    do throws(NetworkError) {
      let body = TransportReply.chunks(chunks).body
      for try await line in body.lines(maximumLength: maximumLength) { lines.append(line) }
    } catch {
      return (lines, error.code)
    }
    return (lines, nil)
  }

  @Test("only LF, CRLF and CR end a line, even across chunks")
  func ends() async {
    let text = Data("a\nb\r\n\r\rc\u{2028}é\u{301}\n\r\n\nlast".utf8)
    let expected = ["a", "b", "", "", "c\u{2028}é\u{301}", "", "", "last"]
    for size in 1...text.count {
      let chunks = stride(from: 0, to: text.count, by: size).map {
        text[$0..<min($0 + size, text.count)]
      }
      // An empty chunk between a CR and its LF changes nothing.
      #expect(await lines(chunks).lines == expected, "chunks of \(size) bytes")
      #expect(await lines(chunks.flatMap { [Data(), $0] }).lines == expected)
    }
  }

  @Test(
    "a line break at the end doesn't add a line, and an empty body has no lines",
    arguments: [("a\n", ["a"]), ("a\r", ["a"]), ("\n", [""]), ("", []), ("a", ["a"])])
  func last(text: String, expected: [String]) async {
    #expect(await lines([Data(text.utf8)]).lines == expected)
  }

  @Test("bytes other than UTF-8 become replacement characters")
  func notText() async {
    #expect(
      await lines([Data([0x61, 0xFF, 0x0A, 0xC3]), Data([0xA9])]).lines == ["a\u{FFFD}", "é"])
  }

  @Test("an endless line fails at the chunk that exceeds the limit")
  func tooLong() async {
    let chunks = [Data("ab\nabcd".utf8), Data("e".utf8), Data("f\n".utf8)]
    let (lines, code) = await lines(chunks, maximumLength: 5)
    #expect(lines == ["ab"])
    #expect(code == .tooLarge)
  }

  @Test("a broken body throws after the complete lines")
  func broken() async throws {
    let body = TransportReply.chunks([Data("a\nb".utf8)], failure: .interrupted).body
    var lines = body.lines().makeAsyncIterator()
    #expect(try await lines.next() == "a")
    let error = await #expect(throws: NetworkError.self) { try await lines.next() }
    #expect(error?.transportFailure?.reason == .interrupted)
  }

  @Test("a body is collected up to a limit")
  func collected() async throws {
    func body() -> ResponseBody {
      TransportReply.chunks([Data("abc".utf8), Data("de".utf8)]).body
    }
    #expect(try await body().collect(atMost: 5) == Data("abcde".utf8))
    let error = await #expect(throws: NetworkError.self) { try await body().collect(atMost: 4) }
    #expect(error?.code == .tooLarge)
  }
}
