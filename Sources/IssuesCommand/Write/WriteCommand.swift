internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

/// A subcommand that changes issues through the outbox.
protocol WriteCommand: JSONCommand, ConnectingOptions {
  var queueing: QueueOptions { get }
}

extension WriteCommand {
  var write: WriteOptions {
    WriteOptions(output: output, queue: queueing.queue, connection: connection)
  }

  mutating func validate() throws {
    guard !queueing.queue || !asking.stub else {
      throw ValidationError("--stub sends to sample data: there is nothing to queue.")
    }
    try validateOutput()
  }

  static var terminalUse: TerminalUse { .unpaged }

  static var jsonFields: JSONFields.Known { .sent(GitHub.Issue.fieldNames) }

  /// Whether the command continues after a failed lookup. The outbox repeats the lookup when it sends the change.
  func goesOn(without failure: CommandFailure) -> Bool {
    failure.isNetworkAway || write.queue && failure.status != .notFound
  }

  /// Other issues in options. Those without a repository are in the issue's own repository.
  func relatives(
    _ words: [String], of place: Place, _ writing: WriteSession
  ) async throws -> [NamedIssue] {
    var found: [NamedIssue] = []
    for word in words {
      let isElsewhere = (try? IssueReference(parsing: word))?.repository != nil
      found += try await namedIssues([word], repo: isElsewhere ? nil : "\(place)", writing)
    }
    return found
  }

  func namedIssues(
    _ arguments: [String], repo: String?, _ writing: WriteSession
  ) async throws -> [NamedIssue] {
    try await IssueArguments(arguments, repo: repo).issues(
      in: writing.session, apiURL: write.connection.request.apiURL, outbox: writing.outbox)
  }
}

extension JSONFields.Known {
  /// The fields for a response without a body.
  static var place: JSONFields.Known { .sent(["number", "html_url"]) }
}
