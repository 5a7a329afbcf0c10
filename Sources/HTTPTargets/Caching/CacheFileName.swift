/// The names of the files in the folder of a cache.
enum CacheFileName {
  /// What a file is by its name.
  enum Kind: Hashable {
    /// An entry: 32 hexadecimal digits and `.response`.
    case entry
    /// What was to become one: the same, 16 more digits and `.tmp`.
    case temporary

    /// Reads a name; nil for one that isn't the cache's.
    init?(_ name: String) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count >= 2, Self.isHexadecimal(parts[0], count: 32), parts[1] == "response" else {
        return nil
      }
      switch parts.count {
      case 2: self = .entry
      case 4 where Self.isHexadecimal(parts[2], count: 16) && parts[3] == "tmp": self = .temporary
      default: return nil
      }
    }

    private static func isHexadecimal(_ text: Substring, count: Int) -> Bool {
      text.utf8.count == count
        && text.utf8.allSatisfy {
          (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
        }
    }
  }

  /// The name of the entry under a key.
  static func entry(for key: ResponseKey) -> String { "\(key.name).response" }

  /// A name that no other writer has, in this process or another.
  static func temporary(for entry: String) -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(entry).\(String(repeating: "0", count: 16 - digits.utf8.count))\(digits).tmp"
  }
}
