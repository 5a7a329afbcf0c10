import PlatformModules
import Testing

@testable import HTTPTargets

@Suite("JSONBrackets")
struct JSONBracketsTests {
  static let whole = [
    "[]", "{}", " [1, 2]\n", #"{"a": [{"b": "]"}, "\"}", "\\"]}"#, "[[[]]]", #"["[{", "\\\""]"#,
    "\r\n[\t{} ] ", "[\"\u{1F600}\"]",
  ]

  @Test("complete JSON text is recognized as complete", arguments: whole)
  func isWhole(text: String) {
    #expect(JSONBrackets.areClosed(in: Data(text.utf8)) == true)
  }

  @Test("JSON text truncated anywhere is recognized as incomplete", arguments: whole)
  func cut(text: String) {
    let bytes = Array(text.utf8)
    let end = bytes.lastIndex { $0 == UInt8(ascii: "]") || $0 == UInt8(ascii: "}") } ?? 0
    for length in 0...end { #expect(JSONBrackets.areClosed(in: Data(bytes[..<length])) != true) }
  }

  @Test(
    "text other than an object or an array isn't checked",
    arguments: ["", " ", "1", "\"a\"", "null", "<html>", "]", "x[]"])
  func other(text: String) {
    #expect(JSONBrackets.areClosed(in: Data(text.utf8)) == nil)
  }
}
