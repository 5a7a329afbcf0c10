internal import GitHubAPI
internal import HTTPTargets

/// Writes to Forgejo and Gitea that need more than one request, because the server identifies labels by their IDs and
/// replaces the whole list of assignees. Each has one writing request, except for the removal of several labels and the
/// creation of missing ones.
extension IssueWriter {
  var isOnGitea: Bool { provider.forge != .gitHub }

  /// Throws for something that only GitHub has.
  func require(_ feature: String) throws(NetworkError) {
    if isOnGitea { throw .lacking(provider.forge, feature) }
  }

  /// Finds labels by their names in the repository, or else in its organization. Creates unknown ones, or throws, because
  /// the server would leave them out without an error.
  func labels(
    named names: [String], createsLabels: Bool = false
  ) async throws(NetworkError) -> [GitHub.Label] {
    guard !names.isEmpty else { return [] }
    var labels = try await found { () async throws(NetworkError) in
      try await provider.labels(of: repository)
    }
    func missing() -> [String] { names.filter { Self.label(named: $0, in: labels) == nil } }
    if !missing().isEmpty {
      let more = PagedListing<GitHub.Label>(
        provider: provider, first: .organizationLabels(organization: repository.owner))
      labels += try await found { () async throws(NetworkError) in
        var labels: [GitHub.Label] = []
        do throws(NetworkError) {
          for try await page in more { labels += page.items }
        } catch {
          // The owner is a user, or the token may not read organizations.
          guard [.notFound, .forbidden].contains(error.response?.status) else { throw error }
        }
        return labels
      }
    }
    let unknown = missing()
    guard unknown.isEmpty || createsLabels else { throw absent(unknown) }
    for name in unknown where Self.label(named: name, in: labels) == nil {
      labels.append(try await createLabel(NewLabel(name: name)).value)
    }
    return names.compactMap { Self.label(named: $0, in: labels) }
  }

  private func found<Value: Sendable>(
    _ look: () async throws(NetworkError) -> Value
  ) async throws(NetworkError) -> Value {
    do throws(NetworkError) {
      return try await look()
    } catch {
      throw error.ofNothingWritten
    }
  }

  private static func label(named name: String, in labels: [GitHub.Label]) -> GitHub.Label? {
    labels.first { $0.name == name }
      ?? labels.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The ID of a label of the repository as it stands in a path. Two labels may share a name.
  func labelID(_ name: String) async throws(NetworkError) -> String {
    let labels = try await found { () async throws(NetworkError) in
      try await provider.labels(of: repository)
    }
    let label = Self.label(named: name, in: labels)
    guard let label, let id = label.serverID else {
      throw NetworkError(.absent, "\(repository) has no label “\(name)”").ofNothingWritten
    }
    guard labels.count(where: { $0.name == label.name }) == 1 else {
      throw NetworkError(
        .refused, "\(repository) has several labels “\(name)”: rename one of them on its page"
      ).ofNothingWritten
    }
    return "\(id)"
  }

  /// Throws if the repository has the name already. The servers allow several labels and milestones of one name.
  func requireUnused(
    label: String? = nil, milestone: String? = nil
  ) async throws(NetworkError) {
    guard isOnGitea else { return }
    let isTaken = try await found { () async throws(NetworkError) in
      if let label, try await provider.labels(of: repository).contains(where: { $0.name == label })
      {
        return true
      }
      guard let milestone else { return false }
      return try await provider.milestones(of: repository).contains { $0.title == milestone }
    }
    guard !isTaken else {
      let name = label ?? milestone ?? ""
      throw NetworkError(.nameIsTaken, "\(repository) already has “\(name)”").ofNothingWritten
    }
  }

  /// Whether a label is archived; nil if the server doesn't say it. An edit has to repeat it.
  func isArchivedLabel(_ id: String) async throws(NetworkError) -> Bool? {
    struct Mark: Decodable, Sendable {
      var isArchived: Bool?
      private enum CodingKeys: String, CodingKey { case isArchived = "is_archived" }
    }
    return try await found { () async throws(NetworkError) in
      try await provider.request(.label(repositoryFullName: "\(repository)", name: id))
        .decode(Mark.self).isArchived
    }
  }

  /// The issue with the IDs of its labels.
  func identifyingLabels(
    of issue: NewIssue, createsLabels: Bool
  ) async throws(NetworkError) -> NewIssue {
    var issue = issue
    issue.template = nil
    try await requireMilestone(issue.milestone)
    issue.labelIDs = try await labels(named: issue.labels, createsLabels: createsLabels)
      .compactMap(\.serverID)
    return issue
  }

  /// Throws for an unknown milestone, which the server answers with status 500, or leaves out of a new issue.
  func requireMilestone(_ id: Int?) async throws(NetworkError) {
    guard isOnGitea, let id else { return }
    do throws(NetworkError) {
      _ = try await provider.request(
        .milestone(repositoryFullName: repository.description, number: id))
    } catch {
      guard error.response?.status == .notFound else { throw error.ofNothingWritten }
      throw NetworkError(.absent, "\(repository) has no milestone with the ID \(id)")
        .ofNothingWritten
    }
  }

  /// Explains a failed comment. If the issue is missing, Gitea's status is 500, as after an accident.
  func explained(
    _ error: NetworkError, ofCommentOn number: Int
  ) async -> NetworkError {
    guard isOnGitea, [404, 500].contains(error.response?.status.code) else { return error }
    do throws(NetworkError) {
      _ = try await issue(number)
    } catch let absence where absence.response?.status == .notFound {
      return NetworkError(.absent, "\(repository) has no #\(number), or the token can't see it")
        .ofNothingWritten
    } catch {}
    return error
  }

  /// Removes labels by their IDs. The responses have no content, so the issue is looked up again.
  func removeLabelsByID(
    _ names: [String], from number: Int
  ) async throws(NetworkError) -> Written<[GitHub.Label]> {
    let present = try await issue(number).entity.labels
    var isFirst = true
    for name in names {
      guard let id = Self.label(named: name, in: present)?.serverID else { continue }
      do throws(NetworkError) {
        try await carryOut(
          .removeLabel(repositoryFullName: repository.description, number: number, name: "\(id)"))
      } catch {
        var error = error
        if !isFirst { error.bytesSent = nil }
        throw error
      }
      isFirst = false
    }
    let issue = try await issue(number)
    let left = Set(issue.entity.labels.map { $0.name.lowercased() })
    let removed = names.filter { !left.contains($0.lowercased()) }
    return Written(
      Sent(issue.entity.labels, json: issue.json),
      dropped: [.names(.labels, names, removed)].compactMap(\.self))
  }

  /// Changes the assignees. The server replaces the whole list, so an assignment of another client between the two
  /// requests is lost.
  func changeAssignees(
    of number: Int, _ change: ([String]) -> [String]
  ) async throws(NetworkError) -> Written<GitHub.Issue> {
    let present = try await issue(number)
    let logins = present.entity.assignees.map(\.login)
    let wanted = change(logins)
    guard wanted != logins else { return Written(present, dropped: []) }
    return try await edit(number, IssueEdit(assignees: wanted))
  }

  /// Adds or removes a dependency. The server answers a repetition with status 500, so the list is looked up first.
  func changeDependency(
    of waiting: IssuePlace, on blocker: IssuePlace, isAdded: Bool
  ) async throws(NetworkError) {
    let present = PagedListing<GitHub.LocatedIssue>(
      provider: provider,
      first: .blockedBy(repositoryFullName: "\(waiting.repository)", number: waiting.number))
    let isPresent = try await found { () async throws(NetworkError) in
      for try await page in present
      where page.items.contains(where: {
        $0.issue.number == blocker.number
          && "\($0.repository ?? waiting.repository)".lowercased()
            == "\(blocker.repository)".lowercased()
      }) {
        return true
      }
      return false
    }
    guard isPresent != isAdded else { return }
    let name = "\(waiting.repository)"
    try await provider.carryOut(
      isAdded
        ? .addDependency(repositoryFullName: name, number: waiting.number, on: blocker)
        : .removeDependency(repositoryFullName: name, number: waiting.number, on: blocker),
      status: .created)
  }
}
