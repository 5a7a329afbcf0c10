internal import ArgumentParser
internal import ConcurrencyPrimitives
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct InboxListCommand: JSONCommand, LimitedCommand, ConnectingOptions {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List your notifications, most recently changed first.",
    usage: "issues inbox [list] [<options>]",
    discussion: """
      Lists unread notifications; --read adds the read ones. On a terminal, the list is a table, and \
      a dot marks the unread ones. In a pipe, each is a line of tab-separated values: \
      id, unread or read, repository, kind, number (may be empty), reason, title and \
      time of the last event.

      --follow continues after the list, and writes new notifications as they arrive, until you stop \
      it. It checks once a minute, or as often as the server allows (X-Poll-Interval), and less often \
      with --every. A response without news doesn't count against GitHub's rate limit. --json then \
      writes one object per line.

      EXAMPLES:
        issues inbox
        issues inbox -R swiftlang/swift --read --since 7d
        issues inbox --participating --limit 10
        issues inbox --follow --reason mention
        issues inbox --json id,subject --jq '.[].subject.title'
      """)

  @Option(
    name: [.customShort("R", allowingJoined: true), .long],
    help: ArgumentHelp("Only those of one repository.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?

  @Flag(help: "Include those that you have read.")
  var read = false

  @Flag(help: "Only those that you take part in or that mention you.")
  var participating = false

  @Option(
    help: ArgumentHelp(
      "Only with this reason, such as mention; others are assign, author, review_requested. Repeat it for several.",
      valueName: "reason"))
  var reason: [String] = []

  @Option(
    help: ArgumentHelp(
      "Only those changed since: 7d or 2026-01-31; a date, a time, yesterday, or an age.",
      valueName: "time"), transform: ValueReader.time)
  var since: TimeArgument?

  @OptionGroup(title: "Amount") var limit: LimitOptions
  @OptionGroup(title: "Live updates") var follow: FollowOptions
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known {
    .sent(GitHub.Notification.Field.allCases.map(\.rawValue) + ["url", "subscription_url"])
  }

  var isEndless: Bool { follow.follow }

  func validateOptions() throws {
    try follow.refuse(beside: connection.request.stub, "--stub", "which is sample data")
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let choice = try InboxPlace(repo, connection.request, session)
    let follow = follow.list(connection, session)
    let github = try await choice.connection(connection, session, for: follow)
    let first = GitHub.notifications(
      repositoryFullName: choice.name?.description, includesRead: read,
      isParticipating: participating, since: since?.date, pageSize: 50)
    var writer = try ListWriter<InboxRow>(
      session, fields: follow == nil ? fields : fields?.inLines())
    let known = Locked<[String: Date?]>([:])
    var list = ServerPages<Sent<GitHub.Notification>, InboxRow>(
      github, "your notifications", status: "Loading your notifications",
      nothing: "No notifications match.", limit: limit.maximum, pageSize: 50,
      first: { _ in first }, title: { [read] _, _ in choice.heading(isUnread: !read) },
      row: { [reason] sent in
        known.withLock { $0[sent.id] = sent.entity.updatedAt }
        let row = InboxRow(sent: sent)
        return row.hasReason(among: reason) ? row : nil
      })
    do {
      try await list.write(to: &writer, session, goesOn: follow != nil)
    } catch let failure as CommandFailure {
      throw InboxPlace.explained(failure, on: github.server)
    }
    guard let follow else { return }
    var news = InboxFollow(
      first: first, connection: github, follow: follow,
      subject: choice.name.map { "your notifications in \($0)" } ?? "your notifications",
      isWanted: { [reason] in $0.hasReason(among: reason) }, known: known.withLock { $0 })
    try await news.run(&writer)
  }
}

/// A notification in a list.
struct InboxRow: ListItem {
  let sent: Sent<GitHub.Notification>

  private var notification: GitHub.Notification { sent.entity }

  /// Whether the notification has one of the reasons. If `reasons` is empty, the result is true.
  func hasReason(among reasons: [String]) -> Bool {
    reasons.isEmpty || reasons.contains(notification.reason ?? "")
  }

  static let columns: [ItemColumn<InboxRow>] = [
    .init("") { row, _ in StyledLine(row.notification.isUnread ? "•" : " ", style: .heading) },
    .init("REPOSITORY", .limited(percent: 30)) { row, _ in
      StyledLine(row.notification.repository?.fullName ?? "")
    },
    .init("ID") { row, _ in
      StyledLine(row.notification.number.map { "#\($0)" } ?? row.notification.kind, style: .faint)
    },
    .init("TITLE", .flexible(minimum: 24)) { row, _ in
      StyledLine(row.notification.title, style: row.notification.isUnread ? .heading : .plain)
    },
    .init("REASON", .limited(percent: 18), dropOrder: 1) { row, _ in
      StyledLine((row.notification.reason ?? "").replacing("_", with: " "))
    },
    .time("UPDATED", dropOrder: 0) { $0.notification.updatedAt },
  ]

  func plainCells() -> [StyledLine] {
    [
      StyledLine(notification.id), StyledLine(notification.isUnread ? "unread" : "read"),
      StyledLine(notification.repository?.fullName ?? ""), StyledLine(notification.kind),
      StyledLine(notification.number.map(String.init) ?? ""),
      StyledLine(notification.reason ?? ""), StyledLine(notification.title),
      StyledLine(notification.updatedAt.map(Timestamp.string(from:)) ?? "", style: .faint),
    ]
  }

  func object() -> JSONObject { JSONObject(sent.json) }
}
