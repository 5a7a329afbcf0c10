internal import IssueMirror
internal import IssueTracker

struct MirrorLoading: Sendable {
  struct Absence: Error, CustomStringConvertible {
    let description: String
  }

  let source: BrowserSource

  /// The first rows of a list. The login replaces `@me`.
  func sheet(_ query: ListQuery, login: String? = nil) async throws -> IssueSheet {
    guard let reference = query.reference, let selection = try Self.selection(of: query, login)
    else { throw Absence(description: "That isn't a list of issues") }
    let (mirror, repository) = try await place(of: reference)
    guard let description = try await mirror.description(of: repository) else {
      throw Self.absence(of: reference)
    }
    let pending = await source.pending(of: reference, description, on: repository.host)
    guard var sheet = IssueSheet(query, pending: pending) else {
      throw Self.absence(of: reference)
    }
    let listing = try await mirror.listing(selection, of: repository)
    let page = try await IssuesPage(
      NextPage.MirrorRows(listing: listing, start: 0), of: reference, from: mirror)
    sheet.repository = description
    sheet.mirror = listing
    sheet.append(page)
    return sheet
  }

  private static func selection(
    of query: ListQuery, _ login: String?
  ) throws(InvalidInput) -> MirrorListing.Selection? {
    switch query {
    case .issues(_, let filter): .filter(filter)
    case .searched(_, let search): .search(try search.inMirror(login: login))
    case .nothing, .incomplete, .repositories: nil
    }
  }

  func page(_ page: NextPage.MirrorRows, of reference: RepositoryReference) async throws
    -> IssuesPage
  {
    guard let mirror = try await source.mirror?.opened() else { throw Self.absence(of: reference) }
    return try await IssuesPage(page, of: reference, from: mirror)
  }

  /// The names that a filter may contain.
  func names(of reference: RepositoryReference) async throws -> NamesInUse {
    let (mirror, repository) = try await place(of: reference)
    return try await mirror.names(of: repository)
  }

  func issue(_ number: Int, of reference: RepositoryReference) async throws -> GitHub.Issue? {
    let (mirror, repository) = try await place(of: reference)
    return try await mirror.issue(number, of: repository)
  }

  func comments(
    on number: Int, of reference: RepositoryReference
  ) async throws -> (comments: [IssueComment], absence: Absence?) {
    let (mirror, repository) = try await place(of: reference)
    let comments = try await mirror.comments(on: number, of: repository)
    guard repository.commentsSyncedTo == nil else { return (comments, nil) }
    return (
      comments,
      Absence(description: "run 'issues sync --comments \(Self.typed(reference))' for all of them")
    )
  }

  /// The mirrored repositories of a host with all words in their name or description, sorted by name.
  func repositories(matching text: String, on host: String) async throws -> [GitHub.Repository] {
    guard let mirror = try await source.mirror?.opened() else { return [] }
    let words = text.lowercased().split { $0.isWhitespace }
    var found: [GitHub.Repository] = []
    for mirrored in try await mirror.repositories() where mirrored.host == host {
      guard let repository = try await mirror.description(of: mirrored) else { continue }
      let said = "\(repository.fullName) \(repository.description ?? "")".lowercased()
      if words.allSatisfy({ said.contains($0) }) { found.append(repository) }
    }
    return found
  }

  private func place(
    of reference: RepositoryReference
  ) async throws -> (any IssueReader, MirroredRepository) {
    let server = try await source.server(of: reference.host)
    guard let mirror = try await source.mirror?.opened(),
      let repository = try await mirror.repository(named: reference.name, on: server)
    else { throw Self.absence(of: reference) }
    return (mirror, repository)
  }

  private static func absence(of reference: RepositoryReference) -> Absence {
    let name = typed(reference)
    return Absence(description: "\(name) isn't mirrored: run 'issues sync \(name)'")
  }

  private static func typed(_ reference: RepositoryReference) -> String {
    (reference.host.map { "\($0)/" } ?? "") + "\(reference.name)"
  }
}
