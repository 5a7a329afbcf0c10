import StyledText
import Testing

@testable import TerminalScreen

@Suite("Terminal entries")
struct TerminalEntryTests {
  @Test(
    "the entry for 24-bit colors comes first if they are requested",
    arguments: [
      ("xterm-256color", ColorMode.trueColor, ["xterm-direct", "xterm-256color"]),
      ("xterm", .trueColor, ["xterm-direct", "xterm"]),
      ("tmux-256color", .trueColor, ["tmux-direct", "tmux-256color"]),
      ("alacritty", .trueColor, ["alacritty-direct", "alacritty"]),
      ("xterm-kitty", .trueColor, ["kitty-direct", "xterm-kitty"]),
      ("xterm-direct", .trueColor, ["xterm-direct"]),
      ("xterm-256color", .palette, ["xterm-256color"]),
      ("xterm-256color", .basic, ["xterm-256color"]),
      ("xterm-256color", .none, ["xterm-256color"]),
    ])
  func candidates(term: String, color: ColorMode, expected: [String]) throws {
    #expect(try TerminalEntry(term: term, color: color).candidates == expected)
  }

  @Test(
    "a terminal without an entry has the entry of a similar one",
    arguments: [
      ("xterm-ghostty", ColorMode.trueColor, ["xterm-direct", "xterm-256color"]),
      ("alacritty-direct", .palette, ["xterm-256color"]), ("wezterm", .basic, ["xterm-256color"]),
      ("foot-extra", .none, ["xterm-256color"]), ("tmux-256color", .palette, ["screen-256color"]),
      ("no-such-terminal", .trueColor, []), ("vt100", .palette, []),
    ])
  func substitutes(term: String, color: ColorMode, expected: [String]) throws {
    #expect(try TerminalEntry(term: term, color: color).substitutes == expected)
  }

  @Test("a terminal that can't move its cursor is refused", arguments: [nil, "", "dumb"])
  func dumb(term: String?) {
    #expect(throws: TerminalFailure.dumb) { try TerminalEntry(term: term, color: .palette) }
  }
}
