/// A checksum that reads eight bytes at a time: fast enough for every page that is read, and sure to
/// notice a change within any eight of them.
///
/// Each step is reversible (exclusive or, multiplication by an odd number, rotation), so that two texts
/// that differ in one word can't end in the same state. It is no protection against somebody who
/// writes into the folder on purpose: who can do that is the user.
enum WordChecksum {
  private static let multiplier: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Computes the checksum of bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var state = mixed(0, UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
      state = mixed(
        state, UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    var rest: UInt64 = 0
    while offset < bytes.count {
      rest = rest << 8 | UInt64(bytes[offset])
      offset += 1
    }
    state = mixed(state, rest)
    state ^= state >> 32
    return state &* multiplier
  }

  private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
    let product = (state ^ word) &* multiplier
    return product << 29 | product >> 35
  }
}
