import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("Custom keys")
struct KeyMapTests {
  private func commands(
    _ keys: KeyMap, _ key: InputEvent.Key, reads: Bool = false
  ) throws -> BrowserCommand? {
    var state = try reads ? SampleStates.reading() : SampleStates.issues()
    state.keyMap = keys
    return BrowserKeys.command(for: .key(key), in: state)
  }

  @Test("a custom key runs its command, and the default key no longer does")
  func chosen() throws {
    let keys = try KeyMap(["reload": [.character("R"), .control("r")], "sort": []])
    #expect(try commands(keys, .character("R")) == .refresh)
    #expect(try commands(keys, .control("r")) == .refresh)
    #expect(try commands(keys, .character("R"), reads: true) == .refresh)
    #expect(try commands(keys, .character("r")) == nil)
    #expect(try commands(keys, .character("s")) == nil)
    #expect(try commands(keys, .character("j")) == .move(.down))
  }

  @Test("two commands can swap their keys, and a default key can be kept beside a custom key")
  func swapped() throws {
    let keys = try KeyMap([
      "next": [.character("k")], "previous": [.character("j")],
      "filter": [.character("f"), .character("F")],
    ])
    #expect(try commands(keys, .character("k")) == .move(.down))
    #expect(try commands(keys, .character("j")) == .move(.up))
    #expect(try commands(keys, .character("f")) == .openFilter)
    #expect(try commands(keys, .character("F")) == .openFilter)
  }

  @Test("named keys keep their meaning, and typed letters remain text")
  func kept() throws {
    let keys = try KeyMap(["next": [.character("t")], "enter": []])
    #expect(try commands(keys, .down) == .move(.down))
    #expect(try commands(keys, .enter) == .enter)
    var state = try SampleStates.typing()
    state.keyMap = keys
    #expect(BrowserKeys.command(for: .key(.character("t")), in: state) == .editSearch(.insert("t")))
  }

  @Test("the palette's key is customizable, and Ctrl-P can run another command")
  func palette() throws {
    let keys = try KeyMap(["palette": [.control("k")], "previous": [.control("p")]])
    for reads in [false, true] {
      #expect(try commands(keys, .control("k"), reads: reads) == .openPalette)
    }
    #expect(try commands(keys, .control("p")) == .move(.up))
    var state = try SampleStates.issues()
    for pane in [BrowserState.Pane.search, .list] {
      state.pane = pane
      #expect(BrowserKeys.command(for: .key(.control("p")), in: state) == .openPalette)
    }
  }

  @Test("each default key runs its command until the command gets another key")
  func replaced() throws {
    for binding in KeyTable.bindings {
      guard let name = binding.name else { continue }
      let pane = binding.scope == .reader ? BrowserState.Pane.reader : .list
      let keys = try KeyMap([name: [.character("ß")]])
      for key in binding.choosableKeys { #expect(keys.usual(key, in: pane) == nil, "\(name)") }
      #expect(keys.usual(.character("ß"), in: pane) == binding.choosableKeys[0], "\(name)")
    }
  }

  @Test("hints, the help and messages show the custom keys")
  func shown() throws {
    func text(_ state: BrowserState) -> String { BrowserScreen.canvas(of: state).text }
    var state = try SampleStates.issues(120, 50)
    state.keyMap = try KeyMap([
      "reload": [.character("R")], "sort": [], "next-issue": [.character("t")],
      "next": [.character("w")],
    ])
    #expect(text(state).contains("o open  R reload"))
    state.help = KeyHelp()
    #expect(text(state).contains("t K  "))
    #expect(text(state).contains("Up Down, k w  "))
    state.size = ScreenSize(columns: 40, rows: 50)
    #expect(text(state).contains("k w move"))
    #expect(text(state).contains("t K next"))
    var reading = try SampleStates.reading()
    reading.keyMap = state.keyMap
    #expect(text(reading).contains("t K next"))
  }

  @Test("one key can't run two commands in one pane")
  func conflict() {
    #expect(throws: KeyMap.Conflict(key: .character("q"), command: "reload", other: "back")) {
      try KeyMap(["reload": [.character("q")]])
    }
    // In the list, n means another command than in the reader.
    #expect(throws: KeyMap.Conflict.self) { try KeyMap(["reload": [.character("n")]]) }
    #expect(throws: Never.self) {
      try KeyMap(["reload": [.character("f")], "filter": [], "links": [.character("F")]])
    }
  }

  @Test("no default key belongs to two commands")
  func usual() throws {
    for binding in KeyTable.bindings {
      guard let name = binding.name else { continue }
      #expect(!binding.choosableKeys.isEmpty, "\(name)")
      #expect(throws: Never.self, "\(name)") { try KeyMap([name: binding.choosableKeys]) }
    }
  }

  @Test(
    "key names are parsed, and reserved or unknown keys are refused",
    arguments: [
      ("j", .character("j")), ("G", .character("G")), ("space", .character(" ")),
      ("ctrl-n", .control("n")), ("Ctrl-N", .control("n")), ("^n", .control("n")),
      ("^", .character("^")), ("é", .character("é")), ("ctrl-c", nil), ("ctrl-m", nil),
      ("ctrl-1", nil), ("", nil), (" ", nil), ("enter", nil), ("f1", nil), ("jj", nil),
    ] as [(String, InputEvent.Key?)])
  func names(name: String, key: InputEvent.Key?) {
    #expect(KeyMap.key(name) == key)
  }
}
