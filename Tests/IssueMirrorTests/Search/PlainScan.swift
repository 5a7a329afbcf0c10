import TestSupport

@testable import IssueMirror

/// A search as one would write it without an index: it goes through every text, letter by letter.
struct PlainScan {
  let items: [SearchFixture.Item]
  let comments: [SearchFixture.Comment]
  /// The words of all texts, which are taken apart once.
  private let words: [String: [Set<String>]]

  init(items: [SearchFixture.Item], comments: [SearchFixture.Comment]) {
    self.items = items
    self.comments = comments
    let texts = Set(items.map(\.title) + items.compactMap(\.body) + comments.map(\.body))
    words = Dictionary(uniqueKeysWithValues: texts.map { ($0, Self.words($0)) })
  }

  /// The numbers of the issues that match, in the order that is asked for; by number for relevance.
  func numbers(_ query: SearchQuery) -> [Int] {
    let wanted = Wanted(query)
    let matching = items.filter { matchesConditions($0, query) && matchesWords($0, query, wanted) }
    let isAscending = query.direction == .ascending
    return matching.sorted { first, second in
      let (lesser, greater) = isAscending ? (first, second) : (second, first)
      return switch query.sort {
      case .relevance: first.number < second.number
      case .created: (lesser.createdAt, lesser.number) < (greater.createdAt, greater.number)
      case .updated: (lesser.updatedAt, lesser.number) < (greater.updatedAt, greater.number)
      case .comments: (lesser.comments, lesser.number) < (greater.comments, greater.number)
      case .reactions: (lesser.reactions, lesser.number) < (greater.reactions, greater.number)
      }
    }.map(\.number)
  }

  /// The words of a search, taken apart.
  private struct Wanted {
    /// The alternatives of a term: its parts, or its wholes.
    struct Term {
      var phrases: [[String]]
      var isPrefix: Bool
    }

    var groups: [[Term]]
    var excluded: [Term]

    init(_ query: SearchQuery) {
      groups = query.terms.map { $0.compactMap(Self.term) }.filter { !$0.isEmpty }
      excluded = query.excluded.compactMap(Self.term)
    }

    private static func term(_ term: SearchQuery.Term) -> Term? {
      let phrases = PlainScan.phrases(of: term.text)
      return phrases[0].isEmpty ? nil : Term(phrases: phrases, isPrefix: term.isPrefix)
    }
  }

  // MARK: Words

  private func matchesWords(
    _ item: SearchFixture.Item, _ query: SearchQuery, _ wanted: Wanted
  ) -> Bool {
    var own: [String] = []
    if query.places.contains(.title) { own.append(item.title) }
    if query.places.contains(.body), let body = item.body { own.append(body) }
    var texts = own.isEmpty ? [] : [own]
    if query.places.contains(.comments) {
      texts += comments.filter { $0.number == item.number }.map { [$0.body] }
    }
    let words = texts.map { $0.compactMap { self.words[$0] } }
    let isExcluded = wanted.excluded.contains { term in
      words.contains { $0.contains { Self.contains($0, term) } }
    }
    guard !wanted.groups.isEmpty, !isExcluded else { return !isExcluded }
    if query.excluded.isEmpty, query.terms.count == 1, query.terms[0].count == 1,
      !query.terms[0][0].isPhrase,
      Int(query.terms[0][0].text.drop { $0 == "#" }) == item.number
    {
      return true
    }
    return words.contains { columns in
      wanted.groups.allSatisfy { group in
        group.contains { term in columns.contains { Self.contains($0, term) } }
      }
    }
  }

  /// The words of a text: each place with what stands there, parts and wholes.
  static func words(_ text: String) -> [Set<String>] {
    var words: [Set<String>] = []
    var run: [Character] = []
    func finish() {
      let parts = parts(run)
      for part in parts { words.append([folded(part)]) }
      if parts.count > 1 { words[words.count - parts.count].insert(folded(run)) }
      run = []
    }
    for character in text {
      if character.isASCII ? character.isLetter || character.isNumber : "éÉ".contains(character) {
        run.append(character)
      } else {
        finish()
        if "日本語文".contains(character) { words.append([String(character)]) }
      }
    }
    finish()
    return words
  }

  private static func folded(_ word: [Character]) -> String {
    String(word).lowercased().replacing("é", with: "e")
  }

  private static func parts(_ word: [Character]) -> [[Character]] {
    var parts: [[Character]] = []
    for (index, character) in word.enumerated() {
      let isBeginning =
        index > 0 && character.isUppercase
        && (word[index - 1].isLowercase
          || (index + 1 < word.count && word[index + 1].isLowercase))
      if index == 0 || isBeginning { parts.append([]) }
      parts[parts.count - 1].append(character)
    }
    return parts
  }

  /// The words of a term: its parts one after the other, and its wholes.
  private static func phrases(of term: String) -> [[String]] {
    let parts = words(term).map { word in word.min { $0.count < $1.count } ?? "" }
    var wholes: [String] = []
    var run: [Character] = []
    for character in term + " " {
      if character.isASCII ? character.isLetter || character.isNumber : "éÉ".contains(character) {
        run.append(character)
      } else {
        if !run.isEmpty { wholes.append(folded(run)) }
        run = []
        if "日本語文".contains(character) { wholes.append(String(character)) }
      }
    }
    return [parts, wholes]
  }

  /// Whether a term stands in a text.
  private static func contains(_ text: [Set<String>], _ term: Wanted.Term) -> Bool {
    term.phrases.contains { phrase in
      text.indices.contains { start in
        phrase.indices.allSatisfy { offset in
          guard start + offset < text.count else { return false }
          let mayGoOn =
            term.isPrefix && offset == phrase.count - 1 && phrase[offset].utf8.count > 1
          return text[start + offset].contains {
            mayGoOn ? $0.hasPrefix(phrase[offset]) : $0 == phrase[offset]
          }
        }
      }
    }
  }

  // MARK: Properties

  private func matchesConditions(_ item: SearchFixture.Item, _ query: SearchQuery) -> Bool {
    var isAlternative: Bool?
    for condition in query.conditions {
      let holds = holds(condition.property, item)
      if condition.isNegated {
        if holds { return false }
      } else if condition.property.isAlternative {
        isAlternative = isAlternative == true || holds
      } else if !holds {
        return false
      }
    }
    return isAlternative != false
  }

  private func holds(_ property: SearchQuery.Property, _ item: SearchFixture.Item) -> Bool {
    switch property {
    case .state(let state): item.state == state.rawValue
    case .kind(.issue): !item.isPullRequest
    case .kind(.pullRequest): item.isPullRequest
    case .kind(.merged): item.isPullRequest && item.mergedAt != nil
    case .kind(.unmerged): item.isPullRequest && item.mergedAt == nil
    case .kind(.draft): item.isDraft
    case .kind(.locked): item.isLocked
    case .kind(.unlocked): !item.isLocked
    // The fixture has no relations. RelationFilterTests look for them.
    case .kind(.blocked), .kind(.blocking), .type, .typed, .field, .parent: false
    case .without(.type), .withoutField, .without(.parent): true
    case .label(let names):
      item.labels.contains { label in names.contains { $0.lowercased() == label.lowercased() } }
    case .person(let role, let login): has(role, login.login.lowercased(), item)
    // Properties of list filters only, which have an oracle of their own.
    case .mentionedInText, .milestoneNumber: false
    case .assigned: !item.assignees.isEmpty
    case .planned: item.milestone != nil
    case .milestone(let title): item.milestone?.lowercased() == title.lowercased()
    case .without(.label): item.labels.isEmpty
    case .without(.assignee): item.assignees.isEmpty
    case .without(.milestone): item.milestone == nil
    case .time(.created, let span): Self.contains(span, item.createdAt)
    case .time(.updated, let span): Self.contains(span, item.updatedAt)
    case .time(.closed, let span): Self.contains(span, item.closedAt)
    case .comments(let span): Self.contains(span, item.comments)
    }
  }

  private func has(
    _ role: SearchQuery.Property.Role, _ login: String, _ item: SearchFixture.Item
  ) -> Bool {
    let comments = comments.filter { $0.number == item.number }
    return switch role {
    case .author: item.author?.lowercased() == login
    case .assignee: item.assignees.contains { $0.lowercased() == login }
    case .mentioned:
      ([item.body ?? ""] + comments.map(\.body)).contains { text in
        text.lowercased().split { !($0.isLetter || $0.isNumber || "@-".contains($0)) }
          .contains("@\(login)")
      }
    case .commenter: comments.contains { $0.author.lowercased() == login }
    case .involved:
      [.author, .assignee, .mentioned, .commenter].contains { has($0, login, item) }
    }
  }

  private static func contains(_ span: SearchSpan, _ value: Int?) -> Bool {
    guard let value else { return false }
    return value >= span.first ?? .min && value < span.end ?? .max
  }
}
