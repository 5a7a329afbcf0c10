/// A request for the search of issues: the words, the repositories, and the page.
///
/// It supports the qualifiers of users and `gh`: words in titles, `is:`, `state:`, `type:`, `repo:`, `label:` and
/// `-label:`, `org:`, `user:`, `author:`, `assignee:`, `mentions:`, `review-requested:`, `milestone:`, `no:`,
/// `created:`, `updated:` and `sort:`, and `@me`. It ignores other qualifiers. The rules are those of "Search issues
/// and pull requests": https://docs.github.com/en/rest/search/search#search-issues-and-pull-requests
///
/// With `advanced_search=true`, two repositories need an `OR` between them, because no issue is in both
/// (https://github.com/microsoft/vscode/issues/252667). Parentheses and `AND` change nothing else.
struct IssueSearchQuery: Sendable, Equatable {
  /// `OWNER/NAME` each; empty for every repository.
  private(set) var repositories: [String] = []
  /// The owners of repositories, in lower case, if any are named.
  private(set) var owners: [String] = []
  /// Whether it asks for issues that are in two repositories at once.
  private(set) var contradictsItself = false
  private var isAdvanced = false
  private var isAfterOr = false
  /// Of `@me`; nil without a token.
  private var login: String?
  /// The request to each repository.
  private(set) var issues = IssueQuery()
  /// The page.
  let pages: NumberedPages

  /// Reads a query.
  ///
  /// - Throws: ``SearchRefusal``.
  init(_ query: [LoopbackRequest.QueryItem], login: String? = nil) throws(SearchRefusal) {
    self.login = login
    let text = try SearchText(query)
    pages = NumberedPages(query)
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    if let sort = value("sort").flatMap(IssueQuery.Sort.init(rawValue:)) {
      issues.sort = sort
      issues.ascending = value("order") == "asc"
    }
    issues.state = "all"
    isAdvanced = value("advanced_search") == "true"
    for word in text.words {
      let isOperator = isAdvanced && ["AND", "OR"].contains(word)
      if !isOperator {
        apply(isAdvanced ? word.trimmingCharacters { $0 == "(" || $0 == ")" } : word)
      }
      isAfterOr = isOperator && word == "OR"
    }
  }

  /// Reads the words in the variables of a GraphQL query.
  ///
  /// - Parameter text: The words.
  /// - Returns: The request to the repository that the words name.
  static func issues(_ text: String) -> IssueQuery {
    var search = IssueSearchQuery()
    for word in SearchText.words(of: text) { search.apply(word) }
    return search.issues
  }

  /// Searches by meaning, if the query can be: every issue that has the other properties is found.
  ///
  /// - Parameter text: The query.
  /// - Returns: The reason for searching by words instead; nil if there is none.
  mutating func searchByMeaning(_ text: String) -> String? {
    if issues.words.isEmpty { return "no_text_terms" }
    if issues.listsPullRequests != false { return "non_issue_target" }
    if text.contains(" OR ") { return "or_boolean_not_supported" }
    if text.contains(#/(^|\s)"/#) { return "quoted_text" }
    issues.words = []
    return nil
  }

  private init() {
    pages = NumberedPages([])
    issues.state = "all"
  }

  private mutating func apply(_ word: String) {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2 else {
      issues.words.append(word)
      return
    }
    let value = parts[1] == "@me" ? login ?? "@me" : parts[1]
    switch parts[0].lowercased() {
    case "-label": issues.excludedLabels.append(value.lowercased())
    case "no":
      switch value {
      case "label": issues.hasLabels = false
      case "assignee": issues.assignee = "none"
      case "milestone": issues.milestone = "none"
      default: break
      }
    case "created": issues.created = Self.span(value)
    case "updated": issues.updated = Self.span(value)
    case "sort":
      let words = value.split(separator: "-", maxSplits: 1).map(String.init)
      if let sort = IssueQuery.Sort(rawValue: words[0]) {
        issues.sort = sort
        issues.ascending = words.count > 1 && words[1] == "asc"
      }
    case "repo":
      contradictsItself =
        contradictsItself
        || isAdvanced && !isAfterOr && !repositories.isEmpty && !repositories.contains(value)
      repositories.append(value)
    case "is", "state", "type":
      switch value {
      case "open", "closed": issues.state = value
      case "issue": issues.listsPullRequests = false
      case "pr", "pull-request": issues.listsPullRequests = true
      default: break
      }
    case let name where name.hasPrefix("field."):
      issues.fields[String(name.dropFirst("field.".count))] = value.lowercased()
    case "label": issues.labels.append(value.lowercased())
    case "author": issues.creator = value
    case "assignee": issues.assignee = value
    case "mentions": issues.mentioned = value
    case "review-requested": issues.reviewer = value
    case "org", "user": owners.append(value.lowercased())
    case "milestone":
      let index = SyntheticIssues.milestones.firstIndex(of: value)
      issues.milestone = index.map { "\($0 + 1)" } ?? value
    default: break
    }
  }

  /// A day, or days from one on or up to one; nil for anything else.
  private static func span(_ text: String) -> ClosedRange<Int>? {
    let sign = text.prefix { "<>=".contains($0) }
    guard let first = Timestamp.seconds(String(text.dropFirst(sign.count))) else { return nil }
    let last = first + 86_399
    return switch sign {
    case "": first...last
    case ">=": first...Int.max
    case ">": last + 1...Int.max
    case "<=": Int.min...last
    case "<": Int.min...first - 1
    default: nil
    }
  }

  /// The results on the page, from each repository's issues.
  ///
  /// - Parameter stores: The repositories' issues.
  /// - Returns: The issues with their repositories' places in `stores`, and the total count.
  func results(in stores: [IssueStore]) -> (items: [(place: Int, issue: SyntheticIssue)], Int) {
    var query = issues
    query.perPage = 1
    let totals = stores.map { $0.update { $0.page(query).total } }
    let total = totals.reduce(0, +)
    let window = pages.window(of: min(total, SearchText.maximumCount))
    var items: [(place: Int, issue: SyntheticIssue)] = []
    var first = 0
    for (place, store) in stores.enumerated() {
      let part = window.clamped(to: first..<first + totals[place])
      if !part.isEmpty {
        query.perPage = part.upperBound - first
        items += store.update { $0.page(query) }.issues.dropFirst(part.lowerBound - first).map {
          (place, $0)
        }
      }
      first += totals[place]
    }
    return (items, total)
  }
}

extension String {
  /// The text, trimmed at both ends.
  fileprivate func trimmingCharacters(where isTrimmed: (Character) -> Bool) -> String {
    var rest = drop(while: isTrimmed)
    while rest.last.map(isTrimmed) == true { rest.removeLast() }
    return String(rest)
  }
}
