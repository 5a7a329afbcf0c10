package import IssueTracker
package import StyledText

/// The symbols and styles of the whole screen.
package struct Look: Sendable, Hashable {
  package var symbols: Symbols
  package var theme: Theme { didSet { settle() } }
  /// The colors that the terminal supports.
  package var colors: ColorMode { didSet { settle() } }
  /// The terminal's background; nil until the terminal has reported it.
  package var background: Color? { didSet { settle() } }
  /// Whether the terminal shows struck text. If false, the text is shown between tildes.
  package var strikesThrough: Bool
  private var styles: [Style]

  package init(
    symbols: Symbols = .unicode, theme: Theme = .standard, colors: ColorMode = .trueColor,
    background: Color? = nil, strikesThrough: Bool = false
  ) {
    self.symbols = symbols
    self.theme = theme
    self.colors = colors
    self.background = background
    self.strikesThrough = strikesThrough
    styles = theme.styles(in: colors, on: background)
  }

  private mutating func settle() {
    styles = theme.styles(in: colors, on: background)
  }

  package subscript(role: Theme.Role) -> Style { styles[Int(role.rawValue)] }

  // MARK: Issues

  package func state(_ state: IssueState, _ reason: StateReason?) -> Style {
    switch (state, reason) {
    case (.open, _): self[.open]
    case (_, .notPlanned), (_, .duplicate): self[.notPlanned]
    default: self[.completed]
    }
  }

  /// The style of an issue's state. A pull request has no reason for closing; it is either merged or not.
  package func state(of issue: GitHub.Issue) -> Style {
    switch PullRequestStage(of: issue) {
    case nil: state(issue.state, issue.stateReason)
    case .draft: self[.notPlanned]
    case .open: self[.open]
    case .merged: self[.completed]
    case .closed: self[.problem]
    }
  }

  // MARK: Labels

  /// GitHub's default color for labels.
  private static let plainLabel = Color(red: 0xED, green: 0xED, blue: 0xED)

  /// A label's name on its color, with a space on either side; in brackets if the terminal has no exact colors.
  package func pill(_ label: GitHub.Label, within columns: Int = .max) -> StyledLine.Run {
    // Two columns are for the spaces on either side.
    let name = columns == .max ? label.name : StyledLine(label.name, within: columns - 2).plain
    guard colors >= .palette else { return StyledLine.Run("[\(name)]", style: self[.muted]) }
    let color = (label.color.flatMap(Color.init(hexadecimal:)) ?? Self.plainLabel).shown(in: colors)
    return StyledLine.Run(
      " \(name) ",
      style: Style(foreground: .exact(color.textColor), background: .exact(color)))
  }

  /// The style of a label's name in its color, adjusted to be readable on this background.
  package func labelName(_ hexadecimal: String) -> Style {
    guard colors >= .palette, let background, let color = Color(hexadecimal: hexadecimal) else {
      return self[.text]
    }
    let shown = color.shown(in: colors, on: background, contrast: Color.readableContrast)
    return Style(foreground: .exact(shown))
  }

  /// A line with as many labels as fit, and the number of remaining labels.
  package func pills(_ labels: [GitHub.Label], within columns: Int) -> StyledLine {
    var line = StyledLine()
    var used = 0
    for (index, label) in labels.enumerated() {
      let rest = labels.count - index
      let blank = index == 0 ? 0 : 1
      let pill = pill(label, within: columns)
      let later = rest > 1 ? StyledLine.Run(" +\(rest - 1)").columns : 0
      if used + blank + pill.columns + later <= columns || index == 0 {
        let room = max(3, columns - later)
        if blank > 0 { line.runs.append(StyledLine.Run(" ")) }
        let fitting = pill.columns <= room ? pill : self.pill(label, within: room)
        line.runs.append(fitting)
        used += blank + fitting.columns
      } else {
        line.runs.append(StyledLine.Run(" +\(rest)", style: self[.muted]))
        return line
      }
    }
    return line
  }

  // MARK: People

  private static let people: [Theme.Role] = [
    .person1, .person2, .person3, .person4, .person5, .person6,
  ]

  /// The first two letters of a login. Each login always has the same color.
  package func initials(of login: String) -> StyledLine.Run {
    let parts = login.split { $0 == "-" || $0 == "_" || $0 == "[" }
    let letters =
      parts.count > 1
      ? [parts[0].first, parts[1].first].compactMap(\.self) : Array(login.prefix(2))
    let shown = letters.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    // FNV-1a, because the hashes of the standard library differ between runs.
    let hash = login.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let role = Self.people[Int(hash % UInt32(Self.people.count))]
    return StyledLine.Run(String(shown).uppercased(), style: self[role])
  }
}
