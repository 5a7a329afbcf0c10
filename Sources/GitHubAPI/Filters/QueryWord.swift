/// A term of GitHub's search: `name:value` or `name:"a value"`. In quotation marks, a backslash escapes a quotation
/// mark or a backslash:
/// <https://docs.github.com/en/search-github/getting-started-with-searching-on-github/understanding-the-search-syntax>.
package struct QueryWord: Hashable {
  /// The name in lowercase; empty if there is no colon.
  package var name: String
  /// The value without quotation marks.
  package var value: String

  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  package static func words(of query: String) throws(InvalidInput) -> [QueryWord] {
    let (words, isClosed) = closedWords(of: query)
    guard isClosed else {
      throw InvalidInput(.filter, "The filter has an unclosed quotation mark.")
    }
    return words
  }

  /// Parses the terms of a query. With an unclosed quotation mark, only the terms before it are returned.
  private static func closedWords(of query: String) -> (words: [QueryWord], isClosed: Bool) {
    var words: [QueryWord] = []
    var word = QueryWord(name: "", value: "")
    var (hasName, isInWord, isQuoted, isEscaped) = (false, false, false, false)
    // Compares scalars, because a quotation mark with a combining mark is a different character.
    for scalar in query.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        word.value.unicodeScalars.append(scalar)
        isEscaped = false
      case "\\" where isQuoted: isEscaped = true
      case "\"":
        isQuoted.toggle()
        isInWord = true
      case _ where scalar.properties.isWhitespace && !isQuoted:
        if isInWord { words.append(word) }
        word = QueryWord(name: "", value: "")
        (hasName, isInWord) = (false, false)
      case ":" where !isQuoted && !hasName:
        word = QueryWord(name: word.value.lowercased(), value: "")
        (hasName, isInWord) = (true, true)
      default:
        word.value.unicodeScalars.append(scalar)
        isInWord = true
      }
    }
    if isInWord, !isQuoted { words.append(word) }
    return (words, !isQuoted)
  }
}

extension QueryWord: CustomStringConvertible {
  package var description: String {
    let needsNone = value.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".", "*", ">", "=", ":", "@", "[", "]": true
      default: false
      }
    }
    guard !needsNone || value.isEmpty else { return "\(name):\(value)" }
    var quoted = "\""
    for scalar in value.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return "\(name):\(quoted)\""
  }
}

extension QueryWord {
  /// Whether one of the terms outside quotation marks meets a condition.
  package static func search(_ text: String, says isMeant: (QueryWord) -> Bool) -> Bool {
    closedWords(of: text).words.contains { word in
      var word = word
      // Parentheses for grouping aren't part of the term.
      word.name = String(word.name.drop { $0 == "(" })
      while word.value.last == ")" { word.value.removeLast() }
      return isMeant(word)
    }
  }

  /// The name without a minus sign: `-is:open` also determines the state.
  private var property: String { String(name.drop { $0 == "-" }) }

  /// Whether a search is limited to issues or to pull requests.
  package static func tellsKind(_ text: String) -> Bool {
    search(text) { word in
      ["is", "type"].contains(word.property)
        && ["issue", "pr", "pull-request"].contains(word.value.lowercased())
    }
  }

  package static func tellsState(_ text: String) -> Bool {
    search(text) { word in
      switch word.property {
      case "is", "state":
        ["open", "closed", "merged", "unmerged", "all"].contains(word.value.lowercased())
      case "closed", "merged": true
      default: false
      }
    }
  }

  /// Removes separate terms for the state, such as `is:open` and `state:closed`.
  package static func withoutState(_ text: String) -> String {
    var isQuoted = false
    let words = text.split { character in
      if character == "\"" { isQuoted.toggle() }
      return character.isWhitespace && !isQuoted
    }
    let states = ["is:open", "is:closed", "state:open", "state:closed"]
    return words.filter { !states.contains($0.lowercased()) }.joined(separator: " ")
  }

  package static func hasAlternatives(_ text: String) -> Bool {
    search(text) { $0.name.isEmpty && $0.value == "OR" }
  }

  /// The qualifiers that select repositories.
  package static let places: Set = ["repo", "org", "user"]

  /// Whether a search selects its repositories.
  package static func namesPlace(_ text: String) -> Bool {
    search(text) { places.contains($0.name) }
  }

  package static func tellsOrder(_ text: String) -> Bool {
    search(text) { $0.name == "sort" }
  }

  /// Limits a search to repositories. Parentheses apply this limit to both sides of an `OR`:
  /// <https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/filtering-and-searching-issues-and-pull-requests#using-boolean-operators>
  package static func search(_ text: String, in names: [RepositoryName]) -> String {
    guard !names.isEmpty else { return text }
    return [hasAlternatives(text) ? "(\(text))" : text, places(names)].joined(separator: " ")
  }

  /// The condition that a result is in one of the repositories.
  package static func places(_ names: [RepositoryName]) -> String {
    let places = names.map { "repo:\($0)" }.joined(separator: " OR ")
    return names.count > 1 ? "(\(places))" : places
  }
}

extension QueryWord {
  /// The words of a text without anything that a search understands: quotation marks, qualifiers, parentheses,
  /// operators and exclusions.
  package static func plainWords(_ text: some StringProtocol) -> [String] {
    text.split { $0.isWhitespace || ":()\"".contains($0) }.compactMap { word in
      let word = String(word.drop { $0 == "-" })
      return ["AND", "OR", "NOT"].contains(word) ? word.lowercased() : word.isEmpty ? nil : word
    }
  }

  /// Replaces exact phrases by their words. Quotation marks around the value of a qualifier stay, and so do excluded
  /// phrases, because their words alone would mean something else.
  package static func withoutPhrases(_ text: String) -> String {
    var (result, word) = ("", "")
    var phrase: String?
    var (isValue, isEscaped) = (false, false)
    for scalar in text.unicodeScalars {
      let mark = scalar == "\"" && !isEscaped
      isEscaped = scalar == "\\" && !isEscaped && (isValue || phrase != nil)
      if let begun = phrase {
        guard mark else {
          phrase?.unicodeScalars.append(scalar)
          continue
        }
        result += plainWords(begun.filter { $0 != "\\" }).joined(separator: " ")
        phrase = nil
      } else if mark, !isValue, !word.contains(":"), !word.hasPrefix("-") {
        phrase = ""
      } else {
        if mark { isValue.toggle() }
        word = scalar.properties.isWhitespace && !isValue ? "" : word + String(scalar)
        result.unicodeScalars.append(scalar)
      }
    }
    return result + (phrase.map { plainWords($0).joined(separator: " ") } ?? "")
  }

  /// Whether a search finds only pull requests.
  package static func wantsPullRequests(_ text: String) -> Bool {
    search(text) { word in
      ["is", "type"].contains(word.name)
        && ["pr", "pull-request"].contains(word.value.lowercased())
    }
  }
}
