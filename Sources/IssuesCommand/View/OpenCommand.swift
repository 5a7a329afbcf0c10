internal import ArgumentParser
internal import IssueTracker

struct OpenCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open a repository's issues, or one of them, in the web browser.",
    usage: "issues open [<options>] [OWNER/REPO] [NUMBER] | URL",
    discussion: """
      Doesn't contact a server. Without a repository, it uses the clone in the current directory.

      The browser is $BROWSER, else the desktop's (xdg-open, open). Without either, as over ssh, \
      the address is printed.

      EXAMPLES:
        issues open                  (in a clone)
        issues open 12
        issues open apple/swift#12 --print
      """)

  @OptionGroup var issue: SingleIssueArguments

  @Flag(name: .customLong("print"), help: "Print the address instead.")
  var printsAddress = false

  func run(in session: CommandSession) async throws {
    let (place, url): (Place, String)
    if let page = issue.repository, issue.number == nil, let address = try ListAddress.read(page) {
      let choice = try RepositoryChoice(address.repository, option: issue.option.repo)
      (place, url) = (try await session.place(of: choice), page)
    } else {
      let argument = try issue.place()
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
