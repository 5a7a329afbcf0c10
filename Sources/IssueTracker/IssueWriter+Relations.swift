public import GitHubAPI
public import HTTPTargets

/// Operations on sub-issues and dependencies. Each write can be repeated, because an existing relation isn't an error.
/// It returns the issue after the change. GitHub requires the other issue's id, so that issue is looked up first, even
/// in another repository.
extension IssueWriter {
  // MARK: Sub-issues

  /// Makes an issue a sub-issue of another one. This requires triage access to both.
  ///
  /// - Parameters:
  ///   - child: The sub-issue.
  ///   - number: The issue that becomes its parent.
  ///   - replacesParent: Whether to remove it from another parent. Otherwise, another parent is an error.
  /// - Returns: The parent after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   issue has another parent.
  public func addSubIssue(
    _ child: IssuePlace, to number: Int, replacesParent: Bool = false
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    try require("sub-issues")
    let child = try await relative(at: child)
    return try await written(
      try await adopt(child, by: place(number), replacesParent: replacesParent), number)
  }

  /// Removes a sub-issue from its parent.
  public func removeSubIssue(
    _ child: IssuePlace, from number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    try require("sub-issues")
    let child = try await relative(at: child)
    guard let parent = try await parent(of: child), parent.isSame(as: place(number)) else {
      return try await written(nil, number)
    }
    return try await written(try await release(child, from: parent), number)
  }

  /// Makes an issue a sub-issue of another one. This is ``addSubIssue(_:to:replacesParent:)`` from the sub-issue's
  /// perspective.
  ///
  /// - Returns: The sub-issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if the
  ///   issue has another parent.
  public func setParent(
    _ parent: IssuePlace, of number: Int, replacesParent: Bool = false
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    try require("sub-issues")
    let child = Relative(try await issue(number), at: place(number))
    let parent = try await relative(at: parent)
    _ = try await adopt(child, by: parent.place, replacesParent: replacesParent)
    return try await written(nil, number)
  }

  /// Removes an issue from its parent.
  public func removeParent(
    of number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    try require("sub-issues")
    let issue = try await issue(number)
    let child = Relative(issue, at: place(number))
    guard let parent = try await parent(of: child) else { return Written(issue, dropped: []) }
    _ = try await release(child, from: parent)
    return try await written(nil, number)
  }

  /// Moves a sub-issue to another position among the sub-issues of its parent.
  ///
  /// - Parameters:
  ///   - number: The sub-issue.
  ///   - predecessor: The sub-issue of the same parent that it follows; nil for the first position.
  /// - Returns: The sub-issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``, with the code ``/GitHubAPI/HTTPTargets/NetworkError/Code/refused`` if it
  ///   has no parent, or if the other issue has another one.
  public func moveSubIssue(
    _ number: Int, after predecessor: IssuePlace?
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    try require("sub-issues")
    let issue = try await issue(number)
    let child = Relative(issue, at: place(number))
    guard let parent = try await parent(of: child) else {
      throw NetworkError(
        .refused, "\(child.place) is no sub-issue: set its parent first"
      ).ofNothingWritten
    }
    let position: GitHub.SubIssuePosition
    if let predecessor {
      try refuse(child.place, predecessor, "after itself")
      let other = try await relative(at: predecessor)
      guard try await self.parent(of: other)?.isSame(as: parent) == true else {
        throw NetworkError(
          .refused, "\(predecessor) is no sub-issue of \(parent), the parent of \(child.place)"
        ).ofNothingWritten
      }
      position = .after(other.issue.id)
    } else {
      guard let first = try await firstSubIssue(of: parent), first != issue.entity.id else {
        return Written(issue, dropped: [])
      }
      position = .before(first)
    }
    do throws(NetworkError) {
      _ = try await related(
        .moveSubIssue(
          repositoryFullName: "\(parent.repository)", number: parent.number,
          subIssueID: issue.entity.id, to: position), parent, child.place)
    } catch {
      throw await explained(error, .subIssues(of: parent), "sub-issues")
    }
    return try await written(nil, number)
  }

  private func firstSubIssue(of parent: IssuePlace) async throws(NetworkError) -> Int64? {
    do throws(NetworkError) {
      let response = try await provider.request(.subIssues(of: parent))
      return try PageContents<GitHub.Issue>(of: response, .array).items.first?.id
    } catch {
      throw error.ofNothingWritten
    }
  }

  // MARK: Dependencies

  /// Marks an issue as blocked by another one. This requires triage access.
  public func addBlocker(
    _ blocker: IssuePlace, to number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let blocker = try await relative(at: blocker)
    return try await written(try await link(place(number), to: blocker), number)
  }

  /// Removes another issue from those that block an issue.
  public func removeBlocker(
    _ blocker: IssuePlace, from number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let blocker = try await relative(at: blocker)
    return try await written(try await unlink(place(number), from: blocker), number)
  }

  /// Marks an issue as blocking another one. This is ``addBlocker(_:to:)`` from the blocker's perspective.
  public func block(
    _ waiting: IssuePlace, by number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let blocker = Relative(try await issue(number), at: place(number))
    let waiting = try await relative(at: waiting)
    _ = try await link(waiting.place, to: blocker)
    return try await written(nil, number)
  }

  /// Removes another issue from those that an issue blocks.
  public func unblock(
    _ waiting: IssuePlace, by number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let blocker = Relative(try await issue(number), at: place(number))
    let waiting = try await relative(at: waiting)
    _ = try await unlink(waiting.place, from: blocker)
    return try await written(nil, number)
  }

  // MARK: Requests

  private struct Relative {
    let issue: GitHub.Issue
    let place: IssuePlace

    init(_ issue: Sent<GitHub.Issue>, at place: IssuePlace) {
      (self.issue, self.place) = (issue.entity, place)
    }
  }

  private func place(_ number: Int) -> IssuePlace {
    IssuePlace(repository: repository, number: number)
  }

  /// Looks up the other issue. If it has moved, this throws an error with its new place, because the caller didn't
  /// specify that place.
  private func relative(at place: IssuePlace) async throws(NetworkError) -> Relative {
    do throws(NetworkError) {
      let sent: Sent<GitHub.Issue> = try await provider.entity(
        .issue(repositoryFullName: "\(place.repository)", number: place.number))
      if let present = sent.entity.url.flatMap({ IssuePlace($0) }), !present.isSame(as: place) {
        throw NetworkError(.refused, "\(place) is now \(present): use that name")
      }
      guard sent.entity.number == place.number else { throw Self.otherAnswer }
      guard !sent.entity.isPullRequest else {
        throw NetworkError(
          .refused, "\(place) is a pull request, and on GitHub only issues are related like that")
      }
      return Relative(sent, at: place)
    } catch {
      var error = error.ofNothingWritten
      if [.notFound, .gone].contains(error.response?.status) {
        error.message += "; there is no \(place), or the token can't see it"
      }
      throw error
    }
  }

  private func adopt(
    _ child: Relative, by parent: IssuePlace, replacesParent: Bool
  ) async throws(NetworkError) -> Sent<GitHub.Issue>? {
    try refuse(child.place, parent, "a sub-issue of itself")
    func isDone(under present: IssuePlace) throws(NetworkError) -> Bool {
      if present.isSame(as: parent) { return true }
      guard !replacesParent else { return false }
      throw NetworkError(
        .refused,
        "\(child.place) is a sub-issue of \(present): remove it from there first, or replace its parent"
      ).ofNothingWritten
    }
    if let present = child.issue.parent, try isDone(under: present) { return nil }
    do throws(NetworkError) {
      return try await related(
        .addSubIssue(
          repositoryFullName: "\(parent.repository)", number: parent.number,
          subIssueID: child.issue.id, replacesParent: replacesParent), parent, child.place)
    } catch {
      // The message is the same in two cases: an earlier attempt succeeded but its response was lost, or the issue has
      // another parent.
      if error.says("may only have one parent"),
        let present = try await self.parent(of: child, anew: true),
        try isDone(under: present)
      {
        return nil
      }
      throw await explained(error, .subIssues(of: parent), "sub-issues")
    }
  }

  private func release(
    _ child: Relative, from parent: IssuePlace
  ) async throws(NetworkError) -> Sent<GitHub.Issue>? {
    do throws(NetworkError) {
      return try await related(
        .removeSubIssue(
          repositoryFullName: "\(parent.repository)", number: parent.number,
          subIssueID: child.issue.id), parent, child.place)
    } catch {
      guard error.response?.status == .notFound else { throw error }
      // Another client may have changed the parent first.
      let present = try await self.parent(of: child, anew: true)
      guard present?.isSame(as: parent) == true else { return nil }
      throw await explained(error, .subIssues(of: parent), "sub-issues")
    }
  }

  /// The parent from the issue itself or, if the issue doesn't contain one, from the endpoint. Enterprise servers had
  /// the endpoint before the member.
  private func parent(
    of child: Relative, anew: Bool = false
  ) async throws(NetworkError) -> IssuePlace? {
    if !anew, let parent = child.issue.parent { return parent }
    do throws(NetworkError) {
      let parent: Sent<GitHub.Issue> = try await provider.entity(
        .parentIssue(
          repositoryFullName: "\(child.place.repository)", number: child.place.number))
      return parent.entity.url.flatMap { IssuePlace($0) }
        ?? IssuePlace(repository: child.place.repository, number: parent.entity.number)
    } catch {
      guard error.response?.status == .notFound else { throw error.ofNothingWritten }
      guard child.issue.subIssues == nil else { return nil }
      var error = await explained(error, .subIssues(of: child.place), "sub-issues")
      error.bytesSent = 0
      throw error
    }
  }

  private func link(
    _ waiting: IssuePlace, to blocker: Relative
  ) async throws(NetworkError) -> Sent<GitHub.Issue>? {
    try refuse(blocker.place, waiting, "blocked by itself")
    guard !isOnGitea else {
      try await changeDependency(of: waiting, on: blocker.place, isAdded: true)
      return nil
    }
    do throws(NetworkError) {
      return try await related(
        .addBlockedBy(
          repositoryFullName: "\(waiting.repository)", number: waiting.number,
          issueID: blocker.issue.id), waiting, blocker.place)
    } catch {
      if error.says("already been taken") { return nil }
      throw await explained(error, .blockers(of: waiting), "dependencies")
    }
  }

  private func unlink(
    _ waiting: IssuePlace, from blocker: Relative
  ) async throws(NetworkError) -> Sent<GitHub.Issue>? {
    guard !isOnGitea else {
      try await changeDependency(of: waiting, on: blocker.place, isAdded: false)
      return nil
    }
    do throws(NetworkError) {
      return try await related(
        .removeBlockedBy(
          repositoryFullName: "\(waiting.repository)", number: waiting.number,
          issueID: blocker.issue.id), waiting, blocker.place)
    } catch {
      throw await explained(error, .blockers(of: waiting), "dependencies")
    }
  }

  /// Sends a write whose response is one of the two issues.
  private func related(
    _ target: GitHub, _ one: IssuePlace, _ other: IssuePlace
  ) async throws(NetworkError) -> Sent<GitHub.Issue> {
    let answer: Sent<GitHub.Issue> = try await provider.entity(target)
    let place = answer.entity.url.flatMap { IssuePlace($0) }
    let isOwn = [one, other].contains {
      place?.isSame(as: $0) ?? ($0.number == answer.entity.number)
    }
    guard isOwn else { throw Self.otherAnswer }
    return answer
  }

  private func refuse(
    _ one: IssuePlace, _ other: IssuePlace, _ words: String
  ) throws(NetworkError) {
    guard one.isSame(as: other) else { return }
    throw NetworkError(.refused, "\(one) can't be \(words)").ofNothingWritten
  }

  /// The issue after the change. This is the response if it is about this issue; otherwise it is looked up.
  private func written(
    _ answer: Sent<GitHub.Issue>?, _ number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    if let answer, answer.entity.number == number, names(answer.entity.url, number),
      names(answer.entity.htmlURL, number)
    {
      return Written(answer, dropped: [])
    }
    return Written(try await issue(number), dropped: [])
  }

  /// GitHub's 404 doesn't distinguish between a server without the endpoint and a token without permission. A request
  /// for the list of relations does.
  private func explained(
    _ error: NetworkError, _ list: GitHub, _ feature: String
  ) async -> NetworkError {
    guard error.response?.status == .notFound else { return error }
    var error = error
    do throws(NetworkError) {
      _ = try await provider.request(list)
      error.message += "; \(feature) require triage access"
    } catch let failure {
      guard failure.response?.status == .notFound else { return error }
      error.message += "; the server may have no \(feature)"
    }
    return error
  }
}

extension IssuePlace {
  /// GitHub ignores the case of names.
  fileprivate func isSame(as other: IssuePlace) -> Bool {
    description.lowercased() == other.description.lowercased()
  }
}

extension GitHub {
  fileprivate static func subIssues(of place: IssuePlace) -> GitHub {
    .subIssues(repositoryFullName: "\(place.repository)", number: place.number, pageSize: 1)
  }

  fileprivate static func blockers(of place: IssuePlace) -> GitHub {
    .blockedBy(repositoryFullName: "\(place.repository)", number: place.number, pageSize: 1)
  }
}

extension NetworkError {
  fileprivate func says(_ words: String) -> Bool {
    guard code == .statusCode, let response, response.status.code == 422,
      let body = GitHubErrorBody(response.body)
    else { return false }
    return ([body.message] + body.details.compactMap(\.message)).contains { $0.contains(words) }
  }
}
