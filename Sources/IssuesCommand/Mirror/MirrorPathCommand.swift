internal import ArgumentParser
internal import StyledText

/// `issues mirror path`.
struct MirrorPathCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "path",
    abstract: "Print where the mirror is, whether there is one or not.",
    discussion: """
      It is an SQLite database. Other programs may read it at any time; its tables may change with the \
      version of this command.
      """)

  func run() async throws {
    let status = await CommandSession.run(color: .never, isPaged: false) { session in
      try await session.output.write("\(TerminalText(try session.mirrorPath()))\n")
    }
    throw ExitCode(status.rawValue)
  }
}
