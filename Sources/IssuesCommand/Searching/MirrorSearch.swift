internal import IssueMirror
internal import StyledText

/// Shows what a search finds in the mirror.
struct MirrorSearch: Sendable {
  let query: SearchQuery
  let scope: SearchScope
  let session: CommandSession
  let limit: Int?
  let fields: [FoundIssue.Field]?
  /// What brings the mirror up to date first, where it is too old; nil to search it as it is.
  let fresh: FreshMirror?
  let verbosity: Int

  func show() async throws {
    let (mirror, known) = try await scope.repositories(in: session)
    var repositories = known
    if let fresh {
      let named = Set(query.repositories.map { "\($0)".lowercased() })
      for (index, repository) in repositories.enumerated()
      where named.isEmpty || named.contains(repository.fullName.lowercased()) {
        repositories[index] = try await fresh.renewed(repository)
      }
      session.progress.finish()
    }
    session.tellTime(of: repositories, withComments: true, verbosity: verbosity)
    // One more than is shown tells whether there are more.
    let matches = try await mirror.results(
      of: query, in: repositories, limit: limit.map { min($0, .max - 1) + 1 } ?? .max)
    let isCut = limit.map { matches.results.count > $0 } ?? false
    let showsRepository = repositories.count > 1
    let found = matches.results.prefix(limit ?? .max).map { result in
      FoundIssue(
        issue: result.issue, repository: result.repository.typedName,
        showsRepository: showsRepository, title: result.title, snippet: result.snippet)
    }
    var writer = ListWriter<FoundIssue>(
      session, fields: fields, columns: FoundIssue.columns(showsRepository: showsRepository))
    try await writer.write(
      found, heading: heading(found.count, isCut ? matches.count : nil, isCut, repositories))
    try await writer.finish()
    if isCut {
      try await writer.tell(
        "Stopped at the limit of \(writer.count.grouped): for more use --limit or --all."
          + (matches.isExhaustive
            ? "" : " Of so many matches only the newest were compared; --all compares them all."))
    } else if writer.count == 0, writer.isTable {
      try await writer.tell("Nothing in \(Self.place(repositories)) matches \(query.text).")
    }
    session.tellFreshness(of: repositories, withComments: true)
  }

  private func heading(
    _ count: Int, _ total: Int?, _ isCut: Bool, _ repositories: [MirroredRepository]
  ) -> String {
    let noun = count == 1 && total == nil ? "match" : "matches"
    let whole = total.map { " of \($0.grouped)" } ?? ""
    if isCut, total == nil, count == 1 {
      return "Showing the first match in \(Self.place(repositories))"
    }
    let first = isCut && total == nil ? "the first " : ""
    return "Showing \(first)\(count.grouped)\(whole) \(noun) in \(Self.place(repositories))"
  }

  private static func place(_ repositories: [MirroredRepository]) -> String {
    repositories.count == 1
      ? "\(TerminalText(repositories[0].typedName))" : "\(repositories.count) repositories"
  }
}
