internal import GitHubAPI

/// The issues of the same repository that texts refer to: `#12`, `owner/repo#12` and addresses.
struct IssueMentions {
  private let repository: String
  private let own: Int
  /// In order of appearance, each once.
  private(set) var numbers: [Int] = []
  private var seen: Set<Int> = []

  init(of number: Int, in repository: RepositoryName) {
    self.repository = "\(repository)".lowercased()
    own = number
  }

  mutating func read(_ text: String) {
    let bytes = Array(text.utf8)
    for (index, byte) in bytes.enumerated() {
      switch byte {
      case UInt8(ascii: "#"):
        let name = Self.name(before: index, in: bytes)
        guard name.isEmpty || name.lowercased() == repository else { continue }
        note(bytes[(index + 1)...])
      case UInt8(ascii: "/"):
        for kind in ["/issues/", "/pull/"] where bytes[index...].starts(with: kind.utf8) {
          let name = Self.name(before: index, in: bytes).split(separator: "/").suffix(2)
          guard name.joined(separator: "/").lowercased() == repository else { continue }
          note(bytes[(index + kind.utf8.count)...])
        }
      default: break
      }
    }
  }

  private mutating func note(_ bytes: ArraySlice<UInt8>) {
    let digits = bytes.prefix(10).prefix { $0.isDigit }
    // No repository has a billion issues.
    guard (1...9).contains(digits.count), bytes.dropFirst(digits.count).first?.isOfName != true,
      let number = Int(String(decoding: digits, as: UTF8.self)), number > 0, number != own,
      seen.insert(number).inserted
    else { return }
    numbers.append(number)
  }

  /// The longest text in front that could be a part of a name or an address.
  private static func name(before end: Int, in bytes: [UInt8]) -> String {
    let longest = 160
    var start = end
    while start > max(0, end - longest), bytes[start - 1].isOfName || bytes[start - 1].joinsNames {
      start -= 1
    }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  fileprivate var isOfName: Bool {
    isDigit || self == UInt8(ascii: "_")
      || (self | 0x20) >= UInt8(ascii: "a") && (self | 0x20) <= UInt8(ascii: "z")
  }

  fileprivate var joinsNames: Bool {
    [UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(self)
  }
}
