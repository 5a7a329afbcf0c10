internal import IssueMirror
internal import IssueTracker
internal import StyledText

/// Shows similar open issues to a user who is about to create an issue.
struct SimilarIssueOffer: Sendable {
  private static let most = 3
  /// The probability from which an issue is worth a question.
  private static let leastScore = 0.5

  let place: Place
  let session: CommandSession
  /// The server to search by meaning; nil for the mirror.
  var connection: Connection?

  /// Whether to continue. It asks the user only if there are similar issues. Without a mirror, none are found.
  func isAccepted(title: String, body: String) async throws -> Bool {
    if let connection { return try await isAccepted(title, body, by: connection) }
    guard session.canAsk, let mirrored = try? await session.mirrored(place) else { return true }
    let query = SimilarIssuesQuery(.text(title: title, body: body), state: .open)
    let found = try? await mirrored.mirror.similarIssues(
      to: query, in: mirrored.repository, limit: Self.most)
    let alike = (found ?? []).filter { $0.score >= Self.leastScore }
    return try await isAccepted(
      alike.map(\.issue), "From the mirror, \(mirrored.repository.age()).")
  }

  /// Asks the server. Its search ranks issues without a score that could be compared.
  private func isAccepted(
    _ title: String, _ body: String, by connection: Connection
  ) async throws -> Bool {
    let form = IssueListForm(limit: Self.most, includesPullRequests: false, fields: nil)
    session.progress.update("Searching for similar issues…")
    var notes = ["From \(connection.server)."]
    var rows: [IssueRow] = []
    do {
      var search = try IssuesByMeaning(
        IssuesByMeaning.query(title: title, body: body, state: .open), in: [place.name],
        by: .semantic, connection, form)
      rows = try await search.next() ?? []
      notes += search.end.notes
    } catch {
      session.progress.finish()
      let failure = CommandFailure(any: error)
      guard failure.status != .cancelled else { throw failure }
      session.errors.write("Similar issues can't be looked up: \(failure.message)")
      return try await Question.ask("Create it anyway?", assumesYes: true)
    }
    session.progress.finish()
    return try await isAccepted(rows.map(\.issue), notes.joined(separator: " "))
  }

  private func isAccepted(
    _ alike: [GitHub.Issue], _ source: String
  ) async throws(CommandFailure) -> Bool {
    guard !alike.isEmpty else { return true }
    session.errors.write(
      alike.count == 1
        ? "An open issue is similar to this one:" : "Open issues are similar to this one:")
    for issue in alike {
      session.errors.write("  #\(issue.number)  \(issue.title)")
    }
    session.errors.write("(\(source))", style: .faint)
    return try await Question.ask("Create it anyway?", assumesYes: true)
  }
}
