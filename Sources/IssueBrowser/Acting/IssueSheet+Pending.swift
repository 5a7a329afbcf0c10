internal import IssueOutbox
internal import IssueTracker

extension IssueSheet {
  func isOf(_ entry: OutboxEntry) -> Bool {
    let names = [repository?.fullName, "\(reference.name)"].compactMap { $0?.lowercased() }
    return names.contains("\(entry.repository)".lowercased())
  }

  /// Shows the pending changes and the server's response.
  ///
  /// - Parameters:
  /// - changes: The pending changes.
  /// - sent: The newest change that the server has, with its response.
  /// - read: The issue in the reader. It may not be in the list.
  /// - names: The known milestones and labels, for titles and colors.
  /// - Returns: The issue in the reader in its current state; nil if `read` is nil, if it was new and was dropped, or
  ///   if it is gone.
  mutating func follow(
    _ changes: PendingChanges?, _ sent: SentChange?, reading read: GitHub.Issue?,
    _ names: NamesOfRepository = NamesOfRepository()
  ) -> GitHub.Issue? {
    let target = sent?.changedIssue
    if let gone = sent?.goneIssue { issues.removeAll { $0.number == gone } }
    var extra = read.flatMap { read in
      read.number > 0 && read.number != sent?.goneIssue
        && !issues.contains { $0.number == read.number } ? read : nil
    }
    issues.removeAll { $0.number < 0 }
    if let sent, let issue = sent.issue, target != nil { insert(issue) }
    func update(_ issue: inout GitHub.Issue, _ originals: inout [Int: GitHub.Issue]) {
      let number = issue.number
      var base = originals[number] ?? issue
      if number == target, let sent {
        base = sent.issue ?? sent.entry.change.applied(to: base)
      }
      let entries = changes?.entries(on: .number(number)) ?? []
      guard originals[number] != nil || number == target || !entries.isEmpty else { return }
      originals[number] = entries.isEmpty ? nil : base
      issue = changes?.applied(to: base, milestones: names.milestones ?? []) ?? base
      for index in issue.labels.indices where issue.labels[index].color == nil {
        let name = issue.labels[index].name.lowercased()
        issue.labels[index].color = names.labels?.first { $0.name.lowercased() == name }?.color
      }
    }
    for index in issues.indices { update(&issues[index], &originals) }
    if var issue = extra {
      update(&issue, &originals)
      extra = issue
    }
    pending = changes
    if let changes, search == nil {
      let new = changes.newIssues(milestones: names.milestones ?? [])
      issues.insert(contentsOf: new.filter(filter.matches), at: 0)
    }
    guard let read else { return nil }
    let number = sent?.number(of: read.number) ?? read.number
    return issues.first { $0.number == number } ?? extra
  }

  /// Applies the server's responses to rows that may be older than the responses. Rows that no longer belong to the
  /// list are removed, except for the selected row.
  mutating func catchUp(with answers: [SentChange], keeping selected: Int?) {
    for answer in answers where isOf(answer.entry) {
      if let gone = answer.goneIssue {
        issues.removeAll { $0.number == gone }
        originals[gone] = nil
      }
      guard answer.changedIssue != nil, let issue = answer.issue else { continue }
      guard let index = issues.firstIndex(where: { $0.number == issue.number }) else {
        insert(issue)
        continue
      }
      let known = originals[issue.number] ?? issues[index]
      guard issue.isNewer(than: known) else { continue }
      if search == nil, !filter.matches(issue), issue.number != selected {
        issues.remove(at: index)
        originals[issue.number] = nil
      } else if originals[issue.number] == nil {
        issues[index] = issue
      } else {
        originals[issue.number] = issue
        issues[index] = pending?.applied(to: issue) ?? issue
      }
    }
  }

  /// Inserts an issue at its place in the server's order, unless that is below the loaded rows. It has no effect on the
  /// results of a search, because they can't be predicted here.
  private mutating func insert(_ issue: GitHub.Issue) {
    guard search == nil, !issue.isPullRequest, filter.matches(issue),
      !issues.contains(where: { $0.number == issue.number })
    else { return }
    let place = issues.firstIndex { $0.number > 0 && !filter.puts($0, before: issue) }
    guard place != nil || !hasMore else { return }
    _ = see(issue.number)
    issues.insert(issue, at: place ?? issues.endIndex)
  }
}

extension GitHub.Issue {
  fileprivate func isNewer(than other: GitHub.Issue) -> Bool {
    guard let updatedAt, let date = other.updatedAt else { return true }
    return updatedAt > date
  }
}
