extension TokenScanner {
  /// What the tokens of a text depend on beside the text: an index that was made with another version is made
  /// anew.
  ///
  /// The first number is to be raised with each change of what is folded or taken apart. The second stands for
  /// the Unicode tables of Swift's library: a newer one knows letters that were no letters before. They come in
  /// blocks, so that one scalar of 64 tells.
  static let version: String = {
    // FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for value in stride(from: UInt32(0x80), to: 0x34000, by: 64) {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isAssigned = scalar.properties.generalCategory != .unassigned
      hash = (hash ^ (isAssigned ? 1 : 2)) &* 0x100_0000_01B3
    }
    return "1-\(String(hash, radix: 16))"
  }()
}
