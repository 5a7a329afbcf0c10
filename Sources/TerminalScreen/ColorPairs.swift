/// The numbers of ncurses's color pairs.
///
/// The number of pairs is limited, sometimes to 64. Redefining a pair also changes cells drawn earlier, so pairs are
/// never replaced one by one. When all are used, all are discarded, and the whole canvas is drawn again.
struct ColorPairs: Sendable {
  struct Pair: Sendable, Hashable {
    /// The number of the text color, or -1 for the terminal's own.
    var foreground: Int32

    var background: Int32
  }

  /// The number of a pair, and whether it must be defined first.
  enum Entry: Sendable, Hashable {
    case defined(Int32)

    case undefined(Int32)
  }

  private let limit: Int
  private var numbers: [Pair: Int32] = [:]

  /// - Parameter limit: The number of pairs without pair 0, the terminal's own colors.
  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// The entry for a pair; nil if no number is free.
  mutating func entry(for pair: Pair) -> Entry? {
    if pair == Pair(foreground: -1, background: -1) { return .defined(0) }
    if let number = numbers[pair] { return .defined(number) }
    guard numbers.count < limit else { return nil }
    let number = Int32(numbers.count + 1)
    numbers[pair] = number
    return .undefined(number)
  }

  mutating func removeAll() {
    numbers.removeAll(keepingCapacity: true)
  }
}
