internal import PlatformModules

/// The filter in the syntax of GitHub's search bar:
/// <https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>.
extension IssueFilter: CustomStringConvertible {
  /// Parses a filter in the syntax of GitHub's search.
  ///
  /// | word | meaning |
  /// |---|---|
  /// | `is:open`, `is:closed`, `is:all`, or with `state:` | the state; open by default |
  /// | `label:bug`, `label:"good first issue"` | a label; repeat the word to require several |
  /// | `assignee:octocat`, `assignee:*`, `assignee:none` or `no:assignee` | the assignee |
  /// | `author:octocat`, `mentions:octocat` | the author, a mentioned user |
  /// | `milestone:3`, `milestone:*`, `milestone:none` or `no:milestone` | the milestone, by its title, or else by its number |
  /// | `type:Bug`, `type:*`, `type:none` or `no:type` | the type |
  /// | `field.priority:High`, `field.target-date:2026-12-31` | the value of a field; repeat the word for several |
  /// | `updated:>=2026-01-31`, `updated:>=2026-01-31T12:00:00Z` | issues updated since a time, in UTC |
  /// | `sort:comments-asc`, `sort:updated` | the order: by `created`, `updated` or `comments` |
  ///
  /// The order of the terms doesn't matter. `is:issue` has no effect.
  ///
  /// - Throws: ``InvalidInput`` with the code `filter` for any other term, and for a repeated term that may occur only
  ///   once.
  public init(query: String) throws(InvalidInput) {
    self.init()
    var said: Set<Aspect> = []
    for word in try QueryWord.words(of: query) {
      guard let aspect = try apply(word) else { continue }
      guard said.insert(aspect).inserted else {
        throw InvalidInput(.filter, "The filter has more than one \(aspect.rawValue).")
      }
    }
  }

  /// The filter in the syntax of ``init(query:)``: the state, and every difference from the defaults.
  ///
  /// Parsing the query drops fractions of a second in ``since``, and changes the number of a milestone to a title or
  /// number. It throws for a label with a comma or an empty name, because the API can't filter by such labels.
  public var query: String {
    var words = ["is:\(state.rawValue)"] + qualifiers
    if sort != .created || direction != .descending { words.append("sort:\(order)") }
    return words.joined(separator: " ")
  }

  /// The ``query``.
  public var description: String { query }

  private var qualifiers: [String] {
    var words = labels.map { QueryWord(name: "label", value: $0) }
    func append(_ name: String, _ value: String?) {
      if let value { words.append(QueryWord(name: name, value: value)) }
    }
    switch assignee {
    case .nobody: append("no", "assignee")
    case .user, .anybody, nil: append("assignee", assignee?.description)
    }
    append("author", creator?.login)
    append("mentions", mentioned?.login)
    switch milestone {
    case .absent: append("no", "milestone")
    case .number, .title, .any, nil: append("milestone", milestone?.description)
    }
    switch type {
    case .absent: append("no", "type")
    case .named, .any, nil: append("type", type?.description)
    }
    words += fields.map(\.word)
    append("updated", since.map { ">=\(Timestamp.dayOrTime(from: $0))" })
    return words.map(\.description)
  }

  /// The order in the syntax of the search, such as `created-desc`.
  package var order: String { "\(sort.rawValue)-\(direction.rawValue)" }

  /// A part of the filter that may occur only once.
  private enum Aspect: String {
    case state
    case assignee
    case author
    case mention
    case milestone
    case type
    case time
    case order
  }

  /// Applies a term, and returns its aspect; nil for a term that may be repeated.
  private mutating func apply(_ word: QueryWord) throws(InvalidInput) -> Aspect? {
    let value = word.value.lowercased()
    switch word.name {
    case "is" where value == "issue", "type" where value == "issue":
      return nil
    case "is", "state":
      state = try Self.value(
        State(rawValue: value), of: word, "\(word.name):open, closed or all")
      return .state
    case "label":
      let isName = !word.value.isEmpty && !word.value.utf8.contains(UInt8(ascii: ","))
      labels.append(
        try Self.value(
          isName ? word.value : nil, of: word,
          "label:bug or label:\"good first issue\", with one term per label"))
      return nil
    case "assignee":
      assignee = try Self.value(
        Assignee(word.value), of: word, "assignee:LOGIN, assignee:* or no:assignee")
      return .assignee
    case "no" where value == "assignee":
      assignee = .nobody
      return .assignee
    case "no" where value == "milestone":
      milestone = .absent
      return .milestone
    case "no" where value == "type":
      type = .absent
      return .type
    case "no":
      throw Self.refusal(of: word, "no:assignee, no:milestone or no:type")
    // A filter doesn't distinguish pull requests from issues.
    case "type" where value != "pr" && value != "pull-request":
      type = try Self.value(IssueTypeChoice(word.value), of: word, "type:NAME, type:* or no:type")
      return .type
    case _ where word.name.hasPrefix(GitHubQualifier.fieldPrefix):
      let name = String(word.name.dropFirst(GitHubQualifier.fieldPrefix.count))
      fields.append(
        try Self.value(
          IssueFieldChoice(name: name, value: word.value), of: word, "field.NAME:VALUE"))
      return nil
    case "author":
      creator = try Self.value(Username(word.value), of: word, "author:LOGIN")
      return .author
    case "mentions":
      mentioned = try Self.value(Username(word.value), of: word, "mentions:LOGIN")
      return .mention
    case "milestone":
      milestone = try Self.value(
        MilestoneChoice(titleOrNumber: word.value), of: word,
        "milestone:TITLE, milestone:* or no:milestone")
      return .milestone
    case "updated":
      let time = word.value.hasPrefix(">=") ? String(word.value.dropFirst(2)) : ""
      since = try Self.value(
        TimeWord(time)?.date ?? Timestamp.date(fromDayOrTime: time), of: word,
        "updated:>=2026-01-31, updated:>=2026-01-31T12:00:00Z, updated:>=yesterday or updated:>=7d")
      return .time
    case "sort":
      let parts = value.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      let expectation = "sort:created, updated or comments, with -asc or -desc after it"
      sort = try Self.value(
        parts.first.flatMap { Sort(rawValue: String($0)) }, of: word, expectation)
      direction = try Self.value(
        parts.count < 2 ? .descending : Direction(rawValue: String(parts[1])), of: word,
        expectation)
      return .order
    default:
      throw InvalidInput(
        .filter,
        """
        \(Self.naming(word)) isn't part of a filter: use is:, label:, assignee:, author:, mentions:, milestone:, \
        type:, field.NAME:, no:, updated:>= or sort:.
        """)
    }
  }

  private static func value<Value>(
    _ value: Value?, of word: QueryWord, _ expectation: String
  ) throws(InvalidInput) -> Value {
    guard let value else { throw refusal(of: word, expectation) }
    return value
  }

  private static func refusal(of word: QueryWord, _ expectation: String) -> InvalidInput {
    InvalidInput(.filter, "\(naming(word)) is not understood: use \(expectation).")
  }

  private static func naming(_ word: QueryWord) -> String {
    let text = word.name.isEmpty ? word.value : "\(word.name):\(word.value)"
    return InvalidInput.naming(text, otherwise: "A filter term")
  }
}
