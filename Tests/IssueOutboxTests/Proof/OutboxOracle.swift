import GitHubAPI
import IssueOutbox
import TestSupport
import outbox_probe

/// Compares a journal with the server, as a person would who can look at everything.
struct OutboxOracle {
  let entries: [OutboxEntry]
  let world: OutboxWorld
  let script: OutboxScript

  /// The login of the person.
  static let login = "octocat"

  private typealias Content = OutboxWorld.Commit.Content

  /// The number of the issue that an entry is about; nil while there is none.
  private func number(of entry: OutboxEntry) -> Int? {
    guard let target = entry.change.target else { return entry.answer?.number }
    return switch target {
    case .number(let number): number
    case .pending(let id): entries.first { $0.id == id }?.answer?.number
    }
  }

  /// What a creation or a comment is on the server; nil for any other change.
  private func content(of change: Change) -> Content? {
    switch change {
    case .createIssue(let issue, _):
      .issue(title: issue.title.asKept, body: (issue.body ?? "").asKept)
    case .comment(_, let body): .comment(body.asKept)
    default: nil
    }
  }

  // MARK: The person's answers

  /// A person's answer about an entry that may have been carried out.
  enum Word {
    case wasCarriedOut(number: Int)
    case wasNot
  }

  /// Looks at the server for an entry that may have been carried out. Other entries have their own.
  func word(on entry: OutboxEntry) -> Word {
    guard let content = content(of: entry.change) else { return .wasNot }
    let target = entry.change.target == nil ? nil : number(of: entry)
    let commits = world.commits.filter {
      $0.content == content && (target == nil || $0.number == target)
    }
    let others = entries.filter {
      $0.state == .sent && self.content(of: $0.change) == content
        && (target == nil || number(of: $0) == target)
    }
    if entry.change.target == nil {
      let taken = Set(others.compactMap { $0.answer?.number })
      return commits.first { !taken.contains($0.number) }
        .map { .wasCarriedOut(number: $0.number) } ?? .wasNot
    }
    return commits.count > others.count ? .wasCarriedOut(number: commits[0].number) : .wasNot
  }

  // MARK: What isn't as it should be

  /// What isn't as it should be at the end; empty if everything is.
  func problems() -> [String] {
    states() + contents() + properties() + order()
  }

  /// Every entry has come to an end, with a reason for a refusal.
  private func states() -> [String] {
    entries.flatMap { entry -> [String] in
      var problems: [String] = []
      switch entry.state {
      case .sent: break
      case .refused:
        if entry.reason?.isEmpty != false {
          problems.append("entry \(entry.id) is refused without a reason")
        }
        if !script.mayBeRefused(entry.change, in: entry.repository) {
          problems.append("entry \(entry.id) is refused: \(entry.reason ?? "")")
        }
      default: problems.append("entry \(entry.id) is still \(entry.state): \(entry.reason ?? "")")
      }
      return problems
    }
  }

  /// Every creation and comment that was sent is on the server once, and nothing else is.
  private func contents() -> [String] {
    var problems: [String] = []
    var expected: [String: Int] = [:]
    for entry in entries where entry.state == .sent && entry.repository == script.main {
      guard let content = content(of: entry.change) else { continue }
      guard let number = number(of: entry) else {
        problems.append("entry \(entry.id) is sent and has no number")
        continue
      }
      expected["#\(number): \(content)", default: 0] += 1
    }
    var found: [String: Int] = [:]
    for commit in world.commits {
      switch commit.content {
      case .issue, .comment: found["#\(commit.number): \(commit.content)", default: 0] += 1
      default: break
      }
    }
    for key in Set(expected.keys).union(found.keys).sorted()
    where expected[key] != found[key] {
      problems.append("sent \(expected[key] ?? 0) times, on the server \(found[key] ?? 0): \(key)")
    }
    // The log of commits is the server's own word; what it shows now has to agree.
    let issues = world.github.issues(of: world.repository)
    let written = issues.count { $0.isWritten && $0.author == Self.login }
    let comments = issues.reduce(0) { sum, issue in
      sum
        + world.github.comments(on: issue.number, of: world.repository)
        .count { $0.isWritten && $0.author == Self.login }
    }
    if written + comments < found.values.reduce(0, +) - lostComments(issues) {
      problems.append("\(written) issues and \(comments) comments are shown of \(found.values)")
    }
    return problems
  }

  /// How many comments went with the issue that somebody else deleted.
  private func lostComments(_ issues: [SyntheticIssue]) -> Int {
    issues.contains { $0.number == OutboxScript.doomed }
      ? 0
      : world.commits.count {
        guard case .comment = $0.content else { return false }
        return $0.number == OutboxScript.doomed
      }
  }

  /// Labels, assignees, state, lock, reactions and pins are those of the last change of each.
  private func properties() -> [String] {
    var problems: [String] = []
    for issue in world.github.issues(of: world.repository) {
      var expected = OutboxProperties()
      for entry in entries
      where entry.state == .sent && entry.repository == script.main
        && number(of: entry) == issue.number
      {
        expected.take(entry.change)
      }
      problems += expected.differences(from: issue, login: Self.login)
        .map { "#\(issue.number): \($0)" }
    }
    return problems
  }

  /// What is written to an issue comes in the order of the entries.
  private func order() -> [String] {
    var problems: [String] = []
    var taken: Set<Int> = []
    var last: [Int: (place: Int, id: OutboxEntry.ID)] = [:]
    let commits = world.commits
    // Until the server says otherwise, an old name is another repository's, with an order of its own.
    let underOldName = script.steps.filter { $0.repository == script.renamed }
      .map { content(of: $0.change(.number(0))) }
    for entry in entries
    where entry.state == .sent && entry.repository == script.main
      && !underOldName.contains(content(of: entry.change) ?? .texts([:]))
    {
      guard let number = number(of: entry) else { continue }
      var contents = content(of: entry.change).map { [$0] } ?? []
      if case .edit(_, let edit) = entry.change {
        let texts = [("title", edit.title), ("body", edit.body)].compactMap { field, change in
          change.map { (field, $0.text.asKept) }
        }
        if !texts.isEmpty { contents.append(.texts(Dictionary(uniqueKeysWithValues: texts))) }
      }
      for content in contents {
        guard
          let place = commits.indices.first(where: {
            !taken.contains($0) && commits[$0].number == number && commits[$0].content == content
          })
        else { continue }
        taken.insert(place)
        if let before = last[number], before.place > place {
          problems.append("#\(number): entry \(entry.id) was carried out before \(before.id)")
        }
        last[number] = (place, entry.id)
      }
    }
    return problems
  }
}

/// The properties of an issue that changes name, each as the last of them leaves it.
private struct OutboxProperties {
  private var labels: [String: Bool] = [:]
  private var assignees: [String: Bool] = [:]
  private var isOpen: Bool?
  private var isLocked: Bool?
  private var isPinned: Bool?
  private var reactions: Set<String> = []

  mutating func take(_ change: Change) {
    switch change {
    case .createIssue(let issue, _):
      for label in issue.labels { labels[label] = true }
      for login in issue.assignees { assignees[login] = true }
    case .edit(_, let edit):
      for label in edit.addedLabels { labels[label] = true }
      for label in edit.removedLabels { labels[label] = false }
      for login in edit.addedAssignees { assignees[login] = true }
      for login in edit.removedAssignees { assignees[login] = false }
    case .close: isOpen = false
    case .reopen: isOpen = true
    case .lock: isLocked = true
    case .unlock: isLocked = false
    case .pin: isPinned = true
    case .unpin: isPinned = false
    case .react(_, let kind): reactions.insert(kind.rawValue)
    default: break
    }
  }

  func differences(from issue: SyntheticIssue, login: String) -> [String] {
    var differences: [String] = []
    for (name, isThere) in labels
    where issue.labels.contains(where: { $0.name == name }) != isThere {
      differences.append("the label \(name) is \(isThere ? "missing" : "there")")
    }
    for (name, isThere) in assignees where issue.assignees.contains(name) != isThere {
      differences.append("the assignee \(name) is \(isThere ? "missing" : "there")")
    }
    if isOpen ?? issue.isOpen != issue.isOpen {
      differences.append(issue.isOpen ? "it is open" : "it is closed")
    }
    if isLocked ?? issue.isLocked != issue.isLocked {
      differences.append(issue.isLocked ? "it is locked" : "it isn't locked")
    }
    if isPinned ?? issue.isPinned != issue.isPinned {
      differences.append(issue.isPinned ? "it is pinned" : "it isn't pinned")
    }
    for kind in reactions.sorted() {
      let count = issue.reactions.count { $0.user == login && $0.content == kind }
      if count != 1 { differences.append("\(count) reactions \(kind)") }
    }
    return differences
  }
}

extension Change {
  /// The issue that the change is about; nil for a creation, and for a comment without one.
  var target: IssueTarget? {
    switch self {
    case .createIssue: nil
    case .comment(let target, _), .edit(let target, _), .close(let target, _, _),
      .reopen(let target), .lock(let target, _), .unlock(let target), .react(let target, _),
      .pin(let target), .unpin(let target), .transfer(let target, _, _), .delete(let target):
      target
    case .editComment(_, let number, _), .deleteComment(_, let number): number.map { .number($0) }
    }
  }
}
