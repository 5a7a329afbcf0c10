/// The texts of generated issues and comments, in GitHub's Markdown.
enum SampleMarkdown {
  /// The text of an issue: some of what people write, or all of it.
  ///
  /// - Parameters:
  ///   - number: The number of the issue, which earlier ones are referred to from.
  ///   - isComplete: Whether each kind of part is there.
  ///   - dice: Chooses the parts.
  /// - Returns: The text.
  static func issue(_ number: Int, isComplete: Bool, _ dice: inout SampleDice) -> String {
    let style = dice.pick(styles)
    var parts = [dice.pick(beginnings)]
    parts += style.sections.filter { _ in isComplete || dice.percent(30) }
    if isComplete || dice.percent(30) {
      parts.append("cc @\(dice.pick(SampleUsers.people).login), who knows that part.")
    }
    if number > 1, isComplete || dice.percent(40) {
      parts.append("It may have the same cause as #\(1 + dice.below(number - 1)).")
    }
    return parts.joined(separator: style.break)
  }

  /// The text of a comment.
  static func comment(to author: String, _ dice: inout SampleDice) -> String {
    let style = dice.pick(styles)
    var parts = [dice.pick(replies)]
    if dice.percent(20) { parts.insert("> \(dice.pick(beginnings))", at: 0) }
    if dice.percent(20) { parts.append("@\(author), does that help?") }
    if dice.percent(12) { parts.append(dice.pick(style.sections)) }
    return parts.joined(separator: style.break)
  }

  /// How lines end: as programs write them, and as GitHub's web form does.
  private static let styles: [(sections: [String], break: String)] = [
    (sections, "\n\n"),
    (
      sections.map { section in
        section.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
      }, "\r\n\r\n"
    ),
  ]

  private static let beginnings = [
    "It happens every time, since the last release. Before, it worked for _years_.",
    "Seen twice this week; **nothing** is in the log. :thinking:",
    "A colleague pointed this out to me, and now I can't unsee it.",
    "Our users ask for this about once a month, so here is an issue to point them to.",
    "Found while looking for something else. It isn't urgent, but ~~easy~~ easy to trip over.",
    "毎回再現します。手順は以下のとおりです。",
  ]

  private static let replies = [
    "Thanks for the report! I can reproduce it. :+1:", "Same here, with the latest release.",
    "This was fixed on `main`; the next release will have it. :tada:",
    "Could you try it with `--verbose` and attach what it prints?",
    "I don't think that this is meant to work. What would you expect instead?",
    "+1", "Any news on this? :eyes:", "同じ問題が起きています。", "Closing for lack of an answer.",
    "I had a look. The value is read before it is written, but only when the cache is cold, which "
      + "is why nobody sees it on the second run. A change of two lines should do; I'll open a pull "
      + "request once the tests pass.",
  ]

  private static let sections = [
    """
    ### Steps to reproduce

    1. Start with an empty folder
    2. Run the command below
       - once with the defaults
       - once with `--strict`
    3. Compare what they print
    """,
    """
    ```swift
    let values = try await load(from: url)
    for value in values where value.isValid {
      print("\\(value.name): \\(value.count)")
    }
    ```
    """,
    """
    ```console
    $ example --version
    example 2.4.1 (x86_64-unknown-linux-gnu)
    $ example run --strict
    error: the file “settings.json” has no “version”
    ```
    """,
    """
    | platform | version | result |
    |:---------|:-------:|-------:|
    | Linux    | 2.4.1   | fails  |
    | macOS    | 2.4.1   | works  |
    | Windows  | 2.3.0   | 動作する |
    """,
    """
    ## What is left to do

    - [x] Find out since when
    - [ ] Write a test that fails
    - [ ] Mend it
      - [ ] in the library
      - [ ] in the command
    """,
    """
    > The limit exists because the format has sixteen bits for it.
    >
    > > Has it?

    says [the documentation](https://example.com/docs/limits "Limits").
    """,
    """
    <details>
    <summary>The whole log</summary>

    ```
    12:00:00 started
    12:00:01 connected to 192.0.2.1
    12:00:31 gave up
    ```

    </details>
    """,
    """
    ![The window, with its lower half empty](https://example.com/images/window.png)

    See also https://example.com/forum/4711 :sparkles:
    """,
  ]
}
