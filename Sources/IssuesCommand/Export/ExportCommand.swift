internal import ArgumentParser
internal import IssueMirror
internal import PlatformModules
internal import StyledText

struct ExportCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write a repository's issues to a file, a folder or a pipe, from the mirror.",
    discussion: """
      Doesn't contact a server, unless --max-age says how old the mirror may be: 'issues sync' updates it. By default, \
      it writes all open issues. --state all adds closed issues, and --include-pull-requests adds pull requests.

      FORMATS:
        json    an array of the objects that the server sent, one per line, with
                terminal controls escaped; --comments adds a member to each,
                comments_list, and --timeline another, timeline, which is
                null where none is mirrored
        csv     RFC 4180, with a header; with --comments, each comment is a row
                below its issue
        sqlite  a database file, which needs --output: the tables repository,
                issues, labels, issue_labels, issue_assignees and comments;
                --full-text adds issues_fts and comments_fts, which any SQLite
                and Datasette can search
        markdown
                a folder, which --output names, with a file for each issue, such
                as 00012.md: its properties as YAML between --- and ---, its text,
                and with --comments its comments. Text from GitHub is a quotation
                (each line begins with >). Of several repositories, each has its
                own folder in it, OWNER/REPO

      The next export to the same folder writes only files of issues that changed, and removes those of \
      issues that are gone or that the filter no longer selects. It recognizes its files by their second line, so \
      that the folder can be in Git, and never touches other files. A file that isn't its own is an error, unless \
      you add --force.

      The columns of CSV are kind (issue, pull_request or comment), number, state, state_reason, \
      title, author, labels, assignees, milestone, comments, created_at, updated_at, closed_at, \
      url and body. Terminal controls become ^[ or \\u{202E}. An apostrophe precedes = + - and @ \
      at the start of a cell, and after a semicolon, a tab or a line break, so that no spreadsheet \
      evaluates the cell. JSON has the exact text.

      The file appears once it is complete; an interrupted export leaves nothing behind. If the \
      system kills an export, the next one to the same file removes what it left. An existing \
      file is kept unless you add --force.

      EXAMPLES:
        issues export apple/swift --state all | jq -c '.[]'
        issues export apple/swift --timeline --state all --output swift.json
        issues export apple/swift --format csv --label bug --output bugs.csv
        issues export apple/swift --max-age 1d --format csv --output swift.csv
        issues export --format sqlite --state all --comments --output swift.db
        issues export apple/swift --format markdown --state all --comments --output swift
        issues export --format sqlite --full-text --output swift.db &&
          sqlite3 swift.db "SELECT rowid FROM issues_fts('crash') ORDER BY rank"
      """)

  @Argument(
    help: ArgumentHelp(
      "The repository; by default, the current clone's; for Markdown, also several.",
      valueName: "repository"),
    completion: .custom(MirrorCompletion.repositories))
  var repositories: [String] = []

  @OptionGroup var option: RepositoryOptions

  @Option(help: "The format. (default: json)")
  var format: ExportFormat?

  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Write to this file, or folder for Markdown, instead of standard output (-).",
      valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Replace an existing file.")
  var force = false

  @Flag(name: .shortAndLong, help: "Include the comments.")
  var comments = false

  @Flag(help: "Include the timeline of each issue; see 'issues sync --timeline'.")
  var timeline = false

  @Flag(help: "Add a full-text search index to the database.")
  var fullText = false

  @OptionGroup(title: "Filter") var filter: FilterOptions
  @OptionGroup var mirror: MirrorReadingOptions

  var database: DatabaseOptions { mirror.database }

  private var file: String? { output == "-" ? nil : output }

  func validate() throws {
    try mirror.validateForMirror()
    guard format != .sqlite || file != nil else {
      throw ValidationError("A database needs a file: name it with --output.")
    }
    guard format != .markdown || file != nil else {
      throw ValidationError("Markdown files need a folder: name it with --output.")
    }
    guard repositories.count <= 1 || format == .markdown && option.repo == nil else {
      throw ValidationError(
        "Only --format markdown writes several repositories, which are named without --repo.")
    }
    guard format == .sqlite || !fullText else {
      throw ValidationError("--full-text only makes sense with --format sqlite.")
    }
    guard format ?? .json == .json || !timeline else {
      throw ValidationError(
        "--timeline requires --format json: to query timelines, use the view 'events' in 'issues sql'."
      )
    }
    guard file != nil || !force else {
      throw ValidationError("--force only makes sense with --output.")
    }
  }

  func run(in session: CommandSession) async throws {
    if format == .markdown, let file { return try await writeMarkdown(in: file, session) }
    let place = try await place(of: repositories.first, session)
    let repository = place.repository
    if timeline, repository.timelinesCheckedAt == nil { throw repository.absenceOfTimelines }
    let pages = try await pages(of: place)
    if let file {
      var count = 0
      try await ExportFile.write(at: file, replaces: force) { file in
        count =
          format == .sqlite
          ? try await writeDatabase(pages, of: repository, to: file, session)
          : try await write(pages, of: place, to: file, session)
      }
      if session.style.layout == .table {
        let noun = count == 1 ? "issue" : "issues"
        session.errors.write("Wrote \(count.grouped) \(noun) to \(file).")
      }
    } else {
      _ = try await write(pages, of: place, to: session.output, session)
    }
    session.tellFreshness(of: [repository], withComments: comments)
  }

  private func place(
    of name: String?, _ session: CommandSession
  ) async throws -> MirroredPlace {
    let place = try await mirror.wholeMirror(
      of: RepositoryChoice(parsing: name, option: option.repo), withComments: comments,
      in: session)
    if comments, place.repository.commentsSyncedTo == nil {
      throw place.repository.absenceOfComments
    }
    return place
  }

  private func pages(of place: MirroredPlace) async throws -> IssuePages<ExportedIssue> {
    place.mirror.export(
      of: place.repository, filter: try await filter.request.resolved(in: place),
      includesPullRequests: filter.includePullRequests, includesComments: comments)
  }

  private func writeMarkdown(in path: String, _ session: CommandSession) async throws {
    var places: [MirroredPlace] = []
    // A repository that isn't mirrored is reported before anything is written.
    for name in repositories.isEmpty ? [nil] : repositories.map(Optional.some) {
      let place = try await place(of: name, session)
      if !places.contains(where: { $0.repository.id == place.repository.id }) {
        places.append(place)
      }
    }
    for place in places {
      let name = place.repository.typedName
      let folder = try await MarkdownFolder.prepared(
        path, subfolder: repositories.count > 1 ? name : "", of: place.repository, replaces: force)
      for try await page in try await pages(of: place) {
        try Task.checkCancellation()
        for entry in page {
          try await folder.write(
            try MarkdownIssue(entry, mark: folder.mark), number: entry.number)
        }
        session.progress.update("Exporting \(name)… \(await folder.count.grouped) so far")
      }
      let removed = try await folder.removeRest()
      session.progress.finish()
      if session.style.layout == .table {
        let (count, written) = (await folder.count, await folder.writtenCount)
        session.errors.write(
          """
          \(name): \(count.grouped) \(count == 1 ? "issue" : "issues"), \(written.grouped) written, \
          \(removed.grouped) removed.
          """)
      }
    }
    session.tellFreshness(of: places.map(\.repository), withComments: comments)
  }

  private func write(
    _ pages: IssuePages<ExportedIssue>, of place: MirroredPlace, to sink: any ByteSink,
    _ session: CommandSession
  ) async throws -> Int {
    var writer = ExportWriter(format == .csv ? .csv : .json, to: sink)
    for try await page in pages {
      try Task.checkCancellation()
      try await writer.write(page, timelines: try await timelines(of: page, in: place))
      session.progress.update("Exporting… \(writer.count.grouped) so far")
    }
    try await writer.finish()
    session.progress.finish()
    return writer.count
  }

  /// The timelines; nil if they aren't requested. An element is nil if that issue's timeline isn't mirrored.
  private func timelines(
    of page: [ExportedIssue], in place: MirroredPlace
  ) async throws -> [[Data]?]? {
    guard timeline else { return nil }
    var timelines: [[Data]?] = []
    for entry in page {
      let kept = try await place.mirror.sentTimeline(of: entry.number, in: place.repository)
      timelines.append(kept?.events.map(\.json))
    }
    return timelines
  }

  private func writeDatabase(
    _ pages: IssuePages<ExportedIssue>, of repository: MirroredRepository, to file: ExportFile,
    _ session: CommandSession
  ) async throws -> Int {
    var count = 0
    do {
      let database = try IssueDatabase(
        at: file.temporaryPath, of: repository, isSearchable: fullText)
      for try await page in pages {
        try Task.checkCancellation()
        try await database.write(page)
        count += page.count
        session.progress.update("Exporting… \(count.grouped) so far")
      }
      try await database.finish()
    } catch let failure as MirrorFailure where failure.code == .notExported {
      let message = failure.message.replacing(file.temporaryPath, with: file.path)
      throw CommandFailure(.output, message)
    }
    session.progress.finish()
    return count
  }
}

enum ExportFormat: String, CaseIterable, NamedChoice {
  case json
  case csv
  case sqlite
  case markdown
}
