internal import StyledText

enum LinkAddress {
  /// Resolves an address or a path in the repository; nil for other schemes, and for a path that leads out of the
  /// repository.
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

  /// The short form in which GitHub shows the address of an issue or a pull request: `#12`, or `owner/repo#12` for
  /// another repository on the same server; nil for other addresses.
  static func issueName(of url: String, below repositoryURL: String?) -> String? {
    // The parts are the scheme, an empty part, the host, the owner, and the name.
    let own = (repositoryURL ?? "").split(separator: "/", omittingEmptySubsequences: false)
    let address = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = address[0].split(separator: "/", omittingEmptySubsequences: false)
    guard own.count >= 5, parts.count == own.count + 2,
      parts.prefix(own.count - 2) == own.dropLast(2),
      ["issues", "pull", "pulls", "discussions"].contains(parts[own.count]),
      let number = parts.last, number.first != "0", (1...10).contains(number.utf8.count),
      number.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let repository = parts[(own.count - 2)..<own.count]
    let name = repository == own.suffix(2) ? "" : repository.joined(separator: "/")
    switch address.dropFirst().first {
    case nil: return "\(name)#\(number)"
    case let place? where place.hasPrefix("issuecomment-"): return "\(name)#\(number) (comment)"
    default: return nil
    }
  }

  private static func path(_ written: String) -> String? {
    // Relative addresses are relative to these segments.
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
