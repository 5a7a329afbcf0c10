/// Searches for repositories and issues.
extension GitHubEndpoints {
  var repositorySearch: LoopbackResponse {
    let search: RepositorySearchQuery
    do {
      search = try RepositorySearchQuery(request.query)
    } catch {
      return error.response
    }
    let configuration = github.configuration
    let own = configuration.repositories.filter { isVisible($0) && search.finds($0) }
    let total = own.count + max(configuration.repositoriesPerSearch - own.count, 0)
    let items = search.pages.window(of: min(total, SearchText.maximumCount)).map { place in
      place < own.count ? own[place] : search.inventedRepository(place - own.count)
    }
    return searchResults(
      items.map { json.repository($0, openIssues: $0.issues.count) }, of: total, search.pages)
  }

  var issueSearch: LoopbackResponse {
    var search: IssueSearchQuery
    do {
      let token = LoopbackGitHub.token(of: request)
      search = try IssueSearchQuery(
        request.query, login: token == nil ? nil : github.login(of: token))
    } catch {
      return error.response
    }
    var outcome = ""
    if let kind = request.queryValue("search_type"),
      github.configuration.searchByMeaning != .unknown
    {
      guard github.configuration.searchByMeaning == .offered, !isAnonymous else {
        return .json(#"{"message":"Semantic search is not available"}"#, status: 403)
      }
      let reason = search.searchByMeaning(request.queryValue("q") ?? "")
      outcome =
        reason.map { #","search_type":"lexical","lexical_fallback_reason":["\#($0)"]"# }
        ?? #","search_type":"\#(kind)""#
    }
    let named = search.repositories.compactMap { name in
      let parts = name.split(separator: "/").map(String.init)
      return parts.count == 2 ? github.repository(parts[0], parts[1])?.0 : nil
    }
    let owned = github.configuration.repositories.filter {
      search.owners.isEmpty || search.owners.contains($0.owner.lowercased())
    }
    let places = search.repositories.isEmpty ? owned : named
    let (repositories, withheld) = withoutWithheld(
      search.contradictsItself ? [] : places.filter(isVisible))
    let (items, total) = search.results(in: repositories.map(searched))
    return searchResults(
      items.map { json.issue($0.issue, in: repositories[$0.place]) }, of: total, search.pages,
      outcome
    ).with { Self.add(withheld, to: &$0) }
  }

  /// A repository's issues as the search knows them so far.
  private func searched(_ repository: LoopbackRepository) -> IssueStore {
    let store = github.store(of: repository)
    let lag = github.configuration.searchLag
    guard lag > 0 else { return store }
    let first = github.requestCount - lag + 1
    return IssueStore(store.read { $0.before(first) })
  }

  /// A page of results, each with the score that GitHub adds.
  private func searchResults(
    _ objects: [String], of total: Int, _ pages: NumberedPages, _ outcome: String = ""
  ) -> LoopbackResponse {
    let items = objects.map { $0.dropLast() + #","score":1.0}"# }
    var response = LoopbackResponse.json(
      """
      {"total_count":\(total),"incomplete_results":\(github.configuration.cutsSearchesShort),\
      "items":\(JSONText.array(items.map { String($0) }))\(outcome)}
      """)
    let shown = min(total, SearchText.maximumCount)
    if let link = pages.link(of: shown, at: json.root + path) {
      response.headers.add("Link", link)
    }
    return response
  }
}
