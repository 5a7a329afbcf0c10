/// 128 bits that stand for text, the same in every process: the first half of its SHA-256.
///
/// `Hasher` is seeded anew in each process, so it can't name what another run has to find again. A plain
/// checksum would do for names, because those that collide are told apart by the whole key, which an entry
/// holds. But credentials are hashed, too, into files: what FNV and its like do can be undone, and gives
/// every secret away that has no more bits than they have. (Who chose a password that can be guessed has
/// it hashed in files that only they can read.)
struct Fingerprint: Hashable, Sendable {
  /// 32 hexadecimal digits.
  let text: String

  /// Takes texts in, each with an end, so that "ab" and "c" give something else than "a" and "bc".
  init(_ texts: [String]) {
    // No byte of UTF-8.
    let digest = SHA256.digest(of: texts.flatMap { Array($0.utf8) + [0xFF] })
    text = digest.prefix(4).map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }.joined()
  }
}
