import HTTPTargets
import Testing

@Suite("Origin")
struct OriginTests {
  @Test(
    "equivalent URLs have the same origin",
    arguments: [
      ("https://api.github.com", "https://API.GITHUB.COM:443/repos?x#y"),
      ("https://api.github.com", "HTTPS://api.github.com./"),
      ("http://localhost", "http://LOCALHOST:80?x"),
      ("http://[::1]:8080", "http://[0:0:0:0:0:0:0:1]:8080/"),
      ("https://[2001:db8::1:0:0:1]", "https://[2001:DB8:0:0:1::1]"),
      ("https://[::]", "https://[0::0]/#"),
    ])
  func equal(first: String, second: String) throws {
    let origin = try #require(Origin(url: first))
    #expect(origin == Origin(url: second))
    #expect(origin.description == first)
  }

  @Test(
    "a URL with another scheme, host or port has another origin",
    arguments: [
      "http://api.github.com", "https://api.github.com:444", "https://github.com",
      "https://api.github.com.evil.example", "https://evil.example/https://api.github.com",
      "https://evil.example?https://api.github.com", "https://evil.example#@api.github.com",
      "https://xapi.github.com", "https://api-github.com",
    ])
  func different(url: String) throws {
    let origin = try #require(Origin(url: url))
    #expect(origin != Origin(url: "https://api.github.com"))
  }

  @Test(
    "an ambiguous URL has no origin",
    arguments: [
      "", "api.github.com", "//api.github.com", "/repos", "https:/api.github.com", "ftp://a.b",
      "https:///api.github.com", "https://@api.github.com", "https://api.github.com@evil.example/",
      "https://evil.example\\@api.github.com/", "https:\\\\api.github.com",
      "https://api.github.com:",
      "https://api.github.com:443x", "https://api.github.com:+443", "https://api.github.com:٤٤٣",
      "https://api%2egithub.com", "https://api.github.com\t/", " https://api.github.com",
      "https://api.github.com /", "https://api.github.com\0/", "https://ａpi.github.com",
      "https://127.1",
      "https://0177.0.0.1", "https://0x7f.0.0.1", "https://[::1]x", "https://[::1]:",
      "https://[::1%eth0]",
      "https://api.github.com,evil.example/", "https://a!b", "javascript:https://api.github.com",
    ])
  func none(url: String) {
    #expect(Origin(url: url) == nil)
  }

  @Test(
    "only loopback addresses and localhost count as loopback",
    arguments: [
      ("http://127.0.0.1", true), ("http://127.8.9.10:80", true), ("http://[::1]:1", true),
      ("http://localhost", true), ("http://a.LOCALHOST.", true), ("http://128.0.0.1", false),
      ("http://127.0.0.1.example.com", false), ("http://localhost.example.com", false),
      ("http://notlocalhost", false), ("http://[::2]", false), ("http://0.0.0.0", false),
    ])
  func loopback(url: String, isLoopback: Bool) throws {
    let origin = try #require(Origin(url: url))
    #expect(origin.isLoopback == isLoopback)
    #expect(origin.isTrustworthy == isLoopback)
    let secure = try #require(Origin(url: url.replacing("http://", with: "https://")))
    #expect(secure.isTrustworthy)
  }

  @Test(
    "the default port of a scheme isn't shown",
    arguments: [
      ("https://h:443", "https://h"), ("http://h:80", "http://h"), ("http://h:443", "http://h:443"),
      ("https://h:80", "https://h:80"), ("https://h:0443", "https://h"),
    ])
  func ports(url: String, description: String) {
    #expect(Origin(url: url)?.description == description)
  }
}
