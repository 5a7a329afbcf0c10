/// The labels of generated issues, in the colours of GitHub's own where it has them.
enum SampleLabels {
  static let bug = label("bug", "d73a4a", "Something isn't working")
  static let crash = label("crash", "b60205")
  static let enhancement = label("enhancement", "a2eeef", "New feature or request")
  static let documentation = label("documentation", "0075ca", "Improvements to the documentation")
  static let goodFirstIssue = label("good first issue", "7057ff", "Good for newcomers")
  static let duplicate = label("duplicate", "cfd3d7", "This issue or pull request already exists")

  /// What an issue may be about besides.
  static let areas = [
    label("help wanted", "008672", "Extra attention is needed"), label("performance", "fbca04"),
    label("area: network", "1d76db"), label("area: terminal", "5319e7"), label("Linux", "0e8a16"),
    label("needs reproduction", "e99695"), label("日本語", "c5def5"),
  ]

  private static func label(_ name: String, _ color: String, _ description: String? = nil) -> Label
  {
    Label(
      id: Int64(1_000_000 + SampleDice.hash(name) % 9_000_000), name: name, color: color,
      description: description)
  }
}
