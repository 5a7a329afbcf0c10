internal import StyledText

/// A control string from the terminal (ECMA-48, 5.6), such as a response to a query. No part of it may be interpreted
/// as typing.
struct ControlString: Sendable {
  enum Change: Sendable, Hashable {
    case unfinished

    case finished

    /// The string wasn't terminated. These bytes follow it.
    case broken([UInt8])
  }

  /// The maximum length in bytes. The rest is dropped.
  private static let limit = 64

  /// The character after the Esc.
  let introducer: Character

  private var bytes: [UInt8] = []
  private var isAfterEscape = false
  private var isCut = false

  init(introducer: Character) {
    self.introducer = introducer
  }

  var isEmpty: Bool { bytes.isEmpty && !isAfterEscape }

  mutating func append(_ byte: UInt8) -> Change {
    if isAfterEscape { return byte == UInt8(ascii: "\\") ? .finished : .broken([0x1B, byte]) }
    switch byte {
    case 0x1B: isAfterEscape = true
    case 0x07: return .finished
    // Ctrl-C ends a string whose end was lost. Any other control character may be part of it (ECMA-48 allows BS to CR).
    // If it ended the string, the rest would count as typing.
    case 0x03: return .broken([byte])
    default:
      isCut = isCut || bytes.count == Self.limit
      if !isCut { bytes.append(byte) }
    }
    return .unfinished
  }

  /// Whether the string confirms that the terminal shows images: the response to query 31 of kitty's graphics protocol.
  var confirmsImages: Bool {
    introducer == "_" && !isCut && String(decoding: bytes, as: UTF8.self) == "Gi=31;OK"
  }

  /// The color in a response to `OSC 11 ; ?`, in the format of xterm's "Control Sequences" and XParseColor(3): `rgb:`
  /// with one to four hexadecimal digits for each component. Some terminals add the opacity.
  var background: Color? {
    let text = String(decoding: bytes, as: UTF8.self)
    let prefix = "11;"
    guard introducer == "]", !isCut, text.hasPrefix(prefix) else { return nil }
    let value = text.dropFirst(prefix.count)
    if value.hasPrefix("#") { return Color(hexadecimal: String(value)) }
    let fields = value.split(separator: ":", omittingEmptySubsequences: false)
    guard fields.count == 2, fields[0] == "rgb" || fields[0] == "rgba" else { return nil }
    let parts = fields[1].split(separator: "/", omittingEmptySubsequences: false)
      .map { Self.part($0) }
    guard parts.count == fields[0].count, let red = parts[0], let green = parts[1],
      let blue = parts[2]
    else { return nil }
    return Color(red: red, green: green, blue: blue)
  }

  private static func part(_ digits: Substring) -> UInt8? {
    guard (1...4).contains(digits.utf8.count), digits.allSatisfy(\.isHexDigit),
      let value = Int(digits, radix: 16)
    else { return nil }
    let greatest = 1 << (4 * digits.utf8.count) - 1
    return UInt8((value * 255 + greatest / 2) / greatest)
  }
}
