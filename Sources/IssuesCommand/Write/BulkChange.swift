internal import IssueOutbox
internal import IssueTracker
internal import StyledText

/// Makes the same change to all issues that a search finds.
struct BulkChange: Sendable {
  let options: BulkOptions
  let repo: String?
  let write: WriteOptions
  let fields: JSONFields?
  /// The texts from the command line, which are written back if they can't be stored.
  var typed: [String?] = []

  /// Finds the issues, asks for confirmation, and makes the changes that `changes` returns for each.
  ///
  /// - Throws: ``CommandFailure`` unless the server made all changes, and errors from `changes`.
  func run(
    in session: CommandSession,
    _ changes: (NamedIssue, WriteSession) async throws -> [Change]
  ) async throws {
    let writing = try WriteSession(session, write.connection, typed: typed)
    let place = try await session.place(
      of: RepositoryChoice(nil, option: repo), apiURL: write.connection.request.apiURL)
    let search = BulkSearch(options: options, place: place, write: write, writing: writing)
    let found = try await search.issues()
    var groups: [(issue: GitHub.Issue, changes: [Change])] = []
    for issue in found {
      let all = try await changes(
        NamedIssue(place: place, target: .number(issue.number)), writing)
      let needed = all.filter { $0.isNeeded(by: issue) }
      // If a change isn't needed, its comment isn't either.
      let isMade = all.contains { !$0.countsEachTime } && needed.allSatisfy(\.countsEachTime)
      if !isMade { groups.append((issue, needed)) }
    }
    session.progress.update("")
    guard let first = groups.first else {
      let reason =
        found.isEmpty ? "nothing matches" : "all \(found.count) that match are as you want them"
      session.errors.write("\(reason) in \(place.name): nothing was changed.".capitalizedFirst)
      if let fields, !fields.isLines { try await session.output.write("[]\n") }
      return
    }
    guard !options.dryRun else {
      guard let fields else { return try await printRequests(groups, place, writing) }
      var sink = try JSONSink(session, fields)
      try await sink.write(list: try groups.map { try JSONObject(encoding: $0.issue) })
      return try await sink.finishList()
    }
    let count = groups.count == 1 ? "1 issue" : "\(groups.count.grouped) issues"
    let words = first.changes.flatMap(\.words).joined(separator: ", ")
    let already =
      found.count > groups.count
      ? " (\((found.count - groups.count).grouped) more are already like that)" : ""
    let task = "\(words): \(count) of \(place.name)\(already)"
    try await BulkConfirmation(
      task: task, isConfirmed: options.yes, noun: "Issues",
      advice: "Confirm with --yes, or preview the changes with --dry-run."
    ).ask(groups.map { IssueRow($0.issue) }, session, isJSON: fields != nil) {
      "#\($0.issue.number) \($0.issue.title)"
    }

    var intentions: [Intention] = []
    for group in groups {
      for (index, change) in group.changes.enumerated() {
        intentions.append(
          try await writing.intention(
            change, in: place, followsPrevious: index > 0 && !change.standsAlone))
      }
    }
    let entries = try await writing.add(intentions, asBulk: true)
    guard !write.queue else {
      throw CommandFailure(
        .kept, "kept in the outbox, not sent yet: \(task)\n'\(entries.sendCommand)' sends it.")
    }
    var last = -1
    let told = Set(
      groups.map { group in
        last += group.changes.count
        return entries[last].id
      })
    try await OutboxRun(writing, fields: fields).send(entries, telling: told)
  }

  private func printRequests(
    _ groups: [(issue: GitHub.Issue, changes: [Change])], _ place: Place, _ writing: WriteSession
  ) async throws {
    let session = writing.session
    let fields = try await fieldRequests(groups.flatMap(\.changes), place, writing)
    let ids = try await relatedIDs(groups.flatMap(\.changes), place, writing)
    for group in groups {
      let requests = group.changes.flatMap { change in
        if case .relate(_, let relation) = change {
          return relation.requests(to: group.issue, in: place.name, ids: ids)
        }
        return fields(group.issue.number, change)
          + change.requests(to: group.issue.number, in: place.name)
      }
      for target in requests {
        let request: TargetRequest
        do throws(NetworkError) {
          request = try Endpoint(target, baseURL: place.server.apiURL).request()
        } catch {
          throw CommandFailure(.usage, error.message)
        }
        let path = request.url.dropFirst(place.server.apiURL.utf8.count)
        let body = request.body?.data.map { String(decoding: $0, as: UTF8.self) } ?? ""
        try await session.output.write(
          TSV().line([
            StyledLine(request.method.rawValue), StyledLine(path), StyledLine(body),
          ]))
      }
    }
    let count = groups.count == 1 ? "1 issue" : "\(groups.count.grouped) issues"
    if session.style.layout == .table {
      session.errors.write("Nothing was sent: these requests would change \(count).")
    }
  }
}

extension BulkChange {
  /// The IDs of the other issues, which requests use instead of numbers.
  private func relatedIDs(
    _ changes: [Change], _ place: Place, _ writing: WriteSession
  ) async throws -> [RelatedIssue: Int64] {
    var ids: [RelatedIssue: Int64] = [:]
    for case .relate(_, let relation) in changes {
      guard let other = relation.other, ids[other] == nil else { continue }
      let there = Place(name: other.repository ?? place.name, server: place.server)
      ids[other] = try await NameLookup(writing: writing, place: there).issue(other.number).id
    }
    return ids
  }
}

extension BulkChange {
  /// The requests for fields, which identify the fields by ID.
  private func fieldRequests(
    _ changes: [Change], _ place: Place, _ writing: WriteSession
  ) async throws -> (Int, Change) -> [GitHub] {
    var known: [IssueChange: (values: [GitHub.NewFieldValue], cleared: [Int64])] = [:]
    for case .edit(_, let edit) in changes
    where known[edit] == nil && !(edit.fields.isEmpty && edit.clearedFields.isEmpty) {
      let connection = try await writing.connection(to: place.server)
      known[edit] = try await connection.explaining("the fields of \(place.name.owner)") {
        (provider) async throws(NetworkError) in
        let fields = try await IssueWriter(provider: provider, repository: place.name).issueFields()
        return (try fields.values(edit.fields), try fields.ids(edit.clearedFields))
      }
    }
    return { [known] number, change in
      guard case .edit(_, let edit) = change, let (values, cleared) = known[edit] else { return [] }
      let name = "\(place.name)"
      return
        (values.isEmpty
        ? [] : [.setFields(repositoryFullName: name, number: number, values: values)])
        + cleared.map { .clearField(repositoryFullName: name, number: number, fieldID: $0) }
    }
  }
}

extension RelationChange {
  /// Whether the change would have an effect. The dependencies of an issue aren't known, so a change to them may always
  /// be needed.
  fileprivate func isNeeded(by issue: GitHub.Issue) -> Bool {
    guard let own = issue.url.flatMap({ IssuePlace($0) }) else { return true }
    switch self {
    case .setParent(let other, _):
      let parent = IssuePlace(
        repository: other.repository ?? own.repository, number: other.number)
      return issue.parent.map { "\($0)".lowercased() } != "\(parent)".lowercased()
    case .removeParent: return issue.parent != nil
    default: return true
    }
  }

  fileprivate func requests(
    to issue: GitHub.Issue, in repository: RepositoryName, ids: [RelatedIssue: Int64]
  ) -> [GitHub] {
    let name = "\(repository)"
    let there = "\(other?.repository ?? repository)"
    let id = other.flatMap { ids[$0] } ?? 0
    return switch self {
    case .addSubIssue(_, let replaces):
      [
        .addSubIssue(
          repositoryFullName: name, number: issue.number, subIssueID: id, replacesParent: replaces)
      ]
    case .removeSubIssue:
      [.removeSubIssue(repositoryFullName: name, number: issue.number, subIssueID: id)]
    case .setParent(let other, let replaces):
      [
        .addSubIssue(
          repositoryFullName: there, number: other.number, subIssueID: issue.id,
          replacesParent: replaces)
      ]
    case .removeParent:
      issue.parent.map {
        [
          .removeSubIssue(
            repositoryFullName: "\($0.repository)", number: $0.number, subIssueID: issue.id)
        ]
      } ?? []
    // A bulk refuses --after and --first.
    case .moveAfter, .moveFirst: []
    case .addBlocker:
      [.addBlockedBy(repositoryFullName: name, number: issue.number, issueID: id)]
    case .removeBlocker:
      [.removeBlockedBy(repositoryFullName: name, number: issue.number, issueID: id)]
    case .block(let other):
      [.addBlockedBy(repositoryFullName: there, number: other.number, issueID: issue.id)]
    case .unblock(let other):
      [.removeBlockedBy(repositoryFullName: there, number: other.number, issueID: issue.id)]
    }
  }
}

extension Change {
  /// Whether the change would have an effect. The type of an issue isn't known, so a change to it may always be needed.
  fileprivate func isNeeded(by issue: GitHub.Issue) -> Bool {
    switch self {
    case .edit(_, let edit) where edit.type != nil: return true
    case .relate(_, let relation): return relation.isNeeded(by: issue)
    default: break
    }
    return applied(to: issue) != issue
  }

  func requests(to number: Int, in repository: RepositoryName) -> [GitHub] {
    let name = "\(repository)"
    switch self {
    case .comment(_, let body):
      return [.createComment(repositoryFullName: name, number: number, body: body)]
    case .close(_, let reason, _):
      return [
        .editIssue(
          repositoryFullName: name, number: number,
          edit: IssueEdit(state: .closed, stateReason: reason))
      ]
    case .reopen:
      return [
        .editIssue(
          repositoryFullName: name, number: number,
          edit: IssueEdit(state: .open, stateReason: .reopened))
      ]
    case .lock(_, let reason):
      return [.lockIssue(repositoryFullName: name, number: number, reason: reason)]
    case .unlock: return [.unlockIssue(repositoryFullName: name, number: number)]
    case .edit(_, let edit): return edit.requests(to: number, in: name)
    case .createIssue, .relate, .react, .unreact, .subscribe, .unsubscribe, .pin, .unpin, .transfer,
      .delete, .editComment, .deleteComment, .reactToComment, .unreactToComment, .notification:
      return []
    }
  }
}

extension IssueChange {
  fileprivate func requests(to number: Int, in name: String) -> [GitHub] {
    var requests: [GitHub] = []
    if !addedLabels.isEmpty {
      requests.append(.addLabels(repositoryFullName: name, number: number, names: addedLabels))
    }
    requests += removedLabels.map {
      .removeLabel(repositoryFullName: name, number: number, name: $0)
    }
    if !addedAssignees.isEmpty {
      requests.append(
        .addAssignees(repositoryFullName: name, number: number, logins: addedAssignees))
    }
    if !removedAssignees.isEmpty {
      requests.append(
        .removeAssignees(repositoryFullName: name, number: number, logins: removedAssignees))
    }
    let edit = IssueEdit(
      title: title?.text, body: body?.text, milestone: milestone, type: type)
    if edit != IssueEdit() {
      requests.append(.editIssue(repositoryFullName: name, number: number, edit: edit))
    }
    return requests
  }
}

extension String {
  var capitalizedFirst: String {
    prefix(1).uppercased() + dropFirst()
  }
}
