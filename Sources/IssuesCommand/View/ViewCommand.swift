internal import ArgumentParser
internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct ViewCommand: JSONCommand, DatabaseCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "view",
    _superCommandName: "issues",
    abstract: "Show an issue or a pull request, and its comments.",
    usage: """
      issues view [<options>] [OWNER/REPO] NUMBER
      issues view [<options>] OWNER/REPO#NUMBER | URL
      """,
    discussion: """
      In a clone, the number is enough. On a terminal, the text is formatted, at most 100 columns \
      wide. In a pipe, there is one line per field (title, state, author, labels, comments, \
      assignees, milestone, number, kind) with a tab after its name, then a line '--' and the text, \
      each of its lines after '> ', so that text can't be mistaken for a field or another comment. \
      With --comments, another '--' ends the text, and the comments follow: each has its author, \
      association, whether it was edited, and its text, also quoted, between lines '--'. For the \
      text as it was written, use '--json body -q .body'.

      JSON:
      With --json, the field 'comments' is the number of comments, as in GitHub's API. The \
      comments themselves are in 'comments_list', with --comments or if you name that field. The \
      fields 'parent', 'sub_issues', 'blocked_by' and 'blocking' have other issues, if you name \
      them. 'linked_branches', 'closing_pull_requests' and 'projects' are null if the token may not see them; \
      name them, too. 'timeline' has the events, with --timeline or if you name it. \
      Interrupted output has no closing bracket, and the exit status isn't 0.

      RELATIONS AND TIMELINE:
      An issue that has any of these is shown with its type, its parent, its sub-issues and their \
      progress, the issues that block it or that it blocks, and who closed it; in a pipe, with \
      lines type, parent, sub-issues, sub-issues-done, blocked-by, blocking and closed-by after \
      the others. With a token, it also has lines branches, closing-pull-requests and projects. 'issues tree' shows sub-issues of sub-issues. --timeline shows the comments and, one \
      per line, the events between them: in a pipe, 'event:', GitHub's name for it, the user, the \
      time, and a description.

      THE MIRROR:
      With --offline, the issue comes from the mirror ('issues sync'), and no server is contacted. On \
      a terminal, the mirror also stands in when the network is unreachable, and standard error \
      gives its age. It has comments if it was synced with --comments. With --max-age DURATION, \
      the issue comes from the mirror if it was synced within that time; otherwise the command \
      syncs changes first. Issues that aren't mirrored come from the server. 'issues sync --timeline \
      --comments' mirrors the data for --timeline.

      ATTACHMENTS:
      --attachments FOLDER downloads the images, videos and files of the text and of all comments that GitHub \
      stores. An existing file is kept, and an interrupted download is resumed the next time. Requests carry no \
      token: GitHub shows the files of a private repository only in a browser. If a file can't be \
      downloaded, the others are, and the status is 1.

      UNSENT CHANGES:
      On a terminal, your changes that aren't sent yet ('issues outbox') are shown as if the \
      server had them, and named. In a pipe, and with --json, the issue is the server's; the field \
      'pending' has the unsent changes. new-7 is an issue in the outbox that isn't created yet.

      EXAMPLES:
        issues view apple/swift 12
        issues view 12 --comments            (in a clone)
        issues view 12 --timeline
        issues view 12 -R apple/swift
        issues view 12 --attachments shots
        issues view https://github.com/apple/swift/issues/12 --web
        issues view apple/swift 12 --json title,body,comments_list
        issues view swiftlang/swift 12 --offline
        issues view swiftlang/swift 12 --timeline --offline
        issues view new-7
      """)

  @OptionGroup var issue: SingleIssueArguments

  @Flag(name: .shortAndLong, help: "Show all comments.")
  var comments = false

  @Flag(help: "Show all comments, and the events between them.")
  var timeline = false

  @Flag(name: .shortAndLong, help: "Open the issue in the web browser instead.")
  var web = false

  @Option(
    help: ArgumentHelp(
      "Download the attachments of the text and the comments into this folder.",
      valueName: "folder"), completion: .directory)
  var attachments: String?

  @Flag(help: "Show the mirror, not the server; see 'issues sync'.")
  var offline = false

  @OptionGroup(title: "Mirror") var age: AgeOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .sent(IssuePrinter.fieldNames) }

  mutating func takeArgument(_ word: String) -> Bool {
    issue.take(word)
  }

  func validateOptions() throws {
    try issue.require()
    guard !offline || !web, !offline || !connection.request.stub, !offline || attachments == nil
    else {
      throw ValidationError(
        "--offline shows the mirror: leave out --web, --stub and --attachments.")
    }
    guard attachments == nil || !web else {
      throw ValidationError("--web opens the page: leave out --attachments.")
    }
    try age.refuse(beside: web, "--web", "which opens the server's page")
    try age.refuse(beside: connection.request.stub, "--stub", "which is sample data")
  }

  private func show(
    _ id: OutboxEntry.ID, in session: CommandSession, fields: JSONFields?
  ) async throws {
    let (outbox, entry) = try await session.outboxEntry(id)
    if case .createIssue = entry.change, let number = entry.answer?.number {
      let place = Place(name: entry.repository, server: entry.server)
      session.errors.write("new-\(id) is \(place)#\(number) now.", style: .faint)
      return try await show(number, at: place, in: session, fields: fields)
    }
    guard entry.dropped == nil, entry.answer == nil,
      let name = entry.target?.name, case .createIssue = entry.change
    else {
      let place = entry.answer?.url.map { "\nIt is on the server: \($0)" } ?? ""
      throw CommandFailure(.notFound, "new-\(id) is not an issue that waits to be created\(place)")
    }
    guard fields == nil, !web, attachments == nil else {
      throw CommandFailure(
        .usage, "\(name) isn't on the server yet\nFor JSON use 'issues outbox show \(name) --json'."
      )
    }
    let pending = PendingChanges(
      try await outbox.entries(), of: entry.repository, on: entry.server.host)
    guard let issue = pending.newIssues().first(where: { $0.id == -id }) else { return }
    var printer = try IssuePrinter(
      session, fields: nil, discussion: .comments,
      repositoryURL: entry.server.webURL(of: entry.repository), pending: pending)
    try await printer.write(Sent(issue, json: Data()))
    try await printer.finish()
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let words = [issue.repository, issue.number].compactMap(\.self)
    if let id = words.lazy.compactMap(OutboxEntry.ID.init(temporaryName:)).first {
      return try await show(id, in: session, fields: fields)
    }
    let (repository, number) = try issue.issue("to see an issue", command: "view")
    let place = try await session.place(of: repository, apiURL: connection.request.apiURL)
    try await show(number, at: place, in: session, fields: fields)
  }

  private func discussion(_ fields: JSONFields?) throws -> Discussion {
    let names = fields?.names ?? []
    let hasTimeline = timeline || names.contains(IssuePrinter.timelineField)
    let hasComments = names.contains(IssuePrinter.commentsField)
    guard !hasTimeline || !hasComments else {
      throw CommandFailure(
        .usage, "the timeline also has the comments\nLeave out the field 'comments_list'.")
    }
    return hasTimeline ? .timeline : comments || hasComments ? .comments : .none
  }

  private func show(
    _ number: Int, at place: Place, in session: CommandSession, fields: JSONFields?
  ) async throws {
    if web {
      let url = place.server.webURL(of: place.name, issueNumber: number)
      return try await session.openPage(url, of: place.server)
    }
    let discussion = try discussion(fields)
    let connections = Connections { [connection] (server) async throws(CommandFailure) in
      try await connection.connection(to: server, session)
    }
    let download = try attachments.map {
      try AttachmentDownload(into: $0, of: place.server, session)
    }
    try await show(
      number, at: place, discussion, download, connections, in: session, fields: fields)
    guard let download else { return }
    let connection = try await connections.connection(to: place.server)
    if case .none = discussion { try await download.noteComments(connection) }
    try await download.run(connection)
  }

  private func show(
    _ number: Int, at place: Place, _ discussion: Discussion, _ attachments: AttachmentDownload?,
    _ connections: Connections, in session: CommandSession, fields: JSONFields?
  ) async throws {
    let includesComments = if case .none = discussion { false } else { true }
    let view = MirroredIssueView(
      number: number, server: place.server, session: session, discussion: discussion,
      fields: fields,
      pending: connection.request.stub ? nil : PendingLookup(of: place, fields: fields, session),
      attachments: attachments)
    let verbosity = connection.request.verbose
    if offline {
      let mirrored = try await session.mirrored(place)
      session.tellAge(
        of: mirrored, withComments: includesComments, verbosity: verbosity,
        maximumAge: age.maximumAge)
      return try await view.show(mirrored)
    }
    if let maximumAge = age.maximumAge {
      let fresh = FreshMirror(
        maximumAge: maximumAge, session, request: connection.request, wait: connection.wait.wait)
      if let mirrored = try await fresh.mirrored(place, withComments: includesComments) {
        // A missing issue may have been opened since the last sync, so it is requested from the server, which also has
        // every timeline.
        if let issue = try await mirrored.mirror.sentIssue(number, of: mirrored.repository),
          try await view.isWhole(in: mirrored)
        {
          session.tellTime(
            of: [mirrored.repository], withComments: includesComments, verbosity: verbosity)
          return try await view.show(issue, mirrored)
        }
      } else {
        session.tellUnmirrored(place)
      }
    }
    let github = try await connections.connection(to: place.server)
    try await IssueView(
      place: place, connection: github, mirrored: view,
      history: connection.request.stub ? nil : RepositoryHistory(environment: session.environment)
    ).show()
  }
}
