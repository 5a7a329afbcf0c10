import GitHubAPI
import IssueTracker
import StyledText
import TerminalScreen
import TestSupport
import TestTraits
import Testing

@testable import IssueBrowser

@Suite("Themes", .tags(.heavy))
struct ThemeTests {
  private static let tables: [(String, Theme.Table)] = [
    ("ansi", .ansi), ("monochrome", .monochrome),
    ("default dark", .defaultDark), ("default light", .defaultLight),
    ("solarized dark", .solarizedDark), ("solarized light", .solarizedLight),
    ("high contrast dark", .highContrastDark), ("high contrast light", .highContrastLight),
  ]

  /// Of terminals that people use.
  private static let grounds = [
    "#000000", "#1e1e1e", "#002b36", "#282c34", "#2e3440", "#ffffff", "#fdf6e3", "#eff1f5",
  ].compactMap(Color.init(hexadecimal:))

  @Test("a theme's table has a style for each role", arguments: tables)
  func complete(name: String, table: Theme.Table) {
    for role in Theme.Role.allCases {
      #expect(table.styles[role] != nil, "\(role.name)")
    }
  }

  // MARK: Legibility

  @Test(
    "text has a contrast of at least 4.5, or 7 with a high-contrast theme",
    arguments: Theme.names.filter { $0 != "ansi" })
  func contrast(name: String) throws {
    let theme = try #require(Theme.named(name))
    let least = name.hasPrefix("high-contrast") ? 7.0 : 4.5
    #expect(theme.contrast == least)
    for colors in [ColorMode.palette, .trueColor] {
      for ground in Self.grounds {
        let look = Look(theme: theme, colors: colors, background: ground)
        for role in Theme.Role.allCases where !role.isLine {
          var behind = ground.shown(in: colors)
          if case .exact(let own) = look[role].background { behind = own }
          guard case .exact(let color) = look[role].foreground else { continue }
          // The terminal's background is no color of the palette; the text is.
          let shown = color.contrast(with: look[role].background == .standard ? ground : behind)
          #expect(shown >= least, "\(role.name) on \(ground) in \(colors)")
        }
      }
    }
  }

  @Test(
    "every letter and digit on the screen has a contrast of at least 4.5",
    arguments: Theme.names.filter { $0 != "ansi" })
  func letters(name: String) throws {
    let theme = try #require(Theme.named(name))
    var issue = SampleStates.issue(0)
    issue.body = """
      # Heading
      `code`, [a link](https://swift.org), ~~no~~ and #12
      > [!WARNING]
      > Quoted

      - [x] done

      ```swift
      let x: Int = f("a") + 12  // why
      ```

      ```diff
      - a
      + b
      ```

      | a | b |
      |---|---|
      | 1 | c |
      """
    for ground in Self.grounds {
      let look = Look(theme: theme, background: ground)
      var reading = try SampleStates.reading(120, 60)
      var page = IssuePage(issue: issue, now: SampleStates.now, width: 60)
      page.look = look
      reading.reader?.document = page.document
      reading.reader?.top = 0
      var (help, palette) = (try SampleStates.issues(80, 24), try SampleStates.issues(80, 24))
      help.help = KeyHelp()
      palette.palette = Palette()
      for var state in [reading, help, palette, SampleStates.repositories(120, 24)] {
        state.look = look
        for cell in BrowserScreen.canvas(of: state).cells
        where cell.text.contains(where: { $0.isLetter || $0.isNumber }) {
          guard case .exact(let color) = cell.style.foreground else { continue }
          var behind = ground
          if case .exact(let own) = cell.style.background { behind = own }
          #expect(color.contrast(with: behind) >= 4.5, "\(cell.text) on \(ground)")
        }
      }
    }
  }

  @Test("text is readable on the tint of a selected row", arguments: Theme.names)
  func selection(name: String) throws {
    let theme = try #require(Theme.named(name))
    for ground in Self.grounds {
      var state = try SampleStates.issues(140, 20)
      state.look = Look(theme: theme, background: ground)
      let cells = BrowserScreen.canvas(of: state)[row: state.layout.list.row + 2].dropLast(2)
      for cell in cells where cell.text != " " && cell.text != state.look.symbols.marker {
        if case (.exact(let text), .exact(let tint)) = (
          cell.style.foreground, cell.style.background
        ) {
          #expect(text.contrast(with: tint) >= 4.5, "\(cell.text) on \(ground)")
        }
      }
    }
  }

  @Test(
    "a label's text is readable on any label color", arguments: [ColorMode.palette, .trueColor])
  func pills(colors: ColorMode) {
    let look = Look(colors: colors)
    let failure = FuzzTest("pill", iterations: 500).run { source in
      let color = String(
        (0xFF_FFFF & Int(truncatingIfNeeded: source.next())) | 0x100_0000, radix: 16)
      let style = look.pill(GitHub.Label(name: "bug", color: String(color.dropFirst()))).style
      guard case (.exact(let text), .exact(let ground)) = (style.foreground, style.background)
      else {
        throw Unstyled()
      }
      #expect(text.contrast(with: ground) >= 4.5)
    }
    #expect(failure == nil)
  }

  private struct Unstyled: Error {}

  // MARK: The terminal

  @Test("the default theme adapts to the terminal's background, and named variants don't")
  func background() throws {
    func accent(_ name: String, on ground: String?) throws -> Style {
      let theme = try #require(Theme.named(name))
      return Look(theme: theme, background: ground.flatMap(Color.init(hexadecimal:)))[.accent]
    }
    let dark = try accent("default-dark", on: nil)
    let light = try accent("default-light", on: nil)
    #expect(dark != light)
    #expect(try accent("default", on: "#1e1e1e") == dark)
    #expect(try accent("default", on: "#ffffff") == light)
    #expect(try accent("default-dark", on: "#1e1e1e") == dark)
    // A terminal that doesn't answer has colors that fit it.
    for name in ["default", "solarized", "high-contrast", "ansi"] {
      #expect(try accent(name, on: nil).foreground == .cyan, "\(name)")
    }
    for name in Theme.names { #expect(Theme.named(name)?.name == name) }
    #expect(Theme.named("gruvbox") == nil)
  }

  @Test("the terminal's reported background changes the colors, and lays out the open issue again")
  func answer() throws {
    var state = try SampleStates.reading(120, 20)
    state.message = "Opened"
    let effects = state.handle(.input(.background(.white)))
    #expect(effects == [.begin(.layout(revision: state.revisions.reader))])
    #expect(state.look.background == .white && state.message == "Opened")
    #expect(state.handle(.input(.background(.white))).isEmpty)
  }

  @Test(
    "basic colors come from the terminal's palette, and no colors are used with NO_COLOR",
    arguments: Theme.names)
  func fewColors(name: String) throws {
    let theme = try #require(Theme.named(name))
    let basic = Look(theme: theme, colors: .basic, background: .white)
    let none = Look(theme: theme, colors: .none, background: .white)
    for role in Theme.Role.allCases {
      #expect(basic[role].withoutExactColors == basic[role])
      #expect(none[role].foreground == .standard && none[role].background == .standard)
      #expect(theme.contrast < 7 || !basic[role].isFaint && !none[role].isFaint)
    }
    let bug = GitHub.Label(name: "bug", color: "d73a4a")
    #expect(none.pill(bug).text.string == "[bug]" && basic.pill(bug).text.string == "[bug]")
    #expect(Look(colors: .palette).pill(bug).text.string == " bug ")
  }

  // MARK: Themes of a file

  @Test("a custom theme changes only the roles that it lists")
  func custom() throws {
    let theme = try Theme(
      name: "mine", ["base": "solarized", "accent": "bold #7aa2f7", "not-planned": "white on red"])
    let look = Look(theme: theme, background: Color(hexadecimal: "#002b36"))
    #expect(theme.name == "mine")
    #expect(
      look[.accent]
        == Style(foreground: .exact(Color(red: 0x7A, green: 0xA2, blue: 0xF7)), isBold: true))
    #expect(look[.notPlanned] == Style(foreground: .white, background: .red))
    #expect(look[.text] == Look(theme: try #require(Theme.named("solarized-dark")))[.text])
  }

  @Test("a custom theme applies on an unknown background, and partly with 16 colors")
  func customAnywhere() throws {
    let theme = try Theme(name: "mine", ["accent": "#7aa2f7", "title": "magenta"])
    let unknown = Look(theme: theme)
    #expect(
      unknown[.accent] == Style(foreground: .exact(Color(red: 0x7A, green: 0xA2, blue: 0xF7))))
    #expect(unknown[.title] == Style(foreground: .magenta))
    let few = Look(theme: theme, colors: .basic)
    #expect(few[.title] == Style(foreground: .magenta))
    #expect(few[.accent] == Look(colors: .basic)[.accent])
    #expect(Look(theme: theme, colors: .none)[.title] == Look(colors: .none)[.title])
  }

  @Test(
    "an error in a theme is reported, with a suggestion",
    arguments: [
      (["mutted": "red"], "mutted", "there is no role 'mutted'; did you mean 'muted'?"),
      (["base": "solarised"], "base", "there is no theme 'solarised'; did you mean 'solarized'?"),
      (
        ["link": "#12"], "link",
        "'#12' is neither a color (#7aa2f7, red, default) nor bold, faint, italic, underline or reverse"
      ),
      (["link": "red blue"], "link", "'blue' is a second color"),
      (["link": "red on"], "link", "a color is missing after 'on'"),
      (["link": "red on blue bold"], "link", "'bold' comes after the background"),
      (["link": " "], "link", "there is no style in it"),
    ])
  func mistakes(values: [String: String], key: String, message: String) {
    let problem = #expect(throws: Theme.Problem.self) { try Theme(name: "mine", values) }
    #expect(problem == Theme.Problem(key: key, description: message))
  }

  @Test("roles have the names used in theme files")
  func names() {
    #expect(Theme.Role.notPlanned.name == "not-planned")
    #expect(Theme.Role.person1.name == "person1")
    #expect(Set(Theme.Role.allCases.map(\.name)).count == Theme.Role.allCases.count)
  }

  // MARK: Pictures

  @Test(
    "a theme is drawn in a wide and a narrow window",
    arguments: [
      "default-dark", "default-light", "high-contrast", "solarized-dark", "solarized-light", "ansi",
    ],
    [(132, 18), (48, 10)])
  func picture(name: String, size: (columns: Int, rows: Int)) throws {
    var state = try SampleStates.issues(size.columns, size.rows)
    state.look = Look(
      theme: try #require(Theme.named(name)), background: name == "high-contrast" ? .black : nil)
    try expectStyled(state, named: "theme-\(name)-\(size.columns)x\(size.rows)")
  }

  @Test(
    "themes are drawn with 16 colors and without colors",
    arguments: [(ColorMode.basic, "16-colors"), (.none, "no-color")], [(132, 18), (48, 10)])
  func plainPicture(colors: (mode: ColorMode, name: String), size: (columns: Int, rows: Int)) throws
  {
    var state = try SampleStates.issues(size.columns, size.rows)
    state.look = Look(colors: colors.mode, background: .black)
    try expectStyled(state, named: "theme-\(colors.name)-\(size.columns)x\(size.rows)")
  }

  private func expectStyled(_ state: BrowserState, named name: String) throws {
    var state = state
    guard case .issues(var sheet) = state.list.content else { return }
    sheet.unread = [sheet.key(of: sheet.issues[1])]
    state.list.content = .issues(sheet)
    try ScreenSnapshot.expectStyled(BrowserScreen.canvas(of: state), named: name)
  }
}
