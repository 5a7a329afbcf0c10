import StyledText
import Testing

@testable import TerminalScreen

@Suite("Responses of the terminal")
struct AnswerTests {
  private static let start = ContinuousClock.now

  /// The events of a terminal's input after a query; `|` is a pause.
  private static func events(
    _ text: String, wasAsked: Bool = true, after delay: Duration = .zero
  ) -> [InputEvent] {
    var decoder = InputDecoder(pasteEnd: Array("\u{1B}[201~".utf8))
    if wasAsked { decoder.expectAnswers(at: start) }
    return text.utf8.flatMap { byte in
      decoder.take(byte == UInt8(ascii: "|") ? .pause : .byte(byte), at: start + delay)
    }
  }

  private static func keys(_ text: String) -> [InputEvent] {
    text.map { .key(.character($0)) }
  }

  @Test(
    "the background color is an event in each of the terminal's notations",
    arguments: [
      ("rgb:ffff/ffff/ffff", Color.white), ("rgb:00/00/00", .black),
      ("rgb:1e1e/2a2a/3c3c", Color(red: 0x1E, green: 0x2A, blue: 0x3C)),
      ("rgb:f/8/0", Color(red: 255, green: 136, blue: 0)),
      ("rgb:800/000/fff", Color(red: 128, green: 0, blue: 255)),
      ("rgba:1e1e/2a2a/3c3c/cccc", Color(red: 0x1E, green: 0x2A, blue: 0x3C)),
      ("#1E2A3C", Color(red: 0x1E, green: 0x2A, blue: 0x3C)),
    ])
  func colors(text: String, expected: Color) {
    for end in ["\u{7}", "\u{1B}\\"] {
      #expect(Self.events("\u{1B}]11;\(text)\(end)q") == [.background(expected)] + Self.keys("q"))
    }
  }

  @Test(
    "a response without a color doesn't give events or keys",
    arguments: [
      "", "11", "11;", "11;?", "11;rgb:", "11;rgb:ff/ff", "11;rgb:ff/ff/ff/ff", "11;rgb:ff/ff/xx",
      "11;rgb:fffff/0/0", "11;rgb://", "11;rgba:ff/ff/ff", "11;rgb:+f/ff/ff", "11;#fff", "11;red",
      "10;rgb:ff/ff/ff", "52;c;aGVsbG8=", "11;rgb:ff/ff/ff;", "é",
      "11;rgb:" + String(repeating: "f", count: 100_000), "11;rgb:ff/ff/ff" + "\u{20}",
    ])
  func garbage(text: String) {
    // Without any text it is Alt with a key.
    let text = text.isEmpty ? "1" : text
    #expect(Self.events("\u{1B}]\(text)\u{7}q") == Self.keys("q"))
    #expect(Self.events("\u{1B}]\(text)\u{1B}\\q") == Self.keys("q"))
  }

  @Test(
    "only a timely confirmation enables images, and no response becomes keys",
    arguments: [
      ("\u{1B}_Gi=31;OK\u{1B}\\", true, 0, true), ("\u{1B}_Gi=31;OK\u{7}", true, 0, true),
      ("\u{1B}_Gi=31;ENOTSUPPORTED:no\u{1B}\\", true, 0, false),
      ("\u{1B}_Gi=32;OK\u{1B}\\", true, 0, false), ("\u{1B}]Gi=31;OK\u{1B}\\", true, 0, false),
      ("\u{1B}_Gi=31;OK" + String(repeating: "!", count: 99) + "\u{7}", true, 0, false),
      ("\u{1B}_Gi=31;OK\u{1B}\\", false, 0, false), ("\u{1B}_Gi=31;OK\u{1B}\\", true, 3, false),
    ])
  func images(text: String, wasAsked: Bool, seconds: Int, isConfirmed: Bool) {
    var decoder = InputDecoder(pasteEnd: [])
    if wasAsked { decoder.expectAnswers(at: Self.start) }
    let now = Self.start + .seconds(seconds)
    let events = Array(text.utf8 + [UInt8(ascii: "q")]).flatMap {
      decoder.take(.byte($0), at: now)
    }
    #expect(events == Self.keys("q"))
    #expect(decoder.showsImages == isConfirmed)
  }

  @Test("a response in pieces is recognized, even if split after its first byte")
  func pieces() {
    let answer = Array("\u{1B}]11;rgb:00/00/00\u{1B}\\")
    for index in answer.indices.dropFirst() where answer[..<index].last != answer.last {
      let text = String(answer[..<index]) + "|" + String(answer[index...])
      #expect(Self.events(text) == [.background(.black)], "\(text.debugDescription)")
    }
    #expect(Self.events("\u{1B}[?|62;22c") == [])
    #expect(Self.events("\u{1B}|[?62;22c") == [])
  }

  @Test("an incomplete response delays keys only until the terminal is silent")
  func half() {
    var decoder = InputDecoder(pasteEnd: [])
    decoder.expectAnswers(at: Self.start)
    for byte in "\u{1B}]11;rgb:ff".utf8 {
      #expect(decoder.take(.byte(byte), at: Self.start).isEmpty)
    }
    #expect(decoder.take(.pause, at: Self.start).isEmpty)
    #expect(decoder.patience(at: Self.start) != nil)
    #expect(decoder.take(.silence, at: Self.start).isEmpty)
    #expect(decoder.take(.byte(UInt8(ascii: "q")), at: Self.start) == Self.keys("q"))
    // Ctrl-C doesn't wait for that.
    #expect(Self.events("\u{1B}]11;rgb:ff\u{3}q") == [.key(.interrupt)] + Self.keys("q"))
    // Another key's sequence may come instead of the end.
    #expect(Self.events("\u{1B}]11;rgb:ff\u{1B}b") == [.key(.wordLeft)])
  }

  @Test(
    "a control character inside a response doesn't end it",
    arguments: ["\r", "\n", "\t", "\u{8}", "\u{B}", "\u{1}", "\u{4}"])
  func controls(control: String) {
    #expect(Self.events("\u{1B}]11;rgb:00\(control):q!\(control)x\u{7}q") == Self.keys("q"))
    #expect(Self.events("\u{1B}_Gi=31;\(control)qx\u{1B}\\q") == Self.keys("q"))
  }

  @Test("an unrequested or late response is ignored")
  func late() {
    let answer = "\u{1B}]11;rgb:00/00/00\u{7}"
    #expect(Self.events(answer, wasAsked: false) == [])
    #expect(Self.events(answer, after: .seconds(3)) == [])
  }

  @Test("Esc is a key immediately after all responses, and after a delay before that")
  func escape() {
    #expect(Self.events("\u{1B}|", wasAsked: false) == [.key(.escape)])
    #expect(Self.events("\u{1B}[?62c\u{1B}|") == [.key(.escape)])
    #expect(Self.events("\u{1B}|", after: .milliseconds(1_500)) == [.key(.escape)])
    var decoder = InputDecoder(pasteEnd: [])
    decoder.expectAnswers(at: Self.start)
    #expect(decoder.take(.byte(0x1B), at: Self.start).isEmpty)
    #expect(decoder.take(.pause, at: Self.start).isEmpty)
    #expect(decoder.take(.silence, at: Self.start) == [.key(.escape)])
  }

  @Test("Alt with the first key of a response has no effect")
  func alternate() {
    #expect(Self.events("\u{1B}]|q", wasAsked: false) == Self.keys("q"))
    #expect(Self.events("\u{1B}_|q", wasAsked: false) == Self.keys("q"))
  }

  @Test(
    "COLORFGBG determines the background",
    arguments: [
      ("15;0", Color.black), ("0;15", .white), ("0;default;15", .white), ("7;8", .black),
      ("0;7", .white), ("12;6", .black), ("0;default", nil), ("", nil), ("0", nil), ("0;16", nil),
      ("0;-1", nil), ("15;0;", nil),
    ] as [(String, Color?)])
  func hints(value: String, expected: Color?) {
    #expect(Terminal.likelyBackground(in: ["COLORFGBG": value]) == expected)
    #expect(Terminal.likelyBackground(in: [:]) == nil)
  }
}
