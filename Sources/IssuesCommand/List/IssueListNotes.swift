internal import IssueTracker

/// What a list of issues says to a person beside its rows: what it is of, and how it ended.
struct IssueListNotes: Sendable {
  let filter: IssueFilter
  let limit: Int?
  let includesPullRequests: Bool

  private var kind: String { kind(isOne: false) }

  private func kind(isOne: Bool) -> String {
    let kind =
      switch (isOne, includesPullRequests) {
      case (true, true): "issue or pull request"
      case (true, false): "issue"
      case (false, true): "issues and pull requests"
      case (false, false): "issues"
      }
    return filter.state == .all ? kind : "\(filter.state.rawValue) \(kind)"
  }

  /// The line above the table. It counts what is certain: the issues, when the first page is all that
  /// will be shown, and the whole, when the repository's own count is of the same things.
  ///
  /// - Parameters:
  ///   - fullName: The repository, as the server spells it.
  ///   - count: How many issues are on the first page.
  ///   - hasMore: Whether there are more.
  ///   - openCount: How many issues and pull requests are open; nil where that isn't known.
  /// - Returns: The line.
  func heading(
    of fullName: String, count: Int, hasMore: Bool, openCount: Int?
  ) -> String {
    let isAll = !hasMore || count == limit
    guard isAll else { return "Showing \(kind) in \(fullName)" }
    var text = "\(count)"
    if hasMore, let openCount, includesPullRequests,
      filter == IssueFilter(sort: filter.sort, direction: filter.direction)
    {
      // GitHub's count of open issues includes the pull requests.
      text += " of \(openCount)"
    }
    let noun = text == "1" ? kind(isOne: true) : kind
    return "Showing \(text) \(noun) in \(fullName)"
  }

  /// Says that there is nothing, or more than was shown.
  func explainEnd(
    isCut: Bool, _ writer: ListWriter<IssueRow>, _ fullName: String, _ session: CommandSession
  ) async throws {
    session.progress.finish()
    if writer.count == 0, !isCut {
      if writer.isTable {
        try await writer.tell("There are no \(kind) in \(fullName) that match.")
      }
    } else if isCut {
      try await writer.tell(
        "Stopped at the limit of \(writer.count): for more use --limit or --all.")
    }
  }
}
