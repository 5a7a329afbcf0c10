internal import IssueMirror
internal import StyledText

/// Shows what a search finds in the mirror.
struct MirrorSearch: Sendable {
  let query: SearchQuery
  let scope: SearchScope
  let session: CommandSession
  let limit: Int?
  let fields: JSONFields?
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
    let matches = try await ShownMatches(of: query, in: repositories, mirror, limit: limit)
    let showsRepository = repositories.count > 1
    var writer = try ListWriter<FoundIssue>(
      session, fields: fields, columns: FoundIssue.columns(showsRepository: showsRepository))
    try await matches.write(to: &writer, heading: heading(matches, repositories)) { result in
      FoundIssue(
        sent: Sent(result.issue, json: result.json), repository: result.repository.typedName,
        showsRepository: showsRepository, title: result.title, snippet: result.snippet)
    }
    try await writer.finish()
    try await matches.explainEnd(writer, query, in: Self.place(repositories))
    session.tellFreshness(of: repositories, withComments: true)
  }

  private func heading(
    _ matches: ShownMatches, _ repositories: [MirroredRepository]
  ) -> String {
    let isUncounted = matches.isCut && matches.total == nil
    if isUncounted, matches.count == 1 {
      return "Showing the first match in \(Self.place(repositories))"
    }
    let noun = matches.count == 1 && matches.total == nil ? "match" : "matches"
    let whole = matches.total.map { " of \($0.grouped)" } ?? ""
    let first = isUncounted ? "the first " : ""
    return
      "Showing \(first)\(matches.count.grouped)\(whole) \(noun) in \(Self.place(repositories))"
  }

  private static func place(_ repositories: [MirroredRepository]) -> String {
    repositories.count == 1
      ? "\(TerminalText(repositories[0].typedName))" : "\(repositories.count) repositories"
  }
}
