internal import IssueMirror
internal import StyledText

/// Shows an issue, and its comments page by page as they arrive. If the network is unreachable, it shows the mirrored
/// issue.
struct IssueView: Sendable {
  /// The repository, with the name as typed.
  let place: Place
  let connection: Connection
  /// The view of the mirror, for an unreachable network.
  let mirrored: MirroredIssueView
  /// The history that records the repository once the issue was found.
  let history: RepositoryHistory?

  private var name: RepositoryName { place.name }
  private var number: Int { mirrored.number }
  private var session: CommandSession { mirrored.session }
  private var discussion: Discussion { mirrored.discussion }
  private var includesComments: Bool { if case .comments = discussion { true } else { false } }

  func show() async throws {
    session.progress.update("Looking up \(subject)…")
    var comments = comments(of: name, number)
    var events = events(of: name, number)
    let early = EarlyCall()
    switch discussion {
    case .none: break
    case .comments: early.begin { comments.prefetch() }
    case .timeline: early.begin { events.prefetch() }
    }
    async let development = development(of: name, number)
    let issue: Sent<GitHub.Issue>
    do throws(NetworkError) {
      issue = try await connection.provider.entity(
        .issue(repositoryFullName: name.description, number: number))
    } catch {
      return try await showMirrored(insteadOf: explanation(of: error))
    }
    early.settle(isWanted: true)
    // The server's response determines the issue's repository from here on.
    let page = issue.entity.htmlURL.flatMap { try? IssueReference(parsing: $0) }
    let current = (
      name: page?.repository?.name ?? name, number: page?.number ?? issue.entity.number
    )
    if let history {
      let entry = RepositoryHistory.Entry(server: connection.server, name: current.name)
      session.end.add { await history.record(entry) }
    }
    var writer = try IssuePrinter(
      session, fields: mirrored.fields, discussion: discussion,
      repositoryURL: connection.server.webURL(of: current.name),
      pending: await mirrored.pending?.changes(), attachments: mirrored.attachments)
    let isWhereItWas =
      current.number == number && "\(current.name)".lowercased() == "\(name)".lowercased()
    if !isWhereItWas {
      session.errors.write("\(subject) is now \(current.name)#\(current.number).")
      comments = self.comments(of: current.name, current.number)
      events = self.events(of: current.name, current.number)
    }
    let relations = await relations(of: issue.entity, current.name)
    let moved = isWhereItWas ? nil : await self.development(of: current.name, current.number)
    try await writer.write(
      issue, (try? relations?.get()) ?? nil, isWhereItWas ? await development : moved)
    switch discussion {
    case .none: break
    case .comments: try await write(comments, to: &writer)
    case .timeline: try await write(events, to: &writer)
    }
    // An object without relations would look as if there were none.
    if mirrored.fields != nil { try finishing(relations) }
    try await writer.finish()
    session.progress.finish()
    try finishing(relations)
  }

  private typealias Relations = Result<IssueRelations, NetworkError>

  /// The relations; nil if they aren't requested. JSON includes them only if one of them is named in `--json`.
  private func relations(of issue: GitHub.Issue, _ repository: RepositoryName) async -> Relations? {
    if let fields = mirrored.fields {
      let names = fields.names ?? []
      guard IssuePrinter.relationFields.contains(where: names.contains) else { return nil }
    }
    session.progress.update("Loading the relations of \(subject)…")
    do throws(NetworkError) {
      return .success(
        try await IssueRelations.load(
          of: issue, at: IssuePlace(repository: repository, number: issue.number),
          provider: connection.provider))
    } catch {
      return .failure(error)
    }
  }

  /// The branches, pull requests and projects; nil if they aren't requested, and if they can't be loaded, because they
  /// are an addition. GraphQL requires a token. JSON includes them only if one of them is named in `--json`.
  private func development(of repository: RepositoryName, _ number: Int) async -> IssueDevelopment?
  {
    let names = mirrored.fields.map { $0.names ?? [] } ?? IssuePrinter.developmentFields
    guard IssuePrinter.developmentFields.contains(where: names.contains),
      connection.token != nil || connection.isStub
    else { return nil }
    return try? await IssueDevelopment.load(
      of: IssuePlace(repository: repository, number: number),
      includesProjects: mirrored.fields == nil || names.contains(IssuePrinter.projectsField),
      provider: connection.provider)
  }

  private func finishing(_ relations: Relations?) throws(CommandFailure) {
    guard case .failure(let error)? = relations else { return }
    let failure = explanation(of: error)
    guard failure.status != .cancelled else { throw failure }
    throw CommandFailure(
      failure.status,
      "parent, sub-issues and dependencies of \(subject) are missing: \(failure.message)")
  }

  private func write(_ events: Events, to writer: inout IssuePrinter) async throws {
    var pages = events
    session.progress.update("Loading the timeline of \(subject)…")
    while true {
      let page: PagedListing<Sent<TimelineEvent>>.Page?
      do throws(NetworkError) {
        page = try await pages.next(isolation: nil)
      } catch {
        if writer.commentsCount == 0, error.mayBeGap, connection.server != .github {
          throw CommandFailure(
            .notFound, "\(connection.server) has no timelines\nUse --comments instead.")
        }
        let failure = explanation(of: error)
        guard failure.status != .cancelled else { throw failure }
        throw CommandFailure(
          failure.status,
          "the timeline is incomplete; it broke off after \(writer.commentsCount): "
            + failure.message)
      }
      guard let page else { return }
      try await writer.write(page.items)
      session.progress.update(
        "Loading the timeline of \(subject)… \(writer.commentsCount) so far")
    }
  }

  private typealias Events = PagedListing<Sent<TimelineEvent>>.Iterator

  private func events(of name: RepositoryName, _ number: Int) -> Events {
    PagedListing<Sent<TimelineEvent>>(
      provider: connection.provider,
      first: .timeline(repositoryFullName: "\(name)", number: number, pageSize: 100)
    ).makeAsyncIterator()
  }

  /// Shows the mirror if the network is unreachable. Otherwise it throws the failure.
  private func showMirrored(insteadOf failure: CommandFailure) async throws {
    guard let absence = NetworkAbsence(failure, of: place, session) else { throw failure }
    let found = try await absence.mirrored()
    guard let issue = try? await found.mirror.sentIssue(number, of: found.repository) else {
      throw failure
    }
    if case .timeline = discussion {
      let timeline = try? await found.mirror.sentTimeline(of: number, in: found.repository)
      guard timeline != nil else { throw failure }
    }
    absence.announce(found, withComments: includesComments)
    try await mirrored.show(issue, found)
  }

  private func write(
    _ comments: IssueComments.Iterator, to writer: inout IssuePrinter
  ) async throws {
    var pages = comments
    session.progress.update("Loading the comments on \(subject)…")
    while true {
      let page: [Sent<IssueComment>]?
      do throws(NetworkError) {
        page = try await pages.nextSent()
      } catch {
        let failure = explanation(of: error)
        guard failure.status != .cancelled else { throw failure }
        throw failure.saying(
          "the comments are incomplete; they broke off after \(writer.commentsCount): "
            + failure.message)
      }
      guard let page else { return }
      try await writer.write(page)
      session.progress.update(
        "Loading the comments on \(subject)… \(writer.commentsCount) so far")
    }
  }

  /// The issue as it was typed.
  private var subject: String { "\(name)#\(number)" }

  private func comments(of name: RepositoryName, _ number: Int) -> IssueComments.Iterator {
    IssueComments(provider: connection.provider, repository: name, number: number)
      .makeAsyncIterator()
  }

  private func explanation(of error: NetworkError) -> CommandFailure {
    guard error.code == .statusCode, error.response?.status.code == 410 else {
      return connection.explanation(of: error, subject)
    }
    return CommandFailure(
      .notFound,
      "\(error.problem)\n\(subject) was deleted, or the issues of its repository are turned off.")
  }
}

struct MirroredIssueView: Sendable {
  private static let pageSize = 100

  let number: Int
  let server: GitHubServer
  let session: CommandSession
  let discussion: Discussion
  let fields: JSONFields?
  /// The pending changes; nil if they aren't shown.
  let pending: PendingLookup?
  var attachments: AttachmentDownload?

  private var includesComments: Bool { if case .comments = discussion { true } else { false } }

  /// Shows a mirrored issue. If the mirror doesn't have the issue, the error includes the reason, if known.
  func show(_ place: MirroredPlace) async throws {
    guard let issue = try await place.mirror.sentIssue(number, of: place.repository) else {
      throw try await place.absence(of: number)
    }
    try await show(issue, place)
  }

  /// Shows a mirrored issue. Throws after the issue if comments are requested and not mirrored.
  func show(_ issue: Sent<GitHub.Issue>, _ place: MirroredPlace) async throws {
    let repository = place.repository
    var writer = try IssuePrinter(
      session, fields: fields, discussion: discussion,
      repositoryURL: "\(server.webURL)/\(repository.fullName)", pending: await pending?.changes(),
      attachments: attachments)
    try await writer.write(issue)
    if case .timeline = discussion {
      try await writeTimeline(of: issue.entity, place, to: &writer)
    } else if includesComments {
      var comments = try await place.mirror.sentComments(on: number, of: repository)[...]
      while !comments.isEmpty {
        try await writer.write(Array(comments.prefix(Self.pageSize)))
        comments.removeFirst(min(Self.pageSize, comments.count))
      }
      guard repository.commentsSyncedTo != nil else {
        throw CommandFailure(
          .failed,
          "the comments of \(repository.fullName) aren't all mirrored\n"
            + "Get them with '\(repository.syncCommand) --comments'.")
      }
    }
    try await writer.finish()
    session.progress.finish()
  }

  /// Whether the mirror has the timeline up to the issue's last change; true if no timeline is requested.
  func isWhole(in place: MirroredPlace) async throws -> Bool {
    guard case .timeline = discussion else { return true }
    return try await place.mirror.sentTimeline(of: number, in: place.repository)?.isCurrent == true
  }

  /// Writes the mirrored part of a timeline. Throws after it if the rest is missing.
  private func writeTimeline(
    of issue: GitHub.Issue, _ place: MirroredPlace, to writer: inout IssuePrinter
  ) async throws {
    let repository = place.repository
    let subject = "\(repository.fullName)#\(number)"
    guard let timeline = try await place.mirror.sentTimeline(of: number, in: repository) else {
      if issue.isPullRequest {
        throw CommandFailure(.failed, "\(subject) is a pull request, whose timeline isn't mirrored")
      }
      guard repository.lacksTimelinesSince == nil else {
        throw CommandFailure(.failed, "the server of \(repository.typedName) has no timelines")
      }
      throw CommandFailure(
        .failed,
        "the timeline of \(subject) isn't mirrored\n"
          + "Get it with '\(repository.syncCommand) --timeline'.")
    }
    var events = timeline.events[...]
    while !events.isEmpty {
      try await writer.write(Array(events.prefix(Self.pageSize)))
      events.removeFirst(min(Self.pageSize, events.count))
    }
    guard timeline.lacksTexts, repository.commentsSyncedTo == nil else { return }
    throw CommandFailure(
      .failed,
      "the comments in the timeline of \(subject) have no texts, as comments aren't mirrored\n"
        + "Get them with '\(repository.syncCommand) --comments'.")
  }
}
