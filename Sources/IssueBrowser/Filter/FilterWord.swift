internal import GitHubAPI

/// A word of a filter, with its position in the text.
struct FilterWord: Hashable {
  let range: Range<String.Index>
  /// The word as typed.
  let text: String
  /// The sign before the word, `-` or parentheses; empty if there is none.
  let sign: String
  /// The name in lowercase; empty if there is no colon outside of quotation marks.
  let name: String
  /// The value without quotation marks.
  let value: String
  /// Whether every quotation mark has a counterpart.
  let isClosed: Bool

  static func words(of text: String) -> [FilterWord] {
    var words: [FilterWord] = []
    var (start, index, isQuoted) = (text.startIndex, text.startIndex, false)
    while index < text.endIndex {
      if text[index] == "\"" { isQuoted.toggle() }
      let next = text.index(after: index)
      if text[index].isWhitespace, !isQuoted {
        if start < index { words.append(FilterWord(start..<index, of: text, isClosed: true)) }
        start = next
      }
      index = next
    }
    if start < index { words.append(FilterWord(start..<index, of: text, isClosed: !isQuoted)) }
    return words
  }

  private init(_ range: Range<String.Index>, of text: String, isClosed: Bool) {
    self.range = range
    self.isClosed = isClosed
    self.text = String(text[range])
    let sign = self.text.prefix { $0 == "-" || $0 == "(" }
    self.sign = String(sign)
    let rest = self.text.dropFirst(sign.count)
    let colon = rest.prefix { $0 != "\"" }.firstIndex(of: ":")
    name = colon.map { rest[..<$0].lowercased() } ?? ""
    let value = colon.map { rest[rest.index(after: $0)...] } ?? rest
    self.value = String(value.filter { $0 != "\"" })
  }

  /// Whether the value refers to the user of the access token.
  var isOwn: Bool { !name.isEmpty && value.lowercased() == "@me" }

  /// Whether the word means open and closed issues. Lists support it, but GitHub's search doesn't.
  var meansBothStates: Bool {
    (name == "is" || name == "state") && value.lowercased() == "all"
  }

  var isOrder: Bool { name == "sort" && sign.isEmpty }

  /// Whether the word chooses between issues and pull requests.
  var tellsKind: Bool {
    switch name {
    case "is", "type":
      ["issue", "pr", "pull-request", "merged", "unmerged", "draft", "queued"]
        .contains(value.lowercased())
    case "draft", "merged", "review", "reviewed-by", "review-requested", "user-review-requested",
      "team-review-requested", "head", "base", "status":
      true
    default: false
    }
  }
}
