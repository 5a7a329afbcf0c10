internal import IssueMirror
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Which issues are wanted, and in which order, as a person says it.
///
/// A login may be `@me`, and a milestone its title: a list can be asked for when both have been looked up, a search
/// at once.
struct FilterRequest: Hashable, Sendable {
  /// The states; nil where nothing was said, which means open ones.
  var state: IssueFilter.State?
  /// The labels, every one of which an issue must have.
  var labels: [String] = []
  /// Whom the issue is assigned to.
  var assignee: AssigneeArgument?
  /// Who opened it.
  var author: LoginArgument?
  /// Who is mentioned in it.
  var mention: LoginArgument?
  /// The milestone.
  var milestone: MilestoneChoice?
  /// Only issues updated since.
  var since: Date?
  /// What they are ordered by; nil where nothing was said.
  var sort: IssueFilter.Sort?
  /// The direction of the order; nil where nothing was said.
  var order: IssueFilter.Direction?

  /// Whether `@me` is somewhere in it.
  var namesOwner: Bool { assignee == .me || author == .me || mention == .me }

  /// The same with a login in the place of `@me`.
  func naming(_ own: Username) -> FilterRequest {
    var named = self
    if assignee == .me { named.assignee = .known(.user(own)) }
    if author == .me { named.author = .user(own) }
    if mention == .me { named.mention = .user(own) }
    return named
  }

  /// What a list is filtered by, where nothing names the owner.
  ///
  /// - Parameter number: The milestone's number, where one has to be looked up.
  /// - Returns: The filter.
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
      since: since, sort: sort ?? .created, direction: order ?? .descending)
  }
}

extension FilterRequest {
  /// The filter in the words of GitHub's search, without the state and the order.
  ///
  /// - Parameter title: The milestone's title, where that isn't what was said.
  /// - Returns: The words.
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
    append("updated", since.map { ">=\(Timestamp.dayOrTime(from: $0))" })
    return words.map(\.description)
  }

  /// The order as GitHub's search calls it, such as `created-desc`.
  var orderWord: String {
    let (sort, order) = (sort ?? .created, order ?? .descending)
    return "sort:\(sort.rawValue)-\(order.rawValue)"
  }

  /// A search, narrowed by the filter as gh narrows its: what both say has to be so together, and the state is the
  /// search's where that says one and the filter none but the usual.
  ///
  /// - Parameters:
  ///   - text: What is searched for, in the words of GitHub's search.
  ///   - includesPullRequests: Whether pull requests are wanted where the search doesn't tell.
  ///   - title: The milestone's title, where that isn't what was said.
  /// - Returns: The whole search.
  func search(
    for text: String, includesPullRequests: Bool, milestone title: String? = nil
  ) -> String {
    // What the filter says goes for both sides of an OR.
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

  /// The filter of a page whose address was pasted, with what the options say over it.
  ///
  /// - Parameter page: What the address says.
  /// - Returns: Both together.
  func over(_ page: IssueFilter) -> FilterRequest {
    var filter = self
    filter.state = state ?? page.state
    filter.labels = page.labels + labels.filter { !page.labels.contains($0) }
    filter.assignee = assignee ?? page.assignee.map { .known($0) }
    filter.author = author ?? page.creator.map { .user($0) }
    filter.mention = mention ?? page.mentioned.map { .user($0) }
    filter.milestone = milestone ?? page.milestone
    filter.since = since ?? page.since
    filter.sort = sort ?? page.sort
    filter.order = order ?? page.direction
    return filter
  }
}

extension FilterRequest {
  /// Asks the server for what a list can't be asked for without: the login behind `@me`, the milestone behind a
  /// title.
  ///
  /// - Parameters:
  ///   - provider: Who is asked.
  ///   - repository: Whose milestone.
  /// - Returns: The filter; else why there is none.
  /// - Throws: `NetworkError`.
  func resolved(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async throws(NetworkError) -> Result<IssueFilter, CommandFailure> {
    async let naming = named(by: provider)
    let milestone = try await milestone(by: provider, in: repository)
    let named = try await naming.get()
    return milestone.map { named.filter(milestone: $0?.number) }
  }

  /// Looks up in the mirror what a list can't be read without.
  ///
  /// - Returns: The filter.
  /// - Throws: ``CommandFailure``, for `@me` too: who that is, only the server knows.
  func resolved(in place: MirroredPlace) async throws -> IssueFilter {
    guard !namesOwner else {
      throw CommandFailure(
        .usage, "the mirror doesn't know who @me is, and nobody is asked\nName your login.")
    }
    return filter(milestone: try await milestone(in: place)?.number)
  }

  /// Finds the milestone on the server; nil where none is to be looked up.
  ///
  /// - Returns: The milestone; else why there is none.
  /// - Throws: `NetworkError`.
  func milestone(
    by provider: Provider<GitHub>, in repository: RepositoryName
  ) async throws(NetworkError) -> Result<Milestone?, CommandFailure> {
    guard let milestone = milestoneToLookUp else { return .success(nil) }
    return found(milestone, try await provider.milestones(of: repository), "\(repository)")
  }

  /// Finds the milestone in the mirror; nil where none is to be looked up.
  ///
  /// - Throws: ``CommandFailure`` where there is none, and `MirrorFailure`.
  func milestone(in place: MirroredPlace) async throws -> Milestone? {
    guard let milestone = milestoneToLookUp else { return nil }
    let known = try await place.mirror.milestones(of: place.repository)
    return try found(milestone, known, "the mirror of \(place.repository.fullName)").get()
  }

  /// The milestone, where only a server or a mirror can say which one it is.
  private var milestoneToLookUp: MilestoneChoice? {
    switch milestone {
    case .title, .number: milestone
    case .any, .absent, nil: nil
    }
  }

  private func found(
    _ milestone: MilestoneChoice, _ known: [Milestone], _ place: String
  ) -> Result<Milestone?, CommandFailure> {
    if let found = milestone.match(in: known) { return .success(found) }
    let name =
      switch milestone {
      case .title(let text): "“\(TerminalText(String(text.prefix(100))))”"
      case .number(let number): "with the number \(number)"
      case .any, .absent: ""
      }
    // The newest are those that somebody may have meant.
    let titles = known.suffix(10).reversed().map { "\(TerminalText(String($0.title.prefix(50))))" }
    let advice = titles.isEmpty ? "It has none." : "There are: \(titles.joined(separator: ", "))."
    return .failure(
      CommandFailure(.notFound, "\(place) has no milestone \(name)\n\(advice)"))
  }

  /// The same with the login of the token's user in the place of `@me`. Where that is nowhere, nobody is asked.
  func named(by provider: Provider<GitHub>) async -> Result<FilterRequest, NetworkError> {
    guard namesOwner else { return .success(self) }
    do throws(NetworkError) {
      let user = try await provider.ownProfile()
      guard let login = Username(user.login) else {
        throw NetworkError(
          .decoding,
          "the server gives you a login that is none: “\(TerminalText(user.login.prefix(100)))”")
      }
      return .success(naming(login))
    } catch {
      return .failure(error)
    }
  }
}
