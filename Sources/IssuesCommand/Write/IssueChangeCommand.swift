internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

/// A subcommand that changes issues which the command line names.
protocol IssueChangeCommand: JSONCommand {
  /// Whether it takes more than one issue: JSON is an array then.
  static var takesSeveral: Bool { get }

  /// The arguments that name the issues.
  var issues: [String] { get }
  var option: RepositoryOptions { get }
  var write: WriteOptions { get }

  /// The texts on the command line.
  var typed: [String?] { get }

  /// The changes to an issue, in order; none where a person was asked and wants none.
  ///
  /// - Throws: Any error, before anything is kept or sent.
  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change]
}

extension IssueChangeCommand {
  static var takesSeveral: Bool { true }

  var typed: [String?] { [] }

  static var terminalUse: TerminalUse { .unpaged }

  static var jsonFields: JSONFields.Known { .sent(Issue.fieldNames) }

  static func needsNetwork(_ arguments: [String]) -> Bool {
    WriteOptions.needsNetwork(arguments)
  }

  func validateOptions() throws { try requireIssues() }

  /// Refuses a command line that names no issue.
  func requireIssues() throws {
    if let command = self as? any BulkCommand { return try command.bulk.require(issues) }
    guard !issues.isEmpty else {
      throw ValidationError("Say which issue: NUMBER, OWNER/REPO#NUMBER or URL.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    if let bulk = (self as? any BulkCommand)?.bulk, bulk.query != nil {
      return try await BulkChange(
        options: bulk, repo: option.repo, write: write, fields: fields, typed: typed
      ).run(in: session, changes)
    }
    let writing = try WriteSession(session, write.connection, typed: typed)
    let named = try await IssueArguments(issues, repo: option.repo).issues(
      in: session, apiURL: write.connection.request.apiURL, outbox: writing.outbox)
    var groups: [(place: Place, changes: [Change])] = []
    for issue in named {
      let changes = try await changes(to: issue, writing)
      if !changes.isEmpty { groups.append((issue.place, changes)) }
    }
    guard !groups.isEmpty else { throw CommandFailure(.cancelled, "") }
    try await WriteReport.carryOut(
      groups, writing, fields: fields, queueOnly: write.queue, isList: Self.takesSeveral)
  }
}

/// The fields of an answer that has no body of its own.
extension JSONFields.Known {
  static var place: JSONFields.Known { .sent(["number", "html_url"]) }
}
