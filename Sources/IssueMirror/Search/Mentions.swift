/// The logins mentioned in text, according to the rules of `IssueFilter.text(_:mentions:)`.
package enum Mentions {
  /// The same limit as for `Username`.
  private static let longestLogin = 39

  package static func logins(in text: String) -> Set<String> {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
    var logins: Set<String> = []
    var text = text.lowercased()
    text.withUTF8 { bytes in
      var index = 0
      while let sign = unsafe bytes[index...].firstIndex(of: UInt8(ascii: "@")) {
        let start = sign + 1
        index = start
        while index < bytes.count, unsafe isPartOfName(bytes[index]) { index += 1 }
        guard unsafe sign == 0 || !isPartOfName(bytes[sign - 1]),
          (1...longestLogin).contains(index - start)
        else { continue }
        let login = unsafe String(decoding: bytes[start..<index], as: UTF8.self)
        logins.insert(login)
        if unsafe bytes[index...].starts(with: "[bot]".utf8),
          unsafe index + 5 == bytes.count || !isPartOfName(bytes[index + 5])
        {
          logins.insert("\(login)[bot]")
        }
      }
    }
    return logins
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
