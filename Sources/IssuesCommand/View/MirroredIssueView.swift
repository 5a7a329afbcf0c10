internal import IssueMirror

/// Shows an issue as the mirror has it, and its comments where those are mirrored.
struct MirroredIssueView: Sendable {
  /// How many comments are written at a time.
  private static let pageSize = 100

  let number: Int
  let server: GitHubServer
  let session: CommandSession
  let includesComments: Bool
  let fields: JSONFields?

  /// Finds the issue and shows it.
  ///
  /// - Throws: ``CommandFailure`` where the mirror doesn't have it, saying what became of it if that is known;
  ///   `MirrorFailure` and ``OutputError``.
  func show(_ place: MirroredPlace) async throws {
    guard let issue = try await place.mirror.sentIssue(number, of: place.repository) else {
      throw try await absence(from: place)
    }
    try await show(issue, place)
  }

  /// Shows the issue.
  ///
  /// - Throws: ``CommandFailure`` after the issue where its comments were asked for and aren't mirrored;
  ///   `MirrorFailure` and ``OutputError``.
  func show(_ issue: Sent<Issue>, _ place: MirroredPlace) async throws {
    let repository = place.repository
    var writer = try IssueWriter(
      session, fields: fields, includesComments: includesComments,
      repositoryURL: "\(server.webURL)/\(repository.fullName)")
    try await writer.write(issue)
    if includesComments {
      var comments = try await place.mirror.sentComments(on: number, of: repository)[...]
      while !comments.isEmpty {
        try await writer.write(Array(comments.prefix(Self.pageSize)))
        comments.removeFirst(min(Self.pageSize, comments.count))
      }
      guard repository.commentsSyncedTo != nil else {
        throw CommandFailure(
          .failed,
          "the comments of \(repository.fullName) aren't all mirrored\n"
            + "Get them with '\(repository.syncCommand) --comments'.")
      }
    }
    try await writer.finish()
    session.progress.finish()
  }

  /// Why an issue isn't there.
  private func absence(from place: MirroredPlace) async throws -> CommandFailure {
    let repository = place.repository
    let subject = "\(repository.fullName)#\(number)"
    let tombstone = try await place.mirror.tombstones(of: repository).first { $0.number == number }
    return switch tombstone?.fate {
    case .deleted: CommandFailure(.notFound, "\(subject) was deleted")
    case .transferred(let destination):
      CommandFailure(.notFound, "\(subject) was transferred: it is \(destination) now")
    case nil where repository.isComplete:
      CommandFailure(.notFound, "the mirror, \(repository.age()), has no \(subject)")
    case nil: repository.incompleteness
    }
  }
}
