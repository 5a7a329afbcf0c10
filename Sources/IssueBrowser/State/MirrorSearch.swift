package import IssueMirror

/// What is searched for in the mirror of a repository.
package struct MirrorSearch: Sendable, Hashable {
  /// The search as it was typed.
  package let text: String
  /// What it means.
  package let query: SearchQuery

  /// Reads a search as it is typed into the filter.
  ///
  /// - Throws: ``GitHubAPI/InvalidInput`` for what is none.
  package init(_ text: String) throws(InvalidInput) {
    self.text = text
    query = try SearchQuery(filtering: text)
  }
}
