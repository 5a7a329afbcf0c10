/// How the table of `TableTests` looks at each width.
enum Snapshot {
  static let width120 = """
    ID      TITLE                                                        LABELS                          UPDATED
    #71234  Crash when a package has no targets                          bug, crash                      about 3 hours ago
    #71233  コンパイラが無限ループに入る問題について報告します           日本語                          about 2 days ago
    #9      👨‍👩‍👧 Families and 🇩🇪 flags and ❤️ hearts 1️⃣ keycaps étude                                      about 11 months ago
    #8      ^[[31mHostile\\u{202E} title                                  good first issue, help wanted…  about 8 years ago

    """

  static let width80 = """
    ID      TITLE                          LABELS                UPDATED
    #71234  Crash when a package has no …  bug, crash            about 3 hours ago
    #71233  コンパイラが無限ループに入る…  日本語                about 2 days ago
    #9      👨‍👩‍👧 Families and 🇩🇪 flags and…                        about 11 months ago
    #8      ^[[31mHostile\\u{202E} title    good first issue, h…  about 8 years ago

    """

  static let width40 = """
    ID      TITLE        UPDATED
    #71234  Crash when…  about 3 hours ago
    #71233  コンパイラ…  about 2 days ago
    #9      👨‍👩‍👧 Familie…  about 11 months ago
    #8      ^[[31mHost…  about 8 years ago

    """

  static let width20 = """
    ID      TITLE
    #71234  Crash when …
    #71233  コンパイラ…
    #9      👨‍👩‍👧 Families…
    #8      ^[[31mHosti…

    """
}
