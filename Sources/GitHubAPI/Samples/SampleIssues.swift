internal import ConcurrencyPrimitives
internal import PlatformModules
internal import SampleData

/// The issues of the sample repositories.
package enum SampleIssues {
  /// Returns all issues and pull requests of the sample file, which belong to `swiftlang/swift`, newest first.
  ///
  /// - Returns: The issues.
  /// - Throws: `DecodingError` if the sample is broken.
  package static func all() throws -> [GitHub.Issue] {
    try GitHubJSON.decode([GitHub.Issue].self, from: Data(SampleData.issues)).map { issue in
      var issue = issue
      // The file omits reactions if there are none, but GitHub always sends them.
      issue.reactions = issue.reactions ?? Reactions()
      return issue
    }
  }

  /// Returns the issues of the sample file for `swiftlang/swift`, and generated issues for all other repositories; nil
  /// if issues are disabled.
  static func of(_ repository: GitHub.Repository) throws -> [GitHub.Issue]? {
    guard repository.hasIssues else { return nil }
    guard try repository != SampleRepositories.swift() else { return try all() }
    let name = repository.fullName
    if let known = generated.withLock({ $0[name] }) { return known }
    let issues = GeneratedIssues(repository: name).all()
    generated.withLock { generated in
      if generated.count >= maximumKept { generated = [:] }
      generated[name] = issues
    }
    return issues
  }

  /// The generated issues by repository. They are kept, because each page of a list needs all of them.
  private static let generated = Locked<[String: [GitHub.Issue]]>([:])
  /// The maximum number of repositories to keep. Each uses half a megabyte.
  private static let maximumKept = 8
}

/// A search in repositories by words and by the terms of a filter. Unknown qualifiers are ignored.
struct SampleIssueSearch {
  /// The repositories from `repo:`; by default that of the sample file.
  let repositories: [String]
  private let filter: IssueFilter
  private let words: [String]
  /// Whether to find only pull requests or only issues; nil for both.
  private let wantsPullRequests: Bool?

  init(_ query: String) {
    // Alternatives are supported only for repositories: (repo:a/b OR repo:c/d).
    let plain = query.filter { !"()".contains($0) }
    let all = ((try? QueryWord.words(of: plain)) ?? []).filter { $0.value != "OR" }
    words = all.filter { $0.name.isEmpty }.map { $0.value.lowercased() }
    let named = all.filter { $0.name == "repo" }.map(\.value)
    repositories = named.isEmpty ? ["swiftlang/swift"] : named
    let kinds = ["issue": false, "pr": true, "pull-request": true]
    wantsPullRequests =
      all.lazy.filter { ["is", "type"].contains($0.name) }
      .compactMap { kinds[$0.value.lowercased()] }.first
    let known = all.map(\.description).filter { (try? IssueFilter(query: $0)) != nil }
    let tellsState = all.contains { word in
      ["is", "state"].contains(word.name)
        && IssueFilter.State(rawValue: word.value.lowercased()) != nil
    }
    let query = ((tellsState ? [] : ["is:all"]) + known).joined(separator: " ")
    filter = (try? IssueFilter(query: query)) ?? IssueFilter(state: .all)
  }

  /// The results. Instead of a search by meaning, issues with any of the words are found, those with the most first.
  func results(in issues: [GitHub.Issue], _ kind: IssueSearchKind) -> [GitHub.Issue] {
    let possible = filter.sorted(issues.filter(mayBeFound))
    guard kind != .lexical else { return possible.filter { wordCount(in: $0) == words.count } }
    let counts = possible.map { (issue: $0, count: wordCount(in: $0)) }
    return (0..<words.count).flatMap { missing in
      counts.filter { $0.count == words.count - missing }.map(\.issue)
    }
  }

  private func mayBeFound(_ issue: GitHub.Issue) -> Bool {
    filter.matches(issue) && (wantsPullRequests ?? issue.isPullRequest) == issue.isPullRequest
  }

  private func wordCount(in issue: GitHub.Issue) -> Int {
    let text = "\(issue.title)\n\(issue.body ?? "")".lowercased()
    return words.count { text.contains($0) }
  }
}

/// Several hundred generated issues and pull requests. They are always the same for a repository.
struct GeneratedIssues {
  private let repository: String
  private let count: Int
  /// The first ID, which exceeds 32 bits like those of GitHub.
  private let firstID: Int64

  /// Noon UTC of December 12, 2025. The newest issue is a few hours older.
  private static let end = Date(timeIntervalSince1970: 1_765_540_800)

  init(repository: String) {
    self.repository = repository
    var dice = SampleDice(repository)
    count = 320 + dice.below(240)
    firstID = 5_000_000_000 + Int64(dice.below(1_000_000)) * 1_000
  }

  func all() -> [GitHub.Issue] {
    SampleRelations.related((1...count).reversed().map(issue))
  }

  private func issue(_ number: Int) -> GitHub.Issue {
    var dice = SampleDice("\(repository)#\(number)")
    // The intervals between issues become shorter as the project grows. The random part is shorter than an interval.
    let index = count - number
    let age = Double(index * 18_000 + index * index * 200 + 3_600 + dice.below(14_400))
    let createdAt = Self.end - age
    let updatedAt = createdAt + Double(dice.below(Int(min(age, 5_000_000))))
    var issue = GitHub.Issue(
      id: firstID + Int64(number), number: number, title: "", createdAt: createdAt,
      updatedAt: updatedAt,
      reactions: reactions(&dice))
    write(&issue, &dice)
    discuss(&issue, &dice)
    let isDone = dice.percent(20 + 50 * index / count)
    if isDone, number < count { close(&issue, &dice) }
    let kind = issue.isPullRequest ? "pull" : "issues"
    issue.htmlURL = "https://github.com/\(repository)/\(kind)/\(number)"
    issue.url = "https://api.github.com/repos/\(repository)/issues/\(number)"
    return issue
  }

  private func write(_ issue: inout GitHub.Issue, _ dice: inout SampleDice) {
    issue.user = dice.percent(4) ? SampleUsers.ghost : dice.pick(SampleUsers.people)
    let kind = dice.below(100)
    let isNewest = issue.number == count
    // The newest issue, which users usually view first, is open, and its text contains every kind of Markdown.
    switch isNewest ? 0 : kind {
    case ..<45:
      issue.title = SampleProse.problem(&dice)
      issue.labels = [SampleLabels.bug]
      if issue.title.hasPrefix("Crash") { issue.labels.append(SampleLabels.crash) }
    case ..<70:
      issue.title = SampleProse.wish(&dice)
      issue.labels = [SampleLabels.enhancement]
    case ..<78:
      issue.title = SampleProse.gap(&dice)
      issue.labels = [SampleLabels.documentation, SampleLabels.goodFirstIssue]
    case ..<84:
      issue.title = dice.pick(SampleProse.oddTitles)
    case ..<88:
      let version = 1 + dice.below(9)
      issue.title = "Bump actions/checkout from \(version) to \(version + 1)"
      issue.user = SampleUsers.bot
      makePullRequest(&issue)
    default:
      issue.title = SampleProse.change(&dice)
      makePullRequest(&issue)
    }
    if dice.percent(50) {
      issue.labels.append(dice.pick(SampleLabels.areas))
    }
    if isNewest || dice.percent(92) {
      issue.body = SampleMarkdown.issue(issue.number, isComplete: isNewest, &dice)
    }
  }

  private func makePullRequest(_ issue: inout GitHub.Issue) {
    issue.pullRequest = PullRequestLink(
      url: "https://api.github.com/repos/\(repository)/pulls/\(issue.number)",
      htmlURL: "https://github.com/\(repository)/pull/\(issue.number)")
    issue.isDraft = issue.number.isMultiple(of: 5)
  }

  private func discuss(_ issue: inout GitHub.Issue, _ dice: inout SampleDice) {
    if dice.percent(30) { issue.assignees.append(dice.pick(SampleUsers.people)) }
    if dice.percent(8) {
      let second = dice.pick(SampleUsers.people)
      if !issue.assignees.contains(second) { issue.assignees.append(second) }
    }
    if dice.percent(25) {
      let number = 1 + dice.below(3)
      issue.milestone = GitHub.Milestone(
        number: number, title: "Version 2.\(number + 3)", state: .open)
    }
    switch dice.below(100) {
    case ..<25: break
    case ..<97: issue.commentsCount = 1 + dice.below(14)
    // More comments than fit on a page.
    default: issue.commentsCount = 101 + dice.below(150)
    }
    issue.authorAssociation = dice.pick(["NONE", "NONE", "CONTRIBUTOR", "MEMBER"])
    issue.isLocked = dice.percent(2)
  }

  private func close(_ issue: inout GitHub.Issue, _ dice: inout SampleDice) {
    issue.state = .closed
    issue.closedAt = issue.updatedAt
    guard !issue.isPullRequest else {
      issue.isDraft = false
      issue.pullRequest?.mergedAt = issue.number.isMultiple(of: 4) ? nil : issue.closedAt
      return
    }
    issue.stateReason = dice.pick([.completed, .completed, .completed, .notPlanned, .duplicate])
    if issue.stateReason == .duplicate { issue.labels.append(SampleLabels.duplicate) }
  }

  private func reactions(_ dice: inout SampleDice) -> Reactions {
    guard dice.percent(30) else { return Reactions() }
    var counts = [Reactions.Kind.thumbsUp: 1 + dice.below(40)]
    for kind in Reactions.Kind.allCases where dice.percent(15) { counts[kind] = 1 + dice.below(12) }
    return Reactions(counts: counts)
  }
}

/// The generated comments of an issue. Their number is that of the issue, and they are always the same.
struct GeneratedComments {
  private let issue: GitHub.Issue

  init(on issue: GitHub.Issue) {
    self.issue = issue
  }

  static func all(on issues: [GitHub.Issue], since: Date?) -> [IssueComment] {
    // Comments are never later than the last change of their issue.
    issues.filter { isWanted($0.updatedAt, since) }
      .flatMap { GeneratedComments(on: $0).all(since: since) }
      .sorted {
        ($0.updatedAt ?? .distantPast, $0.id) < ($1.updatedAt ?? .distantPast, $1.id)
      }
  }

  func all(since: Date? = nil) -> [IssueComment] {
    (0..<issue.commentsCount).map(comment).filter { Self.isWanted($0.updatedAt, since) }
  }

  private static func isWanted(_ date: Date?, _ since: Date?) -> Bool {
    guard let date, let since else { return true }
    return date.timeIntervalSince1970 >= since.timeIntervalSince1970.rounded(.down)
  }

  private func comment(_ index: Int) -> IssueComment {
    var dice = SampleDice("\(issue.id)/\(index)")
    let id = issue.id * 1_000 + Int64(index)
    let writer = dice.percent(25) ? issue.user ?? SampleUsers.ghost : dice.pick(SampleUsers.people)
    let body = SampleMarkdown.comment(to: issue.user?.login ?? SampleUsers.ghost.login, &dice)
    var reactions: [Reactions.Kind: Int] = [:]
    if dice.percent(20) { reactions[dice.pick(Reactions.Kind.allCases)] = 1 + dice.below(9) }
    let time = time(of: index)
    return IssueComment(
      id: id, body: body, user: writer,
      authorAssociation: dice.pick(["NONE", "CONTRIBUTOR", "MEMBER", "OWNER"]), createdAt: time,
      updatedAt: time, htmlURL: issue.htmlURL.map { "\($0)#issuecomment-\(id)" },
      issueURL: issue.url, reactions: Reactions(counts: reactions))
  }

  /// Returns a time for each comment, evenly spaced between the opening of the issue and its last change.
  private func time(of index: Int) -> Date? {
    guard let begin = issue.createdAt, let end = issue.updatedAt else { return issue.createdAt }
    let step = end.timeIntervalSince(begin) / Double(issue.commentsCount + 1)
    return begin + (step * Double(index + 1)).rounded(.down)
  }
}
