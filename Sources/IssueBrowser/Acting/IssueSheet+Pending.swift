internal import IssueOutbox
internal import IssueTracker

extension IssueSheet {
  /// The key of an issue of a repository; nil if the repository isn't the list's only one.
  func key(of number: Int, in name: RepositoryName) -> IssueKey? {
    let name = "\(name)".lowercased()
    guard let reference else { return IssueKey(repository: name, number: number) }
    let names = [repository?.fullName, "\(reference.name)"].compactMap { $0?.lowercased() }
    return names.contains(name) ? IssueKey(number: number) : nil
  }

  func isOf(_ entry: OutboxEntry) -> Bool { key(of: 0, in: entry.repository) != nil }

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
    _ changes: [String?: PendingChanges], _ sent: SentChange?, reading read: GitHub.Issue?,
    _ names: [RepositoryReference: NamesOfRepository] = [:]
  ) -> GitHub.Issue? {
    let target = sent.flatMap { sent in
      sent.changedIssue.flatMap { key(of: $0, in: sent.entry.repository) }
    }
    let gone = sent?.goneKey(in: self)
    issues = issues.filter { $0.number > 0 && key(of: $0) != gone }
    let other = read.flatMap { read in
      let own = key(of: read)
      return read.number > 0 && own != gone && !issues.contains { key(of: $0) == own } ? read : nil
    }
    if let issue = sent?.issue, target != nil { insert(issue) }
    func update(_ issue: GitHub.Issue, _ originals: inout [IssueKey: GitHub.Issue]) -> GitHub.Issue
    {
      var issue = issue
      let own = key(of: issue)
      let changes = changes[own.repository]
      var base = originals[own] ?? issue
      if own == target, let sent {
        base = sent.issue ?? sent.entry.change.applied(to: base)
      }
      let entries = changes?.entries(on: .number(own.number)) ?? []
      guard originals[own] != nil || own == target || !entries.isEmpty else { return issue }
      originals[own] = entries.isEmpty ? nil : base
      let known = repository(of: issue).flatMap { names[$0] }
      issue = changes?.applied(to: base, milestones: known?.milestones ?? []) ?? base
      for index in issue.labels.indices where issue.labels[index].color == nil {
        let name = issue.labels[index].name.lowercased()
        issue.labels[index].color = known?.labels?.first { $0.name.lowercased() == name }?.color
      }
      return issue
    }
    var originals = originals
    issues = issues.map { update($0, &originals) }
    let extra = other.map { update($0, &originals) }
    self.originals = originals
    pending = changes
    if let changes = changes[nil], let reference, search == nil {
      let name = repository.flatMap { RepositoryName($0.fullName) } ?? reference.name
      let milestones = names[RepositoryReference(host: reference.host, name: name)]?.milestones
      let new = changes.newIssues(milestones: milestones ?? [])
      issues.insert(contentsOf: new.filter(filter.matches), at: 0)
    }
    guard let read else { return nil }
    var own = key(of: read)
    if let number = sent?.number(of: read.number) { own.number = number }
    return issues.first { key(of: $0) == own } ?? extra
  }

  /// Applies the server's responses to rows that may be older than the responses. Rows that no longer belong to the
  /// list are removed, except for the selected row.
  mutating func catchUp(with answers: [SentChange], keeping selected: IssueKey?) {
    for answer in answers {
      if let gone = answer.goneKey(in: self) {
        issues = issues.filter { key(of: $0) != gone }
        originals[gone] = nil
      }
      guard let number = answer.changedIssue, let issue = answer.issue,
        let key = key(of: number, in: answer.entry.repository)
      else { continue }
      guard let index = issues.firstIndex(where: { self.key(of: $0) == key }) else {
        insert(issue)
        continue
      }
      let known = originals[key] ?? issues[index]
      guard issue.isNewer(than: known) else { continue }
      if search == nil, !filter.matches(issue), key != selected {
        issues.remove(at: index)
        originals[key] = nil
      } else if originals[key] == nil {
        issues[index] = issue
      } else {
        originals[key] = issue
        issues[index] = pending[key.repository]?.applied(to: issue) ?? issue
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
    _ = see(issue)
    issues.insert(issue, at: place ?? issues.endIndex)
  }
}

extension GitHub.Issue {
  fileprivate func isNewer(than other: GitHub.Issue) -> Bool {
    guard let updatedAt, let date = other.updatedAt else { return true }
    return updatedAt > date
  }
}
