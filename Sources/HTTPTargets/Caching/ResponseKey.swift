internal import HTTPTypes

/// The key of a stored response: method, URL, the header fields that choose between responses, and a fingerprint of the
/// credentials. Equal requests have equal keys in every process. The key doesn't contain secrets, and a request with a
/// secret in its URL doesn't have a key.
public struct ResponseKey: Sendable, Hashable {
  /// The full key, with one part per line.
  public let text: String

  /// A name of 32 hexadecimal digits. Two keys with the same name are possible, but very unlikely.
  public var name: String { Fingerprint([text]).text }

  /// Creates the key of a request.
  ///
  /// The key includes `Accept` and related fields (such as `Accept-Language`), and fields with the version of an API,
  /// such as `X-GitHub-Api-Version`. Servers don't reliably list these in `Vary`.
  ///
  /// - Returns: The key; nil if responses to the request mustn't be stored.
  public init?(_ request: TargetRequest) {
    guard !Redaction.hasSecret(inURL: request.url) else { return nil }
    var lines: [String] = []
    var secrets: [String] = []
    for field in request.headers {
      let name = field.name.canonicalName
      if name == "accept" || name.hasPrefix("accept-") || name.hasSuffix("-version") {
        lines.append("\(name): \(field.value)")
      } else if Redaction.isSecret(field.name) {
        secrets.append("\(name): \(field.value)")
      }
    }
    text =
      "\(request.method.rawValue) \(request.url)\n"
      + lines.sorted().map { "\($0)\n" }.joined() + "credentials: \(Self.fingerprint(secrets))"
  }

  private static func fingerprint(_ secrets: [String]) -> String {
    secrets.isEmpty ? "none" : Fingerprint(secrets.sorted()).text
  }
}

/// The first 128 bits of a SHA-256. Hashes of credentials are written to files, and simpler functions such as FNV can
/// be reversed for secrets that aren't longer than the hash. (A weak password can still be guessed from its hash, but
/// only its owner can read the files.)
package struct Fingerprint: Hashable, Sendable {
  /// The fingerprint as 32 hexadecimal digits.
  package let text: String

  /// Hashes the strings with a mark after each, so that "ab" and "c" differ from "a" and "bc".
  package init(_ texts: [String]) {
    // 0xFF never occurs in UTF-8.
    let digest = SHA256.digest(of: texts.flatMap { Array($0.utf8) + [0xFF] })
    text = digest.prefix(4).map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.utf8.count) + digits
    }.joined()
  }
}

/// SHA-256 (FIPS 180-4) for a few hundred bytes. The libraries that provide it contain a whole TLS stack.
enum SHA256 {
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
    0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
    0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
    0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
    0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
    0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
    0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
    0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
    0xc671_78f2,
  ]

  static func digest(of message: [UInt8]) -> [UInt32] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    let bits = UInt64(message.count) << 3
    for shift in stride(from: 56, through: 0, by: -8) {
      padded.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift)))
    }
    var hash: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
      0x5be0_cd19,
    ]
    var words = [UInt32](repeating: 0, count: 64)
    for start in stride(from: 0, to: padded.count, by: 64) {
      for index in 0..<16 {
        words[index] = padded[start + index * 4..<start + index * 4 + 4]
          .reduce(0) { $0 << 8 | UInt32($1) }
      }
      for index in 16..<64 {
        let (early, late) = (words[index - 15], words[index - 2])
        let first = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
        let second = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
        words[index] = words[index - 16] &+ first &+ words[index - 7] &+ second
      }
      compress(words, into: &hash)
    }
    return hash
  }

  private static func compress(_ words: [UInt32], into hash: inout [UInt32]) {
    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
    for index in 0..<64 {
      let choice = e & f ^ ~e & g
      let mixed = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
      let first = h &+ mixed &+ choice &+ constants[index] &+ words[index]
      let majority = a & b ^ a & c ^ b & c
      let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (index, value) in [a, b, c, d, e, f, g, h].enumerated() { hash[index] &+= value }
  }

  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }
}
