internal import ArgumentParser
internal import StyledText

enum TerminalUse: Sendable {
  /// It writes output that users page through.
  case paged
  /// It reports its progress, or asks questions: a pager would interfere.
  case unpaged
  /// No other code may write to the terminal.
  case fullScreen
}

/// A subcommand that runs in a ``CommandSession``.
///
/// To add one, create a type that conforms to this protocol in its own folder, and add it to
/// ``IssuesCommand/configuration``.
/// Conform to ``JSONCommand`` instead if it has `--json`.
protocol SessionCommand: AsyncParsableCommand, Sendable {
  static var terminalUse: TerminalUse { get }

  /// Whether it runs until it is stopped. It is never paged then.
  var isEndless: Bool { get }

  /// An option `--color` may provide it.
  var color: ColorChoice { get }

  /// An option `--database` may provide it.
  var chosenDatabase: DatabaseName? { get }

  /// May throw any error: the session explains it, and chooses the exit status.
  func run(in session: CommandSession) async throws
}

extension SessionCommand {
  static var terminalUse: TerminalUse { .paged }

  var isEndless: Bool { false }

  var color: ColorChoice { .automatic }

  var chosenDatabase: DatabaseName? { nil }

  /// Always throws an `ExitCode`. By then, the failure has been reported on standard error.
  func run() async throws {
    throw ExitCode(await CommandSession.run(self).rawValue)
  }
}

protocol JSONCommand: SessionCommand {
  static var jsonFields: JSONFields.Known { get }

  var output: OutputOptions { get set }

  /// Returns whether the word after `--json` was a missing argument, and takes it.
  ///
  /// The parser reads `apple/swift` in `issues --json apple/swift` as names of fields. In this case, all fields are
  /// requested.
  mutating func takeArgument(_ word: String) throws -> Bool

  /// Replaces `validate()`. Throws `ValidationError`.
  func validateOptions() throws

  /// Throws as ``SessionCommand/run(in:)`` does.
  func run(in session: CommandSession, fields: JSONFields?) async throws
}

extension JSONCommand {
  var color: ColorChoice { output.color }

  mutating func takeArgument(_ word: String) throws -> Bool { false }

  func validateOptions() throws {}

  mutating func validate() throws { try validateOutput() }

  mutating func validateOutput() throws {
    if let word = output.json, !word.isEmpty, !Self.jsonFields.areMeant(by: word),
      try takeArgument(word)
    {
      output.json = ""
    }
    // A missing argument is reported before an invalid field.
    try validateOptions()
    _ = try output.fields(of: Self.jsonFields)
  }

  func run(in session: CommandSession) async throws {
    let fields = try output.fields(of: Self.jsonFields)
    try await fields?.prepare(session.environment)
    // Shown only on a terminal: scripts follow the documentation, and cron would mail the note.
    if session.progress.isEnabled {
      for note in fields?.notes ?? [] { session.errors.write(note, style: .faint) }
    }
    try await run(in: session, fields: fields)
  }
}
