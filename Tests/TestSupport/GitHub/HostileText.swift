/// Text that tries to do more than to be read, as anybody can put into an issue on GitHub.
public enum HostileText {
  /// One sample each of what a terminal or a table could trip over.
  public static let samples: [String] = [
    "window title \u{1B}]0;owned\u{07} set",
    "hyperlink \u{1B}]8;;https://evil.example\u{1B}\\click\u{1B}]8;;\u{1B}\\",
    "colour \u{1B}[31mred\u{1B}[2J and cleared",
    "C1 control \u{9B}31mred \u{9D}0;owned\u{9C}",
    "NUL \0 in the middle",
    "right-to-left \u{202E}gnp.exe\u{202C} and isolates \u{2066}x\u{2069}",
    "two lines\r\nIssue #1: approved",
    "a tab\tand a bell\u{07} and DEL\u{7F} and backspace\u{08}\u{08}",
    "wide 漢字カナ and 👩‍👩‍👧‍👦 and e\u{301}\u{301}\u{301}",
    "zero\u{200B}width\u{FEFF} and line separator\u{2028}next",
  ]

  /// A sample by number, the first again after the last.
  public static func sample(_ index: Int) -> String {
    samples[((index % samples.count) + samples.count) % samples.count]
  }
}
