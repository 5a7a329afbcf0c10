import HTTPTargets
import Testing

@Suite("The location of a redirect")
struct RedirectLocationTests {
  /// The URL that a call redirected once goes to.
  private func followed(_ location: String, from base: String) async throws -> String? {
    let transport = RecordingTransport([.redirect(to: location), .reply()])
    let provider = Provider<Zoo>(transport: transport)
    return try await provider.request(Zoo(baseURL: base, path: "")).request.url
  }

  @Test(
    "a relative reference is resolved as in RFC 3986",
    arguments: [
      ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
      ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"),
      ("g?y", "http://a/b/c/g?y"), ("g#s", "http://a/b/c/g"), ("g?y#s", "http://a/b/c/g?y"),
      (";x", "http://a/b/c/;x"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"), (".", "http://a/b/c/"),
      ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
      ("../g", "http://a/b/g"),
      ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
      ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."),
      ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"),
      ("g/../h", "http://a/b/c/h"), ("g?y/../x", "http://a/b/c/g?y/../x"),
      ("http://b/../c", "http://b/c"), ("/a//b", "http://a/a//b"),
    ])
  func references(location: String, url: String) async throws {
    #expect(try await followed(location, from: "http://a/b/c/d;p?q") == url)
  }

  @Test(
    "a relative reference resolves against a base without a path",
    arguments: [("g", "https://a/g"), ("?y", "https://a?y"), ("/", "https://a/")])
  func emptyPath(location: String, url: String) async throws {
    #expect(try await followed(location, from: "https://a?q") == url)
  }

  @Test(
    "the query is kept byte for byte, because it can be signed",
    arguments: [
      "https://h/x?a=1&b=%2F%2f&c=+&d=a%20b", "https://h/x?a[0]=%20&b=%zz|", "https://h/x?{}^`'",
      "https://h/x?u=http://a/../b&v=?", "https://h?x", "https://h/%7e%41?%7e%41", "https://h/x?",
      "https://h:8443/x", "http://[::1]:80a/",
    ].dropLast() as [String])
  func query(location: String) async throws {
    #expect(try await followed(location, from: "https://a") == location)
  }

  @Test(
    "spaces and non-ASCII characters are encoded, and the fragment is dropped",
    arguments: [
      ("/a b?c d", "https://a/a%20b?c%20d"), ("/é%20", "https://a/%C3%A9%20"),
      ("/a#b?c", "https://a/a"), ("https://h#x", "https://h"),
    ])
  func encoded(location: String, url: String) async throws {
    #expect(try await followed(location, from: "https://a") == url)
  }

  @Test("the origin of the new URL is normalized")
  func origin() async throws {
    #expect(
      try await followed("HTTPS://H.Example.:443/A", from: "https://a") == "https://h.example/A")
    #expect(try await followed("//[0:0::1]:8443", from: "https://a") == "https://[::1]:8443")
  }

  @Test("an empty reference is a redirect loop")
  func empty() async {
    let provider = Provider<Zoo>(transport: RecordingTransport([.redirect(to: "#top"), .reply()]))
    #expect(await provider.outcome(Zoo()).word == "tooManyRedirects")
  }
}
