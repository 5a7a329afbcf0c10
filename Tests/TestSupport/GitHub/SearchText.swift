/// The words of `q` and GitHub's limits, common to all searches.
struct SearchText: Sendable, Equatable {
  /// The most results that GitHub returns.
  static let maximumCount = 1000

  /// Words and qualifiers in order. A quoted text is one word, without its quotation marks.
  let words: [String]

  /// Reads a query.
  ///
  /// - Throws: ``SearchRefusal``.
  init(_ query: [LoopbackRequest.QueryItem]) throws(SearchRefusal) {
    words = Self.words(of: query.first { $0.name == "q" }?.value ?? "")
    guard !words.isEmpty else { throw .missing }
    // Qualifiers don't count.
    guard words.filter({ !$0.contains(":") }).joined(separator: " ").count <= 256 else {
      throw .tooLong
    }
    let pages = NumberedPages(query)
    guard (pages.page - 1) * pages.perPage < Self.maximumCount else { throw .tooFar }
  }

  /// Splits at blanks outside quotation marks, and drops the marks.
  static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if character.isWhitespace, !isQuoted {
        if !word.isEmpty { words.append(word) }
        word = ""
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? words : words + [word]
  }
}

/// A search that gets a 422.
enum SearchRefusal: Error {
  case missing
  case tooLong
  case tooFar

  var response: LoopbackResponse {
    let problem =
      switch self {
      case .missing: #"[{"resource":"Search","field":"q","code":"missing"}]"#
      case .tooLong:
        #"[{"message":"The search is longer than 256 characters.","resource":"Search","#
          + #""field":"q","code":"invalid"}]"#
      case .tooFar: "[]"
      }
    let message =
      self == .tooFar ? "Only the first 1000 search results are available" : "Validation Failed"
    return .json(
      """
      {"message":"\(message)","errors":\(problem),\
      "documentation_url":"https://docs.github.com/v3/search/","status":"422"}
      """, status: 422)
  }
}
