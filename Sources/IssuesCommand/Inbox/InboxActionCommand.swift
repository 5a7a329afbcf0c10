internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

/// A subcommand that changes notifications through the outbox.
protocol InboxActionCommand: WriteCommand {
  static var action: GitHub.NotificationAction { get }
  var selection: InboxSelection { get set }
}

extension InboxActionCommand {
  static var jsonFields: JSONFields.Known { .place }

  static func usage(of name: String) -> String {
    """
    issues inbox \(name) [<options>] <thread> …
    issues inbox \(name) --where QUERY [-R OWNER/REPO]
    issues inbox \(name) --all [-R OWNER/REPO]
    """
  }

  mutating func takeArgument(_ word: String) -> Bool {
    guard (try? InboxThread(word)) != nil else { return false }
    selection.threads.append(word)
    return true
  }

  func validateOptions() throws { try selection.require() }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    try await act(in: session, fields: fields)
  }

  func act(in session: CommandSession, fields: JSONFields?) async throws {
    let choice = try InboxPlace(selection.repo, connection.request, session)
    // An invalid word stops the command before any request.
    let query = try selection.query.map { try InboxQuery(parsing: $0) }
    var wanted = try selection.threads.map(InboxThread.init)
    for index in wanted.indices {
      guard case .issue(nil, let number) = wanted[index] else { continue }
      let place = try await session.place(
        of: RepositoryChoice(nil, option: nil), apiURL: connection.request.apiURL)
      wanted[index] = .issue(place.name, number: number)
    }
    let writing = try WriteSession(session, connection)
    let github = try await choice.connection(connection, session)
    guard wanted.isEmpty else {
      return try await change(wanted, choice, github, writing, fields)
    }
    let found = try await unread(choice, github).filter { query?.matches($0.entity) ?? true }
    session.progress.update("")
    guard !found.isEmpty else {
      session.errors.write("No unread notification matches: nothing was changed.")
      if let fields, !fields.isLines { try await session.output.write("[]\n") }
      return
    }
    let changes = try found.map { try change($0.entity, choice.server) }
    let words =
      switch Self.action {
      case .read, .done: "mark as \(Self.action)"
      case .mute, .unsubscribe: "\(Self.action)"
      }
    let count = found.count == 1 ? "1 notification" : "\(found.count.grouped) notifications"
    let task = "\(words): \(count)"
    try await BulkConfirmation(
      task: task, isConfirmed: selection.yes, noun: "Notifications", advice: "Confirm with --yes."
    ).ask(found.map { InboxRow(sent: $0) }, session, isJSON: fields != nil) { row in
      let notification = row.sent.entity
      let number = notification.number.map { "#\($0)" } ?? ""
      return "\(notification.repository?.fullName ?? "")\(number) \(notification.title)"
    }
    var intentions: [Intention] = []
    for (place, change) in changes {
      intentions.append(try await writing.intention(change, in: place))
    }
    let entries = try await writing.add(intentions, asBulk: true)
    guard !queueing.queue else {
      throw CommandFailure(
        .kept, "kept in the outbox, not sent yet: \(task)\n'\(entries.sendCommand)' sends it.")
    }
    try await OutboxRun(writing, fields: fields).send(entries, telling: Set(entries.map(\.id)))
  }

  /// Changes the threads on the command line, and then reports issues without a notification.
  private func change(
    _ wanted: [InboxThread], _ choice: InboxPlace, _ github: Connection, _ writing: WriteSession,
    _ fields: JSONFields?
  ) async throws {
    var unread: [GitHub.Notification] = []
    if wanted.contains(where: \.isIssue) {
      unread = try await self.unread(choice, github).map(\.entity)
    }
    var groups: [(place: Place, changes: [Change])] = []
    var missing: [String] = []
    for thread in wanted {
      let found = try await notifications(of: thread, among: unread, choice, github)
      if found.isEmpty { missing.append("\(thread)") }
      for notification in found {
        let (place, change) = try change(notification, choice.server)
        groups.append((place, [change]))
      }
    }
    let failure = CommandFailure(
      .notFound, "no unread notification is about \(missing.joined(separator: ", "))")
    do {
      if !groups.isEmpty {
        try await WriteReport.carryOut(
          groups, writing, fields: fields, queueOnly: queueing.queue)
      }
    } catch {
      if !missing.isEmpty { writing.session.errors.report(failure) }
      throw error
    }
    if !missing.isEmpty { throw failure }
  }

  private func notifications(
    of thread: InboxThread, among unread: [GitHub.Notification], _ choice: InboxPlace,
    _ github: Connection
  ) async throws -> [GitHub.Notification] {
    switch thread {
    case .id(let id):
      if let known = unread.first(where: { $0.id == id }) { return [known] }
      do throws(NetworkError) {
        return [try await github.provider.entity(.notification(id: id))]
      } catch {
        guard error.response?.status == .notFound else {
          throw InboxPlace.explained(
            github.explanation(of: error, "the notification \(id)"), on: github.server)
        }
        // A token that can read the list could read this one, too.
        _ = try await self.unread(choice, github)
        throw CommandFailure(
          .notFound,
          "there is no notification \(id): perhaps it is done already\nFor an issue, write #\(id) in a clone, or OWNER/REPO#\(id)."
        )
      }
    case .issue(let name, let number):
      let name = name.map { "\($0)".lowercased() }
      return unread.filter {
        $0.number == number && $0.repository?.fullName.lowercased() == name
      }
    }
  }

  private func unread(
    _ choice: InboxPlace, _ github: Connection
  ) async throws -> [Sent<GitHub.Notification>] {
    let pages = PagedListing<Sent<GitHub.Notification>>(
      provider: github.provider,
      first: .notifications(repositoryFullName: choice.name?.description, pageSize: 50))
    var unread: [Sent<GitHub.Notification>] = []
    do throws(NetworkError) {
      for try await page in pages { unread += page.items }
    } catch {
      throw InboxPlace.explained(
        github.explanation(of: error, "your notifications"), on: github.server)
    }
    return unread
  }

  private func change(
    _ notification: GitHub.Notification, _ server: GitHubServer
  ) throws(CommandFailure) -> (place: Place, change: Change) {
    guard let thread = NotificationThread(notification),
      let name = notification.repository.flatMap({ RepositoryName($0.fullName) })
    else {
      throw CommandFailure(
        .failed,
        "the server sent an invalid id or repository of a notification: nothing was changed")
    }
    return (Place(name: name, server: server), .notification(thread, Self.action))
  }
}
