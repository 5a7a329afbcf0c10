internal import ArgumentParser
internal import IssueTracker

/// Checks the search of `--where`.
///
/// GitHub reads an unknown qualifier as text and ignores an unknown value, so a slip would change issues that nobody
/// meant. Only what GitHub documents is sent:
/// <https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>.
enum BulkQuery {
  private enum Values {
    case any
    case each([String])
    case times
    case numbers
  }

  private static let qualifiers: [(name: String, values: Values)] = [
    (
      "is",
      .each([
        "open", "closed", "issue", "pr", "merged", "unmerged", "draft", "queued", "locked",
        "unlocked", "public", "private", "internal", "all",
      ])
    ),
    ("state", .each(["open", "closed", "all"])),
    ("reason", .each(["completed", "not planned", "duplicate"])),
    // Organizations name their own types.
    ("type", .any),
    ("label", .any), ("milestone", .any), ("project", .any),
    ("no", .each(["label", "milestone", "assignee", "project"])),
    ("author", .any), ("assignee", .any), ("mentions", .any), ("commenter", .any),
    ("involves", .any), ("team", .any),
    ("created", .times), ("updated", .times), ("closed", .times), ("merged", .times),
    ("comments", .numbers), ("interactions", .numbers), ("reactions", .numbers),
    ("in", .each(["title", "body", "comments"])),
    ("linked", .each(["pr", "issue"])),
    (
      "sort", .each(["created", "updated", "comments", "reactions", "interactions", "relevance"])
    ),
    ("language", .any), ("archived", .each(["true", "false"])),
    ("draft", .each(["true", "false"])), ("head", .any), ("base", .any),
    ("status", .each(["pending", "success", "failure"])),
    ("review", .each(["none", "required", "approved", "changes_requested"])),
    ("reviewed-by", .any), ("review-requested", .any), ("user-review-requested", .any),
    ("team-review-requested", .any),
  ]

  /// - Throws: A usage error that says what was probably meant.
  static func check(_ text: String) throws {
    guard let words = try? QueryWord.words(of: text) else {
      throw ValidationError("--where: the search has an unclosed quotation mark.")
    }
    for var word in words {
      word.name = String(word.name.drop { $0 == "(" || $0 == "-" })
      while word.value.last == ")" { word.value.removeLast() }
      if word.isQualifier { try check(word) }
    }
  }

  private static func check(_ word: QueryWord) throws {
    guard !["repo", "org", "user"].contains(word.name) else {
      throw ValidationError(
        "--where searches one repository: name it with --repo, and leave out '\(word.name):'.")
    }
    guard let values = qualifiers.first(where: { $0.name == word.name })?.values else {
      let meant = MistypedCommand.nearest(to: word.name, among: qualifiers.map(\.name))
      throw ValidationError(
        "--where: there is no qualifier '\(word.name):'"
          + (meant.map { "; did you mean '\($0):'? " } ?? ". ")
          + "If it is text to search for, put it in quotation marks.")
    }
    guard word.value.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("--where: '\(word.name):' has no value. Put it right after the colon.")
    }
    let isUnderstood =
      switch values {
      case .any: true
      case .each(let known): try isOneOf(known, word)
      case .times, .numbers: isSpan(word.value)
      }
    guard isUnderstood else {
      let example = if case .numbers = values { ">10" } else { ">=2026-01-31" }
      throw ValidationError(
        "--where: '\(word.name):\(word.value)' isn't understood: use \(word.name):\(example), for example."
      )
    }
  }

  private static func isOneOf(_ known: [String], _ word: QueryWord) throws -> Bool {
    for value in word.value.lowercased().split(separator: ",") {
      // A direction may follow: created-asc.
      let value = word.name == "sort" ? value.prefix { $0 != "-" } : value
      guard !known.contains(String(value)) else { continue }
      let meant = MistypedCommand.nearest(to: String(value), among: known)
      let list = known.map { QueryWord(name: word.name, value: $0).description }
      throw ValidationError(
        "--where: there is no '\(word.name):\(value)'; "
          + (meant.map { "did you mean '\(QueryWord(name: word.name, value: $0))'?" }
            ?? "there are \(list.joined(separator: ", "))."))
    }
    return true
  }

  /// Whether it could be a number, a time or a range: `>5`, `<=2026-01-31`, `5..*`.
  private static func isSpan(_ value: String) -> Bool {
    value.drop { "<>=".contains($0) }.split(separator: "..", omittingEmptySubsequences: false)
      .allSatisfy { end in end.first.map { $0 == "*" || $0.isASCII && $0.isNumber } ?? false }
  }
}

extension QueryWord {
  /// False for code and addresses: `std::vector`, `https://…`.
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

  /// Whether it says `is:all`, which only lists know.
  static func tellsBothStates(_ text: String) -> Bool {
    search(text) { ["is", "state"].contains($0.name) && $0.value.lowercased() == "all" }
  }
}
