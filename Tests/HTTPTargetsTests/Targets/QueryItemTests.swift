import HTTPTargets
import Testing

@Suite("QueryItem")
struct QueryItemTests {
  private func query(_ items: QueryItem...) throws -> String {
    let url = try Zoo(task: .query(items)).request().url
    return String(url.dropFirst("https://zoo.example/animals".count))
  }

  @Test("the order and duplicates of query items are kept")
  func orderAndDuplicates() throws {
    #expect(
      try query(.init("b", "2"), .init("a", "1"), .init("b", "1"), .init("b", "1"))
        == "?b=2&a=1&b=1&b=1")
  }

  @Test("an item without a value is omitted, and an item with an empty value is kept")
  func nilAndEmpty() throws {
    #expect(try query(.init("a", nil), .init("b", ""), .init("c", nil as Int?)) == "?b=")
    #expect(try query(.init("a", nil)) == "")
    #expect(try query() == "")
  }

  @Test(
    "all characters except unreserved ones are encoded in names and values",
    arguments: [
      ("c++", "c%2B%2B"), ("a b", "a%20b"), ("a&b=c", "a%26b%3Dc"), ("é", "%C3%A9"),
      ("🦒", "%F0%9F%A6%92"), ("label:\"good first issue\"", "label%3A%22good%20first%20issue%22"),
      ("a/b?c#d", "a%2Fb%3Fc%23d"), ("%20", "%2520"), ("-._~", "-._~"), ("[]", "%5B%5D"),
      ("\n", "%0A"), ("e\u{301}", "e%CC%81"),
    ])
  func encoding(text: String, encoded: String) throws {
    #expect(try query(.init("q", text)) == "?q=\(encoded)")
    #expect(try query(.init(text, "v")) == "?\(encoded)=v")
  }

  @Test("numbers and Booleans are accepted as values")
  func otherValues() throws {
    #expect(try query(.init("page", 2), .init("all", true)) == "?page=2&all=true")
  }
}
