internal import ArgumentParser
public import IssueTracker

struct FilterOptions: ParsableArguments {
  @Option(
    name: [.customShort("s", allowingJoined: true), .long],
    help: "Filter by state. (default: open)")
  var state: IssueFilter.State?

  @Option(
    name: [.customShort("l", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Filter by label; repeat it for several, or separate them with commas: '\"a,b\",c' are two.",
      valueName: "name"),
    completion: .custom(MirrorCompletion.labels))
  var label: [String] = []

  @Option(
    name: [.customShort("a", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Filter by assignee: a login, @me or @copilot; '*' for any, 'none' for unassigned.",
      valueName: "login"),
    completion: .custom(MirrorCompletion.assignees),
    transform: ValueReader.assignee)
  var assignee: AssigneeArgument?

  @Option(
    name: [.customShort("A", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Filter by author: a login, @me, @copilot, or app/NAME.", valueName: "login"),
    completion: .custom(MirrorCompletion.authors),
    transform: ValueReader.login)
  var author: LoginArgument?

  @Option(
    help: ArgumentHelp("Filter by mention: a login or @me.", valueName: "login"),
    completion: .custom(MirrorCompletion.authors),
    transform: ValueReader.login)
  var mention: LoginArgument?

  @Option(
    name: [.customShort("m", allowingJoined: true), .long],
    help: ArgumentHelp(
      """
      Filter by milestone: its title, or else its number; '*' for any, 'none' for none.
      """, valueName: "title"),
    completion: .custom(MirrorCompletion.milestones),
    transform: ValueReader.milestone)
  var milestone: MilestoneChoice?

  @Option(
    help: ArgumentHelp(
      "Filter by type, such as Bug; '*' for any, 'none' for none.", valueName: "name"),
    transform: ValueReader.type)
  var type: IssueTypeChoice?

  @Option(
    help: ArgumentHelp(
      "Filter by a field, such as Priority=High; the fields are the organization's. Repeat it for several.",
      valueName: "name=value"),
    completion: .custom(MirrorCompletion.fields),
    transform: ValueReader.field)
  var field: [IssueFieldChoice] = []

  @Option(
    help: ArgumentHelp(
      """
      Only issues updated since: 7d, today or 2026-01-31; also 12h, yesterday, 2026-01-31T12:00:00Z. A day is in your time zone.
      """, valueName: "time"),
    transform: ValueReader.time)
  var since: TimeArgument?

  @Option(help: "Sort by. (default: created)")
  var sort: IssueFilter.Sort?

  @Option(help: "Sort in this order. (default: desc)")
  var order: IssueFilter.Direction?

  @Flag(help: "Include pull requests.")
  var includePullRequests = false

  func validate() throws {
    guard !label.contains(where: { NameList.names(in: $0).contains("") }) else {
      throw ValidationError("A label's name can't be empty.")
    }
  }

  var request: FilterRequest {
    FilterRequest(
      state: state, labels: label.flatMap { NameList.names(in: $0) }, labelLists: label,
      assignee: assignee, author: author, mention: mention,
      milestone: milestone, type: type, fields: field, since: since?.date, sort: sort, order: order)
  }
}

enum LoginArgument: Hashable, Sendable {
  case me
  case copilot
  case user(Username)

  init?(_ text: String) {
    if text == "@me" {
      self = .me
    } else if text == Copilot.word {
      self = .copilot
    } else {
      guard let username = Username(text) else { return nil }
      self = .user(username)
    }
  }

  var word: String {
    switch self {
    case .me: "@me"
    case .copilot: Copilot.word
    case .user(let username): username.login
    }
  }

  /// The login; nil for `@me` and `@copilot` until they are resolved.
  var username: Username? {
    switch self {
    case .me, .copilot: nil
    case .user(let username): username
    }
  }
}

enum AssigneeArgument: Hashable, Sendable {
  case me
  case copilot
  case known(Assignee)

  init?(_ text: String) {
    if text == "@me" {
      self = .me
    } else if text == Copilot.word {
      self = .copilot
    } else {
      guard let assignee = Assignee(text) else { return nil }
      self = .known(assignee)
    }
  }

  var word: QueryWord {
    switch self {
    case .me: QueryWord(name: "assignee", value: "@me")
    case .copilot: QueryWord(name: "assignee", value: Copilot.word)
    case .known(.nobody): QueryWord(name: "no", value: "assignee")
    case .known(let assignee): QueryWord(name: "assignee", value: assignee.description)
    }
  }

  /// The assignee; nil for `@me` and `@copilot` until they are resolved.
  var assignee: Assignee? {
    switch self {
    case .me, .copilot: nil
    case .known(let assignee): assignee
    }
  }
}

extension Forge: NamedChoice {}
extension IssueFilter.State: NamedChoice {}
extension IssueFilter.Sort: NamedChoice {}
extension IssueFilter.Direction: NamedChoice {}
