public import GitHubAPI

extension SearchQuery {
  /// How many bytes a search has at most, four times what GitHub's takes.
  private static let longestText = 1_024

  /// Reads a search.
  ///
  /// - Parameters:
  ///   - text: The search in words.
  ///   - isBeingTyped: Whether the word at its end may go on: it is then found in longer ones too.
  /// - Throws: ``GitHubAPI/InvalidInput`` with the code `search` for what is no part of a search; it says
  ///   what there is.
  public init(parsing text: String, isBeingTyped: Bool = false) throws(InvalidInput) {
    try self.init(text, isBeingTyped: isBeingTyped) { _ in false }
  }

  /// Reads a search without some of its words, which end the word before them.
  private init(
    _ text: String, isBeingTyped: Bool, without isLeftOut: (SearchWord) -> Bool
  ) throws(InvalidInput) {
    guard text.utf8.count <= Self.longestText else {
      throw InvalidInput(.search, "A search has at most \(Self.longestText) bytes.")
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

/// Puts the words of a search together.
private struct Parser {
  private var query = SearchQuery()
  private var places: Set<SearchQuery.Place> = []
  private var isOrdered = false
  /// What the word before asks of the next one.
  private var operation: SearchWord.Operation?
  /// Whether the word before is one to look for, so that `OR` may follow.
  private var isAfterTerm = false
  /// Whether a quotation mark or a parenthesis ends the word before, so that it doesn't go on.
  private var isEnded = false
  /// How many words the parentheses have that are open; nil where none are.
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
      try take(term, isExcluded: word.isExclusion)
      isEnded = typed.isQuoted
    } else if let operation, word.openings == 0 {
      throw Self.misplaced(operation)
    }
    guard word.closings > 0 else { return }
    // Those that nobody opened belong to what was pasted.
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
      term.isPrefix = true
      query.terms.append(group + [term])
    }
    return query
  }

  /// Takes a word with a name.
  private mutating func take(
    _ word: SearchWord, _ name: SearchWord.Qualifier
  ) throws(InvalidInput) {
    switch name {
    case .in, .repo, .sort:
      guard !word.isNegated else {
        throw InvalidInput(.search, "A minus before \(name.rawValue): means nothing.")
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
        throw InvalidInput(.search, "The search tells the order twice: say it once.")
      }
      isOrdered = true
      (query.sort, query.direction) = try word.order()
    default:
      query.conditions.append(
        SearchQuery.Condition(isNegated: word.isNegated, property: try word.property(name)))
    }
  }

  private static func misplaced(_ operation: SearchWord.Operation) -> InvalidInput {
    switch operation {
    case .or, .and:
      InvalidInput(
        .search,
        "OR stands between two words that are looked for; for labels there is label:bug,crash.")
    case .not:
      InvalidInput(.search, "NOT stands before a word; before label: and its like a minus does.")
    }
  }
}

extension SearchWord {
  /// What joins words.
  fileprivate enum Operation {
    case and
    case or
    case not
  }

  /// What joins words, if it is such a word: in capitals, as GitHub has it.
  fileprivate var operation: Operation? {
    guard !isQuoted, !isNegated, name == nil else { return nil }
    switch value {
    case "AND": return .and
    case "OR": return .or
    case "NOT": return .not
    default: return nil
    }
  }

  /// Whether it must not be there: `--flag` is a word, and `->` are signs.
  fileprivate var isExclusion: Bool {
    guard isNegated, !isQuoted else { return isNegated }
    let text = textWithoutSign
    let isSigns = TokenScanner().tokens(of: text.utf8).isEmpty
    return text.isEmpty || text.unicodeScalars.first != "-" && !isSigns
  }

  /// What is looked for, if there is any.
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

  /// Whether a word can be written without quotation marks, and is no operator then.
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
  /// Reads what is being typed as the filter of a list of issues.
  ///
  /// Unlike other searches it is about issues, and about open ones, as a list is, unless it says otherwise:
  /// `is:all` means both states, as in `IssueFilter.init(query:)`, and `is:pr` pull requests. Its last word may go
  /// on.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` with the code `search` for what is no part of a search.
  package init(filtering text: String) throws(InvalidInput) {
    var saysAll = false
    try self.init(text, isBeingTyped: true) { word in
      guard word.meansBothStates else { return false }
      saysAll = true
      return true
    }
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
}

extension SearchWord {
  /// Whether it says that open and closed issues are meant: `is:all`, or `state:all`.
  fileprivate var meansBothStates: Bool {
    guard !isNegated, let name = name?.lowercased(), name == "is" || name == "state" else {
      return false
    }
    return value.lowercased() == "all"
  }
}
