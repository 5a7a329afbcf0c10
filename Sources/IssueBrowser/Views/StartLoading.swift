internal import IssueMirror
internal import IssueTracker

/// Loads the start screen: first the local data, and then the data that needs a token.
struct StartLoading: Sendable {
  private static let maximumRecent = 8

  let source: BrowserSource
  let start: StartSource
  let views: [SavedView]
  /// The default host.
  let host: String
  let emit: BrowserWork.Emit

  func load() async {
    async let clone = start.clone()
    async let unsent = source.unsent()
    async let recent = source.history?.entries() ?? []
    let mirrors = await mirrors()
    var rows: [StartPage.Row] = []
    if let clone = await clone { rows.append(.clone(clone)) }
    let waiting = await unsent
    if waiting.all > 0 {
      rows.append(.outbox(waiting: waiting.all, needingPerson: waiting.needingPerson))
    }
    let own = rows.count
    rows += views.enumerated().map { .view($0.offset + 1, $0.element) }
    rows += await recent.prefix(Self.maximumRecent).map {
      .recent(reference(host: $0.host, $0.name))
    }
    rows += mirrors
    var page = StartPage(rows: rows, version: start.version)
    await emit(.startPage(page))
    guard !Task.isCancelled, !source.isOffline,
      let connection = try? await source.connection(to: nil)
    else { return }
    page.account = .missing(variable: connection.tokenVariable)
    if connection.hasToken {
      page.account = .token(from: connection.tokenSource)
      page.rows.insert(contentsOf: [.inbox] + StartPage.own.map { .search($0) }, at: own)
    }
    await emit(.startPage(page))
  }

  private func mirrors() async -> [StartPage.Row] {
    let mirror = try? await source.mirror?.opened()
    let repositories = (try? await mirror?.repositories()) ?? []
    return repositories.compactMap { repository in
      RepositoryName(repository.fullName).map { name in
        .mirror(
          reference(host: repository.host, name),
          syncedAt: repository.isComplete ? repository.checkedAt(withComments: false) : nil)
      }
    }
  }

  private func reference(host: String, _ name: RepositoryName) -> RepositoryReference {
    RepositoryReference(host: host == self.host ? nil : host, name: name)
  }
}
