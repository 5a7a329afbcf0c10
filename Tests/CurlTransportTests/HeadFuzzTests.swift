import HTTPTargets
import TestSupport
import TestTraits
import Testing

@testable import CurlTransport

@Suite("Fuzzed heads", .tags(.heavy), .timeLimit(.minutes(10)))
struct HeadFuzzTests {
  private static let heads = [
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nLink: <https://a/>; rel=next\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/2 304\r\nETag: W/\"x\"\r\n\r\n",
    "HTTP/1.0 301 Moved\r\nLocation: /x\r\n y\r\n\tz\r\nSet-Cookie: a=b\r\n\r\nTrailer: x\r\n",
  ]
  private static let words = [
    "HTTP/1.1 ", "HTTP/", "200", "999", "1000", "\r\n", "\n", "\r\n\r\n", "\r\n ", ":", ": ",
    "Link",
    "\t", "Content-Length: 18446744073709551616",
  ]

  /// Parses a head line by line, as libcurl delivers it.
  private static func parse(_ bytes: [UInt8]) -> (HeadParser, HeadParser.Progress) {
    var parser = HeadParser()
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let progress = (line + [UInt8(ascii: "\n")]).withUnsafeBytes { parser.receive($0) }
      if case .tooLarge = progress { return (parser, progress) }
    }
    return (parser, .more)
  }

  @Test("a complete head has a valid status, and no field contains a line break")
  func heads() {
    let failure = FuzzTest("heads", iterations: 3_000).run { source in
      let bytes =
        source.once(in: 3)
        ? Array(source.text(words: Self.words).utf8)
        : source.mutation(of: Self.heads.map { Array($0.utf8) }, words: Self.words)
      let (parser, _) = Self.parse(bytes)
      try check(!parser.isComplete || (101...999).contains(parser.status), "\(bytes)")
      try check(parser.lines.fields().count <= HeadParser.maximumFields, "\(bytes)")
      for field in parser.lines.fields() {
        try check(!field.value.utf8.contains { $0 == 0x0D || $0 == 0x0A || $0 == 0 }, "\(bytes)")
      }
    }
    #expect(failure == nil)
  }

  @Test("parsing a head of 256 KiB takes linear time")
  func length() {
    for piece in [" x\r\n", "\n", "a:b\n", "\tx\n", ":\n", "HTTP/1.1 100\n\n", "x", " \r\n"] {
      let text =
        "HTTP/1.1 200 OK\r\na: b\r\n" + String(repeating: piece, count: 300_000 / piece.count)
      let (_, progress) = Self.parse(Array(text.utf8))
      if case .tooLarge = progress { continue }
      Issue.record("\(piece.debugDescription) wasn't found too large")
    }
  }
}
