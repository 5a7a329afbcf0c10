internal import PlatformModules

/// Searches bytes, because in text a combining mark changes the previous character. memchr(3) is fast even in a debug
/// build.
package enum ByteSearch {
  /// Returns the position of the bytes; nil if they don't occur or are empty.
  package static func position(
    of wanted: [UInt8], in bytes: UnsafeRawBufferPointer, from start: Int = 0
  ) -> Int? {
    guard let first = wanted.first, let base = bytes.baseAddress else { return nil }
    var position = start
    while bytes.count - position >= wanted.count {
      guard
        let found = unsafe memchr(
          base + position, CInt(first), bytes.count - position - wanted.count + 1)
      else { return nil }
      if unsafe memcmp(found, wanted, wanted.count) == 0 {
        return unsafe UnsafeRawPointer(found) - base
      }
      position = unsafe UnsafeRawPointer(found) - base + 1
    }
    return nil
  }

  static func replacing(_ wanted: [UInt8], with others: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    unsafe bytes.withUnsafeBytes { bytes in
      var result: [UInt8] = []
      var position = 0
      while let next = unsafe self.position(of: wanted, in: bytes, from: position) {
        unsafe result += bytes[position..<next]
        result += others
        position = next + wanted.count
      }
      return unsafe result + bytes[position...]
    }
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit. A comparison of bytes doesn't accept similar letters from other
  /// scripts, or combining marks.
  package var isASCIILetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
