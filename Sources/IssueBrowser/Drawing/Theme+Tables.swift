internal import StyledText

extension Theme {
  /// A theme's styles for one kind of terminal.
  struct Table: Sendable, Hashable {
    /// The background that the colors are designed for; nil if the terminal has its own colors.
    let ground: Color?
    private(set) var styles: [Role: Style]

    /// Reads one column of the lines. Each line has a role and, for each theme, a style in words; an empty style is the
    /// terminal's own.
    private init(on ground: Color?, _ column: Int, of lines: String) {
      self.ground = ground
      styles = [:]
      for line in lines.split(separator: "\n") {
        let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { cell in
          cell.split(separator: " ").joined(separator: " ")
        }
        guard let role = Role.named[cells[0]] else { continue }
        let words = cells.indices.contains(column) ? cells[column] : ""
        styles[role] = words.isEmpty ? .plain : try? StyleWords.style(words)
      }
    }
  }
}

extension Theme.Table {
  static let defaultDark = Theme.Table(
    on: Color(red: 0x1E, green: 0x1E, blue: 0x1E), 1, of: defaults)
  static let defaultLight = Theme.Table(
    on: Color(red: 0xFF, green: 0xFF, blue: 0xFF), 2, of: defaults)
  static let highContrastDark = Theme.Table(
    on: Color(red: 0x00, green: 0x00, blue: 0x00), 3, of: defaults)
  static let highContrastLight = Theme.Table(
    on: Color(red: 0xFF, green: 0xFF, blue: 0xFF), 4, of: defaults)

  private static let defaults = """
    text               |              |              | #ffffff           | #000000
    title              | bold         | bold         | bold #ffffff      | bold #000000
    inactive-title     |              |              | #ffffff           | #000000
    muted              | #9198a1      | #59636e      | #d0d0d0           | #3d444d
    accent             | #58a6ff      | #0969da      | bold #6bc1ff      | bold #0349b4
    prompt             | bold #3fb950 | bold #1a7f37 | bold #7ee787      | bold #024c1a
    key                | bold         | bold         | bold #ffffff      | bold #000000
    column-title       | #9198a1      | #59636e      | underline #ffffff | underline #000000
    border             | #4b525c      | #c4ccd4      | #ffffff           | #000000
    active-border      | #58a6ff      | #0969da      | bold #6bc1ff      | bold #0349b4
    scrollbar          | #6e7681      | #9aa4ae      | #ffffff           | #000000
    selection          | on #2a3a50   | on #d8ebff   | on #00387a        | on #bcdcff
    inactive-selection | on #292c31   | on #eff2f5   | on #3a3a3a        | on #e0e0e0
    marked             | on #3a3524   | on #fff3c4   | on #4a3d00        | on #ffec9e
    match              | bold #f2cc60 | bold #953800 | bold underline #ffe066 | bold underline #702c00
    unread             | #58a6ff      | #0969da      | bold #6bc1ff      | bold #0349b4
    pending            | #d29922      | #8a5a00      | bold #ffd33d      | bold #5c3d00
    problem            | #ff7b72      | #cf222e      | bold #ff9e96      | bold #86061d
    warning            | #d29922      | #8a5a00      | bold #ffd33d      | bold #5c3d00
    success            | #3fb950      | #1a7f37      | bold #7ee787      | bold #024c1a
    stars              | #d29922      | #8a5a00      | #ffd33d           | #5c3d00
    open               | #3fb950      | #1a7f37      | bold #7ee787      | bold #024c1a
    completed          | #ab7df8      | #8250df      | bold #d8b9ff      | bold #512598
    not-planned        | #9198a1      | #59636e      | bold #d0d0d0      | bold #3d444d
    heading            | bold #79c0ff | bold #0550ae | bold underline #6bc1ff | bold underline #0349b4
    link               | underline #79c0ff | underline #0969da | underline #6bc1ff | underline #0349b4
    code               | #e2c08d      | #7a4a00      | #ffd9a8           | #5c3d00
    quote              | #9198a1      | #59636e      | #d0d0d0           | #3d444d
    note               | #58a6ff      | #0969da      | bold #6bc1ff      | bold #0349b4
    tip                | #3fb950      | #1a7f37      | bold #7ee787      | bold #024c1a
    important          | #ab7df8      | #8250df      | bold #d8b9ff      | bold #512598
    caution            | #ff7b72      | #cf222e      | bold #ff9e96      | bold #86061d
    keyword            | #ff7b72      | #cf222e      | bold #ff9e96      | bold #86061d
    type               | #ffa657      | #953800      | #ffc680           | #702c00
    function           | #d2a8ff      | #8250df      | #d8b9ff           | #512598
    string             | #a5d6ff      | #0a3069      | #a5d6ff           | #032563
    number             | #79c0ff      | #0550ae      | #9ad4ff           | #023b95
    comment            | #9198a1      | #59636e      | #d0d0d0           | #3d444d
    added              | #7ee787      | #116329      | #7ee787           | #024c1a
    removed            | #ffa198      | #a40e26      | #ff9e96           | #86061d
    person1            | #ff7b72      | #cf222e      | #ff9e96           | #86061d
    person2            | #7ee787      | #116329      | #7ee787           | #024c1a
    person3            | #e3b341      | #7d4e00      | #ffd33d           | #5c3d00
    person4            | #79c0ff      | #0550ae      | #9ad4ff           | #023b95
    person5            | #d2a8ff      | #8250df      | #d8b9ff           | #512598
    person6            | #56d4dd      | #1b7c83      | #7fe3ea           | #0a4a52
    """

  /// The colors are from <https://ethanschoonover.com/solarized/>.
  static let solarizedDark = Theme.Table(
    on: Color(red: 0x00, green: 0x2B, blue: 0x36), 1, of: others)
  static let solarizedLight = Theme.Table(
    on: Color(red: 0xFD, green: 0xF6, blue: 0xE3), 2, of: others)
  static let ansi = Theme.Table(on: nil, 3, of: others)
  static let monochrome = Theme.Table(on: nil, 4, of: others)

  private static let others = """
    text               | #839496           | #657b83           |                |
    title              | bold #93a1a1      | bold #586e75      | bold           | bold
    inactive-title     | #839496           | #657b83           |                |
    muted              | #586e75           | #93a1a1           | faint          | faint
    accent             | #268bd2           | #268bd2           | cyan           | bold
    prompt             | bold #859900      | bold #859900      | bold green     | bold
    key                | bold #93a1a1      | bold #586e75      | bold           | bold
    column-title       | #586e75           | #93a1a1           | faint          | faint
    border             | #39565f           | #c9c7b8           | grey           |
    active-border      | #268bd2           | #268bd2           | cyan           | bold
    scrollbar          | #586e75           | #93a1a1           | grey           |
    selection          | on #0a4352        | on #dfe8dd        | reverse        | reverse
    inactive-selection | on #073642        | on #eee8d5        |                |
    marked             | on #2f4224        | on #f6e6b4        | bold           | bold
    match              | bold #cb4b16      | bold #cb4b16      | bold cyan      | bold underline
    unread             | #268bd2           | #268bd2           | cyan           | bold
    pending            | #b58900           | #b58900           | yellow         |
    problem            | #dc322f           | #dc322f           | red            | bold
    warning            | #b58900           | #b58900           | yellow         |
    success            | #859900           | #859900           | green          |
    stars              | #b58900           | #b58900           | yellow         |
    open               | #859900           | #859900           | green          |
    completed          | #6c71c4           | #6c71c4           | magenta        |
    not-planned        | #586e75           | #93a1a1           | grey           | faint
    heading            | bold #268bd2      | bold #268bd2      | bold cyan      | bold
    link               | underline #268bd2 | underline #268bd2 | underline blue | underline
    code               | #2aa198           | #2aa198           | yellow         |
    quote              | #586e75           | #93a1a1           | faint          | faint
    note               | #268bd2           | #268bd2           | blue           | bold
    tip                | #859900           | #859900           | green          | bold
    important          | #6c71c4           | #6c71c4           | magenta        | bold
    caution            | #dc322f           | #dc322f           | red            | bold
    keyword            | #859900           | #859900           | magenta        | bold
    type               | #b58900           | #b58900           | cyan           |
    function           | #268bd2           | #268bd2           | blue           |
    string             | #2aa198           | #2aa198           | green          |
    number             | #d33682           | #d33682           | yellow         |
    comment            | #586e75           | #93a1a1           | faint          | faint
    added              | #859900           | #859900           | green          |
    removed            | #dc322f           | #dc322f           | red            | faint
    person1            | #dc322f           | #dc322f           | red            |
    person2            | #859900           | #859900           | green          |
    person3            | #b58900           | #b58900           | yellow         |
    person4            | #268bd2           | #268bd2           | blue           |
    person5            | #d33682           | #d33682           | magenta        |
    person6            | #2aa198           | #2aa198           | cyan           |
    """
}
