internal import GitHubAPI

/// What is searched for on GitHub, in the words of GitHub's own search.
///
/// They go there as they were typed: GitHub's language has more words than this package knows, and gets new ones.
struct RemoteQuery: Hashable, Sendable {
  /// The words as they were typed.
  let text: String
  /// The words outside of quotation marks and parentheses.
  private let words: [String]

  /// Joins the arguments of a command line.
  init(_ arguments: [String]) {
    // A blank may have been put before what begins with a minus: see ``SearchCommand/readable(_:)``.
    text = arguments.map { String($0.drop { $0.isWhitespace }) }.filter { !$0.isEmpty }
      .joined(separator: " ")
    words = Self.words(of: text)
  }

  /// Whether the search says itself where to look.
  var namesPlace: Bool {
    words.contains { word in
      ["repo:", "org:", "user:"].contains { word.lowercased().hasPrefix($0) }
    }
  }

  /// The search, in some repositories.
  ///
  /// What holds the repositories to one side of an `OR` is put in parentheses, and so are the repositories:
  /// <https://docs.github.com/en/issues/tracking-your-work-with-issues/using-issues/filtering-and-searching-issues-and-pull-requests#using-boolean-operators>
  func text(in names: [RepositoryName]) -> String {
    guard !names.isEmpty else { return text }
    let places = names.map { "repo:\($0)" }.joined(separator: " OR ")
    return [
      words.contains("OR") ? "(\(text))" : text, names.count > 1 ? "(\(places))" : places,
    ].joined(separator: " ")
  }

  /// Splits at blanks and parentheses, and leaves out what stands in quotation marks.
  private static func words(of text: String) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    var (isInQuotes, isEscaped) = (false, false)
    // By scalars: a quotation mark with a combining mark after it is another character.
    for scalar in text.unicodeScalars {
      switch scalar {
      case _ where isEscaped: isEscaped = false
      case "\\" where isInQuotes: isEscaped = true
      case "\"": isInQuotes.toggle()
      case _ where isInQuotes: continue
      case "(", ")",
        _ where scalar.properties.isWhitespace:
        if !word.isEmpty { words.append(String(word)) }
        word = String.UnicodeScalarView()
      default: word.append(scalar)
      }
    }
    return word.isEmpty ? words : words + [String(word)]
  }
}
