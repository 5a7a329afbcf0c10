public import GitHubAPI
public import HTTPTargets

/// Writes to the issues of a repository.
///
/// ```swift
/// let writer = IssueWriter(provider: provider, repository: name)
/// let written = try await writer.create(NewIssue(title: "It crashes", labels: ["bug"]))
/// print(written.value.number, written.dropped)
/// ```
///
/// GitHub silently drops values that the caller isn't allowed to set; ``Written/dropped`` lists them. A response about
/// another issue or repository is an error, and so is a redirect, because a write may affect only the given repository.
///
/// A write returns the issue, the comment or the label as stored on the server afterward. Nothing is stored locally. A
/// failed creation may have been carried out, unless ``/HTTPTargets/NetworkError/bytesSent`` is 0 or the server refused
/// it. Check before you send it again.
public struct IssueWriter: Sendable {
  let provider: Provider<GitHub>
  let repository: RepositoryName

  /// Creates a writer.
  ///
  /// - Parameters:
  ///   - provider: The provider that sends the requests, with a token.
  ///   - repository: The repository, under its current name.
  public init(provider: Provider<GitHub>, repository: RepositoryName) {
    self.provider = provider
    self.repository = repository
  }

  private var fullName: String { repository.description }

  // MARK: Issues

  /// Creates an issue.
  ///
  /// With ``/GitHubAPI/NewIssue/template``, only the title and the text are sent, and the server adds the template's
  /// labels and assignees. The other values are the expected ones; ``Written/dropped`` lists those that the server
  /// didn't set.
  ///
  /// - Parameters:
  ///   - issue: The issue.
  ///   - createsLabels: Whether GitHub may create labels that the repository lacks. Otherwise, each label is looked up
  ///     first, and an unknown label is an error before anything is written.
  /// - Returns: The issue as the server created it.
  /// - Throws: ``/HTTPTargets/NetworkError``.
  public func create(
    _ issue: NewIssue, createsLabels: Bool = false
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    var issue = issue
    if isOnGitea {
      issue = try await identifyingLabels(of: issue, createsLabels: createsLabels)
    } else if let template = issue.template {
      return try await create(issue, fromTemplate: template)
    } else if !createsLabels {
      try await requireLabels(issue.labels)
    }
    let wanted = issue
    return try await send(.createIssue(repositoryFullName: fullName, issue: wanted)) {
      DroppedChange.differences(between: wanted, and: $0)
    }
  }

  /// Changes an issue.
  ///
  /// The last writer wins, because GitHub doesn't support preconditions.
  ///
  /// - Parameters:
  ///   - number: The issue.
  ///   - edit: The fields to change.
  /// - Returns: The issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``.
  public func edit(_ number: Int, _ edit: IssueEdit) async throws(NetworkError) -> Written<
    GitHub.Issue
  > {
    try await requireMilestone(edit.milestone?.value)
    return try await send(
      .editIssue(repositoryFullName: fullName, number: number, edit: edit), about: number
    ) {
      [
        .text(.title, edit.title, $0.entity.title), .text(.body, edit.body, $0.entity.body),
        .value(.state, edit.state.map { .set($0.rawValue) }, $0.entity.state.rawValue),
        .reason(edit.stateReason, $0.entity.stateReason),
        .value(.milestone, edit.milestone, $0.entity.milestone?.number),
        .value(.type, edit.type, edit.type == nil ? nil : IssueType.name(in: $0.json)),
        .wholeList(.assignees, edit.assignees, $0.entity.assignees.map(\.login)),
      ]
    }
  }

  /// Closes an issue. An issue that is already closed keeps its reason.
  ///
  /// - Parameters:
  ///   - number: The issue.
  ///   - reason: The reason for closing it.
  /// - Returns: The issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``.
  public func close(
    _ number: Int, reason: StateReason = .completed
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    try await edit(number, IssueEdit(state: .closed, stateReason: reason))
  }

  /// Closes an issue as a duplicate of another issue in the repository.
  ///
  /// - Parameters:
  ///   - number: The issue.
  ///   - original: The number of the original issue, which is looked up first.
  /// - Returns: The issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``.
  public func close(
    _ number: Int, asDuplicateOf original: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let issue: GitHub.Issue
    do throws(NetworkError) {
      issue = try await provider.issue(original, of: repository)
      try check(issue, about: original)
      guard original != number else {
        throw NetworkError(.requestMapping, "#\(number) can't be a duplicate of itself")
      }
      guard !issue.isPullRequest else {
        throw NetworkError(
          .requestMapping,
          "#\(original) is a pull request, and on GitHub an issue can only be a duplicate of another issue"
        )
      }
    } catch {
      throw error.ofNothingWritten
    }
    return try await edit(
      number, IssueEdit(state: .closed, stateReason: .duplicate, duplicateIssueID: issue.id))
  }

  /// Reopens an issue.
  public func reopen(_ number: Int) async throws(NetworkError) -> Written<GitHub.Issue> {
    try await edit(number, IssueEdit(state: .open, stateReason: .reopened))
  }

  /// Locks the conversation of an issue.
  public func lock(_ number: Int, reason: LockReason? = nil) async throws(NetworkError) {
    try await carryOut(.lockIssue(repositoryFullName: fullName, number: number, reason: reason))
  }

  /// Unlocks the conversation of an issue.
  public func unlock(_ number: Int) async throws(NetworkError) {
    try await carryOut(.unlockIssue(repositoryFullName: fullName, number: number))
  }

  /// Reacts to an issue. An existing reaction stays.
  public func react(_ kind: Reactions.Kind, to number: Int) async throws(NetworkError) {
    try await react(.react(repositoryFullName: fullName, number: number, kind: kind), kind)
  }

  /// Removes the user's own reaction to an issue. GitHub returns its id only in response to the same reaction, so a
  /// missing reaction is created and immediately removed.
  public func unreact(_ kind: Reactions.Kind, to number: Int) async throws(NetworkError) {
    guard !isOnGitea else {
      return try await provider.carryOut(
        .removeReaction(repositoryFullName: fullName, number: number, reactionID: 0, kind: kind),
        status: .ok)
    }
    let own = try await react(
      .react(repositoryFullName: fullName, number: number, kind: kind), kind)
    try await remove(
      .removeReaction(repositoryFullName: fullName, number: number, reactionID: own.id ?? 0))
  }

  /// Removes a reaction that was there a moment ago. If it is missing, an earlier attempt of this request removed it,
  /// and its response was lost.
  private func remove(_ reaction: GitHub) async throws(NetworkError) {
    do throws(NetworkError) {
      try await carryOut(reaction)
    } catch {
      guard error.response?.status == .notFound else { throw error }
    }
  }

  /// Looks up an issue. Throws if it has moved to another repository.
  package func issue(_ number: Int) async throws(NetworkError) -> Sent<GitHub.Issue> {
    do throws(NetworkError) {
      let issue = try await answer(
        .issue(repositoryFullName: fullName, number: number), as: GitHub.Issue.self)
      try check(issue.entity, about: number)
      return issue
    } catch {
      throw error.ofNothingWritten
    }
  }

  /// Looks up a comment. Throws if it is in another repository.
  package func comment(_ id: Int64) async throws(NetworkError) -> Sent<IssueComment> {
    do throws(NetworkError) {
      let comment = try await answer(
        .comment(repositoryFullName: fullName, id: id), as: IssueComment.self)
      guard comment.entity.id == id else { throw Self.otherAnswer }
      guard names(comment.entity.issueURL, nil) else {
        throw NetworkError(
          .decoding,
          "comment \(id) isn't in \(repository), but at \(comment.entity.htmlURL ?? "another place")"
        )
      }
      return comment
    } catch {
      throw error.ofNothingWritten
    }
  }

  // MARK: Labels and assignees

  /// Adds labels to an issue. Its other labels stay.
  ///
  /// - Parameters:
  ///   - names: The labels, at least one.
  ///   - number: The issue.
  ///   - createsLabels: Whether GitHub may create labels that the repository lacks. Otherwise, each label is looked up
  ///     first, and an unknown label is an error before anything is written.
  /// - Returns: All labels of the issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``.
  public func addLabels(
    _ names: [String], to number: Int, createsLabels: Bool = false
  ) async throws(NetworkError) -> Written<[GitHub.Label]> {
    var names = names
    if isOnGitea {
      // In a name, the server distinguishes upper and lower case.
      names = try await labels(named: names, createsLabels: createsLabels).map(\.name)
    } else if !createsLabels {
      try await requireLabels(names)
    }
    let target = GitHub.addLabels(repositoryFullName: fullName, number: number, names: names)
    let answer = try await answer(target, as: [GitHub.Label].self)
    return Written(
      answer, dropped: [.names(.labels, names, answer.entity.map(\.name))].compactMap(\.self))
  }

  /// Removes labels from an issue, with one request for each. Removing a label that the issue doesn't have isn't an
  /// error.
  ///
  /// - Returns: The labels of the issue after the change.
  /// - Throws: ``/HTTPTargets/NetworkError``. Some labels may have been removed before the error.
  public func removeLabels(
    _ names: [String], from number: Int
  ) async throws(NetworkError) -> Written<[GitHub.Label]> {
    if isOnGitea { return try await removeLabelsByID(names, from: number) }
    var last: Sent<[GitHub.Label]>?
    for (index, name) in names.enumerated() {
      do throws(NetworkError) {
        last = try await answer(
          .removeLabel(repositoryFullName: fullName, number: number, name: name),
          as: [GitHub.Label].self)
      } catch {
        guard error.saysLabelIsAbsent else {
          var error = error
          if index > 0 { error.bytesSent = nil }
          throw error
        }
        last = nil
      }
    }
    // The last label wasn't on the issue, so no response lists the remaining labels.
    let rest: Sent<[GitHub.Label]>
    if let last {
      rest = last
    } else {
      let issue = try await answer(
        .issue(repositoryFullName: fullName, number: number), as: GitHub.Issue.self)
      guard issue.entity.number == number else { throw Self.otherAnswer }
      rest = Sent(issue.entity.labels, json: issue.json)
    }
    let left = Set(rest.entity.map { $0.name.lowercased() })
    let removed = names.filter { !left.contains($0.lowercased()) }
    return Written(rest, dropped: [.names(.labels, names, removed)].compactMap(\.self))
  }

  /// Assigns people to an issue. On Forgejo and Gitea, this replaces the whole list: an assignment of another client in
  /// between is lost.
  public func addAssignees(
    _ logins: [String], to number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    if isOnGitea {
      return try await changeAssignees(of: number) { present in
        let known = Set(present.map { $0.lowercased() })
        return present + logins.filter { !known.contains($0.lowercased()) }
      }
    }
    return try await send(
      .addAssignees(repositoryFullName: fullName, number: number, logins: logins), about: number
    ) { [.names(.assignees, logins, $0.entity.assignees.map(\.login))] }
  }

  /// Unassigns people from an issue. On Forgejo and Gitea, this replaces the whole list, as in ``addAssignees(_:to:)``.
  public func removeAssignees(
    _ logins: [String], from number: Int
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    if isOnGitea {
      let removed = Set(logins.map { $0.lowercased() })
      return try await changeAssignees(of: number) {
        $0.filter { !removed.contains($0.lowercased()) }
      }
    }
    return try await send(
      .removeAssignees(repositoryFullName: fullName, number: number, logins: logins),
      about: number
    ) {
      let left = Set($0.entity.assignees.map { $0.login.lowercased() })
      return [.names(.assignees, logins, logins.filter { !left.contains($0.lowercased()) })]
    }
  }

  // MARK: Comments

  /// Comments on an issue.
  public func comment(
    _ body: String, on number: Int
  ) async throws(NetworkError) -> Written<IssueComment> {
    do throws(NetworkError) {
      return try await sendComment(
        .createComment(repositoryFullName: fullName, number: number, body: body), body
      ) { names($0.issueURL, number) && names($0.htmlURL, number) }
    } catch {
      throw await explained(error, ofCommentOn: number)
    }
  }

  /// Replaces the text of a comment.
  public func editComment(
    _ id: Int64, to body: String
  ) async throws(NetworkError) -> Written<IssueComment> {
    try await sendComment(
      .editComment(repositoryFullName: fullName, id: id, body: body), body
    ) { $0.id == id && names($0.issueURL, nil) && names($0.htmlURL, nil) }
  }

  /// Deletes a comment.
  public func deleteComment(_ id: Int64) async throws(NetworkError) {
    try await carryOut(.deleteComment(repositoryFullName: fullName, id: id))
  }

  /// Reacts to a comment. An existing reaction stays.
  public func react(_ kind: Reactions.Kind, toComment id: Int64) async throws(NetworkError) {
    try await react(.reactToComment(repositoryFullName: fullName, id: id, kind: kind), kind)
  }

  /// Removes the user's own reaction to a comment. Like ``unreact(_:to:)``, this creates a missing reaction first.
  public func unreact(_ kind: Reactions.Kind, toComment id: Int64) async throws(NetworkError) {
    guard !isOnGitea else {
      return try await provider.carryOut(
        .removeCommentReaction(repositoryFullName: fullName, id: id, reactionID: 0, kind: kind),
        status: .ok)
    }
    let own = try await react(
      .reactToComment(repositoryFullName: fullName, id: id, kind: kind), kind)
    try await remove(
      .removeCommentReaction(repositoryFullName: fullName, id: id, reactionID: own.id ?? 0))
  }

  // MARK: The repository's labels and milestones

  /// Creates a label.
  public func createLabel(_ label: NewLabel) async throws(NetworkError) -> Written<GitHub.Label> {
    try await requireUnused(label: label.name)
    return try await named(
      label.name, \.name, .createLabel(repositoryFullName: fullName, label: label))
  }

  /// Changes a label, and so its name and color on every issue.
  public func editLabel(
    _ name: String, _ edit: LabelEdit
  ) async throws(NetworkError) -> Written<GitHub.Label> {
    var (identity, edit) = (name, edit)
    let newName = edit.newName ?? name
    if isOnGitea {
      identity = try await labelID(name)
      edit.isArchived = try await isArchivedLabel(identity)
      if newName.lowercased() != name.lowercased() { try await requireUnused(label: newName) }
    }
    return try await named(
      newName, \.name, .editLabel(repositoryFullName: fullName, name: identity, edit: edit))
  }

  /// Deletes a label, and removes it from every issue.
  public func deleteLabel(_ name: String) async throws(NetworkError) {
    try await carryOut(
      .deleteLabel(
        repositoryFullName: fullName, name: isOnGitea ? try await labelID(name) : name))
  }

  /// Creates a milestone.
  public func createMilestone(
    _ milestone: NewMilestone
  ) async throws(NetworkError) -> Written<GitHub.Milestone> {
    try await requireUnused(milestone: milestone.title)
    return try await named(
      milestone.title, \.title,
      .createMilestone(repositoryFullName: fullName, milestone: milestone))
  }

  /// Changes a milestone, including closing or reopening it.
  public func editMilestone(
    _ number: Int, _ edit: MilestoneEdit
  ) async throws(NetworkError) -> Written<GitHub.Milestone> {
    var edit = edit
    if isOnGitea {
      let present = try await answer(
        .milestone(repositoryFullName: fullName, number: number), as: GitHub.Milestone.self)
      // Gitea clears the date if it isn't sent.
      edit.dueOn = edit.dueOn ?? present.entity.dueOn.map { .set($0) }
      if let title = edit.title, title != present.entity.title {
        try await requireUnused(milestone: title)
      }
    }
    let milestone = try await answer(
      .editMilestone(repositoryFullName: fullName, number: number, edit: edit),
      as: GitHub.Milestone.self)
    guard milestone.entity.number == number,
      edit.title ?? milestone.entity.title == milestone.entity.title
    else { throw Self.otherAnswer }
    // Forgejo ignores it.
    guard edit.dueOn != .clear || milestone.entity.dueOn == nil else {
      throw NetworkError(
        .refused,
        "the server kept the due date of “\(milestone.entity.title)”: clear it on its page")
    }
    return Written(milestone, dropped: [])
  }

  /// Deletes a milestone. Its issues stay.
  public func deleteMilestone(_ number: Int) async throws(NetworkError) {
    try await carryOut(.deleteMilestone(repositoryFullName: fullName, number: number))
  }

  // MARK: Sending and checking

  func carryOut(_ target: GitHub) async throws(NetworkError) {
    try await provider.carryOut(target, status: .noContent)
  }

  @discardableResult
  private func react(
    _ target: GitHub, _ kind: Reactions.Kind
  ) async throws(NetworkError) -> OwnReaction {
    let reaction: OwnReaction = try await provider.entity(target)
    guard reaction.content == kind.rawValue else { throw Self.otherAnswer }
    return reaction
  }

  private struct OwnReaction: Decodable {
    /// Nil on Forgejo and Gitea.
    var id: Int64?
    var content: String
  }

  private func answer<Entity: Decodable & Sendable>(
    _ target: GitHub, as type: Entity.Type
  ) async throws(NetworkError) -> Sent<Entity> {
    try await provider.entity(target)
  }

  /// Changes an object identified by its name. Throws if the response is about another object.
  private func named<Entity: Decodable & Sendable>(
    _ name: String, _ path: KeyPath<Entity, String>, _ target: GitHub
  ) async throws(NetworkError) -> Written<Entity> {
    let answer = try await answer(target, as: Entity.self)
    guard answer.entity[keyPath: path].lowercased() == name.lowercased() else {
      throw Self.otherAnswer
    }
    return Written(answer, dropped: [])
  }

  private func send(
    _ target: GitHub, about number: Int? = nil,
    comparing differences: (Sent<GitHub.Issue>) -> [DroppedChange?]
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let answer = try await answer(target, as: GitHub.Issue.self)
    try check(answer.entity, about: number)
    return Written(answer, dropped: differences(answer).compactMap(\.self))
  }

  private func sendComment(
    _ target: GitHub, _ body: String, isOwn: (IssueComment) -> Bool
  ) async throws(NetworkError) -> Written<IssueComment> {
    let answer = try await answer(target, as: IssueComment.self)
    guard isOwn(answer.entity) else { throw Self.otherAnswer }
    return Written(
      answer, dropped: [.text(.body, body, answer.entity.body)].compactMap(\.self))
  }

  private func check(_ issue: GitHub.Issue, about number: Int?) throws(NetworkError) {
    guard issue.number > 0, issue.number == number ?? issue.number,
      names(issue.url, issue.number), names(issue.htmlURL, issue.number)
    else { throw Self.otherAnswer }
  }

  package static var otherAnswer: NetworkError {
    NetworkError(
      .decoding,
      "the response is about something other than the request: check before you send it again")
  }

  /// Whether a URL ends in `…/OWNER/NAME/issues/NUMBER` for this repository; any number is accepted if `number` is nil.
  /// Returns true without a URL.
  package func names(_ address: String?, _ number: Int?) -> Bool {
    guard let address else { return true }
    guard let url = AbsoluteURL(address) else { return false }
    let path = url.rest.prefix { $0 != "?" && $0 != "#" }
      .split(separator: "/", omittingEmptySubsequences: false).suffix(4).map(String.init)
    guard path.count == 4, ["issues", "pull", "pulls"].contains(path[2]),
      "\(path[0])/\(path[1])".lowercased() == fullName.lowercased(), let named = Int(path[3])
    else { return false }
    return number == nil || named == number
  }

  /// Throws for unknown labels, because GitHub would create them.
  private func requireLabels(_ names: [String]) async throws(NetworkError) {
    let outcomes = await withTaskGroup(of: (String, NetworkError?).self) { group in
      for name in Set(names) {
        group.addTask {
          do throws(NetworkError) {
            _ = try await provider.request(.label(repositoryFullName: fullName, name: name))
            return (name, nil)
          } catch {
            return (name, error)
          }
        }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    var unknown: [String] = []
    for (name, error) in outcomes {
      guard error.response?.status == .notFound else { throw error.ofNothingWritten }
      unknown.append(name)
    }
    guard !unknown.isEmpty else { return }
    throw absent(unknown)
  }

  func absent(_ labels: [String]) -> NetworkError {
    let names = labels.sorted().map { "“\($0)”" }.joined(separator: ", ")
    return NetworkError(
      .absent,
      """
      \(repository) has no label \(names): create it first, or allow new labels; or the token can't see the repository
      """
    ).ofNothingWritten
  }
}

extension Provider<GitHub> {
  /// Sends a write whose response has nothing to decode. Another status, or a page with the status 200, comes from
  /// another server, such as a proxy's sign-in page.
  func carryOut(_ target: GitHub, status: HTTPResponse.Status) async throws(NetworkError) {
    let response = try await request(target)
    // Forgejo and Gitea intend to send 204 instead of an empty 200.
    let isNothing = response.status == .noContent && status == .ok
    guard isNothing || response.status == status, status != .ok || response.body.isEmpty else {
      let instead = response.status == status ? "a page" : "status \(response.status.code)"
      throw NetworkError(
        .decoding,
        """
        \(response.request) was answered with \(instead) instead of status \(status.code), perhaps by a proxy: check \
        whether it was done
        """, response: response)
    }
  }
}

extension NetworkError {
  /// Whether only the label is missing, and not the issue or the repository.
  fileprivate var saysLabelIsAbsent: Bool {
    guard code == .statusCode, let response, response.status == .notFound else { return false }
    return GitHubErrorBody(response.body)?.message == "Label does not exist"
  }

  var ofNothingWritten: NetworkError {
    var error = self
    error.bytesSent = 0
    return error
  }
}
