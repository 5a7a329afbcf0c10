internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct InboxReadCommand: SessionCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Mark notifications as read.",
    usage: """
      issues inbox read [<options>] <thread> …
      issues inbox read --all [-R OWNER/REPO]
      """,
    discussion: """
      A thread is its id, as 'issues inbox' lists it in a pipe, or an issue: OWNER/REPO#12, or its \
      address. An issue without an unread notification is reported.

      With --all, GitHub marks all notifications as read. If there are many, it continues in the \
      background.

      EXAMPLES:
        issues inbox read 523050578
        issues inbox read swiftlang/swift#85969
        issues inbox read --all -R swiftlang/swift
        issues inbox --reason ci_activity | cut -f1 | xargs issues inbox read
      """)

  @Argument(help: ArgumentHelp("A thread's id, or an issue.", valueName: "thread"))
  var threads: [String] = []

  @Flag(help: "Mark all as read.")
  var all = false

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp("With --all: only those of one repository.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static let terminalUse = TerminalUse.unpaged

  func validate() throws {
    guard threads.isEmpty == all else {
      throw ValidationError(
        all
          ? "--all marks all threads: leave out the others."
          : "Specify what to mark as read: <thread>, or --all.")
    }
    guard repo == nil || all else {
      throw ValidationError("-R requires --all; name an issue as OWNER/REPO#12.")
    }
  }

  func run(in session: CommandSession) async throws {
    let choice = try InboxPlace(repo, connection.request, session)
    // An invalid word stops the command before any request.
    let wanted = try threads.map(InboxThread.init)
    let github = try await choice.connection(connection, session)
    if all {
      let name = choice.name?.description
      try await mark(
        .markAllNotificationsRead(repositoryFullName: name, before: Date()), "your notifications",
        github)
      return session.errors.write(
        "Marked all notifications\(name.map { " of \($0)" } ?? "") as read.")
    }
    var unread: [GitHub.Notification] = []
    if wanted.contains(where: \.isIssue) { unread = try await Self.unread(github) }
    var missing: [String] = []
    for thread in wanted {
      let ids = thread.ids(among: unread)
      if ids.isEmpty { missing.append("\(thread)") }
      for id in ids {
        try await mark(.markNotificationRead(id: id), "the notification \(thread)", github)
      }
      if !ids.isEmpty { session.errors.write("Marked \(thread) as read.") }
    }
    guard missing.isEmpty else {
      throw CommandFailure(
        .notFound, "no unread notification is about \(missing.joined(separator: ", "))")
    }
  }

  private func mark(_ target: GitHub, _ subject: String, _ github: Connection) async throws {
    do throws(NetworkError) {
      let response = try await github.provider.request(target).filterSuccessfulStatusCodes()
      // Another status comes from a proxy, for example with its sign-in page.
      guard [.accepted, .resetContent].contains(response.status) else {
        throw NetworkError(
          .decoding,
          "\(response.request) was answered with status \(response.status.code), perhaps by a proxy",
          response: response)
      }
    } catch {
      throw InboxPlace.explained(github.explanation(of: error, subject))
    }
  }

  private static func unread(_ github: Connection) async throws -> [GitHub.Notification] {
    let pages = PagedListing<GitHub.Notification>(
      provider: github.provider, first: .notifications(pageSize: 50))
    var unread: [GitHub.Notification] = []
    do throws(NetworkError) {
      for try await page in pages { unread += page.items }
    } catch {
      throw InboxPlace.explained(github.explanation(of: error, "your notifications"))
    }
    return unread
  }
}

/// The notifications to mark as read.
enum InboxThread: Hashable, CustomStringConvertible {
  case id(String)
  case issue(RepositoryName, number: Int)

  init(_ word: String) throws {
    if !word.isEmpty, word.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    {
      self = .id(word)
      return
    }
    let issue = try IssueReference(parsing: word)
    guard let repository = issue.repository else {
      throw CommandFailure(
        .usage,
        "'\(TerminalText(word))' doesn't name a repository\nUse OWNER/REPO#12, or a thread's id.")
    }
    self = .issue(repository.name, number: issue.number)
  }

  var isIssue: Bool { if case .issue = self { true } else { false } }

  var description: String {
    switch self {
    case .id(let id): id
    case .issue(let name, let number): "\(name)#\(number)"
    }
  }

  /// The threads of an issue among the unread ones.
  func ids(among unread: [GitHub.Notification]) -> [String] {
    switch self {
    case .id(let id): [id]
    case .issue(let name, let number):
      unread.filter {
        $0.number == number
          && $0.repository?.fullName.lowercased() == "\(name)".lowercased()
      }.map(\.id)
    }
  }
}

/// The scope of notifications: the server, or one repository.
struct InboxPlace {
  let server: GitHubServer
  let name: RepositoryName?

  init(_ repo: String?, _ request: RequestOptions, _ session: CommandSession) throws {
    guard let repo else {
      server = try session.server(apiURL: request.apiURL)
      name = nil
      return
    }
    let place = try Place(
      RepositoryReference(parsing: repo), apiURL: request.apiURL, environment: session.environment)
    server = place.server
    name = place.name
  }

  func connection(
    _ options: ConnectionOptions, _ session: CommandSession, for follow: ListFollow? = nil
  ) async throws -> Connection {
    let connection = try await options.connection(to: server, session, for: follow)
    guard options.request.stub || connection.tokenSource != nil else {
      let variable = AccessToken.environmentVariables(for: server)[0]
      throw CommandFailure(
        .badCredentials,
        "notifications need an access token for \(server), and there is none\n"
          + "Set \(variable) to a classic token with the scope notifications, or log in with gh.")
    }
    return connection
  }

  /// Explains a failure: GitHub rejects fine-grained tokens without a reason.
  static func explained(_ failure: CommandFailure) -> CommandFailure {
    guard failure.status == .notFound || failure.status == .badCredentials else { return failure }
    let problem = failure.message.prefix { !$0.isNewline }
    return CommandFailure(
      failure.status,
      "\(problem)\nOnly classic tokens with the scope notifications or repo may read notifications."
    )
  }

  func heading(isUnread: Bool) -> String {
    let kind = isUnread ? "unread notifications" : "notifications"
    return name.map { "Your \(kind) in \($0)" } ?? "Your \(kind)"
  }
}
