package import StyledText

/// The styles of the screen, by what they mean.
package struct Theme: Sendable, Hashable {
  /// What a part of the picture is.
  package enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// Text without another role. Its colour applies to all text that has none.
    case text
    /// What a row or a pane is about, such as a repository's name.
    case title
    /// The title of a pane while another has the keys.
    case inactiveTitle
    case muted
    /// What the eye should find first, such as the frame of the help.
    case accent
    case prompt
    /// A key in a hint.
    case key
    case columnTitle
    case border
    /// The border of the pane that has the keys.
    case activeBorder
    case scrollbar
    /// The row that the keys act on.
    case selection
    /// That row while another pane has the keys.
    case inactiveSelection
    /// A row that the user has marked, with others.
    case marked
    /// Text that the user has searched for.
    case match
    /// The dot of a row that is new or has changed.
    case unread
    /// A change that isn't sent yet.
    case pending
    case problem
    case warning
    case success
    case stars

    // MARK: States

    case open
    /// Closed as completed, or merged.
    case completed
    case notPlanned

    // MARK: Markdown

    case heading
    case link
    case code
    case quote
    case note
    case tip
    case important
    case caution

    // MARK: Highlighted code

    case keyword
    case type
    case function
    case string
    case number
    case comment
    case added
    case removed

    // MARK: People

    /// Initials have one of these by their login.
    case person1
    case person2
    case person3
    case person4
    case person5
    case person6
  }

  private var styles: [Style]

  package subscript(role: Role) -> Style { styles[Int(role.rawValue)] }

  private init(_ styles: [Role: Style]) {
    self.styles = Role.allCases.map { styles[$0] ?? .plain }
  }

  /// The terminal's own colours.
  package static let ansi = Theme([
    .title: .heading,
    .muted: .faint,
    .accent: Style(foreground: .cyan),
    .prompt: Style(foreground: .green, isBold: true),
    .key: .heading,
    .columnTitle: .columnTitle,
    .border: Style(foreground: .grey),
    .activeBorder: Style(foreground: .cyan),
    .scrollbar: Style(foreground: .grey),
    .selection: Style(isReversed: true),
    .marked: Style(isBold: true),
    .match: .match,
    .unread: Style(foreground: .cyan),
    .pending: Style(foreground: .yellow),
    .problem: Style(foreground: .red),
    .warning: Style(foreground: .yellow),
    .success: Style(foreground: .green),
    .stars: Style(foreground: .yellow),
    .open: .open,
    .completed: .completed,
    .notPlanned: .notPlanned,
    .heading: Style(foreground: .cyan, isBold: true),
    .link: Style(foreground: .blue, isUnderlined: true),
    .code: Style(foreground: .yellow),
    .quote: .faint,
    .note: Style(foreground: .blue),
    .tip: Style(foreground: .green),
    .important: Style(foreground: .magenta),
    .caution: Style(foreground: .red),
    .keyword: Style(foreground: .magenta),
    .type: Style(foreground: .cyan),
    .function: Style(foreground: .blue),
    .string: Style(foreground: .green),
    .number: Style(foreground: .yellow),
    .comment: .faint,
    .added: Style(foreground: .green),
    .removed: Style(foreground: .red),
    .person1: Style(foreground: .red),
    .person2: Style(foreground: .green),
    .person3: Style(foreground: .yellow),
    .person4: Style(foreground: .blue),
    .person5: Style(foreground: .magenta),
    .person6: Style(foreground: .cyan),
  ])
}
