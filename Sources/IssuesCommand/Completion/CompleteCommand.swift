internal import ArgumentParser
internal import IssueTracker

struct CompleteCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "complete",
    abstract: "Complete the name of a repository.",
    usage: "issues complete [<options>] [<prefix>]",
    discussion: """
      Writes a line for each candidate: first the repositories that you looked at ('issues history'), at \
      once; then your own, if a variable has your access token, and those that GitHub's search finds. It \
      waits for them for 150 ms at most. Later answers are awaited in the background, for 5 seconds at \
      most, and offered the next time.

      Each part begins with the names that begin with the text, then come repositories whose own name \
      does, then those in which a word does, then those with the text anywhere.

      The exit status is 0 whatever the network does. The shell's completion of names works in the same \
      way: the typed part of a name goes to the server.

      EXAMPLES:
        issues complete apple/sw
        issues complete "$text" | fzf
      """)

  @Argument(help: ArgumentHelp("The beginning of a name.", valueName: "prefix"))
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
    // Long enough to get and keep the answers.
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
