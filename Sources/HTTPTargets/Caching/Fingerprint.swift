/// 128 bits that stand for text, the same in every process: FNV-1a
/// (<https://datatracker.ietf.org/doc/html/draft-eastlake-fnv>).
///
/// `Hasher` is seeded anew in each process, so it can't name what another run has to find again. A
/// cryptographic hash isn't needed: names that collide are told apart by the whole key, which an entry
/// holds, and the credentials that are hashed are tokens, of more random bits than there are here, so
/// that there is no way back. (Who chose a short password has it hashed in files that only they can
/// read.)
struct Fingerprint: Hashable, Sendable {
  private var state: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D

  /// Takes texts in, each with an end, so that "ab" and "c" give something else than "a" and "bc".
  init(_ texts: [String]) {
    for text in texts {
      for byte in text.utf8 { combine(byte) }
      // No byte of UTF-8.
      combine(0xFF)
    }
  }

  private mutating func combine(_ byte: UInt8) {
    state = (state ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
  }

  /// 32 hexadecimal digits.
  var text: String {
    let halves = [UInt64(truncatingIfNeeded: state >> 64), UInt64(truncatingIfNeeded: state)]
    return halves.map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }.joined()
  }
}
