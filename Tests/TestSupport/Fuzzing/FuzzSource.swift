/// Random choices for fuzz tests, which a seed repeats.
///
/// SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
public struct FuzzSource: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Creates a source. The same seed gives the same choices on every machine.
  public init(seed: UInt64) { state = seed }

  /// The next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// A number from 0 to below `bound`, which is at least 1.
  ///
  /// The remainder is slightly uneven, which doesn't matter here. Unlike `Int.random`, it can't change with the
  /// standard library.
  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// A number in a range.
  public mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// True once in `times` calls on average.
  public mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// One of the values, of which there is at least one.
  public mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// A length: mostly short, sometimes the maximum.
  public mutating func length(upTo maximum: Int) -> Int {
    var bound = maximum
    while bound > 4, below(2) == 0 { bound /= 4 }
    return below(bound + 1)
  }

  /// Random bytes, of all values or of those with a meaning to parsers.
  public mutating func bytes(upTo maximum: Int) -> [UInt8] {
    let isAnything = once(in: 2)
    return (0..<length(upTo: maximum)).map { _ in
      isAnything ? UInt8(truncatingIfNeeded: next()) : pick(FuzzAlphabet.bytes)
    }
  }

  /// Random text made of pieces with a meaning to parsers and terminals.
  ///
  /// - Parameters:
  ///   - maximum: The most pieces.
  ///   - words: Pieces of the fuzzed language, which then make up half of the text.
  /// - Returns: The text.
  public mutating func text(upTo maximum: Int = 40, words: [String] = []) -> String {
    var text = ""
    for _ in 0..<length(upTo: maximum) {
      if !words.isEmpty, once(in: 2) {
        text += pick(words)
      } else {
        text += piece()
      }
    }
    return text
  }

  private mutating func piece() -> String {
    switch below(8) {
    case 0: return pick(FuzzAlphabet.pieces)
    case 1: return pick(FuzzAlphabet.numbers)
    case 2, 3: return String(UnicodeScalar(UInt8(0x20 + below(0x5F))))
    default:
      let range = pick(FuzzAlphabet.scalars)
      let value = range.lowerBound + UInt32(below(range.count))
      return Unicode.Scalar(value).map { String($0) } ?? "\u{FFFD}"
    }
  }
}
