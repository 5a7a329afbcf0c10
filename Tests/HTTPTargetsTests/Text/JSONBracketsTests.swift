import PlatformModules
import Testing

@testable import HTTPTargets

@Suite("JSONBrackets")
struct JSONBracketsTests {
  static let whole = [
    "[]", "{}", " [1, 2]\n", #"{"a": [{"b": "]"}, "\"}", "\\"]}"#, "[[[]]]", #"["[{", "\\\""]"#,
    "\r\n[\t{} ] ", "[\"\u{1F600}\"]",
  ]

  @Test("a whole text is whole", arguments: whole)
  func isWhole(text: String) {
    #expect(JSONBrackets.areClosed(in: Data(text.utf8)) == true)
  }

  @Test("a JSON text cut anywhere isn't whole", arguments: whole)
  func cut(text: String) {
    let bytes = Array(text.utf8)
    let end = bytes.lastIndex { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") } ?? 0
    for length in 0...end { #expect(JSONBrackets.areClosed(in: Data(bytes[..<length])) != true) }
  }

  @Test(
    "a text that is neither an object nor an array isn't checked",
    arguments: ["", " ", "1", "\"a\"", "null", "<html>", "]", "x[]"])
  func other(text: String) {
    #expect(JSONBrackets.areClosed(in: Data(text.utf8)) == nil)
  }
}
