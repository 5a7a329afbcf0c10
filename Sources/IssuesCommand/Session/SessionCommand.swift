internal import ArgumentParser

/// How a subcommand uses the terminal.
enum TerminalUse: Sendable {
  /// It writes output that people page through.
  case paged
  /// It reports what it does, or asks: a pager would be in the way.
  case unpaged
  /// It draws on the whole screen: nothing else may write to the terminal.
  case fullScreen
}

/// A subcommand that runs in a ``CommandSession``.
///
/// To add one, write a type of this protocol in a folder of its own, and name it in ``IssuesCommand/configuration``.
/// Conform to ``JSONCommand`` instead if it has `--json`.
protocol SessionCommand: AsyncParsableCommand, Sendable {
  /// How the subcommand uses the terminal; ``TerminalUse/paged`` by default.
  static var terminalUse: TerminalUse { get }

  /// When to use colours. An option `--color` of the same name provides it.
  var color: ColorChoice { get }

  /// Whether the subcommand is about to use the network; true by default.
  ///
  /// If so, libcurl is loaded while the process still has a single thread. A wrong answer costs a few milliseconds
  /// and nothing else.
  ///
  /// - Parameter arguments: The command line as it was typed. None of the options that always rule out the network,
  ///   such as `--offline`, is in it.
  /// - Returns: Whether to load libcurl now.
  static func needsNetwork(_ arguments: [String]) -> Bool

  /// Does the subcommand's work.
  ///
  /// - Throws: Any error: the session explains it on standard error, and chooses the exit status.
  func run(in session: CommandSession) async throws
}

extension SessionCommand {
  static var terminalUse: TerminalUse { .paged }

  var color: ColorChoice { .automatic }

  static func needsNetwork(_ arguments: [String]) -> Bool { true }

  /// Runs the subcommand in a session.
  ///
  /// - Throws: `ExitCode`, always. What went wrong has been written to standard error by then.
  func run() async throws {
    throw ExitCode(await CommandSession.run(self).rawValue)
  }
}

/// A subcommand with `--json`.
protocol JSONCommand: SessionCommand {
  /// The fields that `--json` accepts.
  static var jsonFields: JSONFields.Known { get }

  var output: OutputOptions { get set }

  /// Takes a word that stands behind `--json` if it is an argument that is missing.
  ///
  /// The parser takes the word for the names of fields: in `issues --json apple/swift` it can't know better. All
  /// fields are meant then.
  ///
  /// - Returns: Whether the word was an argument. By default none is.
  mutating func takeArgument(_ word: String) throws -> Bool

  /// Checks what the parser can't check, in place of `validate()`.
  ///
  /// - Throws: `ValidationError`.
  func validateOptions() throws

  /// Does the subcommand's work.
  ///
  /// - Parameters:
  ///   - session: Where to write.
  ///   - fields: The fields to write as JSON; nil for another form.
  /// - Throws: Any error, as ``SessionCommand/run(in:)``.
  func run(in session: CommandSession, fields: JSONFields?) async throws
}

extension JSONCommand {
  var color: ColorChoice { output.color }

  mutating func takeArgument(_ word: String) throws -> Bool { false }

  func validateOptions() throws {}

  mutating func validate() throws {
    if let word = output.json, !word.isEmpty, try takeArgument(word) { output.json = "" }
    // A missing argument comes before a wrong field.
    try validateOptions()
    _ = try output.fields(of: Self.jsonFields)
  }

  func run(in session: CommandSession) async throws {
    let fields = try output.fields(of: Self.jsonFields)
    try fields?.prepare()
    try await run(in: session, fields: fields)
  }
}
