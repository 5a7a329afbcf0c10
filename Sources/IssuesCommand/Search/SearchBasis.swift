internal import ArgumentParser
internal import IssueTracker

/// The kind of GitHub's search, in the words of `--by`.
enum SearchBasis: String, NamedChoice {
  case words
  case meaning
  case both

  /// Parses a value, also in gh's words.
  init?(argument: String) {
    guard
      let found = Self(rawValue: argument)
        ?? Self.allCases.first(where: { $0.kind.rawValue == argument })
    else { return nil }
    self = found
  }

  var kind: IssueSearchKind {
    switch self {
    case .words: .lexical
    case .meaning: .semantic
    case .both: .hybrid
    }
  }
}

extension IssueSearchKind {
  /// The adverb, such as `by words`.
  var basis: String {
    switch self {
    case .lexical: "by words"
    case .semantic: "by meaning"
    case .hybrid: "by words and meaning"
    }
  }
}
