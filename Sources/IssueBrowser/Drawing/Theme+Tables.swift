internal import StyledText

extension Theme {
  /// A theme's styles for one kind of terminal.
  struct Table: Sendable, Hashable {
    /// The background that the colours are made for; nil if the terminal has its own colours.
    let ground: Color?
    private(set) var styles: [Role: Style]

    /// Reads lines with a role and its style in words.
    private init(on ground: Color?, _ lines: String) {
      self.ground = ground
      styles = [:]
      for line in lines.split(separator: "\n") {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2, let role = Role.named[words[0]] else { continue }
        styles[role] = try? StyleWords.style(words[1])
      }
    }
  }
}

extension Theme.Table {
  static let ansi = Theme.Table(
    on: nil,
    """
    text default
    title bold
    inactive-title default
    muted faint
    accent cyan
    prompt bold green
    key bold
    column-title faint
    border grey
    active-border cyan
    scrollbar grey
    selection reverse
    inactive-selection default
    marked bold
    match bold cyan
    unread cyan
    pending yellow
    problem red
    warning yellow
    success green
    stars yellow
    open green
    completed magenta
    not-planned grey
    heading bold cyan
    link underline blue
    code yellow
    quote faint
    note blue
    tip green
    important magenta
    caution red
    keyword magenta
    type cyan
    function blue
    string green
    number yellow
    comment faint
    added green
    removed red
    person1 red
    person2 green
    person3 yellow
    person4 blue
    person5 magenta
    person6 cyan
    """)

  static let monochrome = Theme.Table(
    on: nil,
    """
    text default
    title bold
    inactive-title default
    muted faint
    accent bold
    prompt bold
    key bold
    column-title faint
    border default
    active-border bold
    scrollbar default
    selection reverse
    inactive-selection default
    marked bold
    match bold underline
    unread bold
    pending default
    problem bold
    warning default
    success default
    stars default
    open default
    completed default
    not-planned faint
    heading bold
    link underline
    code default
    quote faint
    note bold
    tip bold
    important bold
    caution bold
    keyword bold
    type default
    function default
    string default
    number default
    comment faint
    added default
    removed faint
    person1 default
    person2 default
    person3 default
    person4 default
    person5 default
    person6 default
    """)

  static let defaultDark = Theme.Table(
    on: Color(red: 0x1E, green: 0x1E, blue: 0x1E),
    """
    text default
    title bold
    inactive-title default
    muted #9198a1
    accent #58a6ff
    prompt bold #3fb950
    key bold
    column-title #9198a1
    border #4b525c
    active-border #58a6ff
    scrollbar #6e7681
    selection on #2a3a50
    inactive-selection on #292c31
    marked on #3a3524
    match bold #f2cc60
    unread #58a6ff
    pending #d29922
    problem #ff7b72
    warning #d29922
    success #3fb950
    stars #d29922
    open #3fb950
    completed #ab7df8
    not-planned #9198a1
    heading bold #79c0ff
    link underline #79c0ff
    code #e2c08d
    quote #9198a1
    note #58a6ff
    tip #3fb950
    important #ab7df8
    caution #ff7b72
    keyword #ff7b72
    type #ffa657
    function #d2a8ff
    string #a5d6ff
    number #79c0ff
    comment #9198a1
    added #7ee787
    removed #ffa198
    person1 #ff7b72
    person2 #7ee787
    person3 #e3b341
    person4 #79c0ff
    person5 #d2a8ff
    person6 #56d4dd
    """)

  static let defaultLight = Theme.Table(
    on: Color(red: 0xFF, green: 0xFF, blue: 0xFF),
    """
    text default
    title bold
    inactive-title default
    muted #59636e
    accent #0969da
    prompt bold #1a7f37
    key bold
    column-title #59636e
    border #c4ccd4
    active-border #0969da
    scrollbar #9aa4ae
    selection on #d8ebff
    inactive-selection on #eff2f5
    marked on #fff3c4
    match bold #953800
    unread #0969da
    pending #8a5a00
    problem #cf222e
    warning #8a5a00
    success #1a7f37
    stars #8a5a00
    open #1a7f37
    completed #8250df
    not-planned #59636e
    heading bold #0550ae
    link underline #0969da
    code #7a4a00
    quote #59636e
    note #0969da
    tip #1a7f37
    important #8250df
    caution #cf222e
    keyword #cf222e
    type #953800
    function #8250df
    string #0a3069
    number #0550ae
    comment #59636e
    added #116329
    removed #a40e26
    person1 #cf222e
    person2 #116329
    person3 #7d4e00
    person4 #0550ae
    person5 #8250df
    person6 #1b7c83
    """)

  /// See <https://ethanschoonover.com/solarized/>.
  static let solarizedDark = Theme.Table(
    on: Color(red: 0x00, green: 0x2B, blue: 0x36),
    solarized + """

      text #839496
      title bold #93a1a1
      inactive-title #839496
      muted #586e75
      key bold #93a1a1
      column-title #586e75
      border #39565f
      scrollbar #586e75
      selection on #0a4352
      inactive-selection on #073642
      marked on #2f4224
      not-planned #586e75
      quote #586e75
      comment #586e75
      """)

  static let solarizedLight = Theme.Table(
    on: Color(red: 0xFD, green: 0xF6, blue: 0xE3),
    solarized + """

      text #657b83
      title bold #586e75
      inactive-title #657b83
      muted #93a1a1
      key bold #586e75
      column-title #93a1a1
      border #c9c7b8
      scrollbar #93a1a1
      selection on #dfe8dd
      inactive-selection on #eee8d5
      marked on #f6e6b4
      not-planned #93a1a1
      quote #93a1a1
      comment #93a1a1
      """)

  private static let solarized = """
    accent #268bd2
    prompt bold #859900
    active-border #268bd2
    match bold #cb4b16
    unread #268bd2
    pending #b58900
    problem #dc322f
    warning #b58900
    success #859900
    stars #b58900
    open #859900
    completed #6c71c4
    heading bold #268bd2
    link underline #268bd2
    code #2aa198
    note #268bd2
    tip #859900
    important #6c71c4
    caution #dc322f
    keyword #859900
    type #b58900
    function #268bd2
    string #2aa198
    number #d33682
    added #859900
    removed #dc322f
    person1 #dc322f
    person2 #859900
    person3 #b58900
    person4 #268bd2
    person5 #d33682
    person6 #2aa198
    """

  static let highContrastDark = Theme.Table(
    on: Color(red: 0x00, green: 0x00, blue: 0x00),
    """
    text #ffffff
    title bold #ffffff
    inactive-title #ffffff
    muted #d0d0d0
    accent bold #6bc1ff
    prompt bold #7ee787
    key bold #ffffff
    column-title underline #ffffff
    border #ffffff
    active-border bold #6bc1ff
    scrollbar #ffffff
    selection on #00387a
    inactive-selection on #3a3a3a
    marked on #4a3d00
    match bold underline #ffe066
    unread bold #6bc1ff
    pending bold #ffd33d
    problem bold #ff9e96
    warning bold #ffd33d
    success bold #7ee787
    stars #ffd33d
    open bold #7ee787
    completed bold #d8b9ff
    not-planned bold #d0d0d0
    heading bold underline #6bc1ff
    link underline #6bc1ff
    code #ffd9a8
    quote #d0d0d0
    note bold #6bc1ff
    tip bold #7ee787
    important bold #d8b9ff
    caution bold #ff9e96
    keyword bold #ff9e96
    type #ffc680
    function #d8b9ff
    string #a5d6ff
    number #9ad4ff
    comment #d0d0d0
    added #7ee787
    removed #ff9e96
    person1 #ff9e96
    person2 #7ee787
    person3 #ffd33d
    person4 #9ad4ff
    person5 #d8b9ff
    person6 #7fe3ea
    """)

  static let highContrastLight = Theme.Table(
    on: Color(red: 0xFF, green: 0xFF, blue: 0xFF),
    """
    text #000000
    title bold #000000
    inactive-title #000000
    muted #3d444d
    accent bold #0349b4
    prompt bold #024c1a
    key bold #000000
    column-title underline #000000
    border #000000
    active-border bold #0349b4
    scrollbar #000000
    selection on #bcdcff
    inactive-selection on #e0e0e0
    marked on #ffec9e
    match bold underline #702c00
    unread bold #0349b4
    pending bold #5c3d00
    problem bold #86061d
    warning bold #5c3d00
    success bold #024c1a
    stars #5c3d00
    open bold #024c1a
    completed bold #512598
    not-planned bold #3d444d
    heading bold underline #0349b4
    link underline #0349b4
    code #5c3d00
    quote #3d444d
    note bold #0349b4
    tip bold #024c1a
    important bold #512598
    caution bold #86061d
    keyword bold #86061d
    type #702c00
    function #512598
    string #032563
    number #023b95
    comment #3d444d
    added #024c1a
    removed #86061d
    person1 #86061d
    person2 #024c1a
    person3 #5c3d00
    person4 #023b95
    person5 #512598
    person6 #0a4a52
    """)
}
