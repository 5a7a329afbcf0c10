internal import StyledText

enum LinkAddress {
  /// Resolves an address or a path in the repository; nil for other schemes, and for a path out of the repository.
  static func resolve(_ written: String, below repositoryURL: String?) -> WebLink? {
    if written.hasPrefix("//") { return WebLink(encoded("https:" + written)) }
    if let colon = written.firstIndex(of: ":"), isScheme(written[..<colon]) {
      return WebLink(encoded(written))
    }
    guard let repositoryURL, let first = written.first, first != "#", first != "?" else {
      return nil
    }
    return path(written).flatMap { WebLink(encoded("\(repositoryURL)/\($0)")) }
  }

  private static func path(_ written: String) -> String? {
    // Relative addresses start here.
    var segments: [Substring] = ["blob", "HEAD"]
    let end = written.firstIndex { $0 == "#" || $0 == "?" } ?? written.endIndex
    for segment in written[..<end].split(separator: "/", omittingEmptySubsequences: true) {
      // Browsers read a backslash as a slash, and an encoded dot as a dot.
      guard !segment.contains("\\"), !segment.lowercased().contains("%2e") else { return nil }
      switch segment {
      case ".": break
      case "..":
        guard !segments.isEmpty else { return nil }
        segments.removeLast()
      default: segments.append(segment)
      }
    }
    return segments.joined(separator: "/") + written[end...]
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }

  /// Percent-encodes everything but printable ASCII, as browsers do.
  private static func encoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if (0x21..<0x7F).contains(byte) {
        bytes.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        bytes += Array("%\(digits.count < 2 ? "0" : "")\(digits)".utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
