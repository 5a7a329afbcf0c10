internal import IssueMirror
internal import StyledText

/// Asks for an issue and shows it, and its comments page by page as they come; where the network is away, what
/// its mirror has.
struct IssueView: Sendable {
  /// The repository, under the name that was typed.
  let name: RepositoryName
  let number: Int
  let connection: Connection
  let session: CommandSession
  let includesComments: Bool
  let fields: JSONFields?
  /// Where the repository is noted when the issue was found; nil for nowhere.
  let history: RepositoryHistory?

  func show() async throws {
    session.progress.update("Looking up \(subject)…")
    var comments = comments(of: name, number)
    let early = EarlyCall()
    if includesComments { early.begin { comments.prefetch() } }
    let issue: Sent<Issue>
    do throws(NetworkError) {
      issue = try await connection.provider.entity(
        .issue(repositoryFullName: name.description, number: number))
    } catch {
      return try await showMirrored(insteadOf: explanation(of: error))
    }
    early.settle(isWanted: true)
    // From here on it is where the server says it is.
    let page = issue.entity.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    let place = (name: page?.repository?.name ?? name, number: page?.number ?? issue.entity.number)
    if let history {
      let entry = RepositoryHistory.Entry(server: connection.server, name: place.name)
      session.end.add { await history.record(entry) }
    }
    var writer = try IssueWriter(
      session, fields: fields, includesComments: includesComments,
      repositoryURL: connection.server.webURL(of: place.name))
    let isWhereItWas =
      place.number == number && "\(place.name)".lowercased() == "\(name)".lowercased()
    if !isWhereItWas {
      session.errors.write("\(subject) is now \(place.name)#\(place.number).")
      comments = self.comments(of: place.name, place.number)
    }
    try await writer.write(issue)
    if includesComments { try await write(comments, to: &writer) }
    try await writer.finish()
    session.progress.finish()
  }

  /// Shows what the mirror has, if that will do.
  ///
  /// - Throws: The failure where it won't; what showing throws.
  private func showMirrored(insteadOf failure: CommandFailure) async throws {
    guard let absence = NetworkAbsence(failure, of: connection.server, session) else {
      throw failure
    }
    let place = try await absence.mirrored(name)
    guard let issue = try? await place.mirror.sentIssue(number, of: place.repository) else {
      throw failure
    }
    absence.announce(place, withComments: includesComments)
    let view = MirroredIssueView(
      number: number, server: connection.server, session: session,
      includesComments: includesComments, fields: fields)
    try await view.show(issue, place)
  }

  private func write(
    _ comments: IssueComments.Iterator, to writer: inout IssueWriter
  ) async throws {
    var pages = comments
    session.progress.update("Loading the comments on \(subject)…")
    while true {
      let page: [Sent<IssueComment>]?
      do throws(NetworkError) {
        page = try await pages.nextSent()
      } catch {
        let failure = explanation(of: error)
        guard failure.status != .cancelled else { throw failure }
        throw CommandFailure(
          failure.status,
          "the comments are incomplete, they broke off after \(writer.commentsCount): "
            + failure.message)
      }
      guard let page else { return }
      try await writer.write(page)
      session.progress.update(
        "Loading the comments on \(subject)… \(writer.commentsCount) so far")
    }
  }

  /// The issue as it was typed.
  private var subject: String { "\(name)#\(number)" }

  private func comments(of name: RepositoryName, _ number: Int) -> IssueComments.Iterator {
    IssueComments(provider: connection.provider, repository: name, number: number)
      .makeAsyncIterator()
  }

  private func explanation(of error: NetworkError) -> CommandFailure {
    guard error.code == .statusCode, error.response?.status.code == 410 else {
      return connection.explanation(of: error, subject)
    }
    return CommandFailure(
      .notFound,
      "\(error.problem)\n\(subject) was deleted, or the issues of its repository are switched off.")
  }
}
