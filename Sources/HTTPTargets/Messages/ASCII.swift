extension UInt8 {
  /// Whether this is a letter from A to Z, of either case, or a digit.
  ///
  /// Bytes are compared, not characters: no look-alike from another script and no combining mark
  /// passes.
  package var isASCIILetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  /// Whether this is a digit from 0 to 9.
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
