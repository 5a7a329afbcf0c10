internal import GitHubAPI
internal import HTTPTargets
internal import IssueTracker

extension ChangeSender {
  /// A relation that already exists counts as success, because the response to an earlier attempt may have been lost.
  func relate(
    _ number: Int, _ change: RelationChange
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    func place(_ other: RelatedIssue) -> IssuePlace {
      IssuePlace(repository: other.repository ?? repository, number: other.number)
    }
    return switch change {
    case .addSubIssue(let other, let replaces):
      try await writer.addSubIssue(place(other), to: number, replacesParent: replaces)
    case .removeSubIssue(let other):
      try await writer.removeSubIssue(place(other), from: number)
    case .setParent(let other, let replaces):
      try await writer.setParent(place(other), of: number, replacesParent: replaces)
    case .removeParent: try await writer.removeParent(of: number)
    case .moveAfter(let other): try await writer.moveSubIssue(number, after: place(other))
    case .moveFirst: try await writer.moveSubIssue(number, after: nil)
    case .addBlocker(let other): try await writer.addBlocker(place(other), to: number)
    case .removeBlocker(let other): try await writer.removeBlocker(place(other), from: number)
    case .block(let other): try await writer.block(place(other), by: number)
    case .unblock(let other): try await writer.unblock(place(other), by: number)
    }
  }
}
