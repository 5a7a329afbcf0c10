internal import GitHubAPI

/// A word of a search as typed: `crash`, `"exact phrase"`, `-label:bug`, `label:a,"b c"`. Within quotation marks, a
/// backslash escapes a quotation mark or a backslash.
struct SearchWord: Hashable {
  var isNegated = false
  var name: String?
  /// The values between commas, without quotation marks.
  var values = [""]
  var isQuoted = false
  /// Whether an asterisk follows the quotation marks.
  var isOpenEnded = false
  /// The number of parentheses that the word opens. Those of `foo()` belong to the word.
  var openings = 0
  var closings = 0

  var value: String { values.joined(separator: ",") }

  var text: String { (isNegated ? "-" : "") + textWithoutSign }

  var textWithoutSign: String { (name.map { "\($0):" } ?? "") + value }

  static func words(of text: String) throws(InvalidInput) -> [SearchWord] {
    var words: [SearchWord] = []
    var word = SearchWord()
    var (isInWord, isInQuotes, isEscaped) = (false, false, false)
    // Iterates over scalars, because a combining mark turns a quotation mark into a different character.
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
      throw InvalidInput(.search, "The search has an unclosed quotation mark.")
    }
    if isInWord { words.append(word) }
    return words
  }

  var withoutParentheses: SearchWord {
    guard !isQuoted || name != nil else { return self }
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

  static func written(_ text: String) -> String {
    let needsNone = text.unicodeScalars.allSatisfy { scalar in
      switch scalar {
      case "\"", "\\", ",", ":", "(", ")": false
      default: !scalar.properties.isWhitespace
      }
    }
    return needsNone && !text.isEmpty ? text : quoted(text)
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted += "\\" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

extension SearchWord {
  enum Qualifier: String, CaseIterable {
    case `is`
    case state
    case type
    case field
    case label
    case author
    case assignee
    case mentions
    case commenter
    case involves
    case milestone
    case parent = "parent-issue"
    case no
    case has
    case created
    case updated
    case closed
    case comments
    case repo
    case `in`
    case sort
  }

  /// Nil for code and URLs: `std::vector`, `https://…`, `error:`.
  func qualifier() throws(InvalidInput) -> Qualifier? {
    guard let name, !name.isEmpty else { return nil }
    if let qualifier = Qualifier(rawValue: name.lowercased()) { return qualifier }
    if fieldName != nil { return .field }
    let bare = String(name.unicodeScalars.drop { $0 == "(" }).lowercased()
    guard Qualifier(rawValue: bare) == nil else { throw .parentheses }
    let isName = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte == UInt8(ascii: "-")
    }
    guard isName, !value.isEmpty, !value.hasPrefix(":"), !value.hasPrefix("/") else { return nil }
    let names = Qualifier.allCases.map(\.rawValue)
    let meant = Spelling.nearest(to: bare, among: names).map { ": did you mean '\($0):'?" } ?? "."
    throw InvalidInput(
      .search,
      """
      \(naming) isn't a search qualifier\(meant) The qualifiers are \
      \(names.map { "\($0):" }.joined(separator: " ")). To find the text itself, put it in quotation marks.
      """)
  }

  /// The field's name: `priority` in `field.priority:High`.
  private var fieldName: String? {
    guard let name = name?.lowercased(), name.hasPrefix(GitHubQualifier.fieldPrefix) else {
      return nil
    }
    return String(name.dropFirst(GitHubQualifier.fieldPrefix.count))
  }

  func property(_ name: Qualifier) throws(InvalidInput) -> SearchQuery.Property {
    let value = value
    switch name {
    case .is, .state, .type: return try kind(name, value.lowercased())
    case .parent:
      let issue = try understood(
        try? IssueReference(parsing: value), as: "parent-issue:12 or parent-issue:OWNER/REPO#12")
      return .parent(issue.repository?.name, issue.number)
    case .label:
      let names = values.filter { !$0.isEmpty }
      return .label(
        try understood(names.isEmpty ? nil : names, as: "label:bug or label:bug,\"help wanted\""))
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
    case .field:
      return .field(
        try understood(
          fieldName.flatMap { FieldTest(field: $0, values: values) },
          as: "field.NAME: with a value, such as field.priority:High, field.effort:>=3 or "
            + "field.target-date:2026-01-01..2026-12-31"))
    case .no, .has:
      let aspect = value.lowercased()
      if aspect.hasPrefix(GitHubQualifier.fieldPrefix) {
        let field = String(aspect.dropFirst(GitHubQualifier.fieldPrefix.count))
        return .withoutField(
          try understood(field.isEmpty ? nil : field, as: "\(name.rawValue):field.NAME"))
      }
      return .without(
        try understood(
          SearchQuery.Property.Aspect(rawValue: aspect),
          as: SearchQuery.Property.Aspect.allCases.map { "\(name.rawValue):\($0.rawValue), " }
            .joined() + "or \(name.rawValue):field.NAME"))
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

  func order() throws(InvalidInput) -> (SearchQuery.Sort, IssueFilter.Direction) {
    let expectation =
      "sort:relevance, created, updated, comments or reactions, with -asc or -desc after it"
    let parts = value.lowercased().split(
      separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    let sort = parts.first.flatMap { SearchQuery.Sort(rawValue: String($0)) }
    let direction =
      parts.count < 2 ? .descending : IssueFilter.Direction(rawValue: String(parts[1]))
    return (try understood(sort, as: expectation), try understood(direction, as: expectation))
  }

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
    case (.type, _) where value == "*": return .typed
    case (.type, _) where value == "none": return .without(.type)
    case (.type, _):
      return .type(
        try understood(self.value.isEmpty ? nil : self.value, as: "type:issue, type:pr or type:Bug")
      )
    default:
      let kinds = SearchQuery.Property.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal("is: with open, closed, \(kinds)")
    }
  }

  private func login() throws(InvalidInput) -> Username {
    try understood(Username(value), as: "a user's login")
  }

  private func times() throws(InvalidInput) -> SearchSpan {
    let name = name ?? ""
    return try understood(
      SearchSpan(times: value),
      as: "\(name):>=2026-01-31, \(name):>=yesterday, \(name):>=7d, "
        + "\(name):2026-01-01..2026-01-31 or 2026-01-31T12:00:00Z")
  }

  private func refusal(_ expectation: String) -> InvalidInput {
    InvalidInput(.search, "\(naming) is not understood: use \(expectation).")
  }

  private var naming: String {
    let qualifier = name.flatMap { Qualifier(rawValue: $0.lowercased()) }
    let place = qualifier.map { "The value of \($0.rawValue):" }
    return InvalidInput.naming(text, otherwise: place ?? "A search term")
  }
}

extension InvalidInput {
  static var parentheses: InvalidInput {
    InvalidInput(
      .search,
      """
      Parentheses may only enclose words joined by OR, as in (crash OR hang). To find text with parentheses, \
      put it in quotation marks.
      """)
  }
}
