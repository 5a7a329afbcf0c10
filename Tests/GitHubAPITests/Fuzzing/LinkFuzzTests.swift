import HTTPTargets
import TestSupport
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Fuzzed links", .tags(.heavy), .timeLimit(.minutes(10)))
struct LinkFuzzTests {
  private static let fields = [
    #"<https://api.github.com/repositories/1/issues?after=Y3Vy%3D>; rel="next", "#
      + #"<https://api.github.com/repositories/1/issues?page=9>; rel="last""#,
    #"<https://docs.example/>; rel="deprecation"; type="text/html", </x?page=2>; rel=next"#,
    #"<?page=3>; title="a, <https://evil/>; rel=\"next\""; rel="prev next"; anchor="/""#,
    #"<https://api.github.com/a>;REL = Next ; foo;bar=; , ,<//api.github.com/b>;rel="x""#,
  ]
  private static let words = [
    "<", ">", "\"", "\\\"", ";", ",", "=", "rel", "rel=next", "rel=\"next\"", "next", " ", "\t",
    "anchor", "https://api.github.com/x", "https://evil.example/", "//evil.example", "/../", "#",
    "@",
  ]

  private static func field(using source: inout FuzzSource) -> String {
    source.once(in: 3)
      ? source.text(words: words) : source.mutation(of: fields, words: words, upTo: 16_384)
  }

  @Test("a parsed link occurs in the header, and survives writing and parsing")
  func links() {
    let failure = FuzzTest("links", iterations: 400).run { source in
      let values = (0..<(1 + source.below(2))).map { _ in Self.field(using: &source) }
      let header = LinkHeader(values)
      for link in header.links {
        try check(!link.target.contains(">"), "\(values)")
        try check(values.contains { $0.utf8.containsAll(of: link.target) }, "\(values)")
        for relation in link.relations {
          try check(!relation.isEmpty && relation == relation.lowercased(), "\(values)")
        }
        try check(
          link.parameters.allSatisfy { !$0.name.isEmpty && $0.name == $0.name.lowercased() },
          "\(values)")
      }
      let written = header.links.map { link in
        link.parameters.reduce("<\(link.target)>") { text, parameter in
          "\(text); \(parameter.name)=\(Self.quoted(parameter.value))"
        }
      }.joined(separator: ", ")
      try check(LinkHeader([written]).links == header.links, "\(values) → \(written)")
    }
    #expect(failure == nil)
  }

  private static func quoted(_ value: String) -> String {
    // By bytes: a mark after a quote would be one character with it.
    let bytes = value.utf8.flatMap { byte in
      byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
        ? [UInt8(ascii: "\\"), byte] : [byte]
    }
    return "\"\(String(decoding: bytes, as: UTF8.self))\""
  }

  @Test("an accepted link to the next page stays on the server")
  func pages() throws {
    let failure = FuzzTest("pages", iterations: 500).run { source in
      let base = source.pick([
        "https://api.github.com/repos/a/b/issues?state=open",
        "https://h.example:8443/api/v3/x", "http://127.0.0.1:8080/x", "https://[::1]/x",
      ])
      let field = Self.field(using: &source)
      let target = source.once(in: 2) ? nil : source.text(words: Self.words)
      let value = target.map { "<\($0)>; rel=next" } ?? field
      let headers = HTTPFields([
        HTTPField(name: .link, lenientValue: Array(value.utf8))
      ])
      let link: PageLink?
      do throws(NetworkError) {
        link = try PageLink.next(in: headers, of: base)
      } catch {
        return try check(error.code == .decoding, value.debugDescription)
      }
      guard let link else { return }
      let shown = "\(value.debugDescription) on \(base) → \(link.url.debugDescription)"
      try check(Origin(url: link.url) == Origin(url: base), shown)
      // A relative one is as long as the page's own address with it; blanks become three characters.
      try check(link.url.utf8.count <= base.utf8.count + 3 * 8_192, shown)
      try check(!link.url.contains("#"), shown)
    }
    #expect(failure == nil)
  }

  @Test("parsing a 64 KiB field takes time proportional to its length")
  func length() {
    for piece in [
      "<", ">", "\"", "\\", ";", ",", "=", "<>", "<>;", "<>,", "\"\\", "; a", ";a=\"",
      "<a>;b=\"\",",
      " ", "<\"", "\",", "rel=next;", "\u{301}",
    ] {
      let length = LinkHeader.maximumLength
      let text = String(repeating: piece, count: length / piece.utf8.count)
      _ = LinkHeader([text]).next
      _ = LinkHeader([String(("<a>;" + text).prefix(length))]).next
      _ = LinkHeader([String(("<a>;title=\"" + text).utf8.prefix(length)) ?? ""]).next
      // Nothing is read of what is longer, in one field or in many.
      #expect(LinkHeader(["<a>; rel=next; x=\"\(text)\""]).next == nil)
    }
    let many = LinkHeader([String](repeating: "<a>;rel=x,", count: 20_000))
    #expect(many.links.count <= 65_536 / 10)
  }
}

extension String.UTF8View {
  /// Whether the bytes of a text stand in it, in a row; a text with replaced bytes counts as contained.
  fileprivate func containsAll(of text: String) -> Bool {
    text.unicodeScalars.contains("\u{FFFD}") || String(self).utf8.firstRange(of: text.utf8) != nil
      || text.isEmpty
  }
}
