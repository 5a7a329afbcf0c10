internal import GitHubAPI

/// The condition of `field.priority:High` or `field.effort:>=3` on a field that an organization defines: the field has
/// one of the values, or a number or day within bounds. See
/// <https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/filtering-and-searching-issues-and-pull-requests>.
package struct FieldTest: Hashable, Sendable {
  /// A bound for numbers or days.
  package struct Bound: Hashable, Sendable {
    package enum Relation: String, CaseIterable, Sendable {
      // Longer operators come first, because some begin with a shorter one.
      case atLeast = ">="
      case atMost = "<="
      case above = ">"
      case below = "<"
    }

    package enum Operand: Hashable, Sendable {
      case number(Double)
      /// A day such as `2026-12-31`; the alphabetical order of days is chronological.
      case day(String)
    }

    package let relation: Relation
    package let operand: Operand
  }

  package enum Meaning: Hashable, Sendable {
    case equal([String])
    case within([Bound])
  }

  /// The field's name in the syntax of GitHub's search.
  package let field: String
  /// The values as typed.
  package let values: [String]
  package let meaning: Meaning

  /// Returns nil without values, and for bounds that are neither numbers nor days.
  init?(field: String, values: [String]) {
    let values = values.filter { !$0.isEmpty }
    guard !field.isEmpty, let first = values.first else { return nil }
    let bounds = Self.bounds(first)
    if case .some(nil) = bounds { return nil }
    if values.count > 1, bounds != nil { return nil }
    self.init(
      field: field.lowercased(), values: values,
      meaning: (bounds ?? nil).map(Meaning.within) ?? .equal(values))
  }

  private init(field: String, values: [String], meaning: Meaning) {
    (self.field, self.values, self.meaning) = (field, values, meaning)
  }

  /// Returns nil for a value without bounds, and a nested nil for invalid bounds.
  private static func bounds(_ text: String) -> [Bound]?? {
    if let relation = Bound.Relation.allCases.first(where: { text.hasPrefix($0.rawValue) }) {
      guard let operand = operand(text.dropFirst(relation.rawValue.count)) else {
        return .some(nil)
      }
      return [Bound(relation: relation, operand: operand)]
    }
    guard let dots = text.firstRange(of: "..") else { return nil }
    let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
    // Text may contain dots too.
    guard from == "*" || operand(from) != nil, to == "*" || operand(to) != nil else { return nil }
    let bounds = [
      operand(from).map { Bound(relation: .atLeast, operand: $0) },
      operand(to).map { Bound(relation: .atMost, operand: $0) },
    ].compactMap(\.self)
    return bounds.isEmpty ? .some(nil) : bounds
  }

  private static func operand(_ text: Substring) -> Bound.Operand? {
    if let number = Double(text), number.isFinite { return .number(number) }
    let isDay = text.utf8.count == 10 && Timestamp.date(fromDayOrTime: String(text)) != nil
    return isDay ? .day(String(text)) : nil
  }

  var written: String {
    "\(GitHubQualifier.fieldPrefix)\(field):"
      + values.map(SearchWord.written).joined(separator: ",")
  }
}

extension FieldTest {
  /// The condition of a list's filter, in which the value is compared as is, even if it begins with an operator.
  init(_ choice: IssueFieldChoice) {
    self.init(field: choice.field, values: [choice.value], meaning: .equal([choice.value]))
  }
}
