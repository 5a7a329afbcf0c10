internal import IssueMirror
internal import PlatformModules
internal import StyledText

/// A filter and an order of issues, as typed by a user.
///
/// Lists need the logins for `@me` and `@copilot` and the milestone for a title; searches need only that for `@copilot`.
struct FilterRequest: Hashable, Sendable {
  /// The state; nil means open.
  var state: IssueFilter.State?
  var labels: [String] = []
  /// The values of `--label` from which ``labels`` were read.
  var labelLists: [String] = []
  var assignee: AssigneeArgument?
  var author: LoginArgument?
  var mention: LoginArgument?
  var milestone: MilestoneChoice?
  var type: IssueTypeChoice?
  var fields: [IssueFieldChoice] = []
  var since: Date?
  var sort: IssueFilter.Sort?
  var order: IssueFilter.Direction?

  var namesOwner: Bool { assignee == .me || author == .me || mention == .me }

  private var namesCopilot: Bool {
    assignee == .copilot || author == .copilot || mention == .copilot
  }

  func naming(_ own: Username) -> FilterRequest { replacing(.me, .me, by: own) }

  private func replacing(
    _ assignee: AssigneeArgument, _ login: LoginArgument, by username: Username
  ) -> FilterRequest {
    var named = self
    if self.assignee == assignee { named.assignee = .known(.user(username)) }
    if author == login { named.author = .user(username) }
    if mention == login { named.mention = .user(username) }
    return named
  }

  /// Replaces `@copilot` by the bot of a repository, or fails if there is none. Without `@copilot`, `find` isn't called.
  func namingCopilot<E: Error>(
    of place: String, _ find: () async throws(E) -> Username?
  ) async throws(E) -> Result<FilterRequest, CommandFailure> {
    guard namesCopilot else { return .success(self) }
    guard let bot = try await find() else { return .failure(Copilot.absence(from: place)) }
    return .success(replacing(.copilot, .copilot, by: bot))
  }

  /// Throws if the filter of several repositories names a bot, which may differ between them.
  func refuseCopilot() throws(CommandFailure) {
    guard namesCopilot else { return }
    throw CommandFailure(
      .usage,
      "\(Copilot.word) is the bot of one repository\nName the repository, or give the bot's login.")
  }

  /// The filter. `@me` and `@copilot` must be resolved. `number` is the number of the milestone if one was looked up.
  func filter(milestone number: Int?) -> IssueFilter {
    let choice: MilestoneChoice? =
      switch milestone {
      case .any: .any
      case .absent: .absent
      case .title, .number: number.map { .number($0) }
      case nil: nil
      }
    return IssueFilter(
      state: state ?? .open, labels: labels, assignee: assignee?.assignee,
      creator: author?.username, mentioned: mention?.username, milestone: choice,
      type: type, fields: fields, since: since, sort: sort ?? .created,
      direction: order ?? .descending)
  }
}

extension FilterRequest {
  /// The qualifiers except for the state and the order. `title` is the title of the milestone if one was looked up.
  func qualifiers(milestone title: String? = nil) -> [String] {
    var words = labels.map { QueryWord(name: "label", value: $0) }
    func append(_ name: String, _ value: String?) {
      if let value { words.append(QueryWord(name: name, value: value)) }
    }
    if let assignee { words.append(assignee.word) }
    append("author", author?.word)
    append("mentions", mention?.word)
    switch milestone {
    case .any: append("milestone", "*")
    case .absent: append("no", "milestone")
    case .title(let text): append("milestone", title ?? text)
    case .number: append("milestone", title)
    case nil: break
    }
    switch type {
    case .any: append("-no", "type")
    case .absent: append("no", "type")
    case .named, nil: append("type", type?.description)
    }
    words += fields.map(\.word)
    append("updated", since.map { ">=\(Timestamp.dayOrTime(from: $0))" })
    return words.map(\.description)
  }

  /// The order as a qualifier, such as `sort:created-desc`.
  var orderWord: String {
    let (sort, order) = (sort ?? .created, order ?? .descending)
    return "sort:\(sort.rawValue)-\(order.rawValue)"
  }

  /// Narrows a search by the filter, as gh does. Both apply, but a state in the search replaces the default state.
  func search(
    for text: String, includesPullRequests: Bool, milestone title: String? = nil
  ) -> String {
    // The filter applies to both sides of an OR.
    var words = [QueryWord.hasAlternatives(text) ? "(\(text))" : text]
    if !includesPullRequests, !QueryWord.tellsKind(text) { words.append("is:issue") }
    switch state {
    case .closed: words.append("is:closed")
    case .open, nil:
      if !QueryWord.tellsState(text) { words.append("is:open") }
    case .all: break
    }
    words += qualifiers(milestone: title)
    if sort != nil || order != nil { words.append(orderWord) }
    return words.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The options override the filter of a pasted URL.
  func over(_ page: IssueFilter) -> FilterRequest {
    var filter = self
    filter.state = state ?? page.state
    filter.labels = page.labels + labels.filter { !page.labels.contains($0) }
    filter.assignee = assignee ?? page.assignee.map { .known($0) }
    filter.author = author ?? page.creator.map { .user($0) }
    filter.mention = mention ?? page.mentioned.map { .user($0) }
    filter.milestone = milestone ?? page.milestone
    filter.type = type ?? page.type
    filter.fields = page.fields + fields.filter { !page.fields.contains($0) }
    filter.since = since ?? page.since
    filter.sort = sort ?? page.sort
    filter.order = order ?? page.direction
    return filter
  }
}

extension FilterRequest {
  /// Requests the logins for `@me` and `@copilot` and the milestone for a title from the server.
  func resolved(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async throws(NetworkError) -> Result<IssueFilter, CommandFailure> {
    async let naming = named(by: provider)
    async let recognized = recognizingLabels(by: provider, in: repository)
    let milestone = try await milestone(by: provider, in: repository)
    let copilot = try await naming.get().namingCopilot(of: "\(repository)") {
      () async throws(NetworkError) in
      try await Copilot.assignable(in: repository, by: provider)
    }
    let labels = try await recognized.get().labels
    return copilot.flatMap { named in
      var named = named
      named.labels = labels
      return milestone.map { milestone in
        var filter = named.filter(milestone: milestone?.number)
        // Forgejo and Gitea filter by the title.
        if let milestone, provider.forge != .gitHub { filter.milestone = .title(milestone.title) }
        return filter
      }
    }
  }

  /// Looks up the milestone in the mirror. Throws for `@me`, which only the server can resolve.
  func resolved(in place: MirroredPlace) async throws -> IssueFilter {
    guard !namesOwner else {
      throw CommandFailure(
        .usage,
        "the mirror doesn't know who @me is, and no server is contacted\nUse your login instead.")
    }
    return try await recognizingLabels(in: place).namingCopilot(in: place)
      .filter(milestone: try await milestone(in: place)?.number)
  }

  /// Requests the repository's labels if a name may contain a comma.
  func recognizingLabels(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async -> Result<FilterRequest, NetworkError> {
    guard labelLists.contains(where: NameList.isAmbiguous) else { return .success(self) }
    do throws(NetworkError) {
      return .success(recognizingLabels(try await provider.labels(of: repository).map(\.name)))
    } catch {
      return .failure(error)
    }
  }

  /// Replaces `@copilot` by the bot in the mirror.
  func namingCopilot(in place: MirroredPlace) async throws -> FilterRequest {
    try await namingCopilot(of: place.repository.fullName) {
      try await Copilot.mirrored(in: place)
    }.get()
  }

  func recognizingLabels(in place: MirroredPlace) async throws -> FilterRequest {
    guard labelLists.contains(where: NameList.isAmbiguous) else { return self }
    return recognizingLabels(try await place.mirror.names(of: place.repository).labels)
  }

  private func recognizingLabels(_ known: [String]) -> FilterRequest {
    let split = Set(labelLists.flatMap { NameList.names(in: $0) })
    var request = self
    request.labels =
      labels.filter { !split.contains($0) }
      + labelLists.flatMap { NameList.names(in: $0, known: known) }
    return request
  }

  /// Looks up the milestone on the server. Succeeds with nil if there is no milestone to look up.
  func milestone(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async throws(NetworkError) -> Result<GitHub.Milestone?, CommandFailure> {
    guard let milestone = milestoneToLookUp else { return .success(nil) }
    return found(milestone, try await provider.milestones(of: repository), "\(repository)")
  }

  /// Looks up the milestone in the mirror. Returns nil if there is no milestone to look up.
  func milestone(in place: MirroredPlace) async throws -> GitHub.Milestone? {
    guard let milestone = milestoneToLookUp else { return nil }
    let known = try await place.mirror.milestones(of: place.repository)
    return try found(milestone, known, "the mirror of \(place.repository.fullName)").get()
  }

  private var milestoneToLookUp: MilestoneChoice? {
    switch milestone {
    case .title, .number: milestone
    case .any, .absent, nil: nil
    }
  }

  private func found(
    _ milestone: MilestoneChoice, _ known: [GitHub.Milestone], _ place: String
  ) -> Result<GitHub.Milestone?, CommandFailure> {
    if let found = milestone.match(in: known) { return .success(found) }
    let name =
      switch milestone {
      case .title(let text): "“\(TerminalText(String(text.prefix(100))))”"
      case .number(let number): "with the number \(number)"
      case .any, .absent: ""
      }
    // The newest milestones are the most likely.
    let titles = known.suffix(10).reversed().map { "\(TerminalText(String($0.title.prefix(50))))" }
    let advice = titles.isEmpty ? "It has none." : "There are: \(titles.joined(separator: ", "))."
    return .failure(
      CommandFailure(.notFound, "\(place) has no milestone \(name)\n\(advice)"))
  }

  /// Replaces `@me` with the login of the token's owner. Without `@me`, no request is sent.
  func named(by provider: Provider<GitHub>) async -> Result<FilterRequest, NetworkError> {
    guard namesOwner else { return .success(self) }
    do throws(NetworkError) {
      let user = try await provider.ownProfile()
      guard let login = Username(user.login) else {
        throw NetworkError(
          .decoding,
          "the server returned an invalid login for you: “\(TerminalText(user.login.prefix(100)))”")
      }
      return .success(naming(login))
    } catch {
      return .failure(error)
    }
  }
}
