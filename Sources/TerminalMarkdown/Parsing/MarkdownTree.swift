internal import CMarkGFM

/// A document, parsed by GitHub's own parser.
// Safe to share: the class owns the tree, which doesn't change after parsing, and walking through it only reads it.
@safe final class MarkdownTree: @unchecked Sendable {
  private static let areExtensionsRegistered: Bool = {
    cmark_gfm_core_extensions_ensure_registered()
    return true
  }()

  private let root: OpaquePointer?

  /// Parses a document on the parser's thread. Returns nil if that takes too long.
  static func parsed(_ markdown: String) -> MarkdownTree? {
    ParsingThread.shared.run { MarkdownTree(parsing: markdown) }
  }

  /// Runs on the parser's thread only.
  private init(parsing markdown: String) {
    let options = CMARK_OPT_FOOTNOTES | CMARK_OPT_VALIDATE_UTF8
    guard Self.areExtensionsRegistered, let parser = unsafe cmark_parser_new(options) else {
      unsafe root = nil
      return
    }
    defer { unsafe cmark_parser_free(parser) }
    for name in ["table", "strikethrough", "autolink", "tagfilter", "tasklist"] {
      guard let found = unsafe cmark_find_syntax_extension(name) else { continue }
      unsafe cmark_parser_attach_syntax_extension(parser, found)
    }
    var markdown = markdown
    markdown.withUTF8 { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) {
        unsafe cmark_parser_feed(parser, $0.baseAddress, $0.count)
      }
    }
    unsafe root = cmark_parser_finish(parser)
  }

  deinit { unsafe cmark_node_free(root) }

  /// Visits each node at its beginning, and nodes with content again at their end. It doesn't recurse, because nodes
  /// can be nested to any depth.
  func visit(_ body: (_ node: MarkdownNode, _ isBeginning: Bool) -> Void) {
    guard let root = unsafe root, let iterator = unsafe cmark_iter_new(root) else { return }
    defer { unsafe cmark_iter_free(iterator) }
    while true {
      let event = unsafe cmark_iter_next(iterator)
      guard event != CMARK_EVENT_DONE else { return }
      guard let node = unsafe cmark_iter_get_node(iterator) else { return }
      unsafe body(MarkdownNode(node), event == CMARK_EVENT_ENTER)
    }
  }
}
