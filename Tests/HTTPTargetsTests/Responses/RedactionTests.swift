import HTTPTargets
import PlatformModules
import Testing

@Suite("Redaction")
struct RedactionTests {
  @Test(
    "the request's secrets are masked in the server's text, in any context",
    arguments: [
      ("no hunter2hunter2!", "no [redacted]!"),
      ("hunter2hunter2\u{301}", "[redacted]\u{301}"),
      ("hunter2hunter2\u{200D}x", "[redacted]\u{200D}x"),
      // One of the secrets is the beginning of the other.
      ("hunter2hunter2and-more", "[redacted]"),
      // Too short to be a secret.
      ("a short one", "a short one"), ("", ""),
    ])
  func repeated(text: String, shown: String) {
    let request = TargetRequest(
      url: "https://zoo.example/",
      headers: [
        .authorization: "Bearer hunter2hunter2", .cookie: "hunter2hunter2and-more",
        .proxyAuthorization: "short",
      ])
    #expect(Redaction.hiding(secretsOf: request, in: text) == shown)
  }

  @Test("a stored response has its secrets masked and is otherwise unchanged")
  func kept() {
    let request = TargetRequest(
      url: "https://h", headers: [.authorization: "Bearer hunter2hunter2"])
    func kept(_ body: [UInt8]) -> [UInt8] {
      Array(Redaction.hiding(secretsOf: request, in: Data(body)))
    }
    #expect(
      kept(Array("[\"hunter2hunter2\", \"\u{E9}hunter2hunter2\"]".utf8))
        == Array("[\"[redacted]\", \"\u{E9}[redacted]\"]".utf8))
    #expect(kept([0xFF, 0x00, 0x9B]) == [0xFF, 0x00, 0x9B])
  }

  @Test(
    "a header field for credentials is secret in any letter case",
    arguments: [
      "Authorization", "authorization", "PROXY-AUTHORIZATION", "Cookie", "Set-Cookie",
      "X-Auth-Token", "X-GitHub-OTP", "X-Api-Key", "X-Amz-Security-Token", "Private-Token",
      "X-Client-Secret", "X-Password", "X-CSRF-Token", "X-Amz-Signature", "X-Auth", "X-Session-Id",
    ])
  func secretFields(name: String) throws {
    let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "hunter2")
    #expect(Redaction.isSecret(field.name))
    #expect(Redaction.value(of: field) == "[redacted]")
  }

  @Test(
    "other header fields aren't secret",
    arguments: [
      "Accept", "ETag", "Link", "Content-Type", "X-RateLimit-Remaining", "Author", "Host",
      // A browser's order to load another page, and names that are secret in bodies only.
      "Refresh", "Code", "X-Access",
    ])
  func plainFields(name: String) throws {
    let field = HTTPField(name: try #require(HTTPField.Name(name)), value: "a/b; c=d")
    #expect(!Redaction.isSecret(field.name))
    #expect(Redaction.value(of: field) == "a/b; c=d")
  }

  @Test(
    "secrets in a URL are masked",
    arguments: [
      ("https://zoo.example/a?token=hunter2", "https://zoo.example/a?token=[redacted]"),
      ("https://h/?a=1&access_token=hunter2&b=2", "https://h/?a=1&access_token=[redacted]&b=2"),
      ("https://h/?token=\u{301}hunter2&x=1", "https://h/?token=[redacted]&x=1"),
      ("https://u:hunter2@\u{301}h/", "https://[redacted]@\u{301}h/"),
      ("https://h/?API_KEY=hunter2#x", "https://h/?API_KEY=[redacted]#x"),
      ("https://h/?client_secret=hunter2", "https://h/?client_secret=[redacted]"),
      ("https://h/?access%5Ft%6Fken=hunter2", "https://h/?access%5Ft%6Fken=[redacted]"),
      ("https://h/?sv=1&sig=hunter2%3D", "https://h/?sv=1&sig=[redacted]"),
      ("https://h/?token=hunter2=hunter2;hunter2", "https://h/?token=[redacted]"),
      ("https://h/#access_token=hunter2&x=1", "https://h/#access_token=[redacted]&x=1"),
      ("https://h?token=hunter2", "https://h?token=[redacted]"),
      ("https://h/back?code=hunter2&state=1", "https://h/back?code=[redacted]&state=1"),
      ("https://h/?a=1&PIN=hunter2", "https://h/?a=1&PIN=[redacted]"),
      ("https://hunter2@h/a", "https://[redacted]@h/a"),
      ("https://me:hunter2@h/a?b=c", "https://[redacted]@h/a?b=c"),
      ("me:hunter2@h/a", "[redacted]@h/a"),
      ("https://me:hunter2/x@h/a?token=hunter2", "https://[redacted]@h/a?token=[redacted]"),
    ])
  func urls(url: String, shown: String) {
    #expect(Redaction.url(url) == shown)
  }

  @Test(
    "text without a secret is unchanged",
    arguments: [
      "", "https://h", "https://h/@user?q=a@b", "https://h/?assignee=x&author=y&page=2&flag",
      "https://h/?country_code=de&pinned=1&accessory=x", "Error Domain=Zoo Code=260", "path/code=1",
      "text", "?", "https://h/?=&&=", "application/json; charset=utf-8",
    ])
  func asItIs(text: String) {
    #expect(Redaction.url(text) == text)
  }

  @Test("each of several URLs in one field is masked")
  func link() {
    let field = HTTPField(
      name: .named("Link"),
      value: """
        <https://h/?page=2&token=hunter2>; rel="next", <https://h/?access_token=hunter2>; rel="last"
        """)
    #expect(
      Redaction.value(of: field)
        == """
        <https://h/?page=2&token=[redacted]>; rel="next", <https://h/?access_token=[redacted]>; \
        rel="last"
        """)
  }

  @Test(
    "a password quoted in a library's message is masked",
    arguments: [
      (
        "Unsupported proxy syntax in 'http://me:hunter2@bad host:1'",
        "Unsupported proxy syntax in 'http://[redacted]@bad host:1'"
      ),
      (
        "Unsupported proxy syntax in 'me:hun@'ter2@h:99999'",
        "Unsupported proxy syntax in '[redacted]@h:99999'"
      ),
      ("Unsupported proxy 'https://me:a b@h'", "Unsupported proxy 'https://[redacted]@h'"),
      ("http://h/?token=hunter2 failed", "http://h/?token=[redacted] failed"),
      (
        "Error Domain=Zoo Code=260 for /a?code=hunter2",
        "Error Domain=Zoo Code=260 for /a?code=[redacted]"
      ),
      ("mail me@h.example", "mail me@h.example"),
      ("Could not resolve proxy: h", "Could not resolve proxy: h"), ("", ""),
    ])
  func messages(text: String, shown: String) {
    #expect(Redaction.message(text) == shown)
  }

  @Test(
    "a secret repeated by the server is masked",
    arguments: [
      ("hunter2hunter2", "[redacted]"), ("no hunter2hunter2.", "no [redacted]."),
      // With a mark after it the last letter is another character.
      ("hunter2hunter2\u{301}", "[redacted]\u{301}"), ("e\u{301}", "e\u{301}"),
      ("hunter2hunter2hunter2hunter2-more", "[redacted][redacted]-more"),
      ("longer-hunter2hunter2", "[redacted]"), ("hunter2", "hunter2"), ("", ""),
    ])
  func echoes(text: String, shown: String) {
    let request = TargetRequest(
      url: "https://h",
      headers: [
        .authorization: "Bearer hunter2hunter2", .cookie: "longer-hunter2hunter2",
        .accept: "text/zoo",
      ])
    #expect(Redaction.hiding(secretsOf: request, in: text) == shown)
  }
}
