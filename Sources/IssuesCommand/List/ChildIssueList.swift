internal import IssueTracker

/// Shows the sub-issues of an issue that a filter lists, in the rows of a list.
struct ChildIssueList: Sendable {
  let parent: Int
  let place: Place
  let connection: Connection
  let session: CommandSession
  let request: FilterRequest
  let form: IssueListForm

  func show() async throws {
    let subject = "\(place)#\(parent)"
    session.progress.update("Loading the sub-issues of \(subject)…")
    let resolved = try await connection.explaining("\(place)") { provider throws(NetworkError) in
      try await request.resolved(by: provider, in: place.name)
    }
    let filter = try resolved.get()
    var children: [Sent<GitHub.Issue>] = []
    let pages = PagedListing<Sent<GitHub.Issue>>(
      provider: connection.provider,
      first: .subIssues(repositoryFullName: "\(place.name)", number: parent, pageSize: 100))
    do throws(NetworkError) {
      for try await page in pages { children += page.items }
    } catch {
      throw connection.explanation(of: error, subject)
    }
    let sent = Dictionary(children.map { ($0.entity.id, $0) }) { first, _ in first }
    // As the server has them, unless an order is asked for.
    var wanted = children.filter { filter.matches($0.entity) }
    if request.sort != nil || request.order != nil {
      wanted = filter.sorted(wanted.map(\.entity)).compactMap { sent[$0.id] }
    }
    let shown = wanted.prefix(form.limit ?? .max)
    var writer = try form.writer(session)
    let kind = filter.state == .all ? "" : "\(filter.state.rawValue) "
    try await writer.write(
      shown.map(form.row),
      heading:
        "Showing \(shown.count) \(kind)\(shown.count == 1 ? "sub-issue" : "sub-issues") of \(subject)"
    )
    try await writer.finish()
    session.progress.finish()
    if shown.count < wanted.count {
      try await writer.tellLimit(
        "Stopped at the limit of \(shown.count): for more use --limit or --all.")
    } else if wanted.isEmpty, writer.isTable {
      try await writer.tell("No sub-issue of \(subject) matches.")
    }
  }
}
