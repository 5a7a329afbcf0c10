/// A line of the table that `Benchmarks/run` prints.
struct Row: Sendable {
  enum Relation: String, Sendable {
    case atMost = "<="
    case atLeast = ">="
  }

  var what: String
  var here: String
  var peer = ""
  /// What is compared with the target.
  var value: Double
  var relation: Relation
  var target: Double
  /// Behind the value and the target, with a blank before it where people write one.
  var unit = ""

  /// Its cells, with bars between them.
  var line: String {
    [
      what, here, peer, Self.text(value), relation.rawValue, Self.text(target), unit,
    ].joined(separator: "|")
  }

  /// A number with as many digits as say something.
  static func text(_ number: Double, digits: Int = 4) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let rounded = (number * scale).rounded() / scale
    return rounded == rounded.rounded() && rounded.magnitude < 1e15
      ? "\(Int(rounded))" : "\(rounded)"
  }

  static func short(_ number: Double, _ unit: String = "") -> String {
    text(number, digits: number.magnitude < 100 ? 2 : 0) + unit
  }
}

extension Duration {
  var milliseconds: Double { self / .milliseconds(1) }
  var seconds: Double { self / .seconds(1) }
}

extension [Double] {
  /// The value that a share of them doesn't exceed; 0 of none.
  func percentile(_ share: Double) -> Double {
    let ordered = sorted()
    guard let last = ordered.last else { return 0 }
    let index = Int((Double(count) * share).rounded(.up)) - 1
    return index < 0 ? ordered[0] : index < count ? ordered[index] : last
  }

  var median: Double { percentile(0.5) }
}

struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
