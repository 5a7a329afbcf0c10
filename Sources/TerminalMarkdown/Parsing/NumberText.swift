/// Numbers as people write them in tables: `1,234.5`, `-3 %`, `~12 ms`, `$9`, `#42`, `1e-9`.
enum NumberText {
  /// The maximum length of a number that is recognized.
  private static let maximumLength = 40
  private static let signs: Set<Character> = ["+", "-", "−", "±", "~", "≈", "<", ">", "≤", "≥"]
  private static let currencies: Set<Character> = ["#", "$", "€", "£", "¥"]

  static func isNumber(_ text: String) -> Bool {
    guard text.utf8.count <= maximumLength else { return false }
    var rest = text[...]
    while let first = rest.first, signs.contains(first) || currencies.contains(first) {
      rest.removeFirst()
    }
    guard let first = rest.first, isDigit(first) else { return false }
    var points = 0
    var last = first
    while let next = rest.first {
      guard isDigit(next) || isDigit(last) && isSeparator(next) else { break }
      if next == "." { points += 1 }
      last = next
      rest.removeFirst()
    }
    // Versions have more than one point; dates and times fail this test.
    return points < 2 && isDigit(last) && isUnit(rest)
  }

  /// Whether the character is a separator. Another digit follows it, because `isNumber` looks at the last character.
  private static func isSeparator(_ character: Character) -> Bool {
    [".", ",", "_", "'", "’"].contains(character)
  }

  /// Whether the text is a unit or an exponent. A unit has at most four characters and no digit, such as `%`, `ms` and
  /// `GB/s`.
  private static func isUnit(_ text: Substring) -> Bool {
    if text.first == "e" || text.first == "E" {
      var digits = text.dropFirst()
      if digits.first == "+" || digits.first == "-" { digits.removeFirst() }
      if !digits.isEmpty, digits.allSatisfy(isDigit) { return true }
    }
    let unit = text.first == " " ? text.dropFirst() : text
    return unit.count <= 4 && unit.allSatisfy { $0.isLetter || "%‰°×/".contains($0) }
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }
}
