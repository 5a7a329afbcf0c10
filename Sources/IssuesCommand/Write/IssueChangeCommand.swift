internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

/// A subcommand that makes the same changes to each issue.
protocol IssueChangeCommand: WriteCommand {
  /// The arguments that refer to issues.
  var issues: [String] { get }
  /// The repository of plain numbers.
  var repo: String? { get }

  /// The texts from the command line, which are written back if they can't be stored.
  var typed: [String?] { get }

  /// The changes to an issue, in order; empty if the user declined.
  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change]
}

extension IssueChangeCommand {
  var typed: [String?] { [] }

  func validateOptions() throws { try requireIssues() }

  func requireIssues() throws {
    if let command = self as? any BulkCommand {
      return try command.bulk.require(issues)
    }
    guard !issues.isEmpty else {
      throw ValidationError("Say which issue: NUMBER, OWNER/REPO#NUMBER or URL.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    if let bulk = (self as? any BulkCommand)?.bulk, bulk.query != nil {
      return try await BulkChange(
        options: bulk, repo: repo, write: write, fields: fields, typed: typed
      ).run(in: session, changes)
    }
    let writing = try WriteSession(session, write.connection, typed: typed)
    var groups: [(place: Place, changes: [Change])] = []
    for issue in try await namedIssues(issues, repo: repo, writing) {
      let changes = try await changes(to: issue, writing)
      if !changes.isEmpty { groups.append((issue.place, changes)) }
    }
    guard !groups.isEmpty else { throw CommandFailure(.cancelled, "") }
    try await WriteReport.carryOut(
      groups, writing, fields: fields, queueOnly: write.queue)
  }
}
