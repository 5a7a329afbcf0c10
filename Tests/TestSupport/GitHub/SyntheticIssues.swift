/// A recipe for the issues of a repository. The same recipe always makes the same issues.
public struct SyntheticIssues: Sendable, Equatable {
  /// The number of issues and pull requests together.
  public var count: Int
  /// The share of pull requests, 0 to 1.
  public var pullRequests: Double
  /// The share of closed ones, 0 to 1.
  public var closed: Double
  /// Whether titles, texts, comments, labels and logins contain ``HostileText``.
  public var isHostile: Bool
  /// The most comments on an issue. The fewest are none.
  public var mostComments: Int
  /// Whether titles and texts have many different words, by ``SyntheticProse``.
  public var hasProse: Bool
  /// The time when the newest was opened, in seconds since 1970. The others are about an hour apart.
  public var newest: Int

  /// Creates a recipe. By default, its newest issue is from noon of 2026-06-01.
  public init(
    count: Int, pullRequests: Double = 0.3, closed: Double = 0.4, isHostile: Bool = false,
    mostComments: Int = 11, hasProse: Bool = false, newest: Int = 1_780_315_200
  ) {
    self.count = count
    self.pullRequests = pullRequests
    self.closed = closed
    self.isHostile = isHostile
    self.mostComments = mostComments
    self.hasProse = hasProse
    self.newest = newest
  }

  /// The labels on issues.
  public static let labels: [SyntheticIssue.Label] = [
    .init("bug", color: "d73a4a", description: "Something isn't working"),
    .init("compiler", color: "1d76db", description: "The Swift compiler itself"),
    .init("standard library", color: "fbca04"),
    .init("good first issue", color: "7057ff", description: "Good for newcomers"),
    .init("help wanted", color: "008672", description: "Extra attention is needed"),
    .init("concurrency", color: "5319e7", description: "Feature: concurrency"),
    .init("performance", color: "e99695"),
    .init("SourceKit", color: "c5def5", description: ""),
    .init("Linux", color: "ededed", description: "Platform: Linux"),
    .init("wontfix", color: "ffffff", description: "This will not be worked on"),
  ]

  /// The logins of authors and assignees. The fifth is a bot.
  public static let logins = [
    "ada", "grace-h", "barbara", "edsger", "dependabot[bot]", "tony", "niklaus", "margaret",
    "ken", "dennis", "kathleen", "alan-k", "frances", "john-b", "radia", "donald",
  ]

  /// The milestones. Their numbers are their places, from 1.
  public static let milestones = ["6.2", "6.3", "Next"]

  private static let subjects = [
    "Crash when type-checking a closure in a result builder",
    "Diagnose a missing conformance where it is declared",
    "Optimizer drops a release in a throwing initializer",
    "Improve the note for an ambiguous overload",
    "Async sequence never finishes when its task is cancelled",
    "Document the ABI of noncopyable generics",
    "Linker error with static stdlib and C++ interoperability",
    "Regression: slow build of large literal arrays",
    "Sendable checking misses a captured inout",
    "Macro expansion loses source locations",
  ]

  private static let paragraphs = [
    "### Description\n\nThe program below behaves differently in debug and release builds.",
    "```swift\nfunc f<T: Sequence>(_ values: T) -> [T.Element] {\n  values.map { $0 }\n}\n```",
    "### Expected behavior\n\nBoth builds print the same, and the compiler says nothing.",
    "I bisected this to the change that moved the pass before inlining. It also reproduces with "
      + "the snapshot of last week, on both Linux and macOS, whatever the deployment target is.",
    "### Environment\n\n- Swift version 6.3\n- Ubuntu 24.04, x86_64\n- 16 cores, 64 GB",
    "Related to an older report about the same area; the workaround there doesn't apply here, "
      + "since the generic parameter is inferred from the call.",
    "| platform | debug | release |\n|:--|:-:|--:|\n| Linux | works | **fails** |\n| macOS | works | works |",
    "- [x] Reduce the example\n- [ ] Find the first bad commit\n  - [ ] with assertions\n\n"
      + "> The optimizer may assume that.\n\nsays [the manual](https://www.swift.org/documentation/).",
    "<details>\n<summary>Stack trace</summary>\n\n```\n0  swift-frontend  0x0000000104 main\n```\n\n"
      + "</details>\n\n![The crash](https://example.com/crash.png) :boom: Probably the same as #1.",
  ]

  /// All issues, from the oldest (number 1).
  public func make() -> [SyntheticIssue] {
    (0..<max(count, 0)).map(issue)
  }

  /// The issue at a place, from 0.
  func issue(_ index: Int) -> SyntheticIssue {
    var issue = outline(index)
    if hasProse, !isHostile {
      issue.body = issue.body.map { "\($0)\r\n\r\n\(SyntheticProse.text(index))" }
    }
    return issue
  }

  /// The issue at a place with only as much text as is quick to make, for scans of all issues.
  func outline(_ index: Int) -> SyntheticIssue {
    var dice = FuzzSource(number: UInt64(index))
    let number = index + 1
    let isPullRequest = dice.chance(pullRequests)
    let createdAt = newest - (count - 1 - index) * 3607
    // Most change again within weeks, none in the future.
    let updatedAt = createdAt + dice.below(min(40 * 86_400, max(newest - createdAt, 0) + 1))
    let isClosed = dice.chance(closed)
    let author = Self.logins[dice.below(Self.logins.count)]
    var labels: [SyntheticIssue.Label] = []
    for _ in 0..<dice.below(4) {
      let label = Self.labels[dice.below(Self.labels.count)]
      if !labels.contains(label) { labels.append(label) }
    }
    var assignees: [String] = []
    if dice.chance(0.25) { assignees.append(Self.logins[dice.below(4)]) }
    if dice.chance(0.1) { assignees.append(Self.logins[5 + dice.below(4)]) }
    let mentions = dice.chance(0.2) ? [Self.logins[dice.below(Self.logins.count)]] : []
    var text = (0..<1 + dice.below(4)).map { _ in
      Self.paragraphs[dice.below(Self.paragraphs.count)]
    }
    text += mentions.map { "cc @\($0)" }
    var issue = SyntheticIssue(
      number: number,
      title: "\(Self.subjects[dice.below(Self.subjects.count)]) (\(number))",
      body: dice.chance(0.05) ? nil : text.joined(separator: "\r\n\r\n"),
      isPullRequest: isPullRequest,
      author: author,
      labels: labels,
      assignees: assignees,
      mentions: mentions,
      milestone: dice.chance(0.2) ? 1 + dice.below(Self.milestones.count) : nil,
      comments: dice.below(mostComments + 1),
      createdAt: createdAt,
      updatedAt: updatedAt,
      closedAt: isClosed ? updatedAt : nil,
      stateReason: isClosed && !isPullRequest
        ? (dice.chance(0.2) ? "not_planned" : "completed") : nil
    )
    if hasProse { addProse(to: &issue, index) }
    if isHostile {
      issue.title = HostileText.sample(index)
      issue.body = HostileText.document(index)
      issue.labels.append(.init(HostileText.sample(index + 1), color: "ff0000"))
      if index.isMultiple(of: 3) { issue.author = HostileText.sample(index + 2) }
    }
    return issue
  }

  /// Adds a title, and the rare things that searches look for.
  private func addProse(to issue: inout SyntheticIssue, _ index: Int) {
    issue.title = "\(SyntheticProse.title(index)) (\(issue.number))"
    var dice = FuzzSource(index, of: "rarities")
    issue.isLocked = dice.chance(0.01)
    issue.isDraft = issue.isPullRequest && issue.isOpen && dice.chance(0.05)
  }
}
