internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

/// A subcommand that writes to issues by way of the outbox.
protocol WriteCommand: JSONCommand {
  var write: WriteOptions { get set }
}

extension WriteCommand {
  var output: OutputOptions {
    get { write.output }
    set { write.output = newValue }
  }

  static var terminalUse: TerminalUse { .unpaged }

  static var jsonFields: JSONFields.Known { .sent(Issue.fieldNames) }

  static func needsNetwork(_ arguments: [String]) -> Bool {
    !arguments.contains { ["--queue", "--web", "-w"].contains($0) }
  }

  func issues(
    _ arguments: [String], repo: String?, _ writing: WriteSession
  ) async throws -> [NamedIssue] {
    try await IssueArguments(arguments, repo: repo).issues(
      in: writing.session, apiURL: write.connection.request.apiURL, outbox: writing.outbox)
  }
}

/// The issues that a command line names, and the repository of bare numbers.
protocol IssueSelection: ParsableArguments {
  /// Whether it takes more than one issue: JSON is an array then.
  static var takesSeveral: Bool { get }

  var issues: [String] { get }
  var repository: RepositoryOptions { get }
}

extension IssueSelection {
  var repo: String? { repository.repo }
}

struct IssueOptions: IssueSelection {
  static let takesSeveral = false

  @Argument(
    help: ArgumentHelp(WriteHelp.issue, valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var issue: String

  @OptionGroup var repository: RepositoryOptions

  var issues: [String] { [issue] }
}

struct IssuesOptions: IssueSelection {
  static let takesSeveral = true

  @Argument(
    help: ArgumentHelp(WriteHelp.issue, valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var issues: [String] = []

  @OptionGroup var repository: RepositoryOptions

  mutating func take(_ word: String) -> Bool {
    guard (try? IssueArguments([word], repo: nil)) != nil else { return false }
    issues.append(word)
    return true
  }
}

/// A subcommand that makes the same changes to each issue.
protocol IssueChangeCommand: WriteCommand {
  associatedtype Selection: IssueSelection

  var selection: Selection { get set }

  /// Texts on the command line, written back if they can't be kept.
  var typed: [String?] { get }

  /// The changes to an issue, in order; none if the user declined.
  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change]
}

extension IssueChangeCommand {
  var typed: [String?] { [] }

  func validateOptions() throws { try requireIssues() }

  func requireIssues() throws {
    if let command = self as? any BulkCommand {
      return try command.bulk.require(selection.issues)
    }
    guard !selection.issues.isEmpty else {
      throw ValidationError("Say which issue: NUMBER, OWNER/REPO#NUMBER or URL.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    if let bulk = (self as? any BulkCommand)?.bulk, bulk.query != nil {
      return try await BulkChange(
        options: bulk, repo: selection.repo, write: write, fields: fields, typed: typed
      ).run(in: session, changes)
    }
    let writing = try WriteSession(session, write.connection, typed: typed)
    var groups: [(place: Place, changes: [Change])] = []
    for issue in try await issues(selection.issues, repo: selection.repo, writing) {
      let changes = try await changes(to: issue, writing)
      if !changes.isEmpty { groups.append((issue.place, changes)) }
    }
    guard !groups.isEmpty else { throw CommandFailure(.cancelled, "") }
    try await WriteReport.carryOut(
      groups, writing, fields: fields, queueOnly: write.queue, isList: Selection.takesSeveral)
  }
}

extension IssueChangeCommand where Selection == IssuesOptions {
  mutating func takeArgument(_ word: String) -> Bool { selection.take(word) }
}

extension JSONFields.Known {
  /// The fields of an answer without a body.
  static var place: JSONFields.Known { .sent(["number", "html_url"]) }
}
