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
    var filter = filter
    // The search knows milestones by title only; the API by number only.
    if case .number = filter.milestone { filter.milestone = nil }
    // It has no word for both states: that is what it finds where none is named.
    let state = filter.state == .all ? [] : ["state:\(filter.state.rawValue)"]
    return ["is:issue"] + state + filter.qualifiers + ["sort:\(filter.order)"]
  }
}
