internal import ArgumentParser
internal import IssueTracker

/// `issues open`.
struct OpenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open a repository's issues, or one of them, in the web browser.",
    usage: "issues open [<options>] [OWNER/REPO] [NUMBER] | URL",
    discussion: """
      Nothing is asked: the address is put together. In a clone its repository is meant.

      The browser is that of $BROWSER, else the desktop's (xdg-open, open). Without either, as in a \
      session over ssh, the address is printed.

      EXAMPLES:
        issues open                  (in a clone)
        issues open 12
        issues open apple/swift#12 --print
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; that of the clone you stand in if left out.", valueName: "repository"),
    completion: .custom(MirrorCompletion.numberOrName))
  var repository: String?

  @Argument(
    help: ArgumentHelp(
      "The issue: 12, '#12', or in place of both OWNER/REPO#12 or its address.",
      valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var number: String?

  @OptionGroup var place: RepositoryOptions

  @Flag(name: .customLong("print"), help: "Print the address instead.")
  var printsAddress = false

  func run() async throws {
    let (words, printsAddress) = ((repository, number, place.repo), printsAddress)
    let status = await CommandSession.run(color: .automatic) { session in
      if let page = words.0, words.1 == nil, let address = try ListAddress(parsing: page) {
        _ = try RepositoryChoice(address.repository, option: words.2)
        let server = try RequestSettings.server(
          apiURL: nil, host: address.repository.host, environment: session.environment)
        return printsAddress
          ? try await session.printPage(page) : try await session.openPage(page, of: server)
      }
      let place = try PlaceArgument(words.0, words.1, repo: words.2)
      let reference = try await place.repository.reference(environment: session.environment)
      let server = try RequestSettings.server(
        apiURL: nil, host: reference.host, environment: session.environment)
      let page = server.webURL(of: reference.name, issueNumber: place.issueNumber)
      let url = place.issueNumber == nil ? "\(page)/issues" : page
      if printsAddress {
        try await session.printPage(url)
      } else {
        try await session.openPage(url, of: server)
      }
    }
    throw ExitCode(status.rawValue)
  }
}
