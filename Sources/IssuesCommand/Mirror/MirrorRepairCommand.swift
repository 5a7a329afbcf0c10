internal import ArgumentParser
internal import IssueMirror

/// `issues mirror repair`.
struct MirrorRepairCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "repair",
    abstract: "Make the mirror agree with the server again.",
    usage: "issues mirror repair [<options>] [OWNER/REPO | URL] …",
    discussion: """
      Compares everything with the server, as 'issues sync --verify' does: what is missing comes, what was \
      deleted or transferred goes, and what the server has in another version becomes that, even an older \
      one. The search index is compared with the texts and made anew where it differs. Where the server \
      contradicts itself, all that is kept stays, and it says why.

      Without a repository it is that of the clone you stand in; outside of a clone, all that are mirrored.

      EXAMPLES:
        issues mirror repair swiftlang/swift
        issues mirror check || issues mirror repair
      """)

  @Argument(
    help: ArgumentHelp(
      "A repository; that of the clone you stand in, or all mirrored ones, if left out.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repositories: [String] = []

  @Option(help: "When to use colours.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var request: RequestOptions

  func validate() throws {
    guard !request.stub else {
      throw ValidationError("Sample data isn't mirrored: what is real would be among it.")
    }
  }

  func run() async throws {
    let (words, settings) = (repositories, request.settings)
    let status = await CommandSession.run(color: color, isPaged: false) { session in
      var options = RepositorySync.Options()
      options.verifies = true
      let jobs = options.jobs
      let plan = SyncPlan(session: session, request: settings) { server in
        try await ConnectionSettings(request: settings).syncConnection(
          to: server, session, wait: .forever, jobs: jobs)
      }
      let places = try await plan.places(named: words)
      try await SyncRun(
        mirror: try session.mirror(), session: session, options: options, fields: nil
      ).sync(places)
    }
    throw ExitCode(status.rawValue)
  }
}
