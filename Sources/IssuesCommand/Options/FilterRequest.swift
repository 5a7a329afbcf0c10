internal import IssueTracker

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
