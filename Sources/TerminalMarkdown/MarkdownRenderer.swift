internal import CMarkGFM
package import StyledText

/// Renders GitHub-flavored Markdown as lines for a terminal. As on GitHub's issue pages, line breaks are kept, comments
/// in templates are hidden, and emoji names become emoji. It doesn't load images or make requests.
///
/// Headings have no `#`. Headings of the first two levels have a rule below them, as on GitHub: `═` and `─`, or the `=`
/// and `-` of Markdown itself. Most forms have headings of the third level, where rules would be noise. The other
/// levels therefore differ by weight and slope, and have rules only if neither is available.
package struct MarkdownRenderer: Sendable {
  package enum Links: Sendable, Hashable {
    /// Text becomes a hyperlink, for terminals that support OSC 8.
    case hyperlinks
    /// A number in brackets follows the text, and the addresses follow the document.
    case footnotes
  }

  /// The width in columns, at least 1.
  package var width: Int
  package var links: Links
  /// The repository page for `#12` and relative links; nil to leave them as text.
  package var repositoryURL: String?
  package var isUnicode = true
  /// Whether headings, quotations, code and tables are labeled with words instead of rules and bars.
  package var isPlain = false
  /// Whether struck text can be shown. If false, it keeps its tildes, because it means the opposite without them.
  package var hasStrikethrough = true
  /// Whether bold and italic text can be shown. If false, each heading level has its own rule, because nothing else
  /// distinguishes a heading from text.
  package var hasStyles = true
  package var styles = MarkdownStyles()
  /// The sizes of images. The document leaves space for each image below its alternative text. If nil, images are
  /// ignored.
  package var images: [WebLink: ImageBox]?

  /// The version of cmark-gfm, such as `0.29.0.gfm.13`.
  package static var parserVersion: String { unsafe String(cString: cmark_version_string()) }

  package init(width: Int, links: Links = .footnotes, repositoryURL: String? = nil) {
    self.width = width
    self.links = links
    self.repositoryURL = repositoryURL
  }

  /// Renders an untrusted document as lines no wider than ``width`` or one character. The time is linear: a document
  /// longer than GitHub's limit is cut, and a document that is too slow to parse is shown as source. In both cases, a
  /// line reports it.
  package func document(of markdown: String) -> RenderedDocument {
    let bounded = DocumentBounds(markdown)
    var lines: [StyledLine]
    var codeBlocks: [RenderedDocument.CodeBlock] = []
    var images: [RenderedDocument.Image] = []
    if bounded.isParsable, let tree = MarkdownTree.parsed(bounded.text) {
      var writer = DocumentWriter(renderer: self)
      tree.visit { node, isBeginning in writer.write(node, isBeginning: isBeginning) }
      lines = writer.finish()
      codeBlocks = writer.codeBlocks
      images = writer.images
    } else {
      lines = notice("Shown as plain text:") + source(of: bounded.text)
    }
    if bounded.isCut {
      lines += [StyledLine()] + notice("The rest of the document is cut off.")
    }
    return RenderedDocument(lines: lines, codeBlocks: codeBlocks, images: images)
  }

  private func source(of markdown: String) -> [StyledLine] {
    markdown.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .flatMap { StyledLine($0).broken(to: width) }
  }

  private func notice(_ text: String) -> [StyledLine] {
    StyledLine(text, style: styles.aside).wrapped(to: width)
  }
}
