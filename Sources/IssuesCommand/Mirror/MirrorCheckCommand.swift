internal import ArgumentParser
internal import IssueMirror
internal import StyledText

/// `issues mirror check`.
struct MirrorCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that the mirror is sound.",
    discussion: """
      Reads all of it, which takes a while: the database, and whether what is kept in it goes together. A \
      line a problem; the exit status is 0 where there is none, and 1 where there are some. Nothing is \
      changed.
      """)

  @Option(help: "When to use colours.")
  var color = ColorChoice.automatic

  func run() async throws {
    let status = await CommandSession.run(color: color, isPaged: false) { session in
      let found: Mirror?
      do throws(CommandFailure) {
        found = try session.existingMirror()
      } catch {
        // What can't be read isn't sound.
        throw error.status == .output ? CommandFailure(.failed, error.message) : error
      }
      guard let mirror = found else {
        return try await session.output.write("There is no mirror yet.\n")
      }
      session.progress.update("Checking \(mirror.path)…")
      let problems = try await mirror.check()
      session.progress.finish()
      guard problems.isEmpty else {
        for problem in problems { try await session.output.write("\(TerminalText(problem))\n") }
        throw CommandFailure(
          .failed,
          "the mirror isn't sound: \(mirror.path)\n"
            + "Run 'issues mirror repair', or move the file away and sync again: the server has all that was in "
            + "it.")
      }
      try await session.output.write("The mirror is sound: \(ByteCount.text(mirror.size())).\n")
    }
    throw ExitCode(status.rawValue)
  }
}
