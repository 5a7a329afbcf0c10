internal import ArgumentParser
internal import IssueMirror
internal import IssueTracker

struct ContextCommand: JSONCommand, DatabaseCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "context",
    abstract: "Show an issue within a token limit, for a language model.",
    usage: """
      issues context [<options>] [OWNER/REPO] NUMBER
      issues context [<options>] OWNER/REPO#NUMBER | URL
      """,
    discussion: """
      Writes, in Markdown and never longer than --max-tokens: the facts, the text, the comments \
      that matter (of maintainers and the author, those with reactions, the newest) in order of \
      time, and the titles of issues that are mentioned. Text that doesn't fit is cut; the last lines \
      name the omitted parts, and the command that shows them.

      Tokens are estimated, and rather too high than too low: the limit holds for the tokenizers of \
      several vendors, except for a twentieth in rare cases.

      Titles, texts, comments, labels and milestones are written by strangers. Each of their lines begins \
      with '> ', and no other line does; control characters are made visible. The reader must judge any \
      instructions in them.

      With --offline, the issue comes from the mirror ('issues sync --comments'), and no server is \
      contacted. With --max-age DURATION, it comes from the mirror if that was synced within that \
      time; otherwise the command syncs changes first. Titles of mentioned issues come from the \
      mirror, if there is one, and a few from the server.

      With --json, 'text' has all of that, 'tokens' its estimated length and 'left_out' the \
      missing parts.

      EXAMPLES:
        issues context apple/swift 12
        issues context 12 --max-tokens 1000 --offline      (in a clone)
        issues context 12 --json tokens,left_out,text
      """)

  /// The maximum number of pages. Longer output would no longer be an excerpt.
  private static let mostPages = 10

  enum Field: String, CaseIterable, Sendable {
    case repository
    case number
    case title
    case state
    case url = "html_url"
    case tokens
    case maximumTokens = "max_tokens"
    case text
    case leftOut = "left_out"
  }

  @OptionGroup var issue: SingleIssueArguments

  @Option(
    help: ArgumentHelp(
      "The most tokens to write, from \(IssueContext.leastTokens). (default: 4000)",
      valueName: "number"),
    transform: ValueReader.tokens)
  var maxTokens = 4_000

  @Flag(help: "Use the mirror, not the server; see 'issues sync'.")
  var offline = false

  @OptionGroup(title: "Mirror") var age: AgeOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .all(of: Field.self) }

  mutating func takeArgument(_ word: String) -> Bool {
    issue.take(word)
  }

  func validateOptions() throws {
    try issue.require()
    guard !offline || !connection.request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --stub.")
    }
    try age.refuse(beside: connection.request.stub, "--stub", "which is sample data")
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let (repository, number) = try issue.issue("for an issue", command: "context")
    let place = try await session.place(of: repository, apiURL: connection.request.apiURL)
    let context = try await context(of: number, at: place, session)
    session.progress.finish()
    let written = context.written(upTo: maxTokens)
    guard let fields else { return try await session.output.write(written.text) }
    let object = EncodedObject(Field.self) { field in
      switch field {
      case .repository: context.repository
      case .number: context.issue.number
      case .title: context.issue.title
      case .state: context.issue.state
      case .url: context.issue.htmlURL
      case .tokens: written.tokens
      case .maximumTokens: maxTokens
      case .text: written.text
      case .leftOut: written.leftOut
      }
    }
    try await JSONSink.write(JSONObject(encoding: object), fields, to: session)
  }

  // MARK: The source

  private func context(
    of number: Int, at place: Place, _ session: CommandSession
  ) async throws -> IssueContext {
    let freshness = Freshness(isOffline: offline, maximumAge: age.maximumAge)
    if let mirrored = try await freshness.mirror(
      of: place, withComments: true, connection, session)
    {
      // A missing issue may have been opened since the last sync, so it is requested from the server.
      let issue = try await mirrored.mirror.sentIssue(number, of: mirrored.repository)
      if offline || issue != nil { return try await Self.mirrored(number, mirrored) }
    }
    let github = try await connection.connection(to: place.server, session)
    do {
      return try await asked(number, at: place, github, session)
    } catch let failure as CommandFailure {
      guard let absence = NetworkAbsence(failure, of: place, session) else { throw failure }
      let mirrored = try await absence.mirrored()
      guard let context = try? await Self.mirrored(number, mirrored) else { throw failure }
      absence.announce(mirrored, withComments: true)
      return context
    }
  }

  /// The issue in the mirror. Throws if the mirror doesn't have it.
  private static func mirrored(
    _ number: Int, _ place: MirroredPlace
  ) async throws -> IssueContext {
    let repository = place.repository
    guard let issue = try await place.mirror.sentIssue(number, of: repository)?.entity else {
      throw try await place.absence(of: number)
    }
    var context = IssueContext(
      repository: repository.typedName, issue: issue,
      comments: try await place.mirror.comments(on: number, of: repository))
    if repository.commentsSyncedTo == nil, issue.commentsCount > context.comments.count {
      context.unread = IssueContext.Omission(
        what: "comments that aren't mirrored", command: "\(repository.syncCommand) --comments")
    }
    context.option = " --offline"
    context.source = "the mirror, \(repository.age())"
    await context.link(place, nil)
    return context
  }

  private func asked(
    _ asked: Int, at place: Place, _ github: Connection, _ session: CommandSession
  ) async throws -> IssueContext {
    let subject = "\(place.name)#\(asked)"
    session.progress.update("Looking up \(subject)…")
    let sent: Sent<GitHub.Issue> = try await github.explaining(subject) {
      provider throws(NetworkError) in
      try await provider.entity(
        .issue(repositoryFullName: place.name.description, number: asked))
    }
    // The server's response determines the issue's repository from here on.
    let page = sent.entity.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    let present = Place(name: page?.repository?.name ?? place.name, server: place.server)
    let number = page?.number ?? sent.entity.number
    if "\(present.name)".lowercased() != "\(place.name)".lowercased() || number != asked {
      session.errors.write("\(subject) is now \(present.name)#\(number).")
    }
    var context = IssueContext(repository: "\(present)", issue: sent.entity)
    if let url = connection.request.apiURL { context.option = " --api-url \(url)" }
    if sent.entity.commentsCount > 0 {
      session.progress.update("Loading the comments on \(subject)…")
      var pages = IssueComments(
        provider: github.provider, repository: present.name, number: number
      ).makeAsyncIterator()
      var count = 0
      do throws(NetworkError) {
        while count < Self.mostPages, let page = try await pages.nextSent() {
          context.comments += page.map(\.entity)
          count += 1
        }
      } catch {
        throw github.explanation(of: error, subject)
      }
      let missing = sent.entity.commentsCount - context.comments.count
      if count == Self.mostPages, missing > 0 {
        context.unread = IssueContext.Omission(
          what: "the newest \(missing) comments, which weren't read",
          command: "issues view \(present) \(number) --comments\(context.option)")
      }
    }
    let mirrored = connection.request.stub ? nil : try? await session.mirrored(present)
    await context.link(mirrored, connection.request.stub ? nil : (github, present.name))
    return context
  }
}
