enum SampleProse {
  static func problem(_ dice: inout SampleDice) -> String {
    "\(dice.pick(problems)) \(dice.pick(circumstances))"
  }

  static func wish(_ dice: inout SampleDice) -> String {
    "\(dice.pick(wishes)) \(dice.pick(things))"
  }

  static func gap(_ dice: inout SampleDice) -> String {
    "\(dice.pick(gaps)) \(dice.pick(things))"
  }

  static func change(_ dice: inout SampleDice) -> String {
    dice.percent(50)
      ? "Fix: \(dice.pick(problems).lowercased()) \(dice.pick(circumstances))"
      : "\(dice.pick(wishes)) \(dice.pick(things))"
  }

  /// Titles that are difficult to show in a table: with wide or joined characters, markup, or excessive length.
  static let oddTitles = [
    "日本語のファイル名で保存するとエラーになる",
    "中文路径下无法读取配置文件",
    "한글 입력 중에 커서 위치가 어긋납니다",
    "🎉 Release checklist for the next version 🚀",
    "Emoji with joiners 👩‍👩‍👧‍👦 and flags 🇨🇭 break the alignment",
    "`--output` isn't **bold**, and <b>neither</b> is this",
    "Vietnamese tiếng Việt and ünïcödé marks are compared byte by byte",
    "الرسائل من اليمين إلى اليسار تظهر بترتيب خاطئ",
    "When a very long line that nobody ever thought of wrapping is pasted into the field for the "
      + "description, and the window is narrower than the longest word in it, the rest of the page "
      + "moves out of sight and only comes back after the window was resized twice",
  ]

  private static let problems = [
    "Crash", "Hang", "Deadlock", "Memory grows", "Wrong result", "Missing error message",
    "Data is lost", "Slow start", "Flaky test", "Garbled output", "High CPU load", "Broken link",
  ]

  private static let circumstances = [
    "when the network goes away", "with an empty configuration file", "after resuming from sleep",
    "on Linux with a non-UTF-8 locale", "when the window is resized", "on the second run",
    "if two requests are cancelled at once", "with more than 10,000 entries",
    "when the disk is full", "in release builds only", "with symbolic links in the path",
    "around the change to daylight saving time", "when the token has expired", "behind a proxy",
  ]

  private static let wishes = [
    "Support", "Add", "Allow customizing", "Speed up", "Simplify", "Make room for", "Reconsider",
    "Offer a quieter alternative to",
  ]

  private static let things = [
    "dark mode", "shell completion", "the start-up banner", "incremental builds",
    "structured logging", "keyboard shortcuts", "the configuration format", "plug-ins",
    "batch operations", "the progress display", "streaming responses", "retries with backoff",
    "right-to-left scripts", "offline use",
  ]

  private static let gaps = ["Document", "Explain", "Give an example of", "Typo in the page about"]
}

enum SampleMarkdown {
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

  static func comment(to author: String, _ dice: inout SampleDice) -> String {
    let style = dice.pick(styles)
    var parts = [dice.pick(replies)]
    if dice.percent(20) { parts.insert("> \(dice.pick(beginnings))", at: 0) }
    if dice.percent(20) { parts.append("@\(author), does that help?") }
    if dice.percent(12) { parts.append(dice.pick(style.sections)) }
    return parts.joined(separator: style.break)
  }

  /// The sections of text with two styles of line breaks: those of programs and those of GitHub's web form.
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

/// The labels, in GitHub's colors if GitHub has the same label.
enum SampleLabels {
  static let bug = label("bug", "d73a4a", "Something isn't working")
  static let crash = label("crash", "b60205")
  static let enhancement = label("enhancement", "a2eeef", "New feature or request")
  static let documentation = label("documentation", "0075ca", "Improvements to the documentation")
  static let goodFirstIssue = label("good first issue", "7057ff", "Good for newcomers")
  static let duplicate = label("duplicate", "cfd3d7", "This issue or pull request already exists")

  static let areas = [
    label("help wanted", "008672", "Extra attention is needed"), label("performance", "fbca04"),
    label("area: network", "1d76db"), label("area: terminal", "5319e7"), label("Linux", "0e8a16"),
    label("needs reproduction", "e99695"), label("日本語", "c5def5"),
  ]

  private static func label(_ name: String, _ color: String, _ description: String? = nil)
    -> GitHub.Label
  {
    GitHub.Label(
      serverID: Int64(1_000_000 + SampleDice.hash(name) % 9_000_000), name: name, color: color,
      description: description)
  }
}

enum SampleUsers {
  /// The users, including those of the sample files.
  static let people: [GitHub.User] = [
    user("monalisa", 1_234_567), user("octocat", 583_231), user("hubot", 480_938),
    user("kana-sample", 98_765_432), user("ada-example", 70_000_101),
    user("grace-example", 70_000_102), user("edsger-example", 70_000_103),
    user("barbara-example", 70_000_104), user("radia-example", 70_000_105),
    user("niklaus-example", 70_000_106), user("margaret-example", 70_000_107),
  ]

  /// The user that replaces deleted accounts.
  static let ghost = user("ghost", 10_137)
  static let bot = GitHub.User(login: "dependabot[bot]", serverID: 49_699_333, type: "Bot")

  private static func user(_ login: String, _ id: Int64) -> GitHub.User {
    GitHub.User(login: login, serverID: id, type: "User", htmlURL: "https://github.com/\(login)")
  }
}

/// A random number generator: SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
struct SampleDice {
  private var state: UInt64

  init(_ seed: String) {
    state = Self.hash(seed)
  }

  /// FNV-1a of the UTF-8 bytes, because `Hasher` gives different results in each process.
  static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  /// Returns a random number below the bound, which must be at least 1.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func percent(_ share: Int) -> Bool { below(100) < share }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
