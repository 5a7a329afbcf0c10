internal import GitHubAPI
internal import Reactive

/// The names that a filter of a repository may contain.
package struct FilterNames: Sendable, Hashable {
  package var labels: [String] = []
  package var milestones: [String] = []
  package var authors: [String] = []
  package var assignees: [String] = []

  /// The names of loaded rows, in their order.
  init(of issues: [GitHub.Issue] = []) {
    func distinct(_ names: some Sequence<String>) -> [String] {
      var seen: Set<String> = []
      return names.filter { seen.insert($0.lowercased()).inserted }
    }
    labels = distinct(issues.flatMap { $0.labels.map(\.name) })
    milestones = distinct(issues.compactMap { $0.milestone?.title })
    authors = distinct(issues.compactMap { $0.user?.login })
    assignees = distinct(issues.flatMap { $0.assignees.map(\.login) })
  }

  /// Adds missing names.
  mutating func add(_ other: FilterNames) {
    func add(_ names: [String], to known: inout [String]) {
      var seen = Set(known.map { $0.lowercased() })
      known += names.filter { seen.insert($0.lowercased()).inserted }
    }
    add(other.labels, to: &labels)
    add(other.milestones, to: &milestones)
    add(other.authors, to: &authors)
    add(other.assignees, to: &assignees)
  }
}

/// Completes the word before the cursor of a filter: a qualifier such as `la`, or its value such as `label:bu`.
struct FilterCompletion {
  /// The qualifiers that the mirror also supports, most useful first.
  static let qualifiers = [
    "is", "label", "author", "assignee", "milestone", "no", "mentions", "involves", "commenter",
    "created", "updated", "closed", "comments", "in", "sort", "state", "type",
  ]

  /// The word before the cursor.
  let word: FilterWord
  /// The range of the word up to the cursor, in characters.
  let range: Range<Int>

  init?(before field: TextField) {
    let text = String(field.textBeforeCursor)
    guard let word = FilterWord.words(of: text).last, word.range.upperBound == text.endIndex
    else { return nil }
    self.word = word
    let start = text.distance(from: text.startIndex, to: word.range.lowerBound)
    range = start..<field.cursor
  }

  /// Whether the server's labels and milestones can complete the word.
  var needsNames: Bool { word.name == "label" || word.name == "milestone" }

  /// The words that may replace the word before the cursor.
  func predictions(_ names: FilterNames) -> [Prediction] {
    if word.name.isEmpty {
      guard !word.value.isEmpty, word.isClosed, !word.text.contains("\"") else { return [] }
      return Self.qualifiers.filter { $0.hasPrefix(word.value.lowercased()) }
        .compactMap { prediction("\(word.sign)\($0):") }
    }
    // A value is complete after its closing quotation mark.
    guard word.isClosed == !word.text.contains("\"") else { return [] }
    let known = values(names)
    let beginning = word.value.lowercased()
    guard !known.contains(where: { $0.lowercased() == beginning }) || beginning.isEmpty else {
      return []
    }
    return known.filter { $0.lowercased().hasPrefix(beginning) && Self.isPlain($0) }
      .compactMap { value in
        let quoted = value.contains { $0.isWhitespace } ? "\"\(value)\"" : value
        return prediction("\(word.sign)\(word.name):\(quoted)")
      }
  }

  /// Whether the user may still be typing the word: it is the beginning of a qualifier, or its value is missing or is
  /// the beginning of a known one.
  func isHalfTyped(_ names: FilterNames) -> Bool {
    guard word.isClosed else { return true }
    if word.name.isEmpty {
      return !word.text.contains("\"")
        && Self.qualifiers.contains { $0.hasPrefix(word.value.lowercased()) }
    }
    if word.value.isEmpty { return Self.qualifiers.contains(word.name) }
    let (known, beginning) = (values(names).map { $0.lowercased() }, word.value.lowercased())
    return !known.contains(beginning) && known.contains { $0.hasPrefix(beginning) }
  }

  private func prediction(_ text: String) -> Prediction? {
    guard text.lowercased() != word.text.lowercased() else { return nil }
    return Prediction(text, matching: word.text, by: .prefix) ?? Prediction(text)
  }

  private func values(_ names: FilterNames) -> [String] {
    switch word.name {
    case "label": names.labels
    case "milestone": names.milestones + ["none", "*"]
    case "author": ["@me"] + names.authors
    case "assignee": ["@me"] + names.assignees + ["none", "*"]
    case "mentions", "involves", "commenter": ["@me"] + names.authors
    case "is":
      [
        "open", "closed", "all", "issue", "pr", "merged", "unmerged", "draft", "locked",
        "unlocked",
      ]
    case "state": ["open", "closed", "all"]
    case "type": ["issue", "pr"]
    case "no": ["label", "assignee", "milestone"]
    case "in": ["title", "body", "comments"]
    case "sort": ListOrder.allCases.map(\.rawValue)
    default: []
    }
  }

  /// Whether the value contains no quotation marks, escapes, control characters or invisible characters.
  private static func isPlain(_ value: String) -> Bool {
    var field = TextField()
    field.insert(value)
    return field.text == value && !value.contains { $0 == "\"" || $0 == "\\" }
  }
}
