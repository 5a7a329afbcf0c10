/// How old an answer may be, on the command line: `90s`, `10m`, `2h`, `1d`, `1.5h`; a number alone counts seconds.
struct AgeArgument: Hashable {
  let duration: Duration

  init?(_ text: String) {
    let units: [(suffix: String, seconds: Double)] = [
      ("s", 1), ("m", 60), ("h", 3_600), ("d", 86_400), ("w", 604_800), ("", 1),
    ]
    guard let unit = units.first(where: { text.hasSuffix($0.suffix) }),
      let number = Double(text.dropLast(unit.suffix.count)),
      // Ten years are as good as any age.
      number.isFinite, (0...315_360_000).contains(number * unit.seconds)
    else { return nil }
    duration = .seconds(number * unit.seconds)
  }
}
