internal import IssueTracker

/// Shows the repositories of a user, page by page as they come.
struct RepositoryList: Sendable {
  let username: Username
  let connection: Connection
  let session: CommandSession
  let limit: Int?
  let fields: JSONFields?

  func show() async throws {
    session.progress.update("Looking up the repositories of \(username)…")
    var writer = try ListWriter<Sent<Repository>>(session, fields: fields)
    let first = GitHub.repos(username: username.login, pageSize: min(limit ?? 100, 100))
    var pages = PagedListing<Sent<Repository>>(provider: connection.provider, first: first)
      .makeAsyncIterator()
    var isCut = false
    while limit.map({ writer.count < $0 }) ?? true {
      let page: PagedListing<Sent<Repository>>.Page?
      do throws(NetworkError) {
        let furtherPages = limit.map { ($0 - writer.count - 1) / 100 } ?? .max
        page = try await pages.next(pagesAhead: furtherPages)
      } catch {
        throw connection.explanation(of: error, "\(username)", afterShowing: writer.count)
      }
      guard let page else { break }
      let items = page.items.prefix(limit.map { $0 - writer.count } ?? .max)
      isCut = page.hasNext || items.count < page.items.count
      try await writer.write(Array(items), heading: "Repositories of \(username)")
      session.progress.update("Loading the repositories of \(username)… \(writer.count) so far")
    }
    do throws(NetworkError) {
      try pages.finish()
    } catch {
      throw connection.explanation(of: error, "\(username)", afterShowing: writer.count)
    }
    try await writer.finish()
    session.progress.finish()
    if writer.count == 0, writer.isTable {
      try await writer.tell("\(username) has no public repositories.")
    } else if isCut {
      try await writer.tell(
        "Stopped at the limit of \(writer.count): for more use --limit or --all.")
    }
  }
}
