package import StyledText

extension Style {
  /// The selected row of what has the keys.
  package static let selection = Style(isReversed: true)

  /// What matches in a completion.
  package static let match = Style(foreground: .cyan, isBold: true)

  /// What stands before the text that is typed.
  package static let prompt = Style(foreground: .green, isBold: true)

  /// What went wrong.
  package static let problem = Style(foreground: .red)

  /// What holds things up for a while.
  package static let delay = Style(foreground: .yellow)

  /// The lines of boxes and between panes.
  package static let line = Style(foreground: .grey)

  /// A line beside the pane that has the keys.
  package static let focusedLine = Style(foreground: .cyan)

  /// A number of stars.
  package static let stars = Style(foreground: .yellow)
}
