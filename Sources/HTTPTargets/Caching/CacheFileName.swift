/// The names of the files in the folder of a cache.
enum CacheFileName {
  /// What a file is by its name.
  enum Kind: Hashable {
    /// An entry: 32 hexadecimal digits and `.response`.
    case entry
    /// What was to become one, as ``AtomicFile`` names it.
    case temporary

    /// Reads a name; nil for one that isn't the cache's.
    init?(_ name: String) {
      let final = AtomicFile.finalName(ofTemporary: name)
      let parts = (final ?? name[...]).split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, Self.isHexadecimal(parts[0], count: 32), parts[1] == "response"
      else { return nil }
      self = final == nil ? .entry : .temporary
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
}
