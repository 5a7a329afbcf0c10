internal import GitHubAPI

/// A word of a search as it was typed: `crash`, `"exact phrase"`, `-label:bug`, `label:a,"b c"`.
///
/// What stands between quotation marks belongs to the word with its blanks, colons and commas; there, a
/// quotation mark or a backslash has a backslash before it.
struct SearchWord: Hashable {
  /// Whether a minus stands before it.
  var isNegated = false
  /// What stands before the first colon; nil without one.
  var name: String?
  /// What it says, in parts where commas separate them; without quotation marks.
  var values = [""]
  /// Whether a quotation mark opens it, or what stands behind the colon.
  var isQuoted = false
  /// Whether a star stands behind the quotation marks.
  var isOpenEnded = false
  /// How many parentheses are opened before it; those of `foo()` belong to it.
  var openings = 0
  /// How many parentheses are closed behind it.
  var closings = 0

  /// What it says, with the commas.
  var value: String { values.joined(separator: ",") }

  /// The word as it was typed, but for quotation marks.
  var text: String { (isNegated ? "-" : "") + textWithoutSign }

  /// The word without a minus before it.
  var textWithoutSign: String { (name.map { "\($0):" } ?? "") + value }

  /// Splits a search into its words.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` with the code `search` where a quotation mark is left open.
  static func words(of text: String) throws(InvalidInput) -> [SearchWord] {
    var words: [SearchWord] = []
    var word = SearchWord()
    var (isInWord, isInQuotes, isEscaped) = (false, false, false)
    // By scalars: a quotation mark with a combining mark after it is another character.
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        word.append(scalar)
        isEscaped = false
      case "\\" where isInQuotes: isEscaped = true
      case "\"":
        if !isInQuotes, word.values.count == 1, word.value.unicodeScalars.allSatisfy({ $0 == "(" })
        {
          word.isQuoted = true
          word.openings = word.value.unicodeScalars.count
          word.values = [""]
        }
        isInQuotes.toggle()
        isInWord = true
      case _ where isInQuotes: word.append(scalar)
      case _ where scalar.properties.isWhitespace:
        if isInWord { words.append(word) }
        word = SearchWord()
        isInWord = false
      case "-" where !isInWord:
        word.isNegated = true
        isInWord = true
      case ":" where word.name == nil && !word.isQuoted:
        word.name = word.value
        word.values = [""]
      case "," where word.name != nil: word.values.append("")
      case "*" where word.isQuoted && word.name == nil: word.isOpenEnded = true
      case ")" where word.isQuoted && word.name == nil: word.closings += 1
      default:
        word.append(scalar)
        isInWord = true
      }
    }
    guard !isInQuotes else {
      throw InvalidInput(.search, "A quotation mark of the search is not closed.")
    }
    if isInWord { words.append(word) }
    return words
  }

  /// The word as a text to look for, with its parentheses counted.
  var withoutParentheses: SearchWord {
    guard !isQuoted || name != nil else { return self }
    // By scalars: a parenthesis with a combining mark after it is another character.
    var scalars = textWithoutSign.unicodeScalars[...]
    func count(_ scalar: Unicode.Scalar) -> Int { scalars.count { $0 == scalar } }
    var word = SearchWord(isNegated: isNegated)
    while scalars.first == "(", count("(") > count(")") {
      scalars.removeFirst()
      word.openings += 1
    }
    while scalars.last == ")", count(")") > count("(") {
      scalars.removeLast()
      word.closings += 1
    }
    word.values = [String(scalars)]
    return word
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    values[values.count - 1].unicodeScalars.append(scalar)
  }

  /// A text as it is written in a search, with quotation marks where it can't do without.
  static func written(_ text: String) -> String {
    let needsNone = text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "\"", "\\", ",", ":", "(", ")": false
      default: !scalar.properties.isWhitespace
      }
    }
    return needsNone && !text.isEmpty ? text : quoted(text)
  }

  /// A text between quotation marks.
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}
