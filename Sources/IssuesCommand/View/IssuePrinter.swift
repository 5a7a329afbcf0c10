internal import IssueBrowser
internal import IssueOutbox
internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalMarkdown

/// Writes an issue, and its comments as they arrive: as a page, as lines for programs, or as JSON.
///
/// JSON is one object. Only ``finish()`` closes it, so an interrupted discussion isn't valid JSON.
struct IssuePrinter {
  /// The JSON field of the comments. In GitHub's API, `comments` is the number of comments.
  static let commentsField = "comments_list"
  static let timelineField = "timeline"
  static let fieldNames =
    GitHub.Issue.fieldNames + [commentsField, PendingLookup.field, timelineField] + relationFields
    + [fieldsField] + developmentFields

  private enum Form {
    case page(OutputStyle, hyperlinks: Bool)
    case plain(TSV)
    case json(JSONSink)
  }

  private let output: Output
  private let repositoryURL: String
  private let discussion: Discussion
  /// The pending changes; nil if they aren't shown.
  private let pending: PendingChanges?
  private let attachments: AttachmentDownload?
  private let now: Date
  private var form: Form
  /// The page; nil until the issue is written.
  private var page: IssuePage?
  /// Whether the last line is a note rather than a part of the page.
  private var endsWithNote = false
  /// The number of comments. With a timeline, this includes its events.
  private(set) var commentsCount = 0
  private var isAfterEvent = false
  private var pinnedCommentID: Int64?

  init(
    _ session: CommandSession, fields: JSONFields?, discussion: Discussion, repositoryURL: String,
    pending: PendingChanges? = nil, attachments: AttachmentDownload? = nil, now: Date = Date()
  ) throws(CommandFailure) {
    output = session.output
    self.repositoryURL = repositoryURL
    self.discussion = discussion
    self.pending = pending
    self.attachments = attachments
    self.now = now
    if let fields {
      form = try .json(
        JSONSink(session, discussion.field.map(fields.without) ?? fields))
    } else if session.style.layout == .table {
      form = .page(session.style, hyperlinks: session.showsHyperlinks)
    } else {
      form = .plain(TSV(color: session.style.color))
    }
  }

  /// Writes the issue. `relations` and `development` are nil if they weren't looked up, or couldn't be.
  mutating func write(
    _ sent: Sent<GitHub.Issue>, _ relations: IssueRelations? = nil,
    _ development: IssueDevelopment? = nil
  ) async throws {
    attachments?.note(sent.entity)
    switch form {
    case .page(let style, let hyperlinks):
      let issue = pending?.applied(to: sent.entity) ?? sent.entity
      var page = IssuePage(
        issue: issue, now: now, width: style.width, links: hyperlinks ? .hyperlinks : .footnotes,
        repositoryURL: repositoryURL)
      page.pending = pending
      page.look = Look(colors: style.color)
      page.hasStrikethrough = style.color > .none
      page.hasStyles = style.color > .none
      page.relations = relations.map { Self.lines(of: $0, of: issue, on: page) }
      page.development = development.map { Self.lines(of: $0, on: page) } ?? []
      self.page = page
      var lines = [StyledLine()] + page.beginning.lines
      if case .none = discussion, issue.commentsCount > 0 {
        let count =
          issue.commentsCount == 1
          ? "is 1 comment: see it" : "are \(issue.commentsCount) comments: see them"
        lines.append(StyledLine())
        lines += StyledLine("There \(count) with --comments.", style: .faint)
          .wrapped(to: page.width)
        endsWithNote = true
      }
      try await write(lines)
    case .plain(let tsv):
      let issue = sent.entity
      pinnedCommentID = issue.pinnedCommentID
      try await output.write(
        tsv.page(Self.plainRows(issue, relations, development)) + Self.plainText(issue.body))
    case .json(var sink):
      let addition = try pending?.addition(on: .number(sent.entity.number))
      let additions =
        (addition.map { [$0] } ?? []) + (relations.map(Self.additions) ?? [])
        + (try development.map(Self.additions) ?? []) + [try Self.fieldsAddition(of: sent.entity)]
      var object = try sink.texts(of: [JSONObject(sent.json, adding: additions)])[0]
      if let field = discussion.field {
        object.removeLast()
        object += (object.count > 1 ? "," : "").utf8
        object += "\"\(field)\":[".utf8
      } else {
        object += "\n".utf8
      }
      try await sink.write(object)
      form = .json(sink)
    }
  }

  mutating func write(_ sent: [Sent<IssueComment>]) async throws {
    let comments = sent.map(\.entity)
    for comment in comments { attachments?.note(comment.body) }
    switch form {
    case .page:
      guard let page else { return }
      try await write(comments.flatMap { page.part(of: $0).lines })
    case .plain(let tsv):
      var text = commentsCount == 0 ? "--\n" : ""
      for comment in comments {
        text += tsv.page(plainRows(comment)) + Self.plainText(comment.body) + "--\n"
      }
      try await output.write(text)
    case .json: try await writeList(sent.map(\.json))
    }
    commentsCount += comments.count
  }

  /// Writes events, including comments.
  mutating func write(_ sent: [Sent<TimelineEvent>]) async throws {
    for entry in sent { attachments?.note(entry.entity.comment?.body) }
    switch form {
    case .page:
      guard let page else { return }
      var lines: [StyledLine] = []
      for entry in sent {
        let event = entry.entity
        if let comment = Self.comment(of: entry) {
          lines += page.part(of: comment).lines
          isAfterEvent = false
        } else if let text = TimelineWording.text(of: event) {
          let age = event.createdAt.map { RelativeTime.describe($0, relativeTo: now) }
          if !isAfterEvent { lines.append(StyledLine()) }
          isAfterEvent = true
          var line = StyledLine(runs: [
            StyledLine.Run("\(page.look.symbols.dot) ", style: page.look[.muted]),
            StyledLine.Run(TimelineWording.actor(of: event), style: page.look[.text]),
            StyledLine.Run(" \(text)"),
          ])
          if let age {
            line.runs.append(
              StyledLine.Run(" \(page.look.symbols.dot) \(age)", style: page.look[.muted]))
          }
          lines += line.wrapped(to: page.width, hangingIndent: StyledLine("  "))
        }
      }
      try await write(lines)
    case .plain(let tsv):
      var text = commentsCount == 0 && !sent.isEmpty ? "--\n" : ""
      for entry in sent {
        let event = entry.entity
        if let comment = Self.comment(of: entry) {
          text += tsv.page(plainRows(comment)) + Self.plainText(comment.body) + "--\n"
        } else {
          text += tsv.page([
            [
              StyledLine("event:", style: .heading), StyledLine(event.kind.rawValue),
              StyledLine(TimelineWording.actor(of: event)),
              StyledLine(event.createdAt.map(Timestamp.string(from:)) ?? ""),
              StyledLine(TimelineWording.text(of: event) ?? event.kind.rawValue),
            ], [StyledLine("--")],
          ])
        }
      }
      try await output.write(text)
    case .json: try await writeList(sent.map(\.json))
    }
    commentsCount += sent.count
  }

  /// The comment in an event, with data that only a comment has, such as reactions; nil for a comment from the mirror
  /// without its text.
  private static func comment(of sent: Sent<TimelineEvent>) -> IssueComment? {
    guard var comment = sent.entity.comment, comment.body != nil else { return nil }
    let whole = try? GitHubJSON.decode(IssueComment.self, from: sent.json)
    comment.reactions = whole?.reactions
    return comment
  }

  private mutating func writeList(_ objects: [Data]) async throws {
    guard case .json(var sink) = form else { return }
    var list: [UInt8] = []
    for (index, object) in objects.enumerated() {
      if commentsCount + index > 0 { list.append(UInt8(ascii: ",")) }
      if !sink.isLines { list.append(UInt8(ascii: "\n")) }
      list += JSONText.passed(object)
    }
    try await sink.write(list)
    form = .json(sink)
  }

  /// Ends the output. A page ends with its URL, which is never wrapped, so that it can be clicked and copied.
  func finish() async throws {
    if let page, discussion.field != nil { try await write(page.end.lines) }
    if let issue = page?.issue, issue.number > 0 {
      let isOnGitea = issue.htmlURL?.hasSuffix("/pulls/\(issue.number)") == true
      let kind =
        issue.pullRequest == nil
        ? ("issue", "issues") : ("pull request", isOnGitea ? "pulls" : "pull")
      let address = "\(repositoryURL)/\(kind.1)/\(issue.number)"
      let line = StyledLine(runs: [
        StyledLine.Run("View this \(kind.0): ", style: .faint),
        StyledLine.Run(address, style: .faint, link: WebLink(address)),
      ])
      try await write((endsWithNote ? [] : [StyledLine()]) + [line])
    }
    guard case .json(var sink) = form else { return }
    let ending = commentsCount == 0 || sink.isLines ? "]}\n" : "\n]}\n"
    try await sink.finish(discussion.field == nil ? "" : ending)
  }

  private func write(_ lines: [StyledLine]) async throws {
    guard case .page(let style, let hyperlinks) = form else { return }
    try await output.write(
      lines.reduce(into: "") { $0 += $1.rendered(in: style.color, links: hyperlinks) + "\n" })
  }

  /// The rows for programs, as in `gh issue view`.
  private static func plainRows(
    _ issue: GitHub.Issue, _ relations: IssueRelations?, _ development: IssueDevelopment?
  ) -> [[StyledLine]] {
    let style =
      PullRequestStage(of: issue)?.style ?? Style.state(issue.state, issue.stateReason)
    return plainRows(
      [
        ("title", StyledLine(issue.title)),
        ("state", StyledLine(issue.stateName, style: style)),
        ("author", StyledLine(issue.user?.login ?? (issue.number < 0 ? "you" : "ghost"))),
        (
          "labels",
          StyledLine(list: issue.labels.map { StyledLine.Run($0.name, style: .label($0.color)) })
        ),
        ("comments", StyledLine("\(issue.commentsCount)")),
        ("assignees", StyledLine(issue.assignees.map(\.login).joined(separator: ", "))),
        ("milestone", StyledLine(issue.milestone?.title ?? "")),
        (
          "number",
          StyledLine(
            issue.number > 0 ? "\(issue.number)" : IssueTarget(shownAs: issue.number).name,
            style: style)
        ),
        ("kind", StyledLine(issue.kindName)),
      ] + plainFields(of: issue, relations) + plainFields(of: development))
  }

  private func plainRows(_ comment: IssueComment) -> [[StyledLine]] {
    var facts = [
      ("author", StyledLine(comment.user?.login ?? "ghost")),
      ("association", StyledLine((comment.authorAssociation ?? "none").lowercased())),
      ("edited", StyledLine("\(comment.isEdited)")),
    ]
    if comment.id == pinnedCommentID { facts.append(("pinned", StyledLine("true"))) }
    return Self.plainRows(facts)
  }

  private static func plainRows(
    _ lines: [(name: String, value: StyledLine)]
  ) -> [[StyledLine]] {
    lines.map { [StyledLine("\($0.name):", style: .heading), $0.value] } + [[StyledLine("--")]]
  }

  private static func plainText(_ body: String?) -> String {
    "\(PlainText.quoted(body ?? ""))\n"
  }
}
