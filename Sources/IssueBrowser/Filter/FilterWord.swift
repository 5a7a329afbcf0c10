internal import GitHubAPI

/// A word of a filter, with its place in the text.
struct FilterWord: Hashable {
  let range: Range<String.Index>
  /// As typed.
  let text: String
  /// `-`, or parentheses; else empty.
  let sign: String
  /// In lower case; empty if there is no colon outside of quotation marks.
  let name: String
  /// Without quotation marks.
  let value: String
  /// Whether its quotation marks are in pairs.
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

  /// Whether it refers to the user of the access token.
  var isOwn: Bool { !name.isEmpty && value.lowercased() == "@me" }

  /// Lists know it, GitHub's search doesn't.
  var meansBothStates: Bool {
    (name == "is" || name == "state") && value.lowercased() == "all"
  }

  var isOrder: Bool { name == "sort" && sign.isEmpty }

  /// Whether it chooses between issues and pull requests.
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
