/// Throws that come out the same for the same seed, in every process and on every machine.
///
/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct SampleDice {
  private var state: UInt64

  init(_ seed: String) {
    state = Self.hash(seed)
  }

  /// FNV-1a over UTF-8: `Hasher` differs from process to process.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to below `bound`, which is at least 1.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// Whether something happens that does so many times of a hundred.
  mutating func percent(_ share: Int) -> Bool { below(100) < share }

  /// One of several values, of which there is at least one.
  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
