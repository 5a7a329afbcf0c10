internal import IssueTracker

/// Shows the repositories of a user, page by page as they come.
struct RepositoryList: Sendable {
  let username: Username
  let server: GitHubServer
  let provider: Provider<GitHub>
  let session: CommandSession
  let limit: Int?
  let fields: [Repository.Field]?

  func show() async throws {
    session.progress.update("Looking up the repositories of \(username)…")
    var writer = ListWriter<Repository>(session, fields: fields)
    let first = GitHub.repos(username: username.login, pageSize: min(limit ?? 100, 100))
    var pages = PagedListing<Repository>(provider: provider, first: first).makeAsyncIterator()
    var isCut = false
    while limit.map({ writer.count < $0 }) ?? true {
      let page: PagedListing<Repository>.Page?
      do throws(NetworkError) {
        page = try await pages.next(prefetching: limit.map { $0 - writer.count > 100 } ?? true)
      } catch {
        let failure = server.explanation(of: error, "\(username)", session)
        guard writer.count > 0, failure.status != .cancelled else { throw failure }
        throw CommandFailure(
          failure.status,
          "the list is incomplete, it broke off after \(writer.count): \(failure.message)")
      }
      guard let page else { break }
      let items = page.items.prefix(limit.map { $0 - writer.count } ?? .max)
      isCut = page.hasNext || items.count < page.items.count
      try await writer.write(Array(items), heading: "Repositories of \(username)")
      session.progress.update("Loading the repositories of \(username)… \(writer.count) so far")
    }
    try await writer.finish()
    session.progress.finish()
    if writer.count == 0, writer.isTable {
      session.errors.write("\(username) has no public repositories.")
    } else if isCut {
      session.errors.write(
        "Stopped at the limit of \(writer.count): for more use --limit or --all.")
    }
  }
}
