internal import IssueOutbox
internal import IssueTracker

extension IssueSheet {
  func isOf(_ entry: OutboxEntry) -> Bool {
    let names = [repository?.fullName, "\(reference.name)"].compactMap { $0?.lowercased() }
    return names.contains("\(entry.repository)".lowercased())
  }

  /// Shows what waits now, and what the server has answered since.
  ///
  /// - Parameters:
  ///   - changes: What waits now.
  ///   - sent: What the server has answered since.
  ///   - read: The issue being read, which may be none of the rows.
  /// - Returns: That issue as it is now; nil without one, and for a new one that was dropped.
  mutating func follow(
    _ changes: PendingChanges?, _ sent: SentChange?, reading read: Issue?
  ) -> Issue? {
    let target = sent.flatMap { $0.issue?.number ?? $0.entry.answer?.number }
    var extra = read.flatMap { read in
      read.number > 0 && !issues.contains { $0.number == read.number } ? read : nil
    }
    issues.removeAll { $0.number < 0 }
    if let sent, let issue = sent.issue, case .createIssue = sent.entry.change {
      insert(issue)
    }
    func update(_ issue: inout Issue, _ originals: inout [Int: Issue]) {
      let number = issue.number
      var base = originals[number] ?? issue
      if number == target, let sent {
        base = sent.issue ?? sent.entry.change.applied(to: base)
      }
      let entries = changes?.entries(on: .number(number)) ?? []
      guard originals[number] != nil || number == target || !entries.isEmpty else { return }
      originals[number] = entries.isEmpty ? nil : base
      issue = changes?.applied(to: base) ?? base
    }
    for index in issues.indices { update(&issues[index], &originals) }
    if var issue = extra {
      update(&issue, &originals)
      extra = issue
    }
    pending = changes
    if let changes, search == nil {
      issues.insert(contentsOf: changes.newIssues().filter(filter.matches), at: 0)
    }
    guard let read else { return nil }
    let number = sent?.number(of: read.number) ?? read.number
    return issues.first { $0.number == number } ?? extra
  }

  /// Puts an issue that was just created where the newest are, if the list is one of the newest.
  private mutating func insert(_ issue: Issue) {
    guard search == nil, filter.matches(issue), see(issue.number) else { return }
    issues.insert(issue, at: 0)
  }
}
