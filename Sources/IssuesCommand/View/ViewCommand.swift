internal import ArgumentParser
internal import IssueMirror
internal import IssueTracker

/// `issues view`, which is also `issues` with the address of an issue.
struct ViewCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view",
    _superCommandName: "issues",
    abstract: "Show an issue or a pull request, and its comments.",
    usage: """
      issues view [<options>] [OWNER/REPO] NUMBER
      issues view [<options>] OWNER/REPO#NUMBER | URL
      """,
    discussion: """
      In a clone the number is enough. On a terminal the text is laid out, at most 100 columns wide. In a \
      pipe there is a line a field (title, state, author, labels, comments, assignees, milestone, number, kind) \
      with a tab after its name, then a line '--' and the text as it was written. With --comments another \
      '--' ends it, and each comment has author, association and whether it was edited, its text between \
      lines '--'.

      With --json the field 'comments' is their number, as in GitHub's API; 'comments_list' has the \
      comments, and is there with --comments or when it is named. What breaks off has no closing bracket, \
      and an exit status that isn't 0.

      What 'issues sync' has mirrored is shown with --offline without asking anybody, and on a terminal \
      by itself when the network is away: then standard error says so and how old it is. Comments are \
      there if they were synced with --comments. With --max-age DURATION it is shown if it was synced within \
      that time, else what has changed is synced first; what isn't mirrored is asked of the server.

      EXAMPLES:
        issues view apple/swift 12
        issues view 12 --comments            (in a clone)
        issues view 12 -R apple/swift
        issues view https://github.com/apple/swift/issues/12 --web
        issues view apple/swift 12 --json title,body,comments_list
        issues view swiftlang/swift 12 --offline
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

  @Flag(name: .shortAndLong, help: "Show all comments too.")
  var comments = false

  @Flag(name: .shortAndLong, help: "Open the issue in the web browser instead.")
  var web = false

  @Flag(help: "Show what the mirror has, and ask nobody: see 'issues sync'.")
  var offline = false

  @OptionGroup var age: AgeOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  mutating func validate() throws {
    if number == nil {
      if let issue = output.takeBack(where: { (try? IssueReference(parsing: $0)) != nil }) {
        (repository, number) = (repository ?? issue, repository == nil ? nil : issue)
      } else if let name = output.takeBack(where: { $0.contains("/") }) {
        (repository, number) = (name, repository)
      }
    }
    guard repository != nil else {
      throw ValidationError("Say which issue: NUMBER, OWNER/REPO#NUMBER or URL.")
    }
    guard !offline || !web, !offline || !connection.settings.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --web and --stub.")
    }
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.settings.request.stub, "--stub", "which is sample data")
    _ = try output.fields(sent: IssueWriter.fieldNames)
  }

  /// Whether the arguments name an issue, whatever else may be wrong with them.
  var namesIssue: Bool {
    (try? PlaceArgument(repository, number))?.issueNumber != nil
  }

  func run() async throws {
    let fields = try output.fields(sent: IssueWriter.fieldNames)
    let (connection, opensBrowser, isOffline) = (connection.settings, web, offline)
    let includesComments =
      comments || fields?.names?.contains(IssueWriter.commentsField) == true
    let maximumAge = age.maximumAge
    let words = (repository, number, place.repo)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      // A word without a slash was meant to be a number, not a repository.
      if let word = words.0, words.1 == nil, !word.contains("/") {
        _ = try IssueReference(parsing: word)
      }
      let place = try PlaceArgument(words.0, words.1, repo: words.2)
      guard let number = place.issueNumber else {
        let name = place.repository.named.map { "\($0)" } ?? ""
        throw CommandFailure(
          .usage, "\(name) is a repository: for one of its issues use issues view \(name) NUMBER")
      }
      let reference = try await place.repository.reference(environment: session.environment)
      let server = try connection.server(host: reference.host, environment: session.environment)
      if opensBrowser {
        let url = server.webURL(of: reference.name, issueNumber: number)
        return try await session.openPage(url, of: server)
      }
      let mirrored = MirroredIssueView(
        number: number, server: server, session: session, includesComments: includesComments,
        fields: fields)
      let verbosity = connection.request.verbosity
      if isOffline {
        let place = try await session.mirrored(reference.name, on: server)
        session.tellAge(
          of: place, withComments: includesComments, verbosity: verbosity, maximumAge: maximumAge)
        return try await mirrored.show(place)
      }
      if let maximumAge {
        let fresh = FreshMirror(maximumAge: maximumAge, connection: connection, session: session)
        let place = try await fresh.place(
          of: reference.name, on: server, withComments: includesComments)
        if let place {
          // One that isn't there may have been opened since: the server knows.
          if let issue = try await place.mirror.sentIssue(number, of: place.repository) {
            session.tellTime(
              of: [place.repository], withComments: includesComments, verbosity: verbosity)
            return try await mirrored.show(issue, place)
          }
        } else {
          session.tellUnmirrored(reference.name, on: server)
        }
      }
      let view = IssueView(
        name: reference.name, number: number,
        connection: try await connection.connection(to: server, session), session: session,
        includesComments: includesComments, fields: fields,
        history: connection.request.stub ? nil : RepositoryHistory(environment: session.environment)
      )
      try await view.show()
    }
    throw ExitCode(status.rawValue)
  }
}
