public import GitHubAPI

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// An issue that was found.
///
/// Every text comes from the network as somebody typed it and may hold control characters.
public struct SearchResult: Sendable, Hashable {
  /// Where it is.
  public var repository: MirroredRepository
  /// The issue or pull request.
  public var issue: Issue
  /// The object that the server sent.
  public var json: Data
  /// Its title, in parts.
  public var title: [SnippetPart]
  /// A part of the text that was found, its issue's or a comment's, around what matches best there; where
  /// only the title matches, the beginning of the issue's text. Parts that were left out are `…`.
  public var snippet: [SnippetPart]
  /// Whether what was found is a comment, of which the snippet is then.
  public var isComment: Bool
  /// How well it matches, the better the higher; comparable within one search only, and 0 where results are
  /// ordered otherwise.
  public var score: Double
}

/// A part of a text that was found.
public struct SnippetPart: Sendable, Hashable {
  /// The text, in whole characters (extended grapheme clusters).
  public var text: String
  /// Whether it is what was looked for.
  public var isMatch: Bool

  /// Makes a part.
  public init(_ text: String, isMatch: Bool = false) {
    self.text = text
    self.isMatch = isMatch
  }
}

/// What a search found.
public struct FoundIssues: Sendable, Hashable {
  /// The first results, in order.
  public var results: [SearchResult]
  /// How many issues match; nil where that would take longer than the search.
  public var count: Int?
  /// Whether every match was compared with the others. Where very many match, only the newest ones are
  /// ordered by relevance, and the newest of those that have all words in the title.
  public var isExhaustive: Bool
}
