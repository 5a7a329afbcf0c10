package import StyledText

/// Renders GitHub-flavoured Markdown as lines for a terminal.
package struct MarkdownRenderer: Sendable {
  /// How links are shown.
  package enum Links: Sendable, Hashable {
    /// The text itself leads there: a terminal that knows OSC 8 is asked to make it clickable.
    case hyperlinks
    /// A number in brackets behind the text, and the addresses below the document.
    case footnotes
  }

  /// The longest line in columns, at least 1.
  package var width: Int
  /// How links are shown.
  package var links: Links
  /// The address of the repository's page, which `#12` and relative links lead below; nil where they lead
  /// nowhere.
  package var repositoryURL: String?

  /// Creates a renderer.
  package init(width: Int, links: Links = .footnotes, repositoryURL: String? = nil) {
    self.width = width
    self.links = links
    self.repositoryURL = repositoryURL
  }

  /// Renders a document.
  ///
  /// - Parameter markdown: The document, hostile or not.
  /// - Returns: Its lines, none wider than ``width`` but for a character that is.
  package func lines(of markdown: String) -> [StyledLine] {
    markdown.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine($0) }
  }
}
