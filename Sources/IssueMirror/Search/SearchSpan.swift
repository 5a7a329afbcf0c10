internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A span of numbers or times as a search writes it: `5`, `>10`, `2026-01-01..2026-01-31`, `*..10`.
struct SearchSpan: Hashable, Sendable {
  /// The span as it was typed.
  let text: String
  /// The first number of it; nil: without a beginning.
  let first: Int?
  /// The first number behind it; nil: without an end.
  let end: Int?

  /// Reads a span of numbers.
  ///
  /// - Returns: The span; nil when the text is none.
  init?(numbers text: String) {
    self.init(text) { number in
      guard !number.isEmpty, number.utf8.count <= 15,
        number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let value = Int(number)
      else { return nil }
      return value..<value + 1
    }
  }

  /// Reads a span of days or times, as seconds since 1970; a day lasts from midnight to midnight by UTC.
  ///
  /// - Returns: The span; nil when the text is none.
  init?(times text: String) {
    self.init(text) { time in
      guard let date = Timestamp.date(fromDayOrTime: String(time)) else { return nil }
      let first = Int(date.timeIntervalSince1970)
      return first..<first + (time.contains("T") ? 1 : 86_400)
    }
  }

  private init?(_ text: String, value: (Substring) -> Range<Int>?) {
    self.text = text
    if let dots = text.firstRange(of: "..") {
      let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (lower, upper) = (value(from), value(to))
      guard lower != nil || from == "*", upper != nil || to == "*" else { return nil }
      (first, end) = (lower?.lowerBound, upper?.upperBound)
      return
    }
    let comparison = text.prefix { $0 == ">" || $0 == "<" || $0 == "=" }
    guard let operand = value(text[comparison.endIndex...]) else { return nil }
    switch comparison {
    case "", "=": (first, end) = (operand.lowerBound, operand.upperBound)
    case ">": (first, end) = (operand.upperBound, nil)
    case ">=": (first, end) = (operand.lowerBound, nil)
    case "<": (first, end) = (nil, operand.lowerBound)
    case "<=": (first, end) = (nil, operand.upperBound)
    default: return nil
    }
  }
}
