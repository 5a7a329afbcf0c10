internal import GitHubAPI
internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules

struct CarriedOut: Sendable {
  var answer: OutboxAnswer
  /// The number of the created issue, or the id of the created comment.
  var item: Int64?
  var author: String?
  /// The time by the server's clock.
  var date: Date?
}

struct ChangeSender: Sendable {
  enum Outcome: Sendable {
    case carriedOut(CarriedOut)
    case conflict(OutboxConflict)
  }

  let provider: Provider<GitHub>
  let server: GitHubServer
  let repository: RepositoryName
  let writer: IssueWriter
  /// Whether to check after locking that the issue is locked.
  var checksLocks = true

  init(provider: Provider<GitHub>, server: GitHubServer, repository: RepositoryName) {
    self.provider = provider
    self.server = server
    self.repository = repository
    writer = IssueWriter(provider: provider, repository: repository)
  }

  /// A failure after part of the change was carried out.
  struct PartialFailure: Error {
    var cause: NetworkError
  }

  /// Sends a change. Before texts are replaced, `note` stores the change with the original texts. Throws
  /// `NetworkError`, ``PartialFailure``, and the errors of `note`.
  func send(_ change: Change, noting note: (Change) async throws -> Void) async throws -> Outcome {
    switch change {
    case .createIssue(let issue, let createsLabels):
      let written = try await writer.create(issue, createsLabels: createsLabels)
      // A response with other text is about another issue.
      let isCut = provider.forge.stores(issue.title, as: written.value.title)
      guard !written.dropped.contains(where: { $0.field == .title && !isCut || $0.field == .body })
      else { throw IssueWriter.otherAnswer }
      return .carriedOut(
        Self.created(Sent(written.value, json: written.json), written.dropped, wasFound: false))
    case .comment(.number(let number), let body):
      let written = try await writer.comment(body, on: number)
      guard written.dropped.isEmpty else { throw IssueWriter.otherAnswer }
      return .carriedOut(
        Self.commented(Sent(written.value, json: written.json), on: number, wasFound: false))
    case .edit(.number(let number), let change):
      return try await edit(number, change, noting: note)
    case .relate(.number(let number), let relation):
      return answer(try await relate(number, relation), of: number)
    case .close(.number(let number), let reason, nil):
      var written = try await writer.close(number, reason: reason)
      // An issue that is already closed keeps its reason. `completed` is only the default, so it isn't reported as dropped.
      if reason == .completed { written.dropped.removeAll { $0.field == .stateReason } }
      return answer(written, of: number)
    case .close(.number(let number), _, let original?):
      return answer(try await writer.close(number, asDuplicateOf: original), of: number)
    case .reopen(.number(let number)):
      return answer(try await writer.reopen(number), of: number)
    case .lock(.number(let number), let reason):
      try await writer.lock(number, reason: reason)
      return try await answer(after: number, isLocked: true)
    case .unlock(.number(let number)):
      try await writer.unlock(number)
      return try await answer(after: number, isLocked: false)
    case .react(.number(let number), let kind):
      try await writer.react(kind, to: number)
      return await answer(after: number)
    case .unreact(.number(let number), let kind):
      try await writer.unreact(kind, to: number)
      return await answer(after: number)
    case .subscribe(.number(let number)):
      try await writer.subscribe(to: number)
      return await answer(after: number)
    case .unsubscribe(.number(let number)):
      try await writer.unsubscribe(from: number)
      return await answer(after: number)
    case .pin(.number(let number)):
      try await writer.pin(number)
      return await answer(after: number)
    case .unpin(.number(let number)):
      try await writer.unpin(number)
      return await answer(after: number)
    case .transfer(.number(let number), let destination, let createsLabels):
      let there = try await writer.transfer(
        number, to: destination, createsLabels: createsLabels)
      return .carriedOut(transferred(to: destination, there, wasFound: false))
    case .delete(.number(let number)):
      try await writer.delete(number)
      return answer(nil, of: number)
    case .editComment(let id, let number, let text):
      return try await editComment(id, on: number, text, noting: note)
    case .deleteComment(let id, let number):
      try await deleteComment(id, on: number)
      return answer(nil, of: number)
    case .reactToComment(let id, let number, let kind):
      try await writer.react(kind, toComment: id)
      return answer(nil, of: number)
    case .unreactToComment(let id, let number, let kind):
      try await writer.unreact(kind, toComment: id)
      return answer(nil, of: number)
    case .notification(let thread, let action):
      try await NotificationWriter(provider: provider).carryOut(action, on: "\(thread.id)")
      return answer(nil, of: thread.issue)
    case .comment(.pending, _), .edit(.pending, _), .relate(.pending, _), .close(.pending, _, _),
      .reopen(.pending), .lock(.pending, _), .unlock(.pending), .react(.pending, _),
      .unreact(.pending, _), .subscribe(.pending), .unsubscribe(.pending), .pin(.pending),
      .unpin(.pending), .transfer(.pending, _, _), .delete(.pending):
      throw NetworkError(.requestMapping, "the issue has no number yet")
    }
  }

  /// Title and body are compared with the texts seen by the author of the change: before the first write, and again
  /// right before they are written. If those texts are unknown, the texts before the first attempt are used, even in
  /// later attempts.
  private func edit(
    _ number: Int, _ change: IssueChange, noting note: (Change) async throws -> Void
  ) async throws -> Outcome {
    var change = change
    var edit = IssueEdit(milestone: change.milestone, type: change.type)
    var last: Sent<GitHub.Issue>?
    let changesText = change.title != nil || change.body != nil
    if changesText {
      let issue = try await writer.issue(number)
      let known = change
      change.title?.noteBase(issue.entity.title)
      change.body?.noteBase(issue.entity.body ?? "")
      if change != known { try await note(.edit(.number(number), change)) }
      if let conflict = compare(change, issue.entity, &edit) { return .conflict(conflict) }
      last = issue
    }

    var dropped: [DroppedChange] = []
    var done: [String] = []
    do throws(NetworkError) {
      // Fields that GitHub may refuse are set first.
      if !change.fields.isEmpty {
        let written = try await writer.setFields(change.fields, of: number)
        dropped += written.dropped
        last = Sent(written.value, json: written.json)
        done.append("fields were set")
      }
      for name in change.clearedFields {
        let written = try await writer.clearFields([name], of: number)
        last = Sent(written.value, json: written.json)
        done.append("the field “\(name)” was cleared")
      }
      for placement in change.addedProjects {
        try await writer.add(number, to: placement.project, status: placement.status)
        done.append("it was added to the project \(placement.project)")
      }
      if !change.addedLabels.isEmpty {
        dropped += try await writer.addLabels(
          change.addedLabels, to: number, createsLabels: change.createsLabels
        ).dropped
        done.append("labels were added")
        last = nil
      }
      for name in change.removedLabels {
        dropped += try await writer.removeLabels([name], from: number).dropped
        done.append("the label “\(name)” was removed")
        last = nil
      }
      if !change.addedAssignees.isEmpty {
        let written = try await writer.addAssignees(change.addedAssignees, to: number)
        dropped += written.dropped
        last = Sent(written.value, json: written.json)
        done.append("assignees were added")
      }
      if !change.removedAssignees.isEmpty {
        let written = try await writer.removeAssignees(change.removedAssignees, from: number)
        dropped += written.dropped
        last = Sent(written.value, json: written.json)
        done.append("assignees were removed")
      }
      if changesText, !done.isEmpty {
        let issue: Sent<GitHub.Issue>
        if let last { issue = last } else { issue = try await writer.issue(number) }
        if let conflict = compare(change, issue.entity, &edit) { return .conflict(conflict) }
        last = issue
      }
      if edit != IssueEdit() {
        let written = try await writer.edit(number, edit)
        dropped += written.dropped
        last = Sent(written.value, json: written.json)
      }
    } catch {
      guard !done.isEmpty else { throw error }
      var error = error
      error.message += "; before that, \(done.joined(separator: ", "))"
      error.bytesSent = nil
      throw PartialFailure(cause: error)
    }
    guard let last else { return await answer(after: number, dropped) }
    return answer(last, of: number, dropped)
  }

  /// Sets the edit's title and body if they must be sent. Returns the first conflict.
  private func compare(
    _ change: IssueChange, _ issue: GitHub.Issue, _ edit: inout IssueEdit
  ) -> OutboxConflict? {
    (edit.title, edit.body) = (nil, nil)
    if let title = change.title {
      let forge = provider.forge
      switch TextComparison(title, theirs: issue.title, field: .title, stores: forge.stores) {
      case .conflict(let conflict): return conflict
      case .alreadySo: break
      case .untouched: edit.title = title.text
      }
    }
    if let body = change.body {
      switch TextComparison(body, theirs: issue.body ?? "", field: .body) {
      case .conflict(let conflict): return conflict
      case .alreadySo: break
      case .untouched: edit.body = body.text
      }
    }
    return nil
  }

  private func editComment(
    _ id: Int64, on number: Int?, _ text: TextChange, noting note: (Change) async throws -> Void
  ) async throws -> Outcome {
    var text = text
    var comment = try await writer.comment(id)
    var dropped: [DroppedChange] = []
    let theirs = comment.entity.body ?? ""
    if text.base == nil {
      text.base = theirs
      try await note(.editComment(id: id, on: number, body: text))
    }
    switch TextComparison(text, theirs: theirs, field: .body) {
    case .conflict(let conflict): return .conflict(conflict)
    case .alreadySo: break
    case .untouched:
      let written = try await writer.editComment(id, to: text.text)
      comment = Sent(written.value, json: written.json)
      dropped = written.dropped
    }
    return .carriedOut(
      CarriedOut(
        answer: OutboxAnswer(
          number: number ?? comment.entity.issueNumber, url: comment.entity.htmlURL,
          json: comment.json, dropped: dropped.map(\.description), wasFound: false),
        date: comment.entity.updatedAt))
  }

  /// A missing comment counts as deleted, because an earlier attempt may have deleted it.
  private func deleteComment(_ id: Int64, on number: Int?) async throws(NetworkError) {
    do throws(NetworkError) {
      try await writer.deleteComment(id)
    } catch {
      guard error.isAbsence, await isGone(comment: id) else { throw error }
      guard let number else { return }
      // When an issue is transferred, its comments move with it.
      do throws(NetworkError) {
        _ = try await writer.issue(number)
      } catch {
        guard error.isAbsence else { throw error }
      }
    }
  }

  /// GitHub also responds with 404 if the token isn't allowed to delete the comment, so this checks that the repository
  /// is visible.
  private func isGone(comment id: Int64) async -> Bool {
    do throws(NetworkError) {
      _ = try await writer.comment(id)
      return false
    } catch {
      guard error.isAbsence else { return false }
      return (try? await provider.repository(repository)) != nil
    }
  }

  // MARK: Answers

  static func created(
    _ issue: Sent<GitHub.Issue>, _ dropped: [DroppedChange], wasFound: Bool
  ) -> CarriedOut {
    CarriedOut(
      answer: OutboxAnswer(
        number: issue.entity.number, url: issue.entity.htmlURL, json: issue.json,
        dropped: dropped.map(\.description), wasFound: wasFound),
      item: Int64(issue.entity.number), author: issue.entity.user?.login,
      date: issue.entity.updatedAt)
  }

  static func commented(
    _ comment: Sent<IssueComment>, on number: Int, wasFound: Bool
  ) -> CarriedOut {
    CarriedOut(
      answer: OutboxAnswer(
        number: number, url: comment.entity.htmlURL, json: comment.json, dropped: [],
        wasFound: wasFound),
      item: comment.entity.id, author: comment.entity.user?.login,
      date: comment.entity.updatedAt)
  }

  func transferred(to destination: RepositoryName, _ number: Int, wasFound: Bool) -> CarriedOut {
    CarriedOut(
      answer: OutboxAnswer(
        number: number, url: server.webURL(of: destination, issueNumber: number), json: nil,
        dropped: [], wasFound: wasFound))
  }

  func deleted(_ number: Int) -> CarriedOut {
    CarriedOut(
      answer: OutboxAnswer(number: number, url: nil, json: nil, dropped: [], wasFound: true))
  }

  private func answer(_ written: Written<GitHub.Issue>, of number: Int) -> Outcome {
    answer(Sent(written.value, json: written.json), of: number, written.dropped)
  }

  private func answer(
    _ issue: Sent<GitHub.Issue>?, of number: Int?, _ dropped: [DroppedChange] = []
  ) -> Outcome {
    .carriedOut(
      CarriedOut(
        answer: OutboxAnswer(
          number: number,
          url: issue?.entity.htmlURL ?? server.webURL(of: repository, issueNumber: number),
          json: issue?.json, dropped: dropped.map(\.description), wasFound: false),
        date: issue?.entity.updatedAt))
  }

  /// The change was carried out even if the lookup of the issue fails.
  private func answer(after number: Int, _ dropped: [DroppedChange] = []) async -> Outcome {
    answer(try? await writer.issue(number), of: number, dropped)
  }

  private func answer(
    after number: Int, isLocked: Bool
  ) async throws(NetworkError) -> Outcome {
    let issue = try? await writer.issue(number)
    if checksLocks, let issue, issue.entity.isLocked != isLocked {
      throw NetworkError(
        .decoding,
        "the server said that #\(number) was \(isLocked ? "locked" : "unlocked"), but it isn't")
    }
    return answer(issue, of: number)
  }
}

enum TextComparison {
  case untouched
  case alreadySo
  case conflict(OutboxConflict)

  /// Compares texts. `stores` is whether the server stores one text as another one.
  init(
    _ change: TextChange, theirs: String, field: OutboxConflict.Field,
    stores: (String, String) -> Bool = { _, _ in false }
  ) {
    let present = DroppedChange.normalized(theirs)
    func isPresent(_ text: String) -> Bool {
      DroppedChange.normalized(text) == present || stores(text, theirs)
    }
    if isPresent(change.text) {
      self = .alreadySo
    } else if let base = change.base, !isPresent(base) {
      self = .conflict(
        OutboxConflict(
          field: field, base: base, mine: change.text, theirs: theirs,
          merged: ThreeWayMerge.merge(base: base, change.text, theirs)))
    } else {
      self = .untouched
    }
  }
}
