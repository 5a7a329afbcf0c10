internal import CMarkGFM

/// A node of a ``MarkdownTree``. It must not outlive the tree.
// @safe: the creator of a node keeps the tree alive.
@safe
struct MarkdownNode {
  enum Kind {
    case document, blockQuote, list, item, taskItem, codeBlock, htmlBlock, paragraph, heading
    case thematicBreak, footnoteDefinition, table, tableHeader, tableRow, tableCell
    case text, softBreak, lineBreak, code, htmlInline, emphasis, strong, strikethrough, link, image
    case footnoteReference, unknown
  }

  private let node: OpaquePointer

  init(_ node: OpaquePointer) { unsafe self.node = node }

  var kind: Kind {
    switch unsafe cmark_node_get_type(node) {
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

  /// The kind of a node from an extension. Extensions add kinds by name, without fixed numbers.
  private var kindOfExtension: Kind {
    switch unsafe String(cString: cmark_node_get_type_string(node)) {
    case "table": .table
    case "table_header": .tableHeader
    case "table_row": .tableRow
    case "table_cell": .tableCell
    case "strikethrough": .strikethrough
    default: .unknown
    }
  }

  private func isOfExtension(_ name: String) -> Bool {
    guard unsafe cmark_node_get_syntax_extension(node) != nil else { return false }
    return unsafe String(cString: cmark_node_get_type_string(node)) == name
  }

  /// The text of a leaf: plain text, code, HTML, or a footnote's number.
  var literal: String { unsafe text(cmark_node_get_literal(node)) }

  var url: String { unsafe text(cmark_node_get_url(node)) }

  /// The first word after the fence of a code block.
  var language: String {
    let info = unsafe text(cmark_node_get_fence_info(node))
    return String(info.prefix { !$0.isWhitespace })
  }

  /// The level of a heading, from 1.
  var headingLevel: Int { unsafe Int(cmark_node_get_heading_level(node)) }

  var isTight: Bool { unsafe cmark_node_get_list_tight(node) != 0 }

  /// The first number of an ordered list; nil for other lists.
  var listStart: Int? {
    unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
      ? Int(cmark_node_get_list_start(node)) : nil
  }

  var listDelimiter: String {
    unsafe cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? ")" : "."
  }

  var isChecked: Bool { unsafe cmark_gfm_extensions_get_tasklist_item_checked(node) }

  var childCount: Int {
    var count = 0
    var child = unsafe cmark_node_first_child(node)
    while let found = unsafe child {
      count += 1
      unsafe child = cmark_node_next(found)
    }
    return count
  }

  /// The text of a node that contains only text; nil for other nodes.
  var onlyText: String? {
    guard let child = unsafe cmark_node_first_child(node), unsafe cmark_node_next(child) == nil,
      unsafe cmark_node_get_type(child) == CMARK_NODE_TEXT
    else { return nil }
    return unsafe text(cmark_node_get_literal(child))
  }

  var isEmpty: Bool { unsafe cmark_node_first_child(node) == nil }

  /// Whether an inline node is alone on its line of a paragraph.
  var isAloneOnLine: Bool {
    guard let parent = unsafe cmark_node_parent(node),
      unsafe MarkdownNode(parent).kind == .paragraph
    else { return false }
    return unsafe isBreak(cmark_node_previous, from: node) && isBreak(cmark_node_next, from: node)
  }

  /// Whether a line begins or ends next to a node. The autolink extension leaves empty texts there.
  private func isBreak(
    _ next: (OpaquePointer?) -> OpaquePointer?, from node: OpaquePointer
  ) -> Bool {
    var neighbor = unsafe next(node)
    while let found = unsafe neighbor {
      let node = unsafe MarkdownNode(found)
      guard node.kind == .text, node.literal.isEmpty else {
        return [.softBreak, .lineBreak].contains(node.kind)
      }
      unsafe neighbor = next(found)
    }
    return true
  }

  /// The alert that a quotation represents, and the number of its first inline nodes that form the marker. As on
  /// GitHub, an alert can't be nested in another block, its marker has its own line, and content follows it.
  var alert: (kind: Alert, markers: Int)? {
    guard let parent = unsafe cmark_node_parent(node),
      unsafe MarkdownNode(parent).kind == .document,
      let paragraph = unsafe cmark_node_first_child(node),
      unsafe MarkdownNode(paragraph).kind == .paragraph,
      let first = unsafe cmark_node_first_child(paragraph),
      unsafe MarkdownNode(first).kind == .text,
      let alert = unsafe Alert(marker: MarkdownNode(first).literal)
    else { return nil }
    guard let next = unsafe cmark_node_next(first) else {
      return unsafe cmark_node_next(paragraph) == nil ? nil : (alert, 1)
    }
    switch unsafe MarkdownNode(next).kind {
    case .softBreak, .lineBreak: return (alert, 2)
    default: return nil
    }
  }

  /// A letter for the alignment of each table column: `l`, `c`, `r`, or 0.
  var alignments: [UInt8] {
    let count = unsafe Int(cmark_gfm_extensions_get_table_columns(node))
    guard let letters = unsafe cmark_gfm_extensions_get_table_alignments(node) else { return [] }
    return unsafe Array(UnsafeBufferPointer(start: letters, count: count))
  }

  private func text(_ pointer: UnsafePointer<CChar>?) -> String {
    unsafe pointer.map { unsafe String(cString: $0) } ?? ""
  }
}
