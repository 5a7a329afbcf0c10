import PlatformModules

/// A part of what was written to a terminal, told apart as a terminal does
/// ([ECMA-48](https://ecma-international.org/publications-and-standards/standards/ecma-48/), 5.4 and 8.3).
enum TerminalSequence: Hashable, CustomStringConvertible {
  /// A character that is shown.
  case text(Unicode.Scalar)
  /// A control character of C0 or C1, or DEL.
  case control(Unicode.Scalar)
  /// Esc, intermediate bytes and a final one: `(B`.
  case escape(String)
  /// A control sequence, Esc `[`: its parameters with any intermediate bytes, and its final one.
  case csi(String, Character)
  /// A control string by the byte that opens it (`]` for OSC, `P` for DCS, …), closed.
  case string(Character, String)
  /// Any other sequence, or a truncated one.
  case malformed(String)

  var description: String {
    switch self {
    case .text(let scalar): "\(scalar)"
    case .control(let scalar): "control \(scalar.value)"
    case .escape(let text): "Esc \(text)"
    case .csi(let parameters, let final): "CSI \(parameters)\(final)"
    case .string(let opening, let text): "Esc \(opening)\(text.debugDescription)"
    case .malformed(let text): "malformed \(text.debugDescription)"
    }
  }

  /// Takes all that was written apart. Bytes that aren't UTF-8 are malformed.
  static func all(in bytes: Data) -> [TerminalSequence] {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      return [.malformed(String(decoding: bytes, as: UTF8.self))]
    }
    var sequences: [TerminalSequence] = []
    var rest = Substring(text).unicodeScalars
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x1B: sequences.append(escape(&rest))
      case 0..<0x20, 0x7F...0x9F: sequences.append(.control(scalar))
      default: sequences.append(.text(scalar))
      }
    }
    return sequences
  }

  private static func escape(_ rest: inout Substring.UnicodeScalarView) -> TerminalSequence {
    guard let first = rest.popFirst() else { return .malformed("") }
    switch first {
    case "[": return controlSequence(&rest)
    case "]", "P", "X", "^", "_": return controlString(Character(first), &rest)
    default:
      var text = String(first)
      var last = first
      while (0x20...0x2F).contains(last.value), let next = rest.popFirst() {
        text.unicodeScalars.append(next)
        last = next
      }
      return (0x30...0x7E).contains(last.value) ? .escape(text) : .malformed(text)
    }
  }

  private static func controlSequence(
    _ rest: inout Substring.UnicodeScalarView
  ) -> TerminalSequence {
    var parameters = ""
    while let scalar = rest.popFirst() {
      switch scalar.value {
      case 0x20...0x3F: parameters.unicodeScalars.append(scalar)
      case 0x40...0x7E: return .csi(parameters, Character(scalar))
      default: return .malformed("[\(parameters)\(scalar)")
      }
    }
    return .malformed("[\(parameters)")
  }

  private static func controlString(
    _ opening: Character, _ rest: inout Substring.UnicodeScalarView
  ) -> TerminalSequence {
    var text = ""
    while let scalar = rest.popFirst() {
      // xterm closes them by BEL, too.
      if scalar == "\u{7}" { return .string(opening, text) }
      if scalar == "\u{1B}" {
        return rest.popFirst() == "\\" ? .string(opening, text) : .malformed("\(opening)\(text)")
      }
      text.unicodeScalars.append(scalar)
    }
    return .malformed("\(opening)\(text)")
  }
}
