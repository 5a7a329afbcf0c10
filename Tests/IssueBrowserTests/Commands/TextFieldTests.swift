import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("A text field")
struct TextFieldTests {
  /// A field from a text with `|` as its cursor, and back.
  private static func field(_ marked: String) -> TextField {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    var field = TextField(parts[0] + parts[1])
    for _ in 0..<parts[1].count { field.edit(.moveLeft) }
    return field
  }

  private static func marked(_ field: TextField) -> String {
    field.text.prefix(field.cursor) + "|" + field.text.dropFirst(field.cursor)
  }

  @Test(
    "typing and deleting replace selected text, and moving keeps it",
    arguments: [
      (.insert("x"), "x|"), (.deleteBackward, "|"), (.deleteForward, "|"), (.deleteWord, "|"),
      (.deleteToEnd, "|"), (.moveLeft, "ab|c"), (.moveRight, "abc|"), (.moveToStart, "|abc"),
      (.moveToEnd, "abc|"),
    ] as [(TextField.Edit, String)])
  func selected(edit: TextField.Edit, after: String) {
    var field = TextField("abc")
    field.selectAll()
    field.edit(edit)
    #expect(Self.marked(field) == after)
    #expect(!field.isSelected)
  }

  @Test("the search bar and the find field open with their old text selected")
  func opened() throws {
    var state = try SampleStates.issues()
    state.handle(.input(.key(.character("/"))))
    #expect(state.search.field.isSelected)
    let canvas = BrowserScreen.canvas(of: state)
    state.search.field.deselect()
    #expect(canvas != BrowserScreen.canvas(of: state))
    state.handle(.input(.key(.tab)))
    state.handle(.input(.key(.character("/"))))
    state.handle(.input(.paste("a/b")))
    #expect(state.search.text == "a/b")

    var reading = try SampleStates.reading()
    for character in "/page" { reading.handle(.input(.key(.character(character)))) }
    reading.handle(.input(.key(.enter)))
    reading.handle(.input(.key(.character("/"))))
    #expect(reading.reader?.find?.field?.text == "page")
    #expect(reading.reader?.find?.matches.isEmpty == false)
    reading.handle(.input(.key(.character("l"))))
    #expect(reading.reader?.find?.text == "l")
  }

  @Test(
    "keys edit a text field",
    arguments: [
      ("ab|c", .insert("x"), "abx|c"), ("|", .insert("é"), "é|"), ("e|", .insert("\u{301}"), "é|"),
      ("ab|c", .deleteBackward, "a|c"), ("|abc", .deleteBackward, "|abc"),
      ("ab|c", .deleteForward, "ab|"), ("abc|", .deleteForward, "abc|"),
      ("👨‍👩‍👧|x", .deleteBackward, "|x"), ("a|👨‍👩‍👧", .deleteForward, "a|"),
      ("ab|c", .deleteToStart, "|c"), ("ab|c", .deleteToEnd, "ab|"),
      ("apple/swift|", .deleteWord, "apple/|"), ("apple/|", .deleteWord, "|"),
      ("one two  |x", .deleteWord, "one |x"), ("|x", .deleteWord, "|x"),
      ("one| two/x", .deleteWordForward, "one|/x"), ("one|", .deleteWordForward, "one|"),
      ("apple/swift|", .moveWordLeft, "apple/|swift"), ("one  |two", .moveWordLeft, "|one  two"),
      ("|apple/swift", .moveWordRight, "apple|/swift"), ("a|  b", .moveWordRight, "a  b|"),
      ("ab|c", .moveLeft, "a|bc"), ("|abc", .moveLeft, "|abc"), ("ab|c", .moveRight, "abc|"),
      ("abc|", .moveRight, "abc|"), ("ab|c", .moveToStart, "|abc"), ("a|bc", .moveToEnd, "abc|"),
    ] as [(String, TextField.Edit, String)])
  func edits(before: String, edit: TextField.Edit, after: String) {
    var field = Self.field(before)
    field.edit(edit)
    #expect(Self.marked(field) == after)
  }

  @Test(
    "a paste becomes one line without invisible characters",
    arguments: [
      ("apple/swift\n", "apple/swift"), ("\r\none\r\ntwo\n", "one two"), ("a\tb", "a b"),
      ("\u{1B}]52;c;eA==\u{7}x", "]52;c;eA==x"), ("\u{9B}31mred", "31mred"),
      ("\u{202E}evil\u{200B}", "evil"), ("\u{0}\u{7F}", ""),
      (String(repeating: "a", count: 100_000), String(repeating: "a", count: 2_048)),
    ])
  func pastes(pasted: String, text: String) {
    var field = TextField()
    field.insert(pasted)
    #expect(field.text == text)
    #expect(field.cursor == text.count)
  }
}
