/// The times of Forgejo and Gitea: RFC 3339 with whole seconds, in the server's time zone.
enum ForgejoTime {
  /// Seconds since 1970; nil for unreadable text. An unescaped `+` in a query is a blank, and thus unreadable.
  static func seconds(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[10] == UInt8(ascii: "T") else { return nil }
    let base = String(decoding: bytes[..<19], as: UTF8.self)
    guard let seconds = Timestamp.seconds(base + "Z") else { return nil }
    var rest = bytes[19...]
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst().drop { (0x30...0x39).contains($0) }
    }
    let zone = String(decoding: rest, as: UTF8.self)
    if zone == "Z" { return seconds }
    let parts = zone.dropFirst().split(separator: ":").compactMap { Int($0) }
    guard zone.utf8.count == 6, parts.count == 2, zone.hasPrefix("+") || zone.hasPrefix("-") else {
      return nil
    }
    let offset = parts[0] * 3600 + parts[1] * 60
    return zone.hasPrefix("+") ? seconds - offset : seconds + offset
  }

  /// A time in a zone.
  ///
  /// - Parameters:
  ///   - seconds: Seconds since 1970.
  ///   - offset: The zone's distance from UTC in seconds.
  /// - Returns: RFC 3339.
  static func text(_ seconds: Int, offset: Int) -> String {
    guard offset != 0 else { return Timestamp.iso8601(seconds) }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let size = abs(offset)
    let zone = "\(offset < 0 ? "-" : "+")\(two(size / 3600)):\(two(size / 60 % 60))"
    return Timestamp.iso8601(seconds + offset).dropLast() + zone
  }
}
