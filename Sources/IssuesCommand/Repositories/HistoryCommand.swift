internal import ArgumentParser
internal import IssueTracker

struct HistoryCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List or clear the repositories that you have looked at.",
    discussion: """
      Lists the last 500 repositories whose issues you have listed, newest first, for 'issues \
      complete' and completion in the shell. The list is kept in \
      $XDG_STATE_HOME/issues/repositories or ~/.local/state/issues/repositories, which only you \
      can read, and is never sent anywhere.

      EXAMPLES:
        issues history
        issues history --clear
      """)

  @Flag(help: "Forget the repositories.")
  var clear = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  func run(in session: CommandSession) async throws {
    guard let history = RepositoryHistory(environment: session.environment) else {
      throw CommandFailure(
        .failed, "there is no history: neither XDG_STATE_HOME nor HOME names a folder for it")
    }
    if clear {
      let count = await history.entries().count
      try await history.clear()
      try await session.output.write(
        "Forgot \(count == 1 ? "1 repository" : "\(count) repositories").\n")
    } else {
      let lines = await history.entries().map { "\($0)\n" }
      try await session.output.write(lines.joined())
    }
  }
}
