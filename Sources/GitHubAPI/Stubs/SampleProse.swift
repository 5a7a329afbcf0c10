/// The words that generated issues are made of.
enum SampleProse {
  /// The title of a bug.
  static func problem(_ dice: inout SampleDice) -> String {
    "\(dice.pick(problems)) \(dice.pick(circumstances))"
  }

  /// The title of a wish.
  static func wish(_ dice: inout SampleDice) -> String {
    "\(dice.pick(wishes)) \(dice.pick(things))"
  }

  /// The title of what the documentation lacks.
  static func gap(_ dice: inout SampleDice) -> String {
    "\(dice.pick(gaps)) \(dice.pick(things))"
  }

  /// The title of a pull request of a person's.
  static func change(_ dice: inout SampleDice) -> String {
    dice.percent(50)
      ? "Fix: \(dice.pick(problems).lowercased()) \(dice.pick(circumstances))"
      : "\(dice.pick(wishes)) \(dice.pick(things))"
  }

  /// Titles that a table has to cope with: wide, joined, marked up, long.
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
