internal import GitHubAPI

extension SearchWord {
  /// What can stand before a colon.
  enum Qualifier: String, CaseIterable {
    case `is`
    case state
    case type
    case label
    case author
    case assignee
    case mentions
    case commenter
    case involves
    case milestone
    case no
    case created
    case updated
    case closed
    case comments
    case repo
    case `in`
    case sort
  }

  /// What the word tells, if it tells something by name.
  ///
  /// Words of programs and of the web have colons too: `std::vector`, `https://…`, `error:`.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` when the name is none that there is.
  func qualifier() throws(InvalidInput) -> Qualifier? {
    guard let name, !name.isEmpty else { return nil }
    if let qualifier = Qualifier(rawValue: name.lowercased()) { return qualifier }
    let bare = String(name.unicodeScalars.drop { $0 == "(" }).lowercased()
    guard Qualifier(rawValue: bare) == nil else { throw .parentheses }
    let isName = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }
    guard isName, !value.isEmpty, !value.hasPrefix(":"), !value.hasPrefix("/") else { return nil }
    let names = Qualifier.allCases.map { "\($0.rawValue):" }.joined(separator: " ")
    throw InvalidInput(
      .search,
      """
      \(naming) is no part of a search: there are \(names). To look for the text itself, put it in quotation \
      marks.
      """)
  }

  /// The property that the word asks for.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` when it isn't understood.
  func property(_ name: Qualifier) throws(InvalidInput) -> SearchQuery.Property {
    let value = value
    switch name {
    case .is, .state, .type: return try kind(name, value.lowercased())
    case .label:
      let names = values.filter { !$0.isEmpty }
      return .label(
        try understood(names.isEmpty ? nil : names, as: "label:bug or label:bug,\"help wanted\""))
    // As the filter of a list has them.
    case .assignee where value == "*": return .assigned
    case .assignee where value == "none": return .without(.assignee)
    case .milestone where value == "*": return .planned
    case .milestone where value == "none": return .without(.milestone)
    case .author: return .person(.author, try login())
    case .assignee: return .person(.assignee, try login())
    case .mentions: return .person(.mentioned, try login())
    case .commenter: return .person(.commenter, try login())
    case .involves: return .person(.involved, try login())
    case .milestone:
      return .milestone(try understood(value.isEmpty ? nil : value, as: "milestone:\"TITLE\""))
    case .no:
      return .without(
        try understood(
          SearchQuery.Property.Aspect(rawValue: value.lowercased()),
          as: "no:label, no:assignee or no:milestone"))
    case .created: return .time(.created, try times())
    case .updated: return .time(.updated, try times())
    case .closed: return .time(.closed, try times())
    case .comments:
      return .comments(
        try understood(
          SearchSpan(numbers: value), as: "comments:10, comments:>10 or comments:5..10"))
    case .repo, .in, .sort: throw refusal("a property")
    }
  }

  /// The order that the word asks for.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` when it isn't understood.
  func order() throws(InvalidInput) -> (SearchQuery.Sort, IssueFilter.Direction) {
    let expectation =
      "sort:relevance, sort:created, sort:updated or sort:comments, with -asc or -desc after it"
    let parts = value.lowercased().split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let sort = parts.first.flatMap { SearchQuery.Sort(rawValue: String($0)) }
    let direction =
      parts.count < 2 ? .descending : IssueFilter.Direction(rawValue: String(parts[1]))
    return (try understood(sort, as: expectation), try understood(direction, as: expectation))
  }

  /// A value, or the refusal of the word where there is none.
  func understood<Value>(
    _ value: Value?, as expectation: String
  ) throws(InvalidInput) -> Value {
    guard let value else { throw refusal(expectation) }
    return value
  }

  private func kind(
    _ name: Qualifier, _ value: String
  ) throws(InvalidInput) -> SearchQuery.Property {
    if name != .type, let state = SearchQuery.Property.State(rawValue: value) {
      return .state(state)
    }
    let kind = name == .state ? nil : SearchQuery.Property.Kind(rawValue: value)
    switch (name, kind) {
    case (.is, let kind?): return .kind(kind)
    case (.type, .issue): return .kind(.issue)
    case (.type, .pullRequest): return .kind(.pullRequest)
    case (.state, _): throw refusal("state:open or state:closed")
    case (.type, _): throw refusal("type:issue or type:pr")
    default:
      let kinds = SearchQuery.Property.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal("is: with open, closed, \(kinds)")
    }
  }

  private func login() throws(InvalidInput) -> Username {
    // As GitHub's search writes a bot's.
    let login = value.hasPrefix("app/") ? "\(value.dropFirst(4))[bot]" : value
    return try understood(Username(login), as: "a user's login")
  }

  private func times() throws(InvalidInput) -> SearchSpan {
    let name = name ?? ""
    return try understood(
      SearchSpan(times: value),
      as: "\(name):>=2026-01-31, \(name):2026-01-01..2026-01-31 or 2026-01-31T12:00:00Z")
  }

  private func refusal(_ expectation: String) -> InvalidInput {
    InvalidInput(.search, "\(naming) is not understood: use \(expectation).")
  }

  private var naming: String {
    let qualifier = name.flatMap { Qualifier(rawValue: $0.lowercased()) }
    let place = qualifier.map { "What stands behind \($0.rawValue):" }
    return InvalidInput.naming(text, otherwise: place ?? "A word of the search")
  }
}

extension InvalidInput {
  /// The refusal of parentheses around something else than words of which one is looked for.
  static var parentheses: InvalidInput {
    InvalidInput(
      .search,
      """
      Parentheses stand around words with OR between them, as in (crash OR hang), and around nothing else. \
      To look for a text with parentheses, put it in quotation marks.
      """)
  }
}
