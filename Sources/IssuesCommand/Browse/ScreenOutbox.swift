internal import ConcurrencyPrimitives
internal import IssueBrowser
internal import IssueMirror
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalScreen

/// The outbox behind the screen. Changes from the screen are sent even after it has closed.
final class ScreenOutbox: BrowserOutbox {
  private let session: CommandSession
  private let request: RequestOptions
  private let isOffline: Bool
  private let connections: Connections
  private let opening: Opening
  /// The entries that this screen has saved or sent.
  private let kept = Locked<Set<OutboxEntry.ID>>([])
  /// The entries that haven't been sent yet.
  private let unsent = Locked<Set<OutboxEntry.ID>>([])
  private let sending = Locked<[Task<Void, Never>]>([])
  /// The number of tasks that are still sending.
  private let active = Locked(0)
  /// The terminal that the screen lends to the editor.
  private let terminal = Locked<Terminal?>(nil)

  init(
    _ session: CommandSession, _ request: RequestOptions, isOffline: Bool,
    connections: Connections
  ) {
    self.session = session
    self.request = request
    self.isOffline = isOffline
    self.connections = connections
    opening = Opening(session, request, connections)
  }

  /// Opens the outbox at the first change, on a thread that doesn't handle keys.
  private actor Opening {
    private let queue = BlockingQueue(label: "outbox")
    private let make: @Sendable () throws(CommandFailure) -> WriteSession
    private var writing: WriteSession?

    nonisolated var unownedExecutor: UnownedSerialExecutor {
      unsafe queue.asUnownedSerialExecutor()
    }

    init(_ session: CommandSession, _ request: RequestOptions, _ connections: Connections) {
      make = { () throws(CommandFailure) in
        WriteSession(
          session, outbox: try request.stub ? session.sampleOutbox() : session.outbox(),
          connections: connections, wait: .upTo(.seconds(60)),
          deliversToMirror: !request.stub)
      }
    }

    func opened() throws(CommandFailure) -> WriteSession {
      if let writing { return writing }
      let made = try make()
      writing = made
      return made
    }
  }

  private func place(_ reference: RepositoryReference) throws(InvalidInput) -> Place {
    try Place(reference, apiURL: request.apiURL, environment: session.environment)
  }

  func check(_ repository: RepositoryReference) async throws -> Forge {
    let server = try place(repository).server
    guard !isOffline, !request.stub else { return server.likelyForge }
    let connection = try await connections.connection(to: server)
    guard connection.token != nil else { throw CommandFailure.noToken(for: server) }
    return connection.provider.forge
  }

  func add(_ changes: [RepositoryChange]) async throws -> [OutboxEntry] {
    let writing = try await opening.opened()
    let isBulk = changes.contains {
      $0.repository != changes[0].repository || $0.change.target != changes[0].change.target
        || $0.change.thread != changes[0].change.thread
    }
    let entries = try await writing.outbox.add(
      try await intentions(changes, writing), asBulk: isBulk)
    note(entries)
    return entries
  }

  private func intentions(
    _ changes: [RepositoryChange], _ writing: WriteSession
  ) async throws -> [Intention] {
    for repository in Set(changes.map(\.repository)) { _ = try await check(repository) }
    var intentions: [Intention] = []
    for change in changes {
      intentions.append(try await writing.intention(change.change, in: place(change.repository)))
    }
    return intentions
  }

  private func note(_ entries: [OutboxEntry]) {
    kept.withLock { $0.formUnion(entries.map(\.id)) }
    if !isOffline { unsent.withLock { $0.formUnion(entries.map(\.id)) } }
  }

  func send(_ ids: [OutboxEntry.ID]) -> AsyncThrowingStream<OutboxEvent, any Error> {
    let (stream, continuation) = AsyncThrowingStream.makeStream(of: OutboxEvent.self)
    kept.withLock { $0.formUnion(ids) }
    unsent.withLock { $0.subtract(ids) }
    active.withLock { $0 += 1 }
    let task = Task { [opening, connections, active] in
      defer { active.withLock { $0 -= 1 } }
      var limit: Date?
      do {
        let writing = try await opening.opened()
        do {
          for try await event in writing.events(ids) { continuation.yield(event) }
        } catch let error as NetworkError {
          limit = error.code == .rateLimited ? error.retryDate : nil
          guard let entry = try await writing.outbox.entry(ids.first ?? 0) else { throw error }
          throw try await connections.connection(to: entry.server)
            .explanation(of: error, "\(entry.repository)")
        }
        continuation.finish()
      } catch {
        let failure = CommandFailure(any: error)
        continuation.finish(
          throwing: BrowserOutboxFailure(
            failure.message, isNetworkAway: failure.isNetworkAway, retryDate: limit))
      }
    }
    sending.withLock { $0.append(task) }
    return stream
  }

  func opened() async throws -> Outbox { try await opening.opened().outbox }

  // MARK: In the editor

  func use(_ terminal: Terminal?) { self.terminal.withLock { $0 = terminal } }

  func compose(_ composition: Composition) async throws -> [OutboxEntry]? {
    for repository in composition.repositories { _ = try await check(repository) }
    guard let terminal = terminal.withLock({ $0 }) else {
      throw CommandFailure(.failed, "there is no terminal for an editor")
    }
    let writing = try await opening.opened()
    // Loads the issue before lending the terminal: on an empty terminal, the user could neither see nor stop the wait.
    let present = try await presentIssue(composition, writing)
    let hasTemplates: Bool? =
      if case .newIssue(let repository) = composition, !isOffline {
        await CreateCommand.hasTemplates(at: try place(repository), writing)
      } else {
        nil
      }
    let result: Result<[OutboxEntry]?, any Error> = await terminal.lend {
      // The screen may have closed in the meantime.
      guard self.terminal.withLock({ $0 }) != nil else { return .success(nil) }
      self.session.errors.release()
      let result = await self.written(composition, present, hasTemplates, writing)
      if self.session.world.errors.terminal.isTerminal { self.session.errors.keepBack() }
      return result
    }
    return try result.get()
  }

  /// The issue whose text is being edited, in the server's version.
  private func presentIssue(
    _ composition: Composition, _ writing: WriteSession
  ) async throws -> GitHub.Issue? {
    guard case .edit(let number, let repository) = composition else { return nil }
    let lookup = NameLookup(writing: writing, place: try place(repository))
    guard isOffline else { return try await lookup.presentIssue(number) }
    guard let issue = await lookup.mirroredIssue(number) else {
      throw CommandFailure(.notFound, "#\(number) isn't in the mirror: there is no text to edit")
    }
    return issue
  }

  private func written(
    _ composition: Composition, _ present: GitHub.Issue?, _ hasTemplates: Bool?,
    _ writing: WriteSession
  ) async -> Result<[OutboxEntry]?, any Error> {
    do {
      return .success(try await write(composition, present, hasTemplates, writing))
    } catch let failure as CommandFailure where failure.status == .cancelled {
      return .success(nil)
    } catch {
      return .failure(error)
    }
  }

  /// Saves the user's text, and then discards the draft.
  private func write(
    _ composition: Composition, _ present: GitHub.Issue?, _ hasTemplates: Bool?,
    _ writing: WriteSession
  ) async throws -> [OutboxEntry]? {
    switch composition {
    case .comment(let issues, let file):
      guard let first = issues.first else { return nil }
      // An issue of another repository than the first one's has its repository in the name.
      let name = issues.map { issue in
        (issue.repository == first.repository ? "" : "\(issue.repository)#")
          + issue.target.draftName
      }.joined(separator: ",")
      let composer = try await Composer(
        Draft.Subject(.newComment, try place(first.repository), name),
        beginningWith: file.map { "\($0.path)\n" } ?? "", mayStay: file != nil, session)
      guard let text = try await composer.write() else {
        composer.finish()
        return nil
      }
      let files = try await AttachmentText(
        try AttachmentOptions.none(), writing, on: place(first.repository).server)
      let body = try await files.text(text, changedFrom: "", keptIn: composer.draft)
      return try await keep(
        issues.map { RepositoryChange(.comment(on: $0.target, body: body), in: $0.repository) },
        writing, composer)
    case .newIssue(let repository):
      guard
        let (issue, composer) = try await CreateCommand.written(
          at: try place(repository), hasTemplates: hasTemplates, writing)
      else { return nil }
      let server = try await writing.connection(to: try place(repository).server).server
      let changes = Change.creating(issue, on: server)
      return try await keep(
        changes.map { RepositoryChange($0, in: repository) }, writing, composer)
    case .edit(let number, let repository):
      guard let present,
        let written = try await EditCommand.edited(
          present, in: try place(repository), recovers: false, session)
      else { return nil }
      var change = written.change
      if let body = change.body {
        let files = try await AttachmentText(
          try AttachmentOptions.none(), writing, on: place(repository).server)
        change.body = TextChange(
          try await files.text(
            body.text, changedFrom: body.base ?? "", keptIn: written.composer.draft),
          base: body.base)
      }
      return try await keep(
        [RepositoryChange(.edit(.number(number), change), in: repository)], writing,
        written.composer)
    case .merge(let id):
      guard let entry = try await writing.outbox.entry(id), let conflict = entry.conflict else {
        return nil
      }
      let (text, composer) = try await OutboxResolveCommand.edited(conflict, entry, session)
      let resolved = try await writing.outbox.resolve(id, with: text)
      composer.finish()
      note([resolved])
      return [resolved]
    }
  }

  private func keep(
    _ changes: [RepositoryChange], _ writing: WriteSession, _ composer: Composer?
  ) async throws -> [OutboxEntry] {
    do {
      let entries = try await writing.outbox.add(try await intentions(changes, writing))
      composer?.finish()
      note(entries)
      return entries
    } catch {
      guard let composer else { throw error }
      let failure = CommandFailure(any: error)
      throw CommandFailure(
        failure.status, "\(failure.sentences)\nThe text is kept: \(composer.draft.path)")
    }
  }

  // MARK: The user's own commands

  func run(_ command: CustomCommand, on page: RepositoryReference?) async throws -> String {
    var values: [CustomCommand.Placeholder: String] = [:]
    if let page {
      let place = try place(page)
      values = [
        .repository: "\(place)",
        .url: place.server.webURL(of: place.name, issueNumber: page.issueNumber),
      ]
      values[.number] = page.issueNumber.map(String.init)
      if command.placeholders.contains(.branch), let number = page.issueNumber {
        values[.branch] = try await branch(of: number, in: place)
      }
    }
    var words = try command.words(filling: values)
    if !words[0].contains("/") {
      guard let program = ProgramSearch.path(of: words[0], in: session.environment) else {
        throw CommandFailure(
          .failed, "cannot find \(words[0]) in an absolute folder of PATH: is it installed?")
      }
      words[0] = program
    }
    guard let terminal = terminal.withLock({ $0 }) else {
      throw CommandFailure(.failed, "there is no terminal for a command")
    }
    let (arguments, environment) = (words, Environment.withoutSecrets(session.environment))
    let ending: Result<ChildProcess.Termination, CommandFailure> = await terminal.lend {
      do throws(CommandFailure) {
        let ending = try await ChildProcess.runInForeground(arguments, environment: environment)
        // The screen would cover the command's output, whose last line may have no end.
        _ = DescriptorWriter.write("\n".utf8, to: World.current.errors.descriptor)
        _ = await Question.line(after: "\(Self.words(for: ending)). Press Enter to return.")
        return .success(ending)
      } catch {
        return .failure(error)
      }
    }
    return "\(Self.words(for: try ending.get())): \(command.title)"
  }

  private static func words(for ending: ChildProcess.Termination) -> String {
    switch ending {
    case .exited(0): "Done"
    case .exited(let status): "Ended with status \(status)"
    case .killed(let signal): "Ended by signal \(signal)"
    }
  }

  /// The name of an issue's linked branch in its repository; nil if it has none.
  private func branch(of number: Int, in place: Place) async throws -> String? {
    guard !isOffline else {
      throw CommandFailure(.failed, "{branch} needs the server, which --offline doesn't contact")
    }
    let connection = try await connections.connection(to: place.server)
    let issue = IssuePlace(repository: place.name, number: number)
    let development = try await connection.explaining("\(place)#\(number)") {
      provider throws(NetworkError) in
      try await IssueDevelopment.load(of: issue, includesProjects: false, provider: provider)
    }
    let own = development.branches.filter { $0.repository == development.repository }
    let usual = "\(BranchName(of: number, titled: development.title))"
    return (own.first { $0.name == usual } ?? own.first)?.name
  }

  // MARK: Names

  func labels(of repository: RepositoryReference) async throws -> [GitHub.Label] {
    let place = try place(repository)
    let sent: [GitHub.Label]? = try await all(
      .labels(repositoryFullName: "\(place.name)", pageSize: 100), in: place)
    if let sent { return sent }
    if let names = await teamNames(of: place) {
      return names.labels.sorted().map { GitHub.Label(name: $0) }
    }
    return await mirrorNames()?.labels(of: place.name, on: place.server, prefix: "")
      .map { GitHub.Label(name: $0.name, description: $0.description) } ?? []
  }

  func milestones(of repository: RepositoryReference) async throws -> [GitHub.Milestone] {
    let place = try place(repository)
    let sent: [GitHub.Milestone]? = try await all(
      .milestones(repositoryFullName: "\(place.name)", pageSize: 100), in: place)
    if let sent { return sent }
    guard let mirrored = try? await session.mirrored(place) else { return [] }
    return try await mirrored.mirror.milestones(of: mirrored.repository)
  }

  func people(of repository: RepositoryReference) async throws -> AssignablePeople {
    let place = try place(repository)
    var people = AssignablePeople()
    if !isOffline, let connection = try? await connections.connection(to: place.server),
      connection.token != nil || request.stub
    {
      if let own = try? await connection.provider.ownProfile().login { people.logins.append(own) }
      do throws(NetworkError) {
        try await people.load(of: place.name, from: connection.provider)
      } catch {
        let failure = connection.explanation(of: error, "the assignees of \(place.name)")
        people.problem = "The list is incomplete: \(failure.sentences)"
      }
    }
    guard !people.isComplete else { return people }
    if let names = await teamNames(of: place) {
      people.logins += names.assignees.prefix(200) + names.authors.prefix(200)
      return people
    }
    guard let names = mirrorNames() else { return people }
    people.logins += await names.assignees(
      of: place.name, on: place.server, prefix: "", limit: 200)
    people.logins += await names.authors(of: place.name, on: place.server, prefix: "", limit: 200)
    return people
  }

  /// The names in a team's mirror; nil if the mirror is on this machine.
  private func teamNames(of place: Place) async -> NamesInUse? {
    guard !request.stub, let team = try? session.teamMirror() else { return nil }
    guard let mirror = try? await team.existing(),
      let repository = try? await mirror.repository(named: place.name, on: place.server)
    else { return NamesInUse() }
    return (try? await mirror.names(of: repository)) ?? NamesInUse()
  }

  private func mirrorNames() -> MirrorNames? {
    request.stub ? nil : (try? session.mirrorPath()).flatMap { try? MirrorNames(path: $0) }
  }

  /// All pages of a list. Returns nil without a network; the mirror is then used.
  private func all<Item: Decodable & Hashable & Sendable>(
    _ first: GitHub, in place: Place
  ) async throws -> [Item]? {
    guard !isOffline else { return nil }
    do throws(CommandFailure) {
      return try await connections.connection(to: place.server).explaining("\(place.name)") {
        provider throws(NetworkError) in
        var items: [Item] = []
        for try await page in PagedListing<Item>(provider: provider, first: first, maximumPages: 20)
        {
          items += page.items
        }
        return items
      }
    } catch {
      guard error.isNetworkAway else { throw error }
      return nil
    }
  }

  // MARK: Pending changes

  /// The pending changes. With sample data, these are the changes from this screen.
  func pending(of repository: RepositoryName, on host: String) async -> PendingChanges? {
    guard request.stub else {
      return await PendingLookup.changes(of: repository, on: host, session)
    }
    guard let entries = try? await opening.opened().outbox.entries() else { return nil }
    let changes = PendingChanges(entries, of: repository, on: host)
    return changes.isEmpty ? nil : changes
  }

  /// The pending changes of all repositories.
  func unsent() async -> UnsentChanges {
    var entries: [OutboxEntry] = []
    if !request.stub {
      entries = await PendingLookup.entries(session)
    } else if kept.withLock({ !$0.isEmpty }) {
      // Sample data has only the changes from this screen.
      entries =
        (try? await opening.opened().outbox.entries(in: OutboxEntry.openStates)) ?? []
    }
    return UnsentChanges(
      all: entries.count, needingPerson: entries.count(where: \.needsPerson))
  }

  // MARK: After the screen

  /// Waits for changes that are being sent, sends changes that were saved in the meantime, and reports the unsent ones.
  func finish() async throws {
    let ids = kept.withLock { $0.sorted() }
    guard !ids.isEmpty else { return }
    let writing = try await opening.opened()
    let (running, waiting) = (sending.withLock { $0 }, unsent.withLock { $0 })
    var due: [OutboxEntry] = []
    for id in ids where waiting.contains(id) {
      if let entry = try await writing.outbox.entry(id), entry.state == .queued,
        entry.dropped == nil
      {
        due.append(entry)
      }
    }
    if !due.isEmpty {
      if session.world.errors.terminal.isTerminal { Interrupt.install() }
      session.errors.write("Sending \(Self.changes(due.count))…", style: .faint)
    }
    if active.withLock({ $0 > 0 }) {
      session.errors.write("Sending the rest of the changes…", style: .faint)
    }
    for task in running { await task.value }
    var left = 0
    for id in ids where !due.contains(where: { $0.id == id }) {
      if let entry = try await writing.outbox.entry(id), entry.state != .sent, entry.dropped == nil
      {
        left += 1
      }
    }
    if left > 0 {
      session.errors.write(
        "\(Self.changes(left)) \(left == 1 ? "waits" : "wait") in the outbox: 'issues outbox' lists "
          + "the unsent changes.")
    }
    if !due.isEmpty { try await OutboxRun(writing, fields: nil).send(due) }
  }

  private static func changes(_ count: Int) -> String {
    count == 1 ? "1 change" : "\(count.grouped) changes"
  }
}

extension Composition {
  fileprivate var repositories: Set<RepositoryReference> {
    switch self {
    case .comment(let issues, _): Set(issues.map(\.repository))
    case .newIssue(let repository), .edit(_, let repository): [repository]
    case .merge: []
    }
  }
}

extension IssueTarget {
  /// The name under which the command line keeps drafts.
  fileprivate var draftName: String {
    switch self {
    case .number(let number): "\(number)"
    case .pending: name
    }
  }
}

extension CommandFailure {
  static func noToken(for server: GitHubServer) -> CommandFailure {
    CommandFailure(
      .badCredentials,
      "changes need an access token, and there is none for \(server)\n\(signInAdvice(server))")
  }
}

extension CommandFailure: CustomStringConvertible {
  /// The description, in up to two sentences, each on its own line.
  var description: String {
    message.split(whereSeparator: \.isNewline)
      .map { line in
        let sentence = "\(line)".capitalizedFirst
        return sentence.last.map { ".?!…".contains($0) } == true ? sentence : "\(sentence)."
      }
      .joined(separator: "\n")
  }
}
