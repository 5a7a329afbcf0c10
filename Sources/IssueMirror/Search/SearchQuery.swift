public import GitHubAPI
internal import PlatformModules

/// A search in GitHub's syntax:
/// <https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>.
///
/// ```swift
/// let query = try SearchQuery(parsing: #"is:open label:bug "result builder" crash -macro"#)
/// ```
///
/// | syntax | meaning |
/// |---|---|
/// | `crash parser` | both words, in the title and body or in one comment, in any order and case |
/// | `"result builder"`, `foo.bar()`, `日本語` | the parts in this order, next to each other |
/// | `getUserName` | the whole name in any case, or its parts next to each other |
/// | `swif*`, `"result buil*"` | words with this prefix of at least two letters |
/// | `crash OR hang parser`, `(crash OR hang) parser` | one of the first two words, and the third; parentheses have no other use |
/// | `-macro`, `NOT macro` | not in the title, the body or a comment |
/// | `#123`, `123` | that issue, and issues that mention it |
/// | `is:open`, `is:closed`, `is:issue`, `is:pr`, `is:merged`, `is:unmerged`, `is:draft`, `is:locked`, `is:unlocked`, or `state:`, `type:` | the state or kind |
/// | `is:blocked`, `is:blocking` | blocked by an open issue, or blocking one |
/// | `type:Bug`, `type:*`, `no:type` | the issue type |
/// | `field.priority:High`, `field.effort:>=3`, `has:field.effort`, `no:field.effort` | a field of the organization; days and numbers have `>`, `<` and ranges |
/// | `parent-issue:12`, `parent-issue:swiftlang/swift#12`, `no:parent-issue` | the parent issue |
/// | `label:bug`, `label:bug,"help wanted"` | a label, or one of several |
/// | `author:octocat`, `assignee:octocat`, `mentions:octocat`, `commenter:octocat`, `involves:octocat` | people; `assignee:*` finds assigned issues, `assignee:none` unassigned ones |
/// | `milestone:"6.3"` | the milestone, by title, or by number if no title matches |
/// | `no:label`, `no:assignee`, `no:milestone` | issues without one; `has:` finds issues with one |
/// | `created:2026-01-31`, `updated:>=2026-01-31`, `closed:2026-01-01..2026-01-31T12:00:00Z` | days by UTC, or times; also `>`, `<`, `<=`, and `*` for an open end |
/// | `created:today`, `updated:>=yesterday`, `closed:>=7d`, `updated:<2w` | days in the user's time zone; ages in hours (`12h`), days or weeks |
/// | `comments:>10`, `comments:5..10` | the number of comments |
/// | `repo:swiftlang/swift` | the repository, or one of several |
/// | `in:title`, `in:body`, `in:comments` | the place of the words; by default everywhere |
/// | `sort:updated`, `sort:created-asc`, `sort:comments`, `sort:reactions`, `sort:relevance` | the order |
///
/// Words may come in any order. An issue must meet all conditions, even several with the same qualifier: `author:a
/// author:b` finds nothing. As on GitHub, only several `repo:` or several `involves:` are alternatives. A `-` negates
/// the following word. A word with a colon that isn't a qualifier needs quotation marks, so that typing errors don't go
/// unnoticed. Punctuation next to words is ignored; on its own, it doesn't find anything.
///
/// Case and diacritics don't matter.
public struct SearchQuery: Hashable, Sendable {
  package struct Term: Hashable, Sendable {
    package var text: String
    package var isPhrase = false
    package var isPrefix = false

    /// Whether a search can collect all words with this prefix. A single letter begins too many words.
    var isLongEnoughPrefix: Bool {
      let last = TokenScanner().tokens(of: text.utf8).last { !$0.isColocated }
      return last.map { $0.text.utf8.count > 1 } ?? true
    }
  }

  package struct Condition: Hashable, Sendable {
    package var isNegated: Bool
    package var property: Property
  }

  /// The order of results.
  public enum Sort: String, CaseIterable, Hashable, Sendable, Codable {
    /// The best match first.
    case relevance
    /// By creation time.
    case created
    /// By the time of the last change.
    case updated
    /// By the number of comments.
    case comments
    /// By the number of reactions.
    case reactions
  }

  package enum Place: String, CaseIterable, Hashable, Sendable {
    case title
    case body
    case comments
  }

  /// The terms in groups. Text matches if it contains a term of each group.
  package var terms: [[Term]] = []
  package var excluded: [Term] = []
  package var conditions: [Condition] = []
  package var places: Set<Place> = Set(Place.allCases)
  /// The repositories specified in the search, in order; empty for all repositories.
  public var repositories: [RepositoryName] = []
  /// The order of results.
  public internal(set) var sort = Sort.relevance
  /// The direction of the order; by default, the best, newest or highest comes first.
  public internal(set) var direction = IssueFilter.Direction.descending

  /// Whether the search contains words, and not only qualifiers.
  public var hasWords: Bool { !terms.isEmpty || !excluded.isEmpty }
}

extension SearchQuery {
  /// The search with the same results as `IssueFilter.matches` and `sorted`.
  package init(_ filter: IssueFilter, includesPullRequests: Bool) {
    self.init()
    func require(_ property: Property) {
      conditions.append(Condition(isNegated: false, property: property))
    }
    switch filter.state {
    case .open: require(.state(.open))
    case .closed: require(.state(.closed))
    case .all: break
    }
    if !includesPullRequests { require(.kind(.issue)) }
    for name in Set(filter.labels) { require(.label([name])) }
    switch filter.assignee {
    case .user(let login): require(.person(.assignee, login))
    case .anybody: require(.assigned)
    case .nobody: require(.without(.assignee))
    case nil: break
    }
    if let creator = filter.creator { require(.person(.author, creator)) }
    if let mentioned = filter.mentioned { require(.mentionedInText(mentioned)) }
    switch filter.milestone {
    case .number(let number): require(.milestoneNumber(number))
    case .title(let title): require(.milestone(title))
    case .any: require(.planned)
    case .absent: require(.without(.milestone))
    case nil: break
    }
    switch filter.type {
    case .named(let name): require(.type(name))
    case .any: require(.typed)
    case .absent: require(.without(.type))
    case nil: break
    }
    for choice in filter.fields { require(.field(FieldTest(choice))) }
    if let since = filter.since { require(.time(.updated, SearchSpan(since: since))) }
    sort =
      switch filter.sort {
      case .created: .created
      case .updated: .updated
      case .comments: .comments
      }
    direction = filter.direction
  }
}

extension SearchQuery: CustomStringConvertible {
  /// The ``text``.
  public var description: String { text }

  /// The search as text for ``init(parsing:isBeingTyped:)``. GitHub's own search accepts it too, but ignores `*`.
  public var text: String {
    // GitHub's implicit AND binds more tightly than OR.
    let isAlone =
      terms.count == 1 && excluded.isEmpty && conditions.isEmpty && repositories.isEmpty
      && places.count == Place.allCases.count && sort == .relevance
    var words = terms.map { group in
      let choices = group.map(\.written).joined(separator: " OR ")
      return group.count > 1 && !isAlone ? "(\(choices))" : choices
    }
    words += excluded.map { "-\($0.written)" }
    words += conditions.map { "\($0.isNegated ? "-" : "")\($0.property.written)" }
    words += repositories.map { "repo:\($0)" }
    if places.count < Place.allCases.count {
      words += Place.allCases.filter(places.contains).map { "in:\($0.rawValue)" }
    }
    if sort != .relevance || direction != .descending {
      words.append("sort:\(sort.rawValue)-\(direction.rawValue)")
    }
    return words.joined(separator: " ")
  }
}

extension SearchQuery.Term {
  fileprivate var written: String {
    (isPhrase ? SearchWord.quoted(text) : text) + (isPrefix ? "*" : "")
  }
}

extension SearchQuery {
  package enum Property: Hashable, Sendable {
    package enum State: String, Hashable, Sendable {
      case open
      case closed
    }

    package enum Kind: String, CaseIterable, Hashable, Sendable {
      case issue
      case pullRequest = "pr"
      case merged
      case unmerged
      case draft
      case locked
      case unlocked
      case blocked
      case blocking
    }

    package enum Role: String, CaseIterable, Hashable, Sendable {
      case author
      case assignee
      case mentioned = "mentions"
      case commenter
      case involved = "involves"
    }

    package enum Aspect: String, CaseIterable, Hashable, Sendable {
      case label
      case assignee
      case milestone
      case type
      case parent = "parent-issue"
    }

    package enum Event: String, CaseIterable, Hashable, Sendable {
      case created
      case updated
      case closed
    }

    case state(State)
    case kind(Kind)
    case label([String])
    case person(Role, Username)
    /// A mention in the issue's own text only, as in a list's filter.
    case mentionedInText(Username)
    case assigned
    /// The milestone with this title, or with this number if no milestone has the title.
    case milestone(String)
    case milestoneNumber(Int)
    case planned
    case type(String)
    case typed
    case field(FieldTest)
    /// The field's name in the syntax of GitHub's search.
    case withoutField(String)
    /// The parent issue; nil for any repository.
    case parent(RepositoryName?, Int)
    case without(Aspect)
    /// A time in seconds since 1970.
    case time(Event, SearchSpan)
    case comments(SearchSpan)
  }
}

extension SearchQuery.Property {
  /// Whether an issue needs to meet only one of several such conditions. GitHub interprets a space as AND, but
  /// documents `involves:defunkt involves:jlord` as "either":
  /// <https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests#search-by-a-user-thats-involved-in-an-issue-or-pull-request>.
  package var isAlternative: Bool {
    if case .person(.involved, _) = self { true } else { false }
  }

  var written: String {
    switch self {
    case .state(let state): "is:\(state.rawValue)"
    case .kind(let kind): "is:\(kind.rawValue)"
    case .label(let names): "label:" + names.map(SearchWord.written).joined(separator: ",")
    case .person(let role, let login): "\(role.rawValue):\(Self.written(login))"
    case .mentionedInText(let login): "mentions:\(Self.written(login))"
    case .assigned: "assignee:*"
    case .planned: "milestone:*"
    case .milestone(let title): "milestone:\(SearchWord.written(title))"
    case .milestoneNumber(let number): "milestone:\(number)"
    case .type(let name): "type:\(SearchWord.written(name))"
    case .typed: "type:*"
    case .field(let test): test.written
    case .withoutField(let field): "no:\(GitHubQualifier.fieldPrefix)\(field)"
    case .parent(let repository, let number):
      "parent-issue:\(repository.map { "\($0)#" } ?? "")\(number)"
    case .without(let aspect): "no:\(aspect.rawValue)"
    case .time(let event, let span): "\(event.rawValue):\(span.text)"
    case .comments(let span): "comments:\(span.text)"
    }
  }

  /// A bot is `app/dependabot` in GitHub's search, but `dependabot[bot]` in its API.
  private static func written(_ login: Username) -> String {
    login.login.hasSuffix("[bot]") ? "app/\(login.login.dropLast(5))" : login.login
  }
}

/// A range of numbers or times: `5`, `>10`, `2026-01-01..2026-01-31`, `*..10`.
package struct SearchSpan: Hashable, Sendable {
  package let text: String
  package let first: Int?
  /// The end, exclusive.
  package let end: Int?

  init?(numbers text: String) {
    self.init(text) { number in
      guard !number.isEmpty, number.utf8.count <= 15,
        number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
        let value = Int(number)
      else { return nil }
      return value..<value + 1
    }
  }

  /// Parses times into seconds since 1970. Days are in UTC; today and yesterday are in the user's time zone.
  package init?(times text: String) {
    // An age is a moment, and nothing happened exactly then.
    if let word = TimeWord(text), !word.isDay { return nil }
    var isRelative = false
    self.init(text) { time in
      if let word = TimeWord(String(time)) {
        isRelative = true
        return word.date.seconds..<word.date.seconds + (word.isDay ? 86_400 : 1)
      }
      guard let date = Timestamp.date(fromDayOrTime: String(time)) else { return nil }
      let first = Int(date.timeIntervalSince1970)
      return first..<first + (time.contains("T") ? 1 : 86_400)
    }
    guard isRelative else { return }
    // GitHub doesn't know these words.
    func written(_ seconds: Int) -> String {
      Timestamp.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }
    self =
      switch (first, end) {
      case (let first?, let end?):
        SearchSpan("\(written(first))..\(written(end - 1))", first, end)
      case (let first?, nil): SearchSpan(">=\(written(first))", first, nil)
      case (nil, let end): SearchSpan(end.map { "<\(written($0))" } ?? text, nil, end)
      }
  }

  private init(_ text: String, _ first: Int?, _ end: Int?) {
    (self.text, self.first, self.end) = (text, first, end)
  }

  init(since time: Date) {
    text = ">=\(Timestamp.string(from: time))"
    (first, end) = (time.seconds, nil)
  }

  private init?(_ text: String, value: (Substring) -> Range<Int>?) {
    self.text = text
    if let dots = text.firstRange(of: "..") {
      let (from, to) = (text[..<dots.lowerBound], text[dots.upperBound...])
      let (lower, upper) = (value(from), value(to))
      guard lower != nil || from == "*", upper != nil || to == "*" else { return nil }
      (first, end) = (lower?.lowerBound, upper?.upperBound)
      return
    }
    let comparison = text.prefix { $0 == ">" || $0 == "<" || $0 == "=" }
    guard let operand = value(text[comparison.endIndex...]) else { return nil }
    switch comparison {
    case "", "=": (first, end) = (operand.lowerBound, operand.upperBound)
    case ">": (first, end) = (operand.upperBound, nil)
    case ">=": (first, end) = (operand.lowerBound, nil)
    case "<": (first, end) = (nil, operand.lowerBound)
    case "<=": (first, end) = (nil, operand.upperBound)
    default: return nil
    }
  }
}
