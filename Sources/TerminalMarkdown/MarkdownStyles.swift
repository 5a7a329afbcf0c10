package import StyledText

/// The styles of a document's parts. The defaults use the terminal's own colors.
package struct MarkdownStyles: Sendable, Hashable {
  package var heading = Style(foreground: .cyan, isBold: true)
  package var link = Style(foreground: .blue, isUnderlined: true)
  /// The style of code within a line of text. Code blocks use the styles of their parts.
  package var code = Style(foreground: .yellow)
  /// The bar before a quotation.
  package var quote = Style.faint
  /// The style of rules, and of the frames of code and tables.
  package var frame = Style(foreground: .grey)
  /// The style of text that isn't the author's, such as an address below the document.
  package var aside = Style.faint
  /// The style of a completed task's mark.
  package var done = Style(foreground: .green)

  package var note = Style(foreground: .blue)
  package var tip = Style(foreground: .green)
  package var important = Style(foreground: .magenta)
  package var warning = Style(foreground: .yellow)
  package var caution = Style(foreground: .red)

  package var keyword = Style(foreground: .magenta)
  package var type = Style(foreground: .cyan)
  package var string = Style(foreground: .green)
  package var number = Style(foreground: .yellow)
  package var comment = Style(foreground: .grey)
  package var added = Style(foreground: .green)
  package var removed = Style(foreground: .red)
  /// The style of an attribute, a directive, or metadata in a diff. Blue that isn't bold is too dark on some terminals.
  package var meta = Style(foreground: .blue, isBold: true)

  package init() {}

  /// The style of a heading. Levels 1 to 3 differ only in the rules below them; lower levels are progressively lighter.
  func heading(level: Int) -> Style {
    var style = heading
    style.isItalic = level > 3
    if level > 4 { style.isBold = false }
    if level > 5 { style.isFaint = true }
    return style
  }

  func style(of alert: Alert) -> Style {
    switch alert {
    case .note: note
    case .tip: tip
    case .important: important
    case .warning: warning
    case .caution: caution
    }
  }

  func style(of part: CodePart) -> Style {
    switch part {
    case .plain: .plain
    case .comment: comment
    case .keyword: keyword
    case .string: string
    case .number: number
    case .type: type
    case .added: added
    case .removed: removed
    case .meta: meta
    case .error: caution
    case .warning: warning
    }
  }
}
