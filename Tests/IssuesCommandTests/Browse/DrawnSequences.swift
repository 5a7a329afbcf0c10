import PlatformModules
import Testing

/// The closed list of what ncurses writes to draw a screen on a terminal like xterm.
enum DrawnSequences {
  /// The modes that are set at the start and reset at the end: keys for applications (1), no automatic wrapping
  /// (7), a steady cursor (12), the cursor (25), the mouse (1000, 1006), the other screen (1049), pastes (2004).
  private static let modes: Set<Substring> = ["1", "7", "12", "25", "1000", "1006", "1049", "2004"]

  /// Final bytes of sequences that move the cursor or erase, with at most two numbers.
  private static let addressing: Set<Character> = [
    "A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L", "M", "P", "S", "T", "X", "Z", "@",
    "b", "d",
    "r",
  ]

  /// Checks that a screen of some size was drawn and nothing else done: no string reached the terminal (titles,
  /// the clipboard, links) but the question for its background, no sequence that ncurses doesn't need, no place outside of the window, and no
  /// character that isn't seen.
  static func check(
    _ bytes: Data, columns: Int, rows: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    var strange: Set<String> = []
    var set: Set<Substring> = []
    for sequence in TerminalSequence.all(in: bytes) {
      if !isExpected(sequence, columns: columns, rows: rows) { strange.insert("\(sequence)") }
      if case .csi(let parameters, let final) = sequence, parameters.hasPrefix("?") {
        for mode in parameters.dropFirst().split(separator: ";") {
          if final == "h" { set.insert(mode) } else { set.remove(mode) }
        }
      }
    }
    #expect(strange.isEmpty, "\(strange.sorted())", sourceLocation: sourceLocation)
    // The modes that are on by default: line wrapping and the cursor.
    #expect(set.isSubset(of: ["7", "25"]), "\(set)", sourceLocation: sourceLocation)
  }

  private static func isExpected(_ sequence: TerminalSequence, columns: Int, rows: Int) -> Bool {
    switch sequence {
    case .text(let scalar): return isSeen(scalar)
    // Backspace, line feed and carriage return; the ordinary character set (SI).
    case .control(let scalar): return ["\u{8}", "\n", "\r", "\u{F}"].contains(scalar)
    // A character set, the keypad's two modes, a line up, the cursor's place kept and restored.
    case .escape(let text): return ["(B", "(0", ")0", "=", ">", "M", "7", "8"].contains(text)
    case .csi(let parameters, let final):
      let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      switch final {
      // The questions of the beginning.
      case "c": return parameters.isEmpty
      case "p": return parameters == "?2027$"
      case "m": return parameters.allSatisfy { $0.isNumber || $0 == ";" || $0 == ":" }
      case "h", "l":
        // Characters are put over others, not between them (4); what tmux calls a normal cursor (34).
        return ["4", "34"].contains(parameters)
          || parameters.hasPrefix("?")
            && parameters.dropFirst().split(separator: ";").allSatisfy(modes.contains)
      // xterm keeps the title for as long as the other screen is shown.
      case "t": return ["22;0;0", "23;0;0"].contains(parameters)
      case "H", "r":
        return numbers.count <= 2
          && zip(numbers, [rows, columns]).allSatisfy { isPlace($0, within: $1) }
      case "d", "S", "T", "L", "M": return isPlace(parameters[...], within: rows)
      case "G", "X", "@", "P", "b": return isPlace(parameters[...], within: columns)
      case _ where addressing.contains(final):
        return isPlace(parameters[...], within: max(columns, rows))
      default: return false
      }
    case .string(let kind, let text): return kind == "]" && text == "11;?"
    case .malformed: return false
    }
  }

  private static func isPlace(_ number: Substring, within count: Int) -> Bool {
    number.isEmpty || Int(number).map { 0...count ~= $0 } ?? false
  }

  /// Whether a character can be seen, or combines with one that can.
  static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator, .unassigned: false
    default: true
    }
  }
}
