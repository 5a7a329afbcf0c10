import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite("The link to the next page", .timeLimit(.minutes(5)))
struct NextLinkTests {
  @Test(
    "an absolute link is used unchanged, and a relative one is resolved against the page's URL",
    arguments: [
      ("https://api.github.com/repositories/1/issues?after=Y%3D%3D&a=%7e", nil),
      ("HTTPS://API.GitHub.com:443/x", nil),
      ("/x?page=2", "https://api.github.com/x?page=2"),
      ("?page=2", "https://api.github.com/repos/a/b/issues?page=2"),
      ("https://api.github.com/x?page=2#frag", "https://api.github.com/x?page=2"),
      // With a combining mark after it, a number sign is another character, and begins a fragment still.
      ("https://api.github.com/x?page=2#\u{301}", "https://api.github.com/x?page=2"),
      ("/x?page=2#\u{FE0F}\u{20E3}", "https://api.github.com/x?page=2"),
      ("//api.github.com/x", "https://api.github.com/x"),
      ("/x?a[0]=%20&b=%7e", "https://api.github.com/x?a[0]=%20&b=%7e"),
      ("/x?from=https://evil.example/", "https://api.github.com/x?from=https://evil.example/"),
    ] as [(String, String?)])
  func followed(target: String, expected: String?) throws {
    let link = try PageLink.next(
      in: [Self.link: "<\(target)>; rel=\"next\""],
      of: "https://api.github.com/repos/a/b/issues?state=open")
    #expect(link?.url == expected ?? target)
  }

  @Test(
    "a next-page link to another or an ambiguous origin is refused",
    arguments: [
      "https://evil.example/x", "http://api.github.com/x", "https://api.github.com:8443/x",
      "https://api.github.com@evil.example/", "https://api.github.com.evil.example/",
      "//evil.example/x", "https://api.github.com\\@evil.example/", "file:///etc/passwd",
      "https://github.com/x", "https://127.0.0.1/", "javascript:alert(1)", "https://[::1",
      "https://api.github.com/\(String(repeating: "x", count: 9000))",
    ])
  func refused(target: String) {
    let error = #expect(throws: NetworkError.self) {
      try PageLink.next(
        in: [Self.link: "<\(target)>; rel=\"next\""],
        of: "https://api.github.com/repos/a/b/issues")
    }
    #expect(error?.code == .decoding)
  }

  @Test(
    "a malformed link or a link of another relation isn't a next-page link",
    arguments: [
      "", "next", "<https://api.github.com/x; rel=\"next\"", "<https://api.github.com/x>",
      "<https://api.github.com/x>; rel=\"prev\", <https://api.github.com/y>; rel=first",
      "https://api.github.com/x; rel=next", ";,;,<>", "<https://evil.example/>; rel=deprecation",
    ])
  func none(field: String) throws {
    #expect(
      try PageLink.next(in: [Self.link: field], of: "https://api.github.com/repos/a/b") == nil)
    #expect(try PageLink.next(in: [:], of: "https://api.github.com/repos/a/b") == nil)
  }

  @Test(
    "a next-page link to another server isn't followed, and its page is returned",
    arguments: [.max, 0])
  func otherServer(pagesAhead: Int) async throws {
    try await withLoopbackServer { _ in
      NumberPages.response(2, next: nil)
    } perform: { other in
      let target = "\(other.url)/repositories/1/issues?page=2"
      try await withLoopbackServer { _ in
        NumberPages.response(1, next: target)
      } perform: { server in
        let token = try AccessToken("ghp_0123456789")
        var pages = PagedListing<Int>(
          provider: try Provider(asking: server, token: token), first: NumberPages.first
        ).makeAsyncIterator()
        let page = try #require(try await pages.next(pagesAhead: pagesAhead))
        #expect(page.items == [10, 11] && page.hasNext)
        let (more, error) = await pages.rest()
        #expect(more.isEmpty)
        #expect(error?.code == .decoding)
        #expect(error?.message.contains("another server") == true)
        #expect(try await pages.next(pagesAhead: pagesAhead) == nil)
        #expect(server.log.requestCount == 1)
        #expect(other.log.connectionCount == 0)
      }
    }
  }

  @Test(
    "a relative next-page link is followed, and a malformed one ends the list",
    arguments: [
      ("</x?page=2>; rel=\"next\"", [10, 11, 20, 21]),
      ("<?page=2>; rel=next; title=\"a, b\", <http://evil.example/>; rel=help", [10, 11, 20, 21]),
      ("<x?page=2; rel=\"next\"", [10, 11]), ("next", [10, 11]),
    ])
  func overTheWire(field: String, expected: [Int]) async throws {
    try await withLoopbackServer { request in
      var answer = NumberPages.response(NumberPages.page(request), next: nil)
      if NumberPages.page(request) == 1 { answer.headers.add("Link", field) }
      return answer
    } perform: { server in
      var pages = PagedListing<Int>(
        provider: try Provider(asking: server), first: NumberPages.first
      ).makeAsyncIterator()
      let (all, error) = await pages.rest()
      #expect(error == nil)
      #expect(all.flatMap(\.items) == expected)
    }
  }

  private static let link = HTTPField.Name("Link") ?? .location
}
