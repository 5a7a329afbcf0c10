public import GitHubAPI

extension SearchQuery {
  /// The limit in bytes, four times GitHub's.
  private static let longestText = 1_024

  /// Parses a search.
  ///
  /// - Parameters:
  ///   - text: The search.
  ///   - isBeingTyped: Whether the last word may be unfinished. In that case, it also finds longer words.
  /// - Throws: ``/GitHubAPI/InvalidInput`` with the code `search`, and a message that explains how to correct the
  ///   search.
  public init(parsing text: String, isBeingTyped: Bool = false) throws(InvalidInput) {
    try self.init(text, isBeingTyped: isBeingTyped) { _ in false }
  }

  private init(
    _ text: String, isBeingTyped: Bool, without isLeftOut: (SearchWord) -> Bool
  ) throws(InvalidInput) {
    guard text.utf8.count <= Self.longestText else {
      throw InvalidInput(.search, "A search can have at most \(Self.longestText) bytes.")
    }
    let words = try SearchWord.words(of: text)
    var parser = Parser()
    for word in words where !isLeftOut(word) { try parser.take(word) }
    let mayGoOn = words.last.map { !isLeftOut($0) } ?? false
    let isOpenEnded =
      isBeingTyped && mayGoOn && text.unicodeScalars.last?.properties.isWhitespace == false
    self = try parser.finish(isBeingTyped: isBeingTyped, isOpenEnded: isOpenEnded)
  }
}

private struct Parser {
  private var query = SearchQuery()
  private var places: Set<SearchQuery.Place> = []
  private var isOrdered = false
  private var operation: SearchWord.Operation?
  private var isAfterTerm = false
  /// Whether a quotation mark or a parenthesis ends the previous word.
  private var isEnded = false
  private var groupCount: Int?

  mutating func take(_ typed: SearchWord) throws(InvalidInput) {
    if let name = try typed.qualifier() {
      if let operation { throw Self.misplaced(operation) }
      guard groupCount == nil else { throw .parentheses }
      try take(typed, name)
      isAfterTerm = false
      return
    }
    let word = typed.withoutParentheses
    if let next = word.operation {
      guard word.openings + word.closings == 0 else { throw .parentheses }
      guard operation == nil, next != .or || isAfterTerm else { throw Self.misplaced(next) }
      operation = next == .and ? nil : next
      return
    }
    if word.openings > 0 {
      guard word.openings == 1, groupCount == nil, !word.isNegated, operation != .not else {
        throw .parentheses
      }
      groupCount = 0
    }
    if let term = word.term {
      guard !term.isPrefix || term.isLongEnoughPrefix else {
        throw InvalidInput(
          .search,
          "A prefix of one letter begins too many words: use at least two letters before the asterisk."
        )
      }
      try take(term, isExcluded: word.isExclusion)
      isEnded = typed.isQuoted
    } else if let operation, word.openings == 0 {
      throw Self.misplaced(operation)
    }
    guard word.closings > 0 else { return }
    // A parenthesis without an opening one belongs to pasted text.
    guard groupCount != 0, groupCount == nil || word.closings == 1 else { throw .parentheses }
    groupCount = nil
    isEnded = true
  }

  private mutating func take(
    _ term: SearchQuery.Term, isExcluded: Bool
  ) throws(InvalidInput) {
    if let count = groupCount {
      guard !isExcluded, count == 0 || operation == .or else { throw .parentheses }
      groupCount = count + 1
    }
    switch (operation, isExcluded) {
    case (.or, false): query.terms[query.terms.count - 1].append(term)
    case (.or, true): throw Self.misplaced(.or)
    case (.not, _), (_, true): query.excluded.append(term)
    case (_, false): query.terms.append([term])
    }
    isAfterTerm = operation != .not && !isExcluded
    operation = nil
  }

  mutating func finish(isBeingTyped: Bool, isOpenEnded: Bool) throws(InvalidInput) -> SearchQuery {
    if let operation { throw Self.misplaced(operation) }
    guard groupCount == nil || isBeingTyped else { throw .parentheses }
    if !places.isEmpty { query.places = places }
    if isOpenEnded, isAfterTerm, !isEnded, var group = query.terms.popLast(),
      var term = group.popLast()
    {
      term.isPrefix = term.isLongEnoughPrefix
      query.terms.append(group + [term])
    }
    return query
  }

  private mutating func take(
    _ word: SearchWord, _ name: SearchWord.Qualifier
  ) throws(InvalidInput) {
    switch name {
    case .in, .repo, .sort:
      guard !word.isNegated else {
        throw InvalidInput(.search, "\(name.rawValue): can't be negated with a minus.")
      }
    default: break
    }
    switch name {
    case .in:
      for value in word.values {
        places.insert(
          try word.understood(
            SearchQuery.Place(rawValue: value.lowercased()), as: "in:title, in:body or in:comments")
        )
      }
    case .repo:
      query.repositories.append(
        try word.understood(RepositoryName(word.value), as: "repo:OWNER/REPO"))
    case .sort:
      guard !isOrdered else {
        throw InvalidInput(.search, "The search has more than one sort: qualifier.")
      }
      isOrdered = true
      (query.sort, query.direction) = try word.order()
    default:
      query.conditions.append(
        SearchQuery.Condition(
          // 'has:' is the negation of 'no:'.
          isNegated: word.isNegated != (name == .has), property: try word.property(name)))
    }
  }

  private static func misplaced(_ operation: SearchWord.Operation) -> InvalidInput {
    switch operation {
    case .or, .and:
      InvalidInput(
        .search,
        "OR joins two words to search for. For labels, use label:bug,crash.")
    case .not:
      InvalidInput(.search, "NOT precedes a word. Before a qualifier such as label:, use a minus.")
    }
  }
}

extension SearchWord {
  fileprivate enum Operation {
    case and
    case or
    case not
  }

  /// Operators are in capital letters, as on GitHub.
  fileprivate var operation: Operation? {
    guard !isQuoted, !isNegated, name == nil else { return nil }
    switch value {
    case "AND": return .and
    case "OR": return .or
    case "NOT": return .not
    default: return nil
    }
  }

  /// Whether the hyphen excludes the word: `--flag` is a word, and `->` is punctuation.
  fileprivate var isExclusion: Bool {
    guard isNegated, !isQuoted else { return isNegated }
    let text = textWithoutSign
    let isSigns = TokenScanner().tokens(of: text.utf8).isEmpty
    return text.isEmpty || text.unicodeScalars.first != "-" && !isSigns
  }

  fileprivate var term: SearchQuery.Term? {
    let text = isExclusion ? textWithoutSign : self.text
    guard !isQuoted else {
      return SearchQuery.Term(text: text, isPhrase: true, isPrefix: isOpenEnded)
    }
    var scalars = text.unicodeScalars[...]
    let isPrefix = scalars.last == "*"
    while scalars.last == "*" { scalars.removeLast() }
    guard !scalars.isEmpty else { return nil }
    return SearchQuery.Term(
      text: String(scalars), isPhrase: !Self.isPlain(scalars), isPrefix: isPrefix)
  }

  private static func isPlain(_ word: Substring.UnicodeScalarView) -> Bool {
    word.first != "-" && !["AND", "OR", "NOT"].contains(String(word))
      && word.allSatisfy { scalar in
        switch scalar {
        case "\"", "(", ")", ":": false
        default: !scalar.properties.isWhitespace
        }
      }
  }
}

extension SearchQuery {
  /// Parses text that is being typed as the filter of a list. Like a list, it finds open issues unless the text
  /// contains a state or a closing date. As in `IssueFilter.init(query:)`, `is:all` means both states, and `is:pr`
  /// means pull requests.
  package init(filtering text: String) throws(InvalidInput) {
    var saysAll = false
    try self.init(text, isBeingTyped: true) { word in
      guard word.meansBothStates else { return false }
      saysAll = true
      return true
    }
    // A condition on closing or merging implies a state.
    let saysState = conditions.contains { condition in
      switch condition.property {
      case .state, .kind(.merged), .kind(.unmerged), .time(.closed, _): true
      default: false
      }
    }
    if !saysAll, !saysState {
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
}

extension SearchWord {
  fileprivate var meansBothStates: Bool {
    guard !isNegated, !isQuoted, let name = name?.lowercased(), name == "is" || name == "state"
    else {
      return false
    }
    return value.lowercased() == "all"
  }
}
