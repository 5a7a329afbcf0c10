/// A qualifier of GitHub's issue search, such as `label:`.
///
/// GitHub treats an unknown qualifier as text and ignores an unknown value, so a typo would silently change the
/// results. This list contains the qualifiers that GitHub documents:
/// <https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>.
package struct GitHubQualifier: Sendable {
  /// The values that a qualifier allows.
  package enum Values: Sendable {
    case any
    case each([String])
    case times
    case numbers
  }

  package let name: String
  package let values: Values

  private init(_ name: String, _ values: Values = .any) {
    (self.name, self.values) = (name, values)
  }

  /// All qualifiers except `repo:`, `org:` and `user:`, which select repositories.
  package static let all: [GitHubQualifier] = [
    Self(
      "is",
      .each([
        "open", "closed", "issue", "pr", "merged", "unmerged", "draft", "queued", "locked",
        "unlocked", "public", "private", "internal", "all", "blocked", "blocking",
      ])),
    Self("state", .each(["open", "closed", "all"])),
    Self("reason", .each(["completed", "not planned", "duplicate"])),
    // Organizations define their own types.
    Self("type"), Self("label"), Self("milestone"), Self("project"),
    Self("no", .each(["label", "milestone", "assignee", "project", "type", "parent-issue"])),
    Self("has"), Self("parent-issue"), Self("blocked-by"), Self("blocking"),
    Self("author"), Self("assignee"), Self("mentions"), Self("commenter"), Self("involves"),
    Self("team"),
    Self("created", .times), Self("updated", .times), Self("closed", .times),
    Self("merged", .times),
    Self("comments", .numbers), Self("interactions", .numbers), Self("reactions", .numbers),
    Self("in", .each(["title", "body", "comments"])),
    Self("linked", .each(["pr", "issue"])),
    Self(
      "sort",
      .each(["created", "updated", "comments", "reactions", "interactions", "relevance"])),
    Self("language"), Self("archived", .each(["true", "false"])),
    Self("draft", .each(["true", "false"])), Self("head"), Self("base"),
    Self("status", .each(["pending", "success", "failure"])),
    Self("review", .each(["none", "required", "approved", "changes_requested"])),
    Self("reviewed-by"), Self("review-requested"), Self("user-review-requested"),
    Self("team-review-requested"),
  ]

  /// Checks the qualifiers of a search. Qualifiers that select repositories are allowed only if the search isn't
  /// limited to a single repository.
  ///
  /// - Throws: ``InvalidInput`` with the code `search`. The message suggests the intended spelling.
  package static func check(
    _ text: String, inOneRepository: Bool = true
  ) throws(InvalidInput) {
    guard let words = try? QueryWord.words(of: text) else {
      throw InvalidInput(.search, "the search has an unclosed quotation mark.")
    }
    for var word in words {
      word.name = String(word.name.drop { $0 == "(" || $0 == "-" })
      while word.value.last == ")" { word.value.removeLast() }
      if word.isQualifier, inOneRepository || !QueryWord.places.contains(word.name) {
        try check(word)
      }
    }
  }

  /// The prefix for fields that an organization defines, as in `field.priority:High`.
  package static let fieldPrefix = "field."

  private static func check(_ word: QueryWord) throws(InvalidInput) {
    let isField = word.name.hasPrefix(fieldPrefix) && word.name != fieldPrefix
    guard let values = isField ? .any : all.first(where: { $0.name == word.name })?.values else {
      throw InvalidInput(
        .search,
        "there is no qualifier '\(word.name):'"
          + (meant(by: word.name).map { "; did you mean '\($0):'? " } ?? ". ")
          + "If it is text to search for, put it in quotation marks.")
    }
    guard word.value.contains(where: { !$0.isWhitespace }) else {
      throw InvalidInput(
        .search, "'\(word.name):' has no value. Put it right after the colon.")
    }
    let isUnderstood =
      switch values {
      case .any: true
      case .each(let known): try isOneOf(known, word)
      case .times, .numbers: isSpan(word.value)
      }
    guard isUnderstood else {
      let example = if case .numbers = values { ">10" } else { ">=2026-01-31" }
      throw InvalidInput(
        .search,
        "'\(word.name):\(word.value)' isn't understood: use \(word.name):\(example), for example.")
    }
  }

  /// Returns the qualifier that the user probably intended; nil if no qualifier is similar.
  package static func meant(by name: String) -> String? {
    Spelling.nearest(to: name, among: all.map(\.name))
  }

  private static func isOneOf(
    _ known: [String], _ word: QueryWord
  ) throws(InvalidInput) -> Bool {
    for value in word.value.lowercased().split(separator: ",") {
      // A direction may follow the property, as in `created-asc`.
      let value = word.name == "sort" ? value.prefix { $0 != "-" } : value
      if word.name == "no", value.hasPrefix(fieldPrefix) { continue }
      guard !known.contains(String(value)) else { continue }
      let meant = Spelling.nearest(to: String(value), among: known)
      let list = known.map { QueryWord(name: word.name, value: $0).description }
      throw InvalidInput(
        .search,
        "there is no '\(word.name):\(value)'; "
          + (meant.map { "did you mean '\(QueryWord(name: word.name, value: $0))'?" }
            ?? "there are \(list.joined(separator: ", "))."))
    }
    return true
  }

  /// Whether the value can be a number, a time or a range, such as `>5`, `<=2026-01-31` or `5..*`.
  private static func isSpan(_ value: String) -> Bool {
    value.drop { "<>=".contains($0) }.split(separator: "..", omittingEmptySubsequences: false)
      .allSatisfy { end in end.first.map { $0 == "*" || $0.isASCII && $0.isNumber } ?? false }
  }
}

extension QueryWord {
  /// Whether the word is a qualifier, not code or a URL such as `std::vector` or `https://…`.
  fileprivate var isQualifier: Bool {
    guard let first = name.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first),
      !value.hasPrefix(":"), !value.hasPrefix("//")
    else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}
