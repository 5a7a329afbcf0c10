internal import ArgumentParser
internal import IssueTracker
internal import StyledText

struct DevelopCommand: JSONCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "develop",
    abstract: "Create the branch of an issue, or find it, and check it out.",
    usage: """
      issues develop [<options>] [OWNER/REPO] NUMBER
      issues develop [<options>] OWNER/REPO#NUMBER | URL
      """,
    discussion: """
      Creates a branch on the server, links it to the issue, and prints its address. If the issue already has a \
      linked branch, that is the result, so the command can be repeated. Without --name, the branch has GitHub's \
      name: the number and the words of the title, such as 12-it-crashes. It begins at the default branch, or at \
      the branch in --base. It requires write access.

      CHECKOUT:
      --checkout fetches the branch into the clone in the current directory, and switches to it. An existing \
      local branch of that name isn't changed. git runs without your token; if it fails, the branch is still on \
      the server.

      OUTPUT:
      In a pipe, --list writes each branch as its name and its address, separated by a tab. With --json, the \
      result is an array, with or without --list.

      EXAMPLES:
        issues develop 12 --checkout
        issues develop 12 --name fix-crash --base release/6.2
        issues develop 12 --branch-repo octocat/swift
        issues develop 12 --list
        issues develop swiftlang/swift#12 --json name,html_url
      """)

  @OptionGroup var issue: SingleIssueArguments

  @Flag(name: .shortAndLong, help: "Check the branch out in this clone.")
  var checkout = false

  @Option(
    name: .shortAndLong, help: ArgumentHelp("The name of the branch.", valueName: "branch"))
  var name: String?

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The branch at which it begins. (default: the default branch)", valueName: "branch"))
  var base: String?

  @Option(
    help: ArgumentHelp(
      "Create the branch in this repository. (default: the issue's)", valueName: "owner/repo"))
  var branchRepo: String?

  @Flag(name: .shortAndLong, help: "List the linked branches instead.")
  var list = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .all(of: BranchRow.Field.self) }

  mutating func takeArgument(_ word: String) -> Bool { issue.take(word) }

  func validateOptions() throws {
    try issue.require()
    guard !list || !checkout && name == nil && base == nil && branchRepo == nil else {
      throw ValidationError(
        "--list only lists: leave out --checkout, --name, --base and --branch-repo.")
    }
    guard !checkout || !connection.request.stub else {
      throw ValidationError("--stub is sample data: there is no branch to check out.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let chosen = try name.map { name throws(CommandFailure) in try BranchName(parsing: name) }
    let (repository, number) = try issue.issue("to develop an issue", command: "develop")
    let place = try await session.place(of: repository, apiURL: connection.request.apiURL)
    let github = try await connection.connection(to: place.server, session)
    guard github.token != nil || github.isStub else {
      throw CommandFailure.noToken(for: place.server)
    }
    let subject = "\(place)#\(number)"
    session.progress.update("Looking up \(subject)…")
    let issue = IssuePlace(repository: place.name, number: number)
    let development = try await github.explaining(subject) { provider throws(NetworkError) in
      try await IssueDevelopment.load(of: issue, includesProjects: false, provider: provider)
    }
    var writer = try ListWriter<BranchRow>(session, fields: fields)
    let row = { BranchRow(branch: $0, server: place.server) }
    if list {
      session.progress.finish()
      try await writer.write(
        development.branches.map(row), heading: "Branches linked to \(subject)")
      return try await writer.finish(ListEnd(), nothing: "\(subject) has no linked branch.")
    }
    let home = Place(
      name: try await branchRepository(place, session) ?? development.repository,
      server: place.server)
    let found = try found(chosen, of: development, in: home)
    let branch: IssueDevelopment.Branch
    if let found {
      branch = found
      session.errors.write("\(subject) already has the branch \(found.name).", style: .faint)
      if let base {
        session.errors.write("It exists, so it doesn't begin at \(base): --base isn't used.")
      }
    } else {
      let name = chosen ?? BranchName(of: number, titled: development.title)
      session.progress.update("Creating \(name)…")
      branch = try await github.explaining("\(home)") { provider throws(NetworkError) in
        try await BranchLinking(of: issue, provider: provider)
          .create("\(name)", for: development, in: home.name, base: base)
      }
    }
    session.progress.finish()
    if fields == nil {
      try await session.output.write("\(PlainText.harmless(row(branch).url))\n")
    } else {
      try await writer.write([row(branch)], heading: "")
      try await writer.finish(ListEnd(), nothing: "")
    }
    if checkout { try await checkOut(branch, on: place.server, session) }
  }

  private func branchRepository(
    _ place: Place, _ session: CommandSession
  ) async throws -> RepositoryName? {
    guard let branchRepo else { return nil }
    let reference = try RepositoryReference(parsing: branchRepo)
    if let host = reference.host, try GitHubServer(host: host) != place.server {
      throw CommandFailure(
        .usage, "\(branchRepo) is on another server than \(place): the branch can't be linked")
    }
    return reference.name
  }

  /// The linked branch with the chosen name, or else the only one, or else the one with the usual name.
  private func found(
    _ name: BranchName?, of issue: IssueDevelopment, in home: Place
  ) throws(CommandFailure) -> IssueDevelopment.Branch? {
    let own = issue.branches.filter {
      "\($0.repository)".lowercased() == "\(home.name)".lowercased()
    }
    if let name { return own.first { $0.name == "\(name)" } }
    if own.count == 1 { return own[0] }
    let usual = "\(BranchName(of: issue.number, titled: issue.title))"
    if let branch = own.first(where: { $0.name == usual }) { return branch }
    guard own.isEmpty else {
      let names = own.map(\.name).joined(separator: ", ")
      throw CommandFailure(
        .usage, "\(home)#\(issue.number) has several branches: \(names)\nChoose one with --name.")
    }
    return nil
  }

  private func checkOut(
    _ branch: IssueDevelopment.Branch, on server: GitHubServer, _ session: CommandSession
  ) async throws {
    let home = Place(name: branch.repository, server: server)
    do {
      // The name is the server's.
      guard let name = BranchName(branch.name) else {
        throw CommandFailure(.badAnswer, "the server's name of the branch isn't valid for git")
      }
      try await GitCheckout(place: home, session: session).checkOut(name)
    } catch let failure as CommandFailure {
      let first = failure.message.prefix { !$0.isNewline }
      throw failure.saying("\(first)\nThe branch \(branch.name) is on the server, in \(home).")
    }
  }
}
