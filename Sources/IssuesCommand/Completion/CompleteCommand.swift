internal import ArgumentParser
internal import IssueTracker

/// `issues complete`.
struct CompleteCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete",
    abstract: "Complete the name of a repository.",
    usage: "issues complete [<options>] [<prefix>]",
    discussion: """
      A line for each repository that may be meant: first those that you looked at ('issues \
      history'), at once; then your own, where a variable holds your access token, and what GitHub's \
      search finds. For those it waits 150 ms at most. What hasn't come by then is asked for in the \
      background, for 5 seconds at most, and is there the next time.

      In each part come first the names that begin with the text, then the repositories whose own \
      name does, then those in which a word does, then those with the text anywhere.

      The exit status is 0 whatever the network does. The shell's completion of names works in the \
      same way: what has been typed of one goes to the server.

      EXAMPLES:
        issues complete apple/sw
        issues complete "$text" | fzf
      """)

  @Argument(help: ArgumentHelp("What has been typed.", valueName: "prefix"))
  var prefix = ""

  @Option(
    help: ArgumentHelp(
      "The URL of the API to ask, instead of the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  @Flag(help: "Answer from sample data: no network, no token, no history.")
  var stub = false

  @Flag(help: .hidden) var background = false

  // The history has names to show before the network is needed.
  static func needsNetwork(_ arguments: [String]) -> Bool { false }

  var color: ColorChoice { .never }

  func run(in session: CommandSession) async throws {
    // Long enough to get the answers and to keep them.
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
