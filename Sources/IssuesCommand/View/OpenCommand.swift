internal import ArgumentParser
internal import IssueTracker

struct OpenCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open a repository's issues, or one of them, in the web browser.",
    usage: "issues open [<options>] [OWNER/REPO] [NUMBER] | URL",
    discussion: """
      Asks no server. Without a repository, it uses the clone in the current directory.

      The browser is $BROWSER, else the desktop's (xdg-open, open). Without either, as over ssh, \
      the address is printed.

      EXAMPLES:
        issues open                  (in a clone)
        issues open 12
        issues open apple/swift#12 --print
      """)

  @Argument(help: .repositoryOrClone, completion: .custom(MirrorCompletion.numberOrName))
  var repository: String?

  @Argument(
    help: ArgumentHelp(
      "The issue: 12 or '#12', or instead of both arguments OWNER/REPO#12 or its address.",
      valueName: "number"),
    completion: .custom(MirrorCompletion.numbers))
  var number: String?

  @OptionGroup var option: RepositoryOptions

  @Flag(name: .customLong("print"), help: "Print the address instead.")
  var printsAddress = false

  static func needsNetwork(_ arguments: [String]) -> Bool { false }

  func run(in session: CommandSession) async throws {
    let (place, url): (Place, String)
    if let page = repository, number == nil, let address = try ListAddress.read(page) {
      let choice = try RepositoryChoice(address.repository, option: option.repo)
      (place, url) = (try await session.place(of: choice), page)
    } else {
      let argument = try PlaceArgument(repository, number, repo: option.repo)
      place = try await session.place(of: argument.repository)
      let page = place.server.webURL(of: place.name, issueNumber: argument.issueNumber)
      url = argument.issueNumber == nil ? "\(page)/issues" : page
    }
    if printsAddress {
      try await session.printPage(url)
    } else {
      try await session.openPage(url, of: place.server)
    }
  }
}
