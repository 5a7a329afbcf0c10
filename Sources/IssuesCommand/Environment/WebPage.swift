internal import IssueTracker

/// The page of a server that shows what the command would have listed.
struct WebPage {
  /// The address.
  let url: String

  /// Finds the page of a list of issues, or of the one issue that the user gave the address of.
  ///
  /// The filter becomes a query of GitHub's search, which calls some things differently
  /// (<https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>).
  init(server: GitHubServer, reference: RepositoryReference, filter: IssueFilter) {
    if let number = reference.issueNumber {
      url = server.webURL(of: reference.name, issueNumber: number)
      return
    }
    let page = "\(server.webURL(of: reference.name))/issues"
    let terms = Self.terms(filter)
    guard filter != IssueFilter() else {
      url = page
      return
    }
    let path: URLPath = "\(raw: page)?q=\(terms.joined(separator: " "))"
    url = path.encoded
  }

  private static func terms(_ filter: IssueFilter) -> [String] {
    var terms = ["is:issue"]
    if filter.state != .all { terms.append("state:\(filter.state.rawValue)") }
    terms += filter.labels.map { "label:\"\($0)\"" }
    switch filter.assignee {
    case .user(let username): terms.append("assignee:\(username)")
    case .anybody: terms.append("assignee:*")
    case .nobody: terms.append("no:assignee")
    case nil: break
    }
    if let creator = filter.creator { terms.append("author:\(creator)") }
    if let mentioned = filter.mentioned { terms.append("mentions:\(mentioned)") }
    switch filter.milestone {
    // The search knows milestones by title only; the API by number only.
    case .number, nil: break
    case .any: terms.append("milestone:*")
    case .absent: terms.append("no:milestone")
    }
    if let since = filter.since { terms.append("updated:>=\(Timestamp.string(from: since))") }
    terms.append("sort:\(filter.sort.rawValue)-\(filter.direction.rawValue)")
    return terms
  }
}
