internal import ArgumentParser
internal import IssueMirror
internal import IssueTracker
internal import StyledText

struct SimilarCommand: JSONCommand, DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "Find issues similar to another one or to text, in the mirror or on GitHub.",
    usage: """
      issues similar [<options>] [OWNER/REPO] NUMBER
      issues similar [<options>] [OWNER/REPO] --text TEXT
      """,
    discussion: """
      Compares titles and texts in the mirror of the repository, and lists the most similar first: \
      the likely duplicates. The rarest words count most, especially in titles; identifiers \
      and crash frames are compared as a whole. Comments aren't compared. No server is contacted, \
      unless --max-age says how old the mirror may be: 'issues sync' updates it.

      --text accepts the text itself, the name of a file, or - for standard input. Its first line is \
      the title. Only the beginning and the end of long text are compared.

      On a terminal, the issues are a table with the matching text. In a pipe, each issue is a \
      line of tab-separated values, as with 'issues search', followed by its score: the estimated \
      probability that both report the same. With --json, it is in the field 'score'. Unrelated \
      issues aren't listed.

      With ISSUES_EMBEDDER, a model on this machine compares meanings too: a shell command that reads \
      a JSON string per line, and writes an array of numbers for each. The first use computes a \
      vector for each issue, which can take minutes, and keeps it beside the mirror.

      With --remote, GitHub's search by meaning finds the issues instead: open ones, unless --state says otherwise, \
      without a score. See --by in 'issues help search' for its limits.

      'issues create' on a terminal shows similar issues before it sends an issue.

      EXAMPLES:
        issues similar apple/swift 12
        issues similar 12 --state open          (in a clone)
        issues similar apple/swift 12 --remote
        issues similar -R apple/swift --text crash.log
        pbpaste | issues similar --text - --limit 3
        issues similar --text 'hang in TypeChecker::solve' --json number,title,score
      """)

  @OptionGroup var issue: SingleIssueArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Compare with this text instead of an issue; the text, a file, or - for standard input.",
      valueName: "text"),
    completion: .file(), transform: ValueReader.text(of: "--text"))
  var text: String?

  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: "Filter by state. (default: all, or open with --remote)")
  var state: IssueFilter.State?

  @Flag(help: "Use GitHub's own search, by meaning, instead of the mirror.")
  var remote = false

  @Flag(help: "List pull requests too.")
  var includePullRequests = false

  @Option(
    name: [.customShort("L", allowingJoined: true), .long],
    help: ArgumentHelp("The most issues to show. (default: 10)", valueName: "number"),
    transform: ValueReader.limit)
  var limit = 10

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var mirror: MirrorReadingOptions

  var database: DatabaseOptions { mirror.database }

  static var jsonFields: JSONFields.Known {
    .sent(IssueRow.fieldNames.filter { $0 != "score" } + ["score", IssuesByMeaning.field])
  }

  mutating func takeArgument(_ word: String) -> Bool {
    issue.take(word, mayBeIssue: text == nil)
  }

  func validateOptions() throws {
    if remote {
      guard mirror.maxAge == nil, mirror.database.database == nil else {
        throw ValidationError("--remote asks the server: leave out --max-age and --database.")
      }
      guard !includePullRequests else {
        throw ValidationError(
          "GitHub's search by meaning finds only issues: leave out --include-pull-requests.")
      }
    } else {
      try mirror.validateForMirror()
    }
    if text != nil {
      guard !issue.namesIssue, issue.number == nil else {
        throw ValidationError("--text replaces the issue: leave out the number.")
      }
    } else if issue.repository == nil {
      throw ValidationError(
        "Specify what to compare with: NUMBER, OWNER/REPO#NUMBER, URL or --text TEXT.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let repository: RepositoryChoice
    let subject: SimilarIssuesQuery.Subject
    if let text {
      repository = try issue.place().repository
      subject = .text(try await Self.contents(of: text))
    } else {
      let (choice, number) = try issue.issue("to find similar issues", command: "similar")
      (repository, subject) = (choice, .issue(number))
    }
    guard !remote else { return try await showRemote(subject, in: repository, session, fields) }
    let place = try await mirror.mirrored(repository, in: session)
    try await show(
      SimilarIssuesQuery(
        subject, state: state ?? .all, includesPullRequests: includePullRequests),
      place, session, fields)
  }

  private func show(
    _ query: SimilarIssuesQuery, _ place: MirroredPlace, _ session: CommandSession,
    _ fields: JSONFields?
  ) async throws {
    let repository = place.repository
    var name = "the text"
    if case .issue(let number) = query.subject {
      name = "\(repository.fullName)#\(number)"
      guard try await place.mirror.sentIssue(number, of: repository) != nil else {
        throw try await place.absence(of: number)
      }
    }
    var form = IssueListForm(limit: nil, includesPullRequests: true, fields: fields)
    (form.naming, form.hasSnippets, form.showsLikeness) = (.forPrograms, true, true)
    try await WholeList(
      name, status: "Comparing with \(name)",
      nothing: "Nothing in \(repository.typedName) is similar to \(name).", limit: nil,
      title: { [name] count, _ in
        "The \(count == 1 ? "issue" : "\(count.grouped) issues") most similar to \(name)"
      },
      load: { [form, limit] in
        try await session.similarIssues(to: query, in: place, limit: limit)
          .map { form.row(found: $0) }
      }
    ).show(in: form, session)
    session.tellFreshness(of: [repository])
  }

  /// Searches by meaning on the server.
  private func showRemote(
    _ subject: SimilarIssuesQuery.Subject, in repository: RepositoryChoice,
    _ session: CommandSession, _ fields: JSONFields?
  ) async throws {
    let place = try await session.place(of: repository, apiURL: mirror.connection.request.apiURL)
    let connection = try await mirror.connection.connection(to: place.server, session)
    var form = IssueListForm(limit: limit, includesPullRequests: true, fields: fields)
    (form.naming, form.hasSnippets) = (.forPrograms, true)
    var (title, body) = ("", "")
    var excluded: Int?
    switch subject {
    case .text(let newTitle, let newBody): (title, body) = (newTitle, newBody)
    case .issue(let number):
      let issue = try await connection.explaining("\(place.name)#\(number)") {
        (provider) async throws(NetworkError) in try await provider.issue(number, of: place.name)
      }
      (title, body, excluded) = (issue.title, issue.body ?? "", number)
    }
    try await IssuesByMeaning(
      IssuesByMeaning.query(title: title, body: body, state: state ?? .open), in: [place.name],
      by: .semantic, connection, form, excluding: excluded
    ).show(in: form, session)
  }

  private static func contents(of text: String) async throws(CommandFailure) -> String {
    guard text == "-" || BodyOptions.isFile(text) else { return text }
    return try await BodyOptions.text(inFile: text, maximumBytes: 64 << 20)
  }
}

extension CommandSession {
  /// The similar issues by their words, and by their meaning if there is a model for it.
  fileprivate func similarIssues(
    to query: SimilarIssuesQuery, in place: MirroredPlace, limit: Int
  ) async throws -> [SearchResult] {
    guard let program = EmbeddingProgram(environment: environment),
      let path = VectorFile.path(in: environment)
    else {
      return try await place.mirror.similarIssues(to: query, in: place.repository, limit: limit)
    }
    let similarity = EmbeddedSimilarity(
      embedder: program.embedder, file: try VectorFile(path: path))
    return try await similarity.similarIssues(
      to: query, in: place.repository, of: place.mirror, limit: limit
    ) { done, all in
      if all > 0 {
        progress.update("Computing the vectors of texts: \(done.grouped) of \(all.grouped)")
      }
    }
  }
}
