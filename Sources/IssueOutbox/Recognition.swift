internal import GitHubAPI
internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules

/// Searches for the result of a change whose response was lost. GitHub's search index lags, so this reads complete
/// lists of the period.
struct Recognition: Sendable {
  let sender: ChangeSender
  let login: Username
  /// The time by this machine's clock.
  let began: Date
  /// The items that other entries have created: numbers of issues, or ids of comments.
  let claimed: Set<Int64>
  let now: @Sendable () -> Date

  /// The tolerance, in seconds, for a creation time before the attempt. Servers report whole seconds, and their clocks
  /// differ.
  static let margin = 10.0
  /// The tolerance for this machine's clock, in seconds.
  private static let clockMargin = 86_400.0

  func find(_ change: Change) async throws(NetworkError) -> CarriedOut? {
    switch change {
    case .createIssue(let issue, _): return try await find(issue)
    case .comment(.number(let number), let body): return try await findComment(body, on: number)
    case .transfer(.number(let number), let destination, _):
      return try await findTransferred(number, to: destination)
    case .delete(.number(let number)): return try await findDeleted(number)
    default: return nil
    }
  }

  private func find(_ wanted: NewIssue) async throws(NetworkError) -> CarriedOut? {
    let filter = IssueFilter(
      state: .all, creator: login, since: began.addingTimeInterval(-Self.clockMargin))
    let first = GitHub.issues(
      repositoryFullName: sender.repository.description, filter: filter, pageSize: 100)
    let found = try await search(first, isNewestFirst: true, createdAt: \.createdAt) {
      (issue: GitHub.Issue) in
      !claimed.contains(Int64(issue.number)) && isOwn(issue.user) && !issue.isPullRequest
        && sender.writer.names(issue.url, issue.number)
        && isSameTitle(issue.title, wanted.title) && isSame(issue.body, wanted.body)
    }
    return found.map {
      ChangeSender.created(
        $0, DroppedChange.differences(between: wanted, and: $0), wasFound: true)
    }
  }

  func contradiction(to wanted: NewIssue, _ number: Int) async throws(NetworkError) -> String? {
    let issue: GitHub.Issue
    do throws(NetworkError) {
      issue = try await sender.writer.issue(number).entity
    } catch {
      guard error.isAbsence else { throw error }
      return "\(sender.repository) has no #\(number)"
    }
    if claimed.contains(Int64(number)) { return "another change has created #\(number)" }
    guard isOwn(issue.user) else {
      return "#\(number) is by \(issue.user?.login ?? "no one"), not by \(login.login)"
    }
    guard !issue.isPullRequest, isSameTitle(issue.title, wanted.title),
      isSame(issue.body, wanted.body)
    else { return "#\(number) has another title or text" }
    return nil
  }

  private func findComment(
    _ body: String, on number: Int
  ) async throws(NetworkError) -> CarriedOut? {
    let first = GitHub.issueComments(
      repositoryFullName: sender.repository.description, number: number,
      since: began.addingTimeInterval(-Self.clockMargin), pageSize: 100)
    let found = try await search(first, isNewestFirst: false, createdAt: \.createdAt) {
      (comment: IssueComment) in
      !claimed.contains(comment.id) && isOwn(comment.user) && isSame(comment.body, body)
        && sender.writer.names(comment.issueURL, number)
    }
    return found.map { ChangeSender.commented($0, on: number, wasFound: true) }
  }

  private func findTransferred(
    _ number: Int, to destination: RepositoryName
  ) async throws(NetworkError) -> CarriedOut? {
    // The old URL redirects to the new one.
    let issue: GitHub.Issue
    do throws(NetworkError) {
      issue = try await sender.provider.issue(number, of: sender.repository)
    } catch {
      guard error.isAbsence else { throw error }
      return nil
    }
    let there = IssueWriter(provider: sender.provider, repository: destination)
    guard issue.url != nil || issue.htmlURL != nil, there.names(issue.url, issue.number),
      there.names(issue.htmlURL, issue.number)
    else { return nil }
    return sender.transferred(to: destination, issue.number, wasFound: true)
  }

  private func findDeleted(_ number: Int) async throws(NetworkError) -> CarriedOut? {
    do throws(NetworkError) {
      _ = try await sender.writer.issue(number)
      return nil
    } catch {
      guard error.isAbsence else { throw error }
      // If a repository is no longer visible, its issues have the same response.
      if error.response?.status != .gone {
        _ = try await sender.provider.repository(sender.repository)
      }
      return sender.deleted(number)
    }
  }

  /// Reads a list until its items are older than the attempt, and returns the oldest match, because a newer match may
  /// come from a later attempt.
  private func search<Item: Decodable & Sendable>(
    _ first: GitHub, isNewestFirst: Bool, createdAt: (Item) -> Date?, _ isWanted: (Item) -> Bool
  ) async throws(NetworkError) -> Sent<Item>? {
    var target = first
    var earliest: Date?
    var oldest: Sent<Item>?
    // This is as much as an account can create in three hours.
    for _ in 0..<20 {
      let response = try await sender.provider.request(target)
      // This uses the server's clock, because this machine's clock may be wrong.
      let ahead = response.serverDate.map { $0.timeIntervalSince(now()) } ?? 0
      let start = earliest ?? began.addingTimeInterval(ahead - Self.margin)
      earliest = start
      let page = try PageContents<Sent<Item>>(
        of: response, .array, forge: sender.provider.forge)
      for item in page.items {
        guard let date = createdAt(item.entity) else { continue }
        guard date >= start else {
          if isNewestFirst { return oldest }
          continue
        }
        guard isWanted(item.entity) else { continue }
        if !isNewestFirst { return item }
        oldest = item
      }
      guard page.unreadable.isEmpty else {
        throw NetworkError(
          .decoding, "\(response.request) was answered with a list that can't be read in full")
      }
      let provider = sender.provider
      guard let link = try provider.nextPage(after: response, count: page.count) else {
        return oldest
      }
      target = .page(link)
    }
    throw NetworkError(.decoding, "\(first.path) has too many entries to search")
  }

  private func isOwn(_ user: GitHub.User?) -> Bool {
    user?.login.lowercased() == login.login.lowercased()
  }

  private func isSameTitle(_ title: String, _ wanted: String) -> Bool {
    isSame(title, wanted) || sender.provider.forge.stores(wanted, as: title)
  }

  private func isSame(_ text: String?, _ wanted: String?) -> Bool {
    DroppedChange.normalized(text ?? "") == DroppedChange.normalized(wanted ?? "")
  }
}

extension NetworkError {
  var isAbsence: Bool {
    code == .statusCode && [404, 410].contains(response?.status.code)
  }
}
