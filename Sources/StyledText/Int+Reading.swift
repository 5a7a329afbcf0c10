extension Int {
  /// The number with grouped thousands: `1,234`.
  package var grouped: String {
    var text = ""
    for (index, digit) in String(magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }

  /// The number in about four characters: `999`, `1.2k`, `69k`, `1.4M`.
  package var short: String {
    switch self {
    case ..<1_000: "\(self)"
    case ..<10_000: "\(self / 1_000).\(self / 100 % 10)k"
    case ..<1_000_000: "\(self / 1_000)k"
    case ..<10_000_000: "\(self / 1_000_000).\(self / 100_000 % 10)M"
    default: "\(self / 1_000_000)M"
    }
  }
}
