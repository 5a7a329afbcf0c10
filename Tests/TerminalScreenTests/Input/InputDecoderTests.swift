import Testing

@testable import TerminalScreen

@Suite("Terminal input")
struct InputDecoderTests {
  private static let start = ContinuousClock.now

  private static func events(_ inputs: [InputDecoder.Input]) -> [InputEvent] {
    var decoder = InputDecoder(pasteEnd: Array("\u{1B}[201~".utf8))
    return inputs.flatMap { decoder.take($0, at: start) }
  }

  private static func bytes(_ text: String) -> [InputDecoder.Input] {
    text.utf8.map(InputDecoder.Input.byte)
  }

  private static func keys(_ text: String) -> [InputEvent] {
    text.map { .key(.character($0)) }
  }

  @Test(
    "each byte below 128 is a key or ignored",
    arguments: [
      ("a Z~", keys("a Z~")),
      ("\u{03}", [.key(.interrupt)]),
      ("\u{08}\u{7F}", [.key(.backspace), .key(.backspace)]),
      ("\t\r\n", [.key(.tab), .key(.enter), .key(.enter)]),
      ("\u{01}\u{1A}\u{0E}", [.key(.control("a")), .key(.control("z")), .key(.control("n"))]),
      ("\u{00}\u{1C}\u{1D}\u{1E}\u{1F}", []),
    ])
  func ascii(text: String, expected: [InputEvent]) {
    #expect(Self.events(Self.bytes(text)) == expected)
  }

  @Test("Esc is a key if nothing follows immediately")
  func escape() {
    #expect(Self.events([.byte(0x1B)]) == [])
    #expect(Self.events([.byte(0x1B), .pause]) == [.key(.escape)])
    #expect(Self.events([.byte(0x1B), .byte(0x1B), .pause]) == [.key(.escape), .key(.escape)])
    #expect(Self.events([.byte(0x1B), .key(.up)]) == [.key(.escape), .key(.up)])
    #expect(
      Self.events([.byte(0x1B), .pause] + Self.bytes("[A")) == [.key(.escape)] + Self.keys("[A"))
  }

  @Test("Alt with a character has no effect")
  func alternate() {
    for text in ["\u{1B}x", "\u{1B}é", "\u{1B}👍"] {
      #expect(Self.events(Self.bytes(text + "j")) == Self.keys("j"), "\(text.debugDescription)")
    }
  }

  @Test("Alt with B, F, D or Backspace is a key of its own")
  func words() {
    #expect(
      Self.events(Self.bytes("\u{1B}b\u{1B}f\u{1B}d\u{1B}\u{7F}\u{1B}\u{08}")) == [
        .key(.wordLeft), .key(.wordRight), .key(.deleteWordForward), .key(.deleteWordBackward),
        .key(.deleteWordBackward),
      ])
    #expect(Self.events([.byte(0x1B), .key(.backspace)]) == [.key(.deleteWordBackward)])
    #expect(
      Self.events([.byte(0x1B), .pause] + Self.bytes("b")) == [.key(.escape)] + Self.keys("b"))
  }

  @Test("a paste without an end mark ends after a silence, and later keys work")
  func unfinishedPaste() {
    let inputs = [.pasteStart] + Self.bytes("text\u{1B}[20") + [.pause, .silence]
    #expect(
      Self.events(inputs + Self.bytes("q\u{03}") + [.silence]) == [
        .paste("text"), .key(.character("q")), .key(.interrupt),
      ])
  }

  @Test(
    "an unknown sequence isn't treated as typing",
    arguments: ["\u{1B}[57399u", "\u{1B}[1;5P", "\u{1B}[?62;4c", "\u{1B}[>0;276;0c", "\u{1B}OP"])
  func unknownSequences(text: String) {
    #expect(Self.events(Self.bytes(text + "z")) == Self.keys("z"))
  }

  @Test("an incomplete control sequence doesn't consume the next key")
  func brokenSequence() {
    #expect(Self.events(Self.bytes("\u{1B}[1;") + [.pause] + Self.bytes("z")) == Self.keys("z"))
    #expect(Self.events(Self.bytes("\u{1B}[1\u{03}")) == [.key(.interrupt)])
    #expect(Self.events(Self.bytes("\u{1B}O") + [.pause] + Self.bytes("z")) == Self.keys("z"))
  }

  @Test("a multibyte character is one key, even in pieces", arguments: ["é", "漢", "🦊"])
  func severalBytes(text: String) {
    let bytes = Self.bytes(text)
    #expect(Self.events(bytes) == Self.keys(text))
    for cut in 1..<bytes.count {
      #expect(Self.events(bytes[..<cut] + [.pause] + bytes[cut...]) == Self.keys(text))
    }
  }

  @Test(
    "invalid UTF-8 is dropped without the following bytes",
    arguments: [
      [0xFF], [0x80], [0xC3], [0xE6, 0xBC], [0xC0, 0xAF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF4, 0x90, 0x80, 0x80], [0xC2, 0x9B],
    ] as [[UInt8]])
  func invalid(bytes: [UInt8]) {
    #expect(Self.events(bytes.map(InputDecoder.Input.byte) + Self.bytes("z")) == Self.keys("z"))
    #expect(
      Self.events(bytes.map(InputDecoder.Input.byte) + [.key(.down)]) == [.key(.down)])
  }

  @Test("a paste is one event with its entire text")
  func paste() {
    let pasted = "two\r\nlines\rand \u{1B}[A, \u{03} and \u{1B}[200~"
    let inputs = [.pasteStart] + Self.bytes(pasted) + [.pause] + Self.bytes(" é\u{1B}[201~z")
    #expect(
      Self.events(inputs) == [
        .paste("two\nlines\nand \u{1B}[A, \u{03} and \u{1B}[200~ é"), .key(.character("z")),
      ])
  }

  @Test("the end mark of a paste is found after an incomplete end mark")
  func pasteEnd() {
    let inputs = [.pasteStart] + Self.bytes("x\u{1B}\u{1B}[20\u{1B}[201~")
    #expect(Self.events(inputs) == [.paste("x\u{1B}\u{1B}[20")])
    #expect(Self.events([.pasteStart] + Self.bytes("\u{1B}[201~")) == [.paste("")])
  }

  @Test("a long paste is truncated to 64 KiB")
  func longPaste() {
    let text = String(repeating: "0123456789", count: 10_000)
    let events = Self.events([.pasteStart] + Self.bytes(text + "\u{1B}[201~z"))
    #expect(events == [.paste(String(text.prefix(65_536))), .key(.character("z"))])
  }

  @Test("unknown keys are dropped")
  func unknownKeys() {
    #expect(Self.events([.unknownKey, .key(.home), .unknownKey]) == [.key(.home)])
  }

  @Test("a mouse report can arrive in pieces")
  func mouseInPieces() {
    let inputs: [InputDecoder.Input] =
      [.mouse] + Self.bytes("64;1") + [.pause] + Self.bytes("0;3M") + Self.bytes("z")
    #expect(Self.events(inputs) == [.mouse(.wheelUp, column: 9, row: 2), .key(.character("z"))])
    let legacy: [InputDecoder.Input] = [.legacyMouse, .byte(32 + 65), .pause, .byte(42), .byte(35)]
    #expect(Self.events(legacy) == [.mouse(.wheelDown, column: 9, row: 2)])
  }

  @Test(
    "an invalid mouse report is dropped",
    arguments: [
      "M", "1M", "1;2M", "1;2;3;4M", ";;M", "64;0;1M", "64;1;0M", "99999999999999999999;1;1M",
      "64;1;1X", "64;99999999999999999999999999999999M",
    ])
  func malformedMouse(report: String) {
    #expect(Self.events([.mouse] + Self.bytes(report + "z")) == Self.keys("z"))
  }
}
