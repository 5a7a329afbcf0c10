internal import ArgumentParser
internal import StyledText

enum TerminalUse: Sendable {
  /// The command writes output that users page through.
  case paged
  /// The command reports its progress or asks questions, which a pager would disturb.
  case unpaged
  /// The command uses the whole screen. No other code may write to the terminal.
  case fullScreen
}

/// A subcommand that runs in a ``CommandSession``.
///
/// To add one, create a type that conforms to this protocol in its own folder, and add it to
/// ``IssuesCommand/configuration``. If it has `--json`, conform to ``JSONCommand`` instead.
protocol SessionCommand: AsyncParsableCommand, Sendable {
  static var terminalUse: TerminalUse { get }

  /// Whether the command runs until it is stopped. It is then never paged.
  var isEndless: Bool { get }

  /// The choice of colors. An option `--color` may provide it.
  var color: ColorChoice { get }

  /// The chosen mirror. An option `--database` may provide it.
  var chosenDatabase: DatabaseName? { get }

  /// Runs the command. It may throw any error: the session explains it, and chooses the exit status.
  func run(in session: CommandSession) async throws
}

extension SessionCommand {
  static var terminalUse: TerminalUse { .paged }

  var isEndless: Bool { false }

  var color: ColorChoice { .automatic }

  var chosenDatabase: DatabaseName? { nil }

  /// Runs the command, and always throws an `ExitCode`. A failure has then been reported on standard error.
  func run() async throws {
    throw ExitCode(await CommandSession.run(self).rawValue)
  }
}

protocol JSONCommand: SessionCommand {
  static var jsonFields: JSONFields.Known { get }

  var output: OutputOptions { get set }

  /// Returns whether the word after `--json` was a missing argument, and if so, uses it.
  ///
  /// The parser reads `apple/swift` in `issues --json apple/swift` as names of fields. In this case, all fields are
  /// requested.
  mutating func takeArgument(_ word: String) throws -> Bool

  /// Validates the options, in place of `validate()`. Throws `ValidationError`.
  func validateOptions() throws

  /// Runs the command. Throws like ``SessionCommand/run(in:)``.
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
    // The note is shown only on a terminal: scripts follow the documentation, and cron would mail it.
    if session.progress.isEnabled {
      for note in fields?.notes ?? [] { session.errors.write(note, style: .faint) }
    }
    try await run(in: session, fields: fields)
  }
}
