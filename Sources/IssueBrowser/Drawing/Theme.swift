internal import GitHubAPI
internal import StyledText

/// The styles of the screen by role, for dark and light terminals.
///
/// The screen doesn't paint the whole window: it keeps the terminal's background, and adjusts the theme's colors until
/// they are readable on it.
package struct Theme: Sendable, Hashable {
  /// The role of a part of the screen.
  package enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// Text without another role. Its color applies to all uncolored text.
    case text
    /// The subject of a row or a pane, such as a repository's name.
    case title
    /// The title of a pane while another pane has the focus.
    case inactiveTitle
    case muted
    /// The most prominent part, such as the frame of the help.
    case accent
    case prompt
    /// A key in a hint.
    case key
    case columnTitle
    case border
    /// The border of the focused pane.
    case activeBorder
    case scrollbar
    /// The row that the keys act on.
    case selection
    /// The current row while another pane has the focus.
    case inactiveSelection
    /// A row that the user has selected, possibly with others.
    case marked
    /// Text that matches the user's search.
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

    /// The color of initials depends on the login.
    case person1
    case person2
    case person3
    case person4
    case person5
    case person6
  }

  /// The contrast of WCAG 2.2, success criterion 1.4.6.
  private static let enhancedContrast = 7.0

  package let name: String
  let dark: Table
  let light: Table
  /// The minimum contrast between text and its background.
  let contrast: Double
  /// The styles of the user's own theme. They replace the styles of the tables.
  private let changes: [Role: Style]

  private init(
    name: String, dark: Table, light: Table, contrast: Double, changes: [Role: Style] = [:]
  ) {
    self.name = name
    self.dark = dark
    self.light = light
    self.contrast = contrast
    self.changes = changes
  }

  // MARK: Names

  /// The dark or light theme, depending on the terminal.
  package static let standard = Theme(
    name: "default", dark: .defaultDark, light: .defaultLight, contrast: Color.readableContrast)

  /// The names of the themes. Names without `-dark` or `-light` follow the terminal.
  package static let names =
    ["default", "high-contrast", "solarized"].flatMap { [$0, "\($0)-dark", "\($0)-light"] }
    + ["ansi"]

  /// The theme with a name; nil if the name isn't in ``names``.
  package static func named(_ name: String) -> Theme? {
    guard names.contains(name) else { return nil }
    let isLight = name.hasSuffix("-light")
    let isFixed = isLight || name.hasSuffix("-dark")
    let family: (dark: Table, light: Table, contrast: Double) =
      switch name {
      case "ansi": (.ansi, .ansi, Color.readableContrast)
      case _ where name.hasPrefix("high"):
        (.highContrastDark, .highContrastLight, enhancedContrast)
      case _ where name.hasPrefix("solarized"):
        (.solarizedDark, .solarizedLight, Color.readableContrast)
      default: (.defaultDark, .defaultLight, Color.readableContrast)
      }
    return Theme(
      name: name, dark: isFixed && isLight ? family.light : family.dark,
      light: isFixed && !isLight ? family.dark : family.light, contrast: family.contrast)
  }

  // MARK: Themes of a file

  /// An invalid style or an unknown role.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    /// The name in the file.
    package let key: String
    package let description: String
  }

  /// Makes a theme from names of roles and styles in words, such as `bold #7aa2f7` and `black on yellow`.
  ///
  /// `base` names the theme for the other roles; without it, the default theme is used. The styles apply to dark and
  /// light terminals.
  package init(name: String, _ values: [String: String]) throws(Problem) {
    var base = Theme.standard
    if let named = values["base"] {
      guard let theme = Theme.named(named) else {
        throw Problem(key: "base", unknown: named, "theme", among: Theme.names)
      }
      base = theme
    }
    var changes: [Role: Style] = [:]
    for (key, words) in values.sorted(by: { $0.key < $1.key }) where key != "base" {
      guard let role = Role.named[key] else {
        throw Problem(key: key, unknown: key, "role", among: Role.named.keys.sorted())
      }
      do throws(StyleWords.Problem) {
        changes[role] = try StyleWords.style(words)
      } catch {
        throw Problem(key: key, description: error.description)
      }
    }
    self.init(
      name: name, dark: base.dark, light: base.light, contrast: base.contrast, changes: changes)
  }

  // MARK: Styles

  /// The user's own style, unless the terminal doesn't support its colors.
  private func own(_ role: Role, in colors: ColorMode) -> Style? {
    guard let style = changes[role] else { return nil }
    switch colors {
    case .none: return nil
    case .basic: return style == style.withoutExactColors ? style : nil
    case .palette, .trueColor: return style
    }
  }

  /// The styles of all roles, in order. A terminal with an unknown background gets its own colors, which suit it,
  /// unless the user chose the theme.
  func styles(in colors: ColorMode, on background: Color?) -> [Style] {
    let table: Table =
      switch (colors, background) {
      case (.none, _): .monochrome
      case (.basic, _): .ansi
      case (_, nil): dark == light ? dark : .ansi
      case (_, let background?): background.isLight ? light : dark
      }
    return Role.allCases.map { role in
      var style = own(role, in: colors) ?? table.styles[role] ?? .plain
      // Faint text reduces the contrast by an unknown amount.
      if contrast > Color.readableContrast { style.isFaint = false }
      guard let ground = background ?? table.ground else { return style }
      var behind = ground
      if case .exact(let color) = style.background, let usual = table.ground {
        behind = color.shifted(from: usual, to: ground).shown(in: colors)
        style.background = .exact(behind)
      }
      if case .exact(let color) = style.foreground, !role.isLine {
        style.foreground = .exact(color.shown(in: colors, on: behind, contrast: contrast))
      }
      return style
    }
  }
}

extension Theme.Role {
  /// The name in the configuration, such as `not-planned` for ``notPlanned``.
  package var name: String {
    "\(self)".reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }

  static let named = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Whether the role is a line or a block, which needn't be readable.
  var isLine: Bool {
    switch self {
    case .border, .activeBorder, .scrollbar: true
    default: false
    }
  }
}

extension Theme.Problem {
  fileprivate init(key: String, unknown word: String, _ kind: String, among names: [String]) {
    let nearest = Spelling.nearest(to: word, among: names)
    self.init(
      key: key,
      description: "there is no \(kind) '\(word)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? "; there are \(names.joined(separator: ", "))"))
  }
}

extension Color {
  /// The color shifted by the difference between the backgrounds, so that its contrast stays about the same.
  fileprivate func shifted(from usual: Color, to ground: Color) -> Color {
    func shift(_ part: KeyPath<Color, UInt8>) -> UInt8 {
      UInt8(
        clamping: Int(self[keyPath: part]) - Int(usual[keyPath: part]) + Int(ground[keyPath: part]))
    }
    return Color(red: shift(\.red), green: shift(\.green), blue: shift(\.blue))
  }

  func shown(in colors: ColorMode) -> Color { colors == .palette ? inPalette : self }

  /// The color that the terminal supports and that is readable. The palette is coarse, so the nearest color may not be
  /// readable.
  func shown(
    in colors: ColorMode, on ground: Color, contrast: Double
  ) -> Color {
    let steps = stride(from: contrast, through: contrast + 3, by: 0.5).lazy.map {
      readable(on: ground, contrast: $0).shown(in: colors)
    }
    return steps.first { $0.contrast(with: ground) >= contrast } ?? ground.textColor
  }
}
