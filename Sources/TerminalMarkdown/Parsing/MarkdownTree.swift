internal import CMarkGFM

/// A document as GitHub's own parser understands it.
// @unchecked Sendable: nothing changes the tree once it is parsed, and to walk through it changes nothing.
final class MarkdownTree: @unchecked Sendable {
  private static let areExtensionsRegistered: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  private let root: OpaquePointer?

  /// Parses a document, on the thread of the parser.
  ///
  /// - Returns: Nil where that takes longer than anybody should wait.
  static func parsed(_ markdown: String) -> MarkdownTree? {
    ParsingThread.shared.run { MarkdownTree(parsing: markdown) }
  }

  /// To be called on the thread of the parser only.
  private init(parsing markdown: String) {
    let options = CMARK_OPT_FOOTNOTES | CMARK_OPT_VALIDATE_UTF8
    guard Self.areExtensionsRegistered, let parser = cmark_parser_new(options) else {
      root = nil
      return
    }
    defer { cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink", "tagfilter", "tasklist"] {
      guard let found = cmark_find_syntax_extension(name) else { continue }
      cmark_parser_attach_syntax_extension(parser, found)
    }
    var markdown = markdown
    markdown.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cmark_parser_feed(parser, $0.baseAddress, $0.count)
      }
    }
    root = cmark_parser_finish(parser)
  }

  deinit { cmark_node_free(root) }

  /// Goes through the whole tree, in order and without recursion: nesting is as deep as somebody likes.
  ///
  /// - Parameter body: Is called as a node begins, and for those that have content once more as it ends.
  func visit(_ body: (_ node: MarkdownNode, _ isBeginning: Bool) -> Void) {
    guard let root, let iterator = cmark_iter_new(root) else { return }
    defer { cmark_iter_free(iterator) }
    while true {
      let event = cmark_iter_next(iterator)
      guard event != CMARK_EVENT_DONE else { return }
      guard let node = cmark_iter_get_node(iterator) else { return }
      body(MarkdownNode(node), event == CMARK_EVENT_ENTER)
    }
  }
}
