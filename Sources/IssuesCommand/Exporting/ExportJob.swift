internal import IssueMirror
internal import StyledText

/// What is exported, how, and where to.
struct ExportJob: Sendable {
  let format: ExportFormat
  /// The file; nil for standard output.
  let output: String?
  /// Whether the file takes the place of one that is there.
  let replaces: Bool
  let filter: FilterRequest
  let includesPullRequests: Bool
  let includesComments: Bool
  /// Whether a database gets an index for searches.
  let isSearchable: Bool

  /// Carries it out.
  ///
  /// - Throws: ``CommandFailure``, `MirrorFailure` and ``OutputError``.
  func run(_ place: MirroredPlace, _ session: CommandSession) async throws {
    let repository = place.repository
    if includesComments, repository.commentsSyncedTo == nil {
      throw CommandFailure(
        .notFound,
        "the mirror has no comments of \(repository.fullName)\n"
          + "Get them with '\(repository.syncCommand) --comments'.")
    }
    let pages = place.mirror.export(
      of: repository, filter: try await filter.resolved(in: place),
      includesPullRequests: includesPullRequests,
      includesComments: includesComments)
    guard let output else {
      _ = try await write(pages, to: session.output, session)
      return
    }
    var count = 0
    try await ExportFile.write(at: output, replaces: replaces) { file in
      count =
        format == .sqlite
        ? try await writeDatabase(pages, of: repository, to: file, session)
        : try await write(pages, to: file, session)
    }
    if session.style.layout == .table {
      let noun = count == 1 ? "issue" : "issues"
      session.errors.write("Wrote \(count.grouped) \(noun) to \(output).")
    }
  }

  private func write(
    _ pages: IssuePages<ExportedIssue>, to sink: any ByteSink, _ session: CommandSession
  ) async throws -> Int {
    var writer = ExportWriter(format == .csv ? .csv : .json, to: sink)
    for try await page in pages {
      try Task.checkCancellation()
      try await writer.write(page)
      session.progress.update("Exporting… \(writer.count.grouped) so far")
    }
    try await writer.finish()
    session.progress.finish()
    return writer.count
  }

  private func writeDatabase(
    _ pages: IssuePages<ExportedIssue>, of repository: MirroredRepository, to file: ExportFile,
    _ session: CommandSession
  ) async throws -> Int {
    var count = 0
    do {
      let database = try IssueDatabase(
        at: file.temporaryPath, of: repository, isSearchable: isSearchable)
      for try await page in pages {
        try Task.checkCancellation()
        try await database.write(page)
        count += page.count
        session.progress.update("Exporting… \(count.grouped) so far")
      }
      try await database.finish()
    } catch let failure as MirrorFailure where failure.code == .notExported {
      let message = failure.message.replacing(file.temporaryPath, with: file.path)
      throw CommandFailure(.output, message)
    }
    session.progress.finish()
    return count
  }
}
