internal import ArgumentParser
internal import StyledText

enum TerminalUse: Sendable {
  /// It writes output that people page through.
  case paged
  /// It reports what it does, or asks: a pager would be in the way.
  case unpaged
  /// Nothing else may write to the terminal.
  case fullScreen
}

/// A subcommand that runs in a ``CommandSession``.
///
/// To add one, write a type of this protocol in a folder of its own, and name it in ``IssuesCommand/configuration``.
/// Conform to ``JSONCommand`` instead if it has `--json`.
protocol SessionCommand: AsyncParsableCommand, Sendable {
  static var terminalUse: TerminalUse { get }

  /// Whether it goes on until it is stopped. It is never paged then.
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

  /// Always throws an `ExitCode`. What went wrong is on standard error by then.
  func run() async throws {
    throw ExitCode(await CommandSession.run(self).rawValue)
  }
}

protocol JSONCommand: SessionCommand {
  static var jsonFields: JSONFields.Known { get }

  var output: OutputOptions { get set }

  /// Returns whether the word behind `--json` was a missing argument, and takes it.
  ///
  /// The parser reads `apple/swift` in `issues --json apple/swift` as names of fields. All fields are meant then.
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
    // A missing argument comes before a wrong field.
    try validateOptions()
    _ = try output.fields(of: Self.jsonFields)
  }

  func run(in session: CommandSession) async throws {
    let fields = try output.fields(of: Self.jsonFields)
    try await fields?.prepare(session.environment)
    // Only a person is told: a script has read the documentation, and cron would mail it.
    if session.progress.isEnabled {
      for note in fields?.notes ?? [] { session.errors.write(note, style: .faint) }
    }
    try await run(in: session, fields: fields)
  }
}
