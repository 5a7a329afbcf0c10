internal import IssueMirror
internal import IssueTracker

struct MirrorLoading: Sendable {
  struct Absence: Error, CustomStringConvertible {
    let description: String
  }

  let source: BrowserSource

  /// The first rows of a list. The login replaces `@me`.
  func sheet(_ query: ListQuery, login: String? = nil) async throws -> IssueSheet {
    guard let scope = query.scope, var sheet = IssueSheet(query) else {
      throw Absence(description: "That isn't a list of issues")
    }
    let mirror: any IssueReader
    let listing: MirroredList
    switch (query, scope.reference) {
    case (.searched(_, let search), nil):
      let repositories: [MirroredRepository]
      (mirror, repositories, sheet.unmirrored) = try await places(in: scope)
      let found = try await mirror.find(
        try search.inMirror(login: login), in: repositories, limit: Self.mostFound)
      listing = .found(found)
    case (_, let reference?):
      let repository: MirroredRepository
      (mirror, repository) = try await place(of: reference)
      sheet.repository = try await mirror.description(of: repository)
      guard sheet.repository != nil else { throw Self.absence(of: reference) }
      let selection: MirrorListing.Selection =
        if case .searched(_, let search) = query {
          .search(try search.inMirror(login: login))
        } else {
          .filter(sheet.filter)
        }
      listing = .repository(try await mirror.listing(selection, of: repository))
    case (_, nil): throw Absence(description: "That isn't a list of issues")
    }
    sheet.mirror = listing
    sheet.append(
      try await IssuesPage(
        NextPage.MirrorRows(listing: listing, start: 0), in: scope, from: mirror))
    let host = try await source.server(of: scope.host).host
    _ = sheet.follow(await source.pending(of: sheet, on: host), nil, reading: nil)
    return sheet
  }

  /// The maximum number of matches in several repositories.
  private static let mostFound = 100_000

  func page(_ page: NextPage.MirrorRows, in scope: ListScope) async throws -> IssuesPage {
    guard let mirror = try await source.mirror?.opened() else { throw Self.absence(of: scope) }
    return try await IssuesPage(page, in: scope, from: mirror)
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

  /// The mirrored repositories of a list: those that are named, or else all of the host; and the named ones that aren't
  /// mirrored.
  private func places(
    in scope: ListScope
  ) async throws -> (any IssueReader, [MirroredRepository], [RepositoryReference]) {
    guard let mirror = try await source.mirror?.opened() else { throw Self.absence(of: scope) }
    let server = try await source.server(of: scope.host)
    var repositories: [MirroredRepository] = []
    var unmirrored: [RepositoryReference] = []
    for reference in scope.references {
      if let repository = try await mirror.repository(named: reference.name, on: server) {
        repositories.append(repository)
      } else {
        unmirrored.append(reference)
      }
    }
    if repositories.isEmpty, let reference = unmirrored.first { throw Self.absence(of: reference) }
    if scope.references.isEmpty {
      repositories = try await mirror.repositories().filter { $0.host == server.host }
    }
    return (mirror, repositories, unmirrored)
  }

  private static func absence(of scope: ListScope) -> Absence {
    scope.references.first.map { absence(of: $0) }
      ?? Absence(description: "Nothing is mirrored: run 'issues sync OWNER/REPO'")
  }

  private static func absence(of reference: RepositoryReference) -> Absence {
    let name = typed(reference)
    return Absence(description: "\(name) isn't mirrored: run 'issues sync \(name)'")
  }

  private static func typed(_ reference: RepositoryReference) -> String {
    (reference.host.map { "\($0)/" } ?? "") + "\(reference.name)"
  }
}
