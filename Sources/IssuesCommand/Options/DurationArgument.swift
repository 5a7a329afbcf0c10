/// A time span on the command line: `300ms`, `2s`, `1.5s`, `1m`, `1h`; a number alone counts seconds.
struct DurationArgument: Hashable {
  let duration: Duration

  init?(_ text: String) {
    let units: [(suffix: String, seconds: Double)] = [
      ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let number = Double(text.dropLast(unit.suffix.count)),
      number.isFinite, (0...86_400).contains(number * unit.seconds)
    else { return nil }
    duration = .seconds(number * unit.seconds)
  }
}
