extension FuzzSource {
  /// Choices independent of those of neighbouring places, unlike those of neighbouring seeds.
  init(_ place: Int, of kind: String, seed: UInt64 = 0) {
    self.init(number: StableHash.adding(place, to: StableHash.of(kind) &+ seed))
  }

  /// The choices of a number. All but the first are also those of the next number.
  init(number: UInt64) {
    self.init(seed: number &* 0x9E37_79B9_7F4A_7C15)
  }

  /// True in a share of all calls.
  mutating func chance(_ share: Double) -> Bool {
    Double(next() >> 11) / 9_007_199_254_740_992 < share
  }
}
