internal import ArgumentParser
internal import IssueMirror
internal import StyledText

/// `issues export`.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a repository's issues to a file or a pipe, from the mirror.",
    discussion: """
      Nothing is asked: 'issues sync' brings the mirror up to date. Without filter all open issues are \
      written; --state all writes closed ones too, and --include-pull-requests pull requests.

      FORMATS:
        json    an array of the objects that the server sent, one a line, with
                escapes for what a terminal would obey; with --comments each
                has one more member, comments_list
        csv     RFC 4180, with a heading; with --comments each comment is a row
                below its issue
        sqlite  a database file, which needs --output: the tables repository,
                issues, labels, issue_labels, issue_assignees and comments;
                with --full-text also issues_fts and comments_fts, which every
                SQLite and Datasette can search

      The columns of CSV are kind (issue, pull_request or comment), number, state, state_reason, title, \
      author, labels, assignees, milestone, comments, created_at, updated_at, closed_at, url and body. \
      There, what a terminal would obey is written as ^[ or \\u{202E}. Before = + - or @ at the beginning of \
      a cell, or behind a semicolon, a tab or a line break in one, stands an apostrophe, so that no \
      spreadsheet calculates it: the exact text is in JSON.

      A file is there when it is whole: what breaks off leaves none behind. One that is there already \
      stays, unless --force replaces it.

      EXAMPLES:
        issues export apple/swift --state all | jq -c '.[]'
        issues export apple/swift --format csv --label bug --output bugs.csv
        issues export --format sqlite --state all --comments --output swift.db
        issues export --format sqlite --full-text --output swift.db &&
          sqlite3 swift.db "SELECT rowid FROM issues_fts('crash') ORDER BY rank"
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; that of the clone you stand in if left out.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repository: String?

  @OptionGroup var place: RepositoryOptions

  @Option(help: "How they are written. (default: json)")
  var format: ExportFormat?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp("Write to this file instead of standard output (-).", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace the file if it is there.")
  var force = false

  @Flag(name: .shortAndLong, help: "Write the comments too.")
  var comments = false

  @Flag(help: "Make an index for searches in the database.")
  var fullText = false

  @OptionGroup(title: "Filter") var filter: FilterOptions

  /// The file; nil for standard output, which `-` is too.
  private var file: String? { output == "-" ? nil : output }

  func validate() throws {
    guard format != .sqlite || file != nil else {
      throw ValidationError("A database is a file: name it with --output.")
    }
    guard format == .sqlite || !fullText else {
      throw ValidationError("--full-text only makes sense with --format sqlite.")
    }
    guard file != nil || !force else {
      throw ValidationError("--force only makes sense with --output.")
    }
  }

  func run() async throws {
    let job = ExportJob(
      format: format ?? .json, output: file, replaces: force, filter: filter.filter,
      includesPullRequests: filter.includePullRequests, includesComments: comments,
      isSearchable: fullText)
    let (argument, repo) = (repository, place.repo)
    let status = await CommandSession.run(color: .automatic) { session in
      let place = try await session.wholeMirror(of: argument, repo: repo)
      try await job.run(place, session)
      session.tellFreshness(of: [place.repository], withComments: job.includesComments)
    }
    throw ExitCode(status.rawValue)
  }
}
