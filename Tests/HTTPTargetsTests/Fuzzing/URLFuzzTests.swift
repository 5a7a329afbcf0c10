import TestSupport
import TestTraits
import Testing

@testable import HTTPTargets

@Suite("Fuzzed URLs", .tags(.heavy), .timeLimit(.minutes(10)))
struct URLFuzzTests {
  private static let hosts = [
    "api.github.com", "github.example.com:8443", "127.0.0.1:8080", "[::1]", "[2001:db8::1]:443",
    "localhost", "xn--mnchen-3ya.de", "a_b.example.", "1.2.3.4",
  ]
  private static let urls = [
    "https://api.github.com/repositories/1/issues?after=Y3Vyc29y&per_page=100#x",
    "http://127.0.0.1:8080/a/b", "HTTPS://H.example:443", "https://[::1]:8443/?x=[y]",
    "/repos/../a/./b?c=/../d", "../x", "?page=2", "//h.example/x", "https://u:p@h.example/", "",
  ]
  private static let words = [
    "https://", "http://", "//", "/", "/../", "/./", "?", "#", "@", ":", ":443", ".", "[", "]",
    "::",
    "0x7f", "127.1", "\\", "%2e", "example.com",
  ]

  private static func text(_ corpus: [String], using source: inout FuzzSource) -> String {
    source.once(in: 3)
      ? source.text(words: words) : source.mutation(of: corpus, words: words, upTo: 4_096)
  }

  @Test("an accepted host is plain ASCII and parses to itself")
  func hosts() {
    let failure = FuzzTest("hosts", iterations: 500).run { source in
      let text = Self.text(Self.hosts, using: &source)
      guard let host = HostName(text) else { return }
      let isPlain = host.host.utf8.allSatisfy { byte in
        byte.isASCIILetterOrDigit || ".-_:[]".utf8.contains(byte)
      }
      try check(isPlain, "\(text.debugDescription) gives \(host)")
      try check(host.host == host.host.lowercased(), "\(text.debugDescription) gives \(host)")
      try check(host.port.map { (1...65_535).contains($0) } ?? true, "\(host)")
      let written = host.port.map { "\(host.host):\($0)" } ?? host.host
      try check(HostName(written) == host, "\(text.debugDescription) gives \(host)")
    }
    #expect(failure == nil)
  }

  @Test("a URL rebuilt from its parts has the same origin")
  func absolute() {
    let failure = FuzzTest("absolute URLs", iterations: 500).run { source in
      let text = Self.text(Self.urls, using: &source)
      guard let url = AbsoluteURL(text) else { return }
      let again = AbsoluteURL("\(url.origin)\(url.rest)")
      try check(again?.origin == url.origin, "\(text.debugDescription) → \(url.origin)")
      try check(again.map { $0.rest == url.rest } ?? false, "\(text.debugDescription)")
      // The part before the path is the origin alone, without user information.
      let authority = text.dropLast(url.rest.count)
      try check(!authority.contains("@") && !authority.contains("\\"), "\(text.debugDescription)")
      try check("/?#".contains(url.rest.first ?? "/"), "\(text.debugDescription)")
    }
    #expect(failure == nil)
  }

  @Test("a reference resolves to a valid URL that resolves to itself")
  func resolving() throws {
    let base = try #require(AbsoluteURL("https://api.github.com/repos/a/b/issues?state=open"))
    let failure = FuzzTest("resolving", iterations: 500).run { source in
      let reference = Self.text(Self.urls, using: &source)
      guard let resolved = base.resolving(reference) else { return }
      let shown = "\(reference.debugDescription) → \(resolved.debugDescription)"
      guard let url = AbsoluteURL(resolved) else { throw Mismatch(shown) }
      try check(!resolved.contains("#"), shown)
      let path = url.rest.prefix { $0 != "?" }
      try check(path.split(separator: "/").allSatisfy { $0 != "." && $0 != ".." }, shown)
      try check(url.resolving(resolved) == resolved, shown)
      // Only a scheme or two slashes lead away from the server.
      if !reference.contains(":"), !reference.contains("//") {
        try check(url.origin == base.origin, shown)
      }
    }
    #expect(failure == nil)
  }

  @Test("any value in a path is one segment, or the path is refused")
  func paths() {
    let failure = FuzzTest("paths").run { source in
      let value = source.text()
      let path: URLPath = "repos/\(value)/issues"
      let shown = "\(value.debugDescription) → \(path)"
      try check(path.encoded.utf8.count { $0 == UInt8(ascii: "/") } == 2, shown)
      try check(
        path.encoded.utf8.allSatisfy { (0x21...0x7E).contains($0) }
          && !path.encoded.contains { "?#\\@:".contains($0) }, shown)
      let segment = path.encoded.dropFirst("repos/".count).dropLast("/issues".count)
      try check(Array(PercentEncoding.decode(segment).utf8) == Array(value.utf8), shown)
      try check((path.problem != nil) == ["", ".", ".."].contains(value), shown)
    }
    #expect(failure == nil)
  }

  @Test("query items survive encoding and decoding")
  func queries() {
    let failure = FuzzTest("queries").run { source in
      let items = (0..<source.length(upTo: 5)).map { _ in
        QueryItem(source.text(upTo: 6), source.text(upTo: 6))
      }
      let query = QueryItem.encode(items)
      let read =
        query.isEmpty && items.isEmpty
        ? []
        : query.split(
          separator: "&", omittingEmptySubsequences: false
        ).map {
          $0.split(separator: "=", omittingEmptySubsequences: false).map(PercentEncoding.decode)
        }
      try check(read == items.map { [$0.name, $0.value ?? ""] }, query)
    }
    #expect(failure == nil)
  }

  @Test("the value of a secret query item never appears, in any surrounding text")
  func redaction() {
    let failure = FuzzTest("redaction").run { source in
      let name = source.pick(["access_token", "client_secret", "api%5Fkey", "PASSWORD", "sig"])
      // Characters after a delimiter may combine with it.
      let mark = source.pick(["", "", "\u{301}", "\u{FE0F}", "\u{200D}"])
      let url =
        source.mutation(of: Self.urls, words: Self.words, upTo: 500)
        + source.pick(["?", "&", "#", ";", ","]) + "\(name)=\(mark)SEKRIT"
        + source.pick(["", "&x=y", "#z", "%20", "=", "SEKRIT"])
      for text in [url, "https://user:SEKRIT@\(mark)h.example/"] {
        let shown = Redaction.url(text)
        try check(
          shown.utf8.firstRange(of: "SEKRIT".utf8) == nil,
          "\(text.debugDescription) is shown as \(shown)")
      }
    }
    #expect(failure == nil)
  }

  @Test("an accepted token is printable ASCII")
  func tokens() {
    let failure = FuzzTest("tokens").run { source in
      let text = source.mutation(of: ["ghp_0123456789\n", "a.b-c\r\n", "x"], upTo: 500)
      guard let token = try? AccessToken(text) else { return }
      try check(
        !token.secret.isEmpty && token.secret.utf8.allSatisfy { (0x21...0x7E).contains($0) },
        text.debugDescription)
      try check(text.utf8.count - token.secret.utf8.count <= 2, text.debugDescription)
      try check(
        !"\(token)".contains(token.secret) || token.secret.count < 11, text.debugDescription)
    }
    #expect(failure == nil)
  }

  @Test("parsing and redacting take time proportional to the URL's length")
  func length() throws {
    let base = try #require(AbsoluteURL("https://api.github.com/"))
    for piece in [
      "/", "../", "/..", "%2e%2e/", "?", "@", "a=", "&token=", "é", "\u{301}", ":", "[", ".",
    ] {
      let text = String(repeating: piece, count: FuzzTest.longLength / piece.utf8.count)
      _ = HostName(text)
      _ = AbsoluteURL("https://h.example\(text)")
      _ = base.resolving(text)
      _ = base.resolving("/\(text)")
      _ = Redaction.url(text)
      _ = Redaction.url("https://h.example/?\(text)")
      let path: URLPath = "\(raw: text)"
      _ = path.problem
    }
  }
}
