package import GitHubAPI

extension SearchQuery {
  /// Reads what is being typed as the filter of a list of issues.
  ///
  /// Unlike other searches it is about issues, and about open ones, as a list is, unless it says otherwise:
  /// `is:all` means both states, as in `IssueFilter.init(query:)`, and `is:pr` pull requests. Its last word may go
  /// on.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` with the code `search` for what is no part of a search.
  package init(filtering text: String) throws(InvalidInput) {
    let (search, saysAll) = Self.withoutAll(text)
    try self.init(parsing: search, isBeingTyped: true)
    func says(_ alternatives: Property.Alternatives) -> Bool {
      conditions.contains { $0.property.alternatives == alternatives }
    }
    if !saysAll, !says(.state) {
      conditions.append(Condition(isNegated: false, property: .state(.open)))
    }
    let saysKind = conditions.contains { condition in
      if case .kind(let kind) = condition.property {
        kind != .locked && kind != .unlocked
      } else {
        false
      }
    }
    if !saysKind { conditions.append(Condition(isNegated: false, property: .kind(.issue))) }
  }

  /// Takes away the words that say that both states are meant, but for those in quotation marks.
  private static func withoutAll(_ text: String) -> (text: String, saysAll: Bool) {
    var (kept, word) = (String.UnicodeScalarView(), String.UnicodeScalarView())
    var (isInQuotes, isEscaped, saysAll) = (false, false, false)
    func endWord() {
      if ["is:all", "state:all"].contains(String(word).lowercased()) {
        saysAll = true
      } else {
        kept += word
      }
      word = String.UnicodeScalarView()
    }
    for scalar in text.unicodeScalars {
      if scalar.properties.isWhitespace, !isInQuotes {
        endWord()
        kept.append(scalar)
        continue
      }
      if scalar == "\"", !isEscaped { isInQuotes.toggle() }
      isEscaped = scalar == "\\" && isInQuotes && !isEscaped
      word.append(scalar)
    }
    endWord()
    return (String(kept), saysAll)
  }
}
