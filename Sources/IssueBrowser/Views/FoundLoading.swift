internal import IssueMirror
internal import IssueTracker

/// Loads the issues of a view across repositories: one page from the server's search, or from the mirror.
struct FoundLoading: Sendable {
  private static let pageSize = 100

  let source: BrowserSource
  let clock: any Clock<Duration>
  let emit: BrowserWork.Emit

  func load(_ view: SavedView) async {
    await emit(
      .found(await BrowserWork.spinning(by: clock, emit) { await answer(to: view) }))
  }

  private func answer(to view: SavedView) async -> FoundIssues {
    var found = FoundIssues(view: view)
    do {
      try await source.isOffline ? loadMirrored(&found) : loadFromServer(&found)
    } catch {
      found.problem = ListLoading.oneLine(error)
    }
    return found
  }

  private func loadFromServer(_ found: inout FoundIssues) async throws {
    let connection = try await source.connection(to: found.view.host)
    do throws(NetworkError) {
      let target = GitHub.searchIssues(
        query: QueryWord.search(found.view.text, in: names(of: found.view)),
        pageSize: Self.pageSize)
      let contents = try PageContents<GitHub.Issue>(
        of: try await connection.provider.request(target), .searchResults)
      found.issues = contents.items
      found.total = contents.totalCount ?? contents.items.count
    } catch {
      found.problem = connection.explain(error, "the search of \(found.view.name)")
    }
  }

  private func loadMirrored(_ found: inout FoundIssues) async throws {
    guard let mirror = try await source.mirror?.opened() else { return }
    let query = try SearchQuery(parsing: found.view.text)
    let server = try await source.server(of: found.view.host)
    let names = names(of: found.view).map { $0.description.lowercased() }
    let repositories = try await mirror.repositories().filter {
      $0.host == server.host && (names.isEmpty || names.contains($0.fullName.lowercased()))
    }
    let listing = try await mirror.find(query, in: repositories, limit: Self.pageSize)
    let results = try await mirror.results(0..<listing.resultsCount, of: listing)
    found.issues = results.map(\.issue)
    found.total = listing.count ?? results.count
  }

  private func names(of view: SavedView) -> [RepositoryName] {
    if case .repositories(let list) = view.place { list.map(\.name) } else { [] }
  }
}
