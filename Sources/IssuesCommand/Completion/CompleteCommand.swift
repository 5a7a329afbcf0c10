internal import ArgumentParser
internal import IssueTracker

struct CompleteCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete",
    abstract: "Complete the name of a repository.",
    usage: "issues complete [<options>] [<prefix>]",
    discussion: """
      Writes one line per candidate: first, at once, the repositories that you have looked at \
      ('issues history'); then your own, if a variable holds your access token, and those that \
      GitHub's search finds. It waits at most 150 ms for these. Later responses are awaited in the \
      background for at most 5 seconds, and offered the next time.

      Within each group, names that start with the text come first, then repositories whose own \
      name starts with it, then those with a word that does, then those that contain it anywhere.

      The exit status is 0 even if the network fails. Completion in the shell works the same way: the \
      part of a name that you have typed is sent to the server.

      EXAMPLES:
        issues complete apple/sw
        issues complete "$text" | fzf
      """)

  @Argument(help: ArgumentHelp("The beginning of a name.", valueName: "prefix"))
  var prefix = ""

  @Option(
    help: ArgumentHelp(
      "The URL of the API. It replaces the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  @Flag(help: "Use sample data: no network, no token, no history.")
  var stub = false

  @Flag(help: .hidden) var background = false

  // The history can provide names before the network is needed.

  var color: ColorChoice { .never }

  func run(in session: CommandSession) async throws {
    // The time is long enough to receive and save the responses.
    if background { OwnProcess.beginAlone(within: 8) }
    let names = try NameCompletion(
      environment: session.environment, apiURL: apiURL, isStub: stub)
    if background { return await names.keepAnswers(for: prefix) }
    let known = await names.known(for: prefix)
    try await session.output.write(Self.lines(known))
    let found = await names.found(for: prefix, without: known)
    try await session.output.write(Self.lines(found))
    await names.finish()
  }

  private static func lines(_ names: [String]) -> String {
    names.reduce(into: "") { $0 += "\($1)\n" }
  }
}
