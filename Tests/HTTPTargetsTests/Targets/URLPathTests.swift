import HTTPTargets
import Testing

@Suite("URLPath")
struct URLPathTests {
  @Test(
    "an interpolated value is one segment, encoded once",
    arguments: [
      ("plain", "plain"), ("a/b", "a%2Fb"), ("a b", "a%20b"), ("50%", "50%25"), ("%2F", "%252F"),
      ("?x=1", "%3Fx%3D1"), ("#top", "%23top"), ("a+b", "a%2Bb"), ("é", "%C3%A9"),
      ("🦒", "%F0%9F%A6%92"), ("a;b,c", "a%3Bb%2Cc"), ("-._~", "-._~"), ("a\r\nb", "a%0D%0Ab"),
      ("...", "..."), ("../..", "..%2F.."), ("a\\b", "a%5Cb"),
    ])
  func oneSegment(value: String, encoded: String) throws {
    let path: URLPath = "animals/\(value)/name"
    #expect(path.encoded == "animals/\(encoded)/name")
    #expect(path.description == path.encoded)
    #expect(
      try Zoo(path: path).request().url == "https://zoo.example/animals/\(encoded)/name")
  }

  @Test("numbers and Booleans can be interpolated")
  func otherValues() {
    #expect(URLPath("a/\(12)/\(-3)/\(true)") == "a/12/-3/true")
  }

  @Test("a literal is kept unchanged, including its question mark")
  func literal() throws {
    #expect(URLPath("a%2Fb/c?d=e").encoded == "a%2Fb/c?d=e")
    #expect(try Zoo(path: "a/b?c=d").request().url == "https://zoo.example/a/b?c=d")
  }

  @Test("raw text is kept unchanged")
  func raw() throws {
    let rest = "v3/search?q=a%20b"
    #expect(URLPath("api/\(raw: rest)").encoded == "api/v3/search?q=a%20b")
    #expect(
      try Zoo(path: "api/\(raw: rest)").request().url
        == "https://zoo.example/api/v3/search?q=a%20b")
  }

  @Test(
    "a dot segment in any spelling is refused",
    arguments: [
      ".", "..", "a/../b", "a/./b", "a/..", "../a", "/..", "a/%2e%2E/b", "a/.%2e", "a/%2e",
      "a/\("..")", "a/\(".")/b", "a/\(".")\(".")/b", "a/.\(".")", "\(raw: "a/../b")", "a/..?b",
    ] as [URLPath])
  func dotSegments(path: URLPath) {
    let error = #expect(throws: NetworkError.self) { try Zoo(path: path).request() }
    #expect(error?.code == .requestMapping)
    #expect(error?.message.contains("segment") == true)
  }

  @Test(
    "other dots in a path are accepted",
    arguments: ["a...b", "..a/b.", "a/...", "a?b=../c", "a/.well-known/x"] as [URLPath])
  func otherDots(path: URLPath) throws {
    #expect(try Zoo(path: path).request().url == "https://zoo.example/\(path)")
  }

  @Test(
    "an empty value is refused, because the path would name something else",
    arguments: ["repos/\("")/issues", "\("")", "a\("")b", "a/\("")?b=c"] as [URLPath])
  func emptyValue(path: URLPath) {
    let error = #expect(throws: NetworkError.self) { try Zoo(path: path).request() }
    #expect(error?.code == .requestMapping)
    #expect(error?.message.contains("empty") == true)
  }
}
