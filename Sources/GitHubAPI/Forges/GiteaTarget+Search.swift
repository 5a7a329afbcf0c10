internal import HTTPTargets

extension GitHub {
  /// A search for issues in GitHub's syntax as a list of Forgejo or Gitea: of one repository, with all filters, or of
  /// all repositories. The words find issues with the server's own index.
  static func giteaSearch(
    _ query: String, _ pageSize: Int, on forge: Forge
  ) throws(NetworkError) -> (path: URLPath, task: HTTPTask) {
    let search = try GiteaSearch(query, forge)
    let text = search.words.isEmpty ? [] : [QueryItem("q", search.words.joined(separator: " "))]
    let kind = search.kind.map { [QueryItem("type", $0)] } ?? []
    let rest = text + kind + [QueryItem("limit", pageSize)]
    if let repository = search.repository {
      return (
        Self.repositoryPath(repository, "/issues"),
        .query(try search.filter.giteaQuery(on: forge) + rest)
      )
    }
    var known = IssueFilter(state: search.filter.state, since: search.filter.since)
    // With several labels, the list has the issues with any of them.
    if search.filter.labels.count == 1 { known.labels = search.filter.labels }
    guard search.filter == known else {
      throw .lacking(
        forge,
        "a search over repositories with other filters than the state, one label, and the time of the change"
      )
    }
    let owner = search.owner.map { [QueryItem("owner", $0)] } ?? []
    return ("repos/issues/search", .query(owner + (try known.giteaQuery(on: forge)) + rest))
  }
}

/// The parts of a search that Forgejo and Gitea can carry out.
private struct GiteaSearch {
  private(set) var words: [String] = []
  private(set) var repository: String?
  private(set) var owner: String?
  /// `issues` or `pulls`; nil for both.
  private(set) var kind: String?
  private(set) var filter = IssueFilter()

  init(_ query: String, _ forge: Forge) throws(NetworkError) {
    var filters: [String] = []
    do throws(InvalidInput) {
      for word in try QueryWord.words(of: query) {
        switch (word.name, word.value) {
        case ("", let text):
          guard Self.isPlain(text) else {
            throw InvalidInput(.filter, "phrases, operators and excluded words in a search")
          }
          words.append(text)
        case ("repo", let name) where repository == nil && owner == nil: repository = name
        case ("org", let name), ("user", let name):
          guard repository == nil, owner == nil else { fallthrough }
          owner = name
        case ("repo", _):
          throw InvalidInput(.filter, "a search of several repositories: name one")
        case ("is", "issue"), ("type", "issue"): kind = "issues"
        case ("is", "pr"), ("type", "pr"), ("is", "pull-request"), ("type", "pull-request"):
          kind = "pulls"
        default:
          guard (try? IssueFilter(query: word.description)) != nil else {
            throw InvalidInput(.filter, "searches with “\(GitHubErrorBody.line(word.description))”")
          }
          filters.append(word.description)
        }
      }
      filter = try IssueFilter(query: filters.joined(separator: " "))
    } catch {
      throw .lacking(forge, error.message)
    }
    if !QueryWord.tellsState(query) { filter.state = .all }
  }

  private static func isPlain(_ word: String) -> Bool {
    !["AND", "OR", "NOT"].contains(word) && !word.hasPrefix("-")
      && !word.contains { $0.isWhitespace || "()\"".contains($0) }
  }
}
