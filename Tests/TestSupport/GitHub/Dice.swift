/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct Dice: Sendable {
  private var state: UInt64

  /// The throws of a seed. All but the first are also those of the next seed.
  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15
  }

  /// Throws independent of those of neighbouring places, unlike those of neighbouring seeds.
  init(_ place: Int, of kind: String, seed: UInt64 = 0) {
    self.init(seed: StableHash.adding(place, to: StableHash.of(kind) &+ seed))
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(bound))
  }

  mutating func chance(_ share: Double) -> Bool {
    Double(next() >> 11) / 9_007_199_254_740_992 < share
  }
}
