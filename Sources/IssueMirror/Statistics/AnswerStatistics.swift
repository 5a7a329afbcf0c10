public import PlatformModules

extension RepositoryStatistics {
  /// The durations until an event, for the issues for which it has happened.
  public struct Durations: Hashable, Sendable {
    /// The number of issues.
    public var count: Int
    /// The time within which it happened for half of the issues, in seconds; nil without issues.
    public var median: TimeInterval?
    /// The time within which it happened for nine in ten issues, in seconds; nil without issues.
    public var ninetieth: TimeInterval?

    /// Creates durations.
    public init(count: Int = 0, median: TimeInterval? = nil, ninetieth: TimeInterval? = nil) {
      self.count = count
      self.median = median
      self.ninetieth = ninetieth
    }

    /// Durations computed from seconds. A negative value, caused by a wrong clock, counts as zero.
    package init(of seconds: [Int]) {
      let seconds = seconds.map { max(0, $0) }.sorted()
      guard let last = seconds.last else {
        self.init()
        return
      }
      let upper = seconds.count / 2
      let lower = seconds.count.isMultiple(of: 2) ? upper - 1 : upper
      // The smallest value that nine in ten don't exceed.
      let rank = (seconds.count * 9 + 9) / 10 - 1
      self.init(
        count: seconds.count,
        median: (TimeInterval(seconds[lower]) + TimeInterval(seconds[upper])) / 2,
        ninetieth: TimeInterval(rank < seconds.count ? seconds[rank] : last))
    }

    /// ``median`` as text, such as `40 minutes` or `12 days`.
    public var medianText: String? { median.map(Self.text) }
    /// ``ninetieth`` as text.
    public var ninetiethText: String? { ninetieth.map(Self.text) }

    private static func text(_ duration: TimeInterval) -> String {
      guard duration < 3_600 else { return IssueAges.text(duration) }
      let minutes = Int(duration / 60)
      return minutes == 1 ? "1 minute" : "\(minutes) minutes"
    }
  }

  /// The first answers to the issues that were opened in the reported weeks. An answer is a comment by a person other
  /// than the author; comments by bots don't count.
  public struct Answers: Hashable, Sendable {
    /// The number of issues that were opened.
    public var issues: Int
    /// The time until the first answer.
    public var byAnyone: Durations
    /// The time until the first answer by an owner, a member or a collaborator.
    public var byMaintainers: Durations
    /// The people who gave the most first answers.
    public var people: [Answerer]
  }

  /// A person who gave first answers.
  public struct Answerer: Hashable, Sendable, Identifiable {
    /// The login, as spelled by the server.
    public var login: String
    /// The number of issues that they answered first.
    public var answers: Int
    /// Whether they are an owner, a member or a collaborator.
    public var isMaintainer: Bool

    /// The login.
    public var id: String { login }
  }
}

extension RepositoryStatistics {
  /// The durations, with names for people. Events that never happened are omitted.
  package var durations: [(name: String, kind: String, durations: Durations)] {
    [
      ("First answer", "answer", answers?.byAnyone ?? Durations()),
      ("First answer by a maintainer", "maintainer", answers?.byMaintainers ?? Durations()),
      ("Closed", "close", closing),
    ].filter { $0.durations.count > 0 }
  }

  /// Text such as `12 of the 80 issues opened in these 4 weeks have no answer.`; nil if unknown.
  package var unansweredText: String? {
    guard let answers, answers.issues > 0 else { return nil }
    let rest = answers.issues - answers.byAnyone.count
    return "\(rest) of the \(answers.issues) issues opened in these \(weeks.count) weeks "
      + "\(rest == 1 ? "has" : "have") no answer."
  }
}

extension RepositoryStatistics.Week {
  /// Text such as `+3`, `-2` or `0`.
  package var balanceText: String { balance > 0 ? "+\(balance)" : "\(balance)" }
}

/// Finds the first answers among comments, which must be passed oldest first.
package struct FirstAnswers {
  package struct Issue {
    package var author: String?
    package var createdAt: Int

    package init(author: String?, createdAt: Int) {
      self.author = author
      self.createdAt = createdAt
    }
  }

  /// GitHub's associations of people with more permissions.
  package static let maintainers: Set = ["OWNER", "MEMBER", "COLLABORATOR"]

  private var issues: [Int: Issue]
  private let issuesCount: Int
  private var unansweredByMaintainers: [Int: Issue]
  private var seconds: (anyone: [Int], maintainers: [Int]) = ([], [])
  private var answers: [String: (login: String, count: Int, isMaintainer: Bool)] = [:]

  package init(to issues: [Int: Issue]) {
    self.issues = issues
    issuesCount = issues.count
    unansweredByMaintainers = issues
  }

  package mutating func add(_ author: String, _ isMaintainer: Bool, to number: Int, at time: Int) {
    let login = author.lowercased()
    func isByAnother(_ issue: Issue) -> Bool { issue.author?.lowercased() != login }
    if let issue = issues[number], isByAnother(issue) {
      issues[number] = nil
      seconds.anyone.append(time - issue.createdAt)
      answers[login, default: (author, 0, false)].count += 1
      if isMaintainer { answers[login]?.isMaintainer = true }
    }
    if isMaintainer, let issue = unansweredByMaintainers[number], isByAnother(issue) {
      unansweredByMaintainers[number] = nil
      seconds.maintainers.append(time - issue.createdAt)
    }
  }

  package var statistics: RepositoryStatistics.Answers {
    let people = answers.values.sorted { ($1.count, $0.login) < ($0.count, $1.login) }
    return RepositoryStatistics.Answers(
      issues: issuesCount, byAnyone: .init(of: seconds.anyone),
      byMaintainers: .init(of: seconds.maintainers),
      people: people.prefix(RepositoryStatistics.maximumEntries).map {
        RepositoryStatistics.Answerer(
          login: $0.login, answers: $0.count, isMaintainer: $0.isMaintainer)
      })
  }
}

/// The role of a commenter in a repository.
package enum CommenterStanding: Sendable {
  case bot
  /// An owner, a member or a collaborator.
  case maintainer
  case other

  private struct Members: Decodable {
    var type: String?
    var authorAssociation: String?

    private enum CodingKeys: String, CodingKey {
      case type
      case authorAssociation = "author_association"
    }

    /// Decodes the members; all are nil if the JSON is missing or can't be decoded.
    init(_ json: Data?) {
      self = json.flatMap { try? JSONDecoder().decode(Members.self, from: $0) } ?? Members()
    }

    private init() {}
  }

  /// Reads the JSON of a person's newest comment, and of the person.
  package init(of login: String, comment: Data?, person: Data?) {
    if IssueTimeline.isBot(login, type: Members(person).type) {
      self = .bot
    } else if FirstAnswers.maintainers.contains(Members(comment).authorAssociation ?? "") {
      self = .maintainer
    } else {
      self = .other
    }
  }
}
