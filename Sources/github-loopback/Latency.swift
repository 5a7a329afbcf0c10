internal import ArgumentParser

/// A time span such as `100ms` or `1.5s`.
struct Latency: ExpressibleByArgument, CustomStringConvertible {
  var duration: Duration

  init(duration: Duration) {
    self.duration = duration
  }

  init?(argument: String) {
    let unit = argument.drop { $0.isNumber || $0 == "." }
    guard let number = Double(argument.dropLast(unit.count)), number.isFinite, number >= 0 else {
      return nil
    }
    switch unit {
    case "ms": duration = .milliseconds(number)
    case "s": duration = .seconds(number)
    default: return nil
    }
  }

  var description: String { "\(Int(duration / .milliseconds(1)))ms" }
}
