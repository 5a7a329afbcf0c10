internal import IssueTracker

/// The page of a server that shows what the command would have listed.
struct WebPage {
  /// The address.
  let url: String

  /// Finds the page of a list of issues, or of the one issue that the user gave the address of.
  ///
  /// The filter becomes a query of GitHub's search, which calls some things differently
  /// (<https://docs.github.com/en/search-github/searching-on-github/searching-issues-and-pull-requests>).
  ///
  /// - Throws: ``CommandFailure`` for what a page can't be asked for.
  init(
    server: GitHubServer, reference: RepositoryReference, filter: FilterRequest, search: String?,
    includesPullRequests: Bool
  ) throws(CommandFailure) {
    if let number = reference.issueNumber {
      url = server.webURL(of: reference.name, issueNumber: number)
      return
    }
    let root = server.webURL(of: reference.name)
    guard filter != FilterRequest() || search != nil else {
      url = "\(root)/issues"
      return
    }
    if case .number(let number) = filter.milestone {
      guard search == nil, filter == FilterRequest(state: .open, milestone: filter.milestone) else {
        throw CommandFailure(
          .usage, "GitHub's pages know milestones by their titles: with --web give the title")
      }
      url = "\(root)/milestone/\(number)"
      return
    }
    let query =
      search.map { filter.search(for: $0, includesPullRequests: includesPullRequests) }
      ?? Self.query(filter)
    let path: URLPath = "\(raw: root)/issues?q=\(query)"
    url = path.encoded
  }

  private static func query(_ filter: FilterRequest) -> String {
    // It has no word for both states: that is what it finds where none is named.
    let state = filter.state == .all ? [] : ["state:\((filter.state ?? .open).rawValue)"]
    return (["is:issue"] + state + filter.qualifiers() + [filter.orderWord]).joined(separator: " ")
  }
}
