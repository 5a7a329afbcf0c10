internal import CMarkGFM

/// A node of a ``MarkdownTree``, which it must not outlive.
struct MarkdownNode {
  enum Kind {
    case document, blockQuote, list, item, taskItem, codeBlock, htmlBlock, paragraph, heading
    case thematicBreak, footnoteDefinition, table, tableHeader, tableRow, tableCell
    case text, softBreak, lineBreak, code, htmlInline, emphasis, strong, strikethrough, link, image
    case footnoteReference, unknown
  }

  private let node: OpaquePointer

  init(_ node: OpaquePointer) { self.node = node }

  var kind: Kind {
    switch cmark_node_get_type(node) {
    case CMARK_NODE_DOCUMENT: .document
    case CMARK_NODE_BLOCK_QUOTE: .blockQuote
    case CMARK_NODE_LIST: .list
    case CMARK_NODE_ITEM: isOfExtension("tasklist") ? .taskItem : .item
    case CMARK_NODE_CODE_BLOCK: .codeBlock
    case CMARK_NODE_HTML_BLOCK: .htmlBlock
    case CMARK_NODE_PARAGRAPH: .paragraph
    case CMARK_NODE_HEADING: .heading
    case CMARK_NODE_THEMATIC_BREAK: .thematicBreak
    case CMARK_NODE_FOOTNOTE_DEFINITION: .footnoteDefinition
    case CMARK_NODE_TEXT: .text
    case CMARK_NODE_SOFTBREAK: .softBreak
    case CMARK_NODE_LINEBREAK: .lineBreak
    case CMARK_NODE_CODE: .code
    case CMARK_NODE_HTML_INLINE: .htmlInline
    case CMARK_NODE_EMPH: .emphasis
    case CMARK_NODE_STRONG: .strong
    case CMARK_NODE_LINK: .link
    case CMARK_NODE_IMAGE: .image
    case CMARK_NODE_FOOTNOTE_REFERENCE: .footnoteReference
    default: kindOfExtension
    }
  }

  /// Extensions add kinds by name, without fixed numbers.
  private var kindOfExtension: Kind {
    switch String(cString: cmark_node_get_type_string(node)) {
    case "table": .table
    case "table_header": .tableHeader
    case "table_row": .tableRow
    case "table_cell": .tableCell
    case "strikethrough": .strikethrough
    default: .unknown
    }
  }

  private func isOfExtension(_ name: String) -> Bool {
    guard cmark_node_get_syntax_extension(node) != nil else { return false }
    return String(cString: cmark_node_get_type_string(node)) == name
  }

  /// The text of a leaf: words, code, HTML, a footnote's number.
  var literal: String { text(cmark_node_get_literal(node)) }

  var url: String { text(cmark_node_get_url(node)) }

  /// The first word after the fence of a code block.
  var language: String {
    let info = text(cmark_node_get_fence_info(node))
    return String(info.prefix { !$0.isWhitespace })
  }

  /// From 1.
  var headingLevel: Int { Int(cmark_node_get_heading_level(node)) }

  var isTight: Bool { cmark_node_get_list_tight(node) != 0 }

  /// The first number of an ordered list; nil for other lists.
  var listStart: Int? {
    cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
      ? Int(cmark_node_get_list_start(node)) : nil
  }

  var listDelimiter: String {
    cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? ")" : "."
  }

  var isChecked: Bool { cmark_gfm_extensions_get_tasklist_item_checked(node) }

  var childCount: Int {
    var count = 0
    var child = cmark_node_first_child(node)
    while let found = child {
      count += 1
      child = cmark_node_next(found)
    }
    return count
  }

  /// The text of a node that contains nothing else; nil for other nodes.
  var onlyText: String? {
    guard let child = cmark_node_first_child(node), cmark_node_next(child) == nil,
      cmark_node_get_type(child) == CMARK_NODE_TEXT
    else { return nil }
    return text(cmark_node_get_literal(child))
  }

  var isEmpty: Bool { cmark_node_first_child(node) == nil }

  /// The alert that a quotation is, and how many of its first inline nodes only say so. As on GitHub, it is part of no
  /// other block, its marker has a line of its own, and something follows.
  var alert: (kind: Alert, markers: Int)? {
    guard let parent = cmark_node_parent(node), MarkdownNode(parent).kind == .document,
      let paragraph = cmark_node_first_child(node), MarkdownNode(paragraph).kind == .paragraph,
      let first = cmark_node_first_child(paragraph), MarkdownNode(first).kind == .text,
      let alert = Alert(marker: MarkdownNode(first).literal)
    else { return nil }
    guard let next = cmark_node_next(first) else {
      return cmark_node_next(paragraph) == nil ? nil : (alert, 1)
    }
    switch MarkdownNode(next).kind {
    case .softBreak, .lineBreak: return (alert, 2)
    default: return nil
    }
  }

  /// A letter for each column of a table: `l`, `c`, `r`, or 0.
  var alignments: [UInt8] {
    let count = Int(cmark_gfm_extensions_get_table_columns(node))
    guard let letters = cmark_gfm_extensions_get_table_alignments(node) else { return [] }
    return Array(UnsafeBufferPointer(start: letters, count: count))
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }
}
