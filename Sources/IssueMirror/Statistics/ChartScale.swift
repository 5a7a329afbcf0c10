/// How a chart turns numbers into lengths.
struct ChartScale {
  /// The numbers at which there are lines, from 0.
  let ticks: [Int]
  private let length: Double

  /// Makes the scale on which a number of things has all of a length, or nearly so.
  ///
  /// Its lines stand at multiples of 1, 2 or 5 times a power of ten, and there are no more than six of them.
  init(upTo greatest: Int, length: Double) {
    let greatest = max(1, greatest)
    var (unit, step) = (1, 1)
    while greatest > 5 * step {
      step = step == unit ? 2 * unit : step == 2 * unit ? 5 * unit : 10 * unit
      if step == 10 * unit { unit *= 10 }
    }
    let count = (greatest + step - 1) / step
    ticks = (0...count).map { $0 * step }
    self.length = length
  }

  /// The length that stands for a number.
  func length(of number: Int) -> Double {
    length * Double(number) / Double(ticks.last ?? 1)
  }
}
