internal import GitHubAPI
internal import StyledText

/// The styles of the screen by what they mean, for dark and for light terminals.
///
/// The screen never paints the whole window: it takes the terminal's own background, and moves the theme's colors until
/// they can be read on it.
package struct Theme: Sendable, Hashable {
  /// What a part of the picture is.
  package enum Role: UInt8, Sendable, Hashable, CaseIterable {
    /// Text without another role. Its color applies to all text that has none.
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

  /// WCAG 2.2, success criterion 1.4.6.
  private static let enhancedContrast = 7.0

  package let name: String
  let dark: Table
  let light: Table
  /// The least that text has with what is behind it.
  let contrast: Double
  /// The styles of the user's own theme, in the place of those of the tables.
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

  /// Dark or light, as the terminal is.
  package static let standard = Theme(
    name: "default", dark: .defaultDark, light: .defaultLight, contrast: Color.readableContrast)

  /// Those without `-dark` or `-light` follow the terminal.
  package static let names =
    ["default", "high-contrast", "solarized"].flatMap { [$0, "\($0)-dark", "\($0)-light"] }
    + ["ansi"]

  /// nil unless ``names`` has the name.
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

  /// A value that isn't a style, or a name that isn't a role.
  package struct Problem: Error, Hashable, CustomStringConvertible {
    /// The name in the file.
    package let key: String
    package let description: String
  }

  /// Makes a theme from names of roles and styles in words, such as `bold #7aa2f7` and `black on yellow`.
  ///
  /// `base` names the theme that has the other roles, else it is the default. The styles hold on dark and light
  /// terminals.
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

  /// The user's own style, unless the terminal hasn't its colors.
  private func own(_ role: Role, in colors: ColorMode) -> Style? {
    guard let style = changes[role] else { return nil }
    switch colors {
    case .none: return nil
    case .basic: return style == style.withoutExactColors ? style : nil
    case .palette, .trueColor: return style
    }
  }

  /// The styles of all roles in their order. Without its background, a terminal gets its own colors, which fit it,
  /// unless the theme was chosen for it.
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
      // Nobody knows how much of the contrast is left.
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
  /// `not-planned` for ``notPlanned``.
  package var name: String {
    "\(self)".reduce(into: "") { name, letter in
      name += letter.isUppercase ? "-\(letter.lowercased())" : "\(letter)"
    }
  }

  static let named = Dictionary(
    uniqueKeysWithValues: allCases.map { ($0.name, $0) })

  /// Whether it is a line or a block, which needn't be read.
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
  /// As far from a new background as it was from the usual one.
  fileprivate func shifted(from usual: Color, to ground: Color) -> Color {
    func shift(_ part: KeyPath<Color, UInt8>) -> UInt8 {
      UInt8(
        clamping: Int(self[keyPath: part]) - Int(usual[keyPath: part]) + Int(ground[keyPath: part]))
    }
    return Color(red: shift(\.red), green: shift(\.green), blue: shift(\.blue))
  }

  func shown(in colors: ColorMode) -> Color { colors == .palette ? inPalette : self }

  /// The readable color that the terminal has. Its palette is coarse, so that the nearest one may not be readable.
  func shown(
    in colors: ColorMode, on ground: Color, contrast: Double
  ) -> Color {
    let steps = stride(from: contrast, through: contrast + 3, by: 0.5).lazy.map {
      readable(on: ground, contrast: $0).shown(in: colors)
    }
    return steps.first { $0.contrast(with: ground) >= contrast } ?? ground.textColor
  }
}
