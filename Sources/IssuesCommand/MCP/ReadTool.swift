internal import IssueMirror
internal import PlatformModules

/// The tool `read_issue`: the facts about an issue, and as much of its discussion as fits.
struct ReadTool: Sendable {
  enum Part: String, CaseIterable, Sendable {
    case all, outline, body, comments

    static var names: String { allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ",") }
  }

  private let repository: RepositoryReference
  private let number: Int
  private let part: Part
  private let bound: Int
  private let position: DiscussionText.Position?

  init(_ values: [String: MCPArgument]) throws(ToolRefusal) {
    let arguments = try MCPArguments(
      values, known: ["repo", "number", "part", "max_chars", "cursor"])
    repository = try arguments.repository(neededWith: #"such as "apple/swift""#)
    guard let number = try arguments.number("number", in: 1 ... .max) else {
      throw ToolRefusal("number is missing: search_issues finds it.")
    }
    self.number = number
    if let text = try arguments.text("part") {
      guard let part = Part(rawValue: text) else {
        throw ToolRefusal("part must be one of \(Part.names).")
      }
      self.part = part
    } else {
      part = .all
    }
    bound = try arguments.number("max_chars", in: AnswerBound.range) ?? AnswerBound.usual
    position = try arguments.text("cursor").map(DiscussionText.Position.init)
  }

  func text(in context: ToolContext) async throws -> String {
    let mirrored = try await context.mirror.repository(of: repository)
    guard let issue = try await context.mirror.issue(number, of: mirrored) else {
      throw try await Self.absence(of: number, from: mirrored, context)
    }
    let comments =
      part == .body ? [] : try await context.mirror.comments(on: number, of: mirrored)
    let discussion = DiscussionText(part, of: issue, comments, mark: context.mark)
    var head = try await context.head(of: [mirrored])
    if let position, position.updated != discussion.start.updated {
      head.add("The issue changed since the previous page: leave out cursor to begin again.")
    }
    if part != .body, mirrored.commentsSyncedTo != nil, comments.count < issue.commentsCount {
      head.add("The mirror has \(comments.count) of \(issue.commentsCount) comments.")
    }
    func answer(
      _ text: String, _ next: DiscussionText.Position?, _ facts: [OrderedJSON.Member]
    ) -> OrderedJSON {
      let cursor = next.map { [OrderedJSON.Member("nextCursor", .string($0.cursor))] } ?? []
      return .object(
        head.members + facts + [("totalChars", .integer(discussion.length))]
          + [("text", .string(text))] + cursor)
    }
    let facts = IssueFacts(of: issue, in: mirrored, context.mark)
    let most = DiscussionText.Position.longest
    // At least a third is reserved for the text.
    let shown = facts.members { members in
      answer("", most, members).text.utf16.count <= bound * 2 / 3
    }
    let room = bound - answer("", most, shown).text.utf16.count
    let page = discussion.page(from: position ?? discussion.start, atMost: room)
    return answer(page.text, page.next, shown).text
  }

  /// The refusal for an issue that isn't in the mirror, with the reason if it is known.
  static func absence(
    of number: Int, from repository: MirroredRepository, _ context: ToolContext
  ) async throws -> ToolRefusal {
    let subject = "\(repository.typedName)#\(number)"
    if let fate = try await context.mirror.fate(of: number, in: repository) {
      return ToolRefusal("\(subject) \(fate).")
    }
    return ToolRefusal(
      "The mirror has no \(subject) (\(repository.age(now: context.now))). If it is newer, a person updates the "
        + "mirror with '\(repository.syncCommand)'.")
  }
}

/// The facts about an issue, without its text.
struct IssueFacts: Sendable {
  private let issue: GitHub.Issue
  private let repository: MirroredRepository
  private let mark: StrangerText

  init(of issue: GitHub.Issue, in repository: MirroredRepository, _ mark: StrangerText) {
    (self.issue, self.repository, self.mark) = (issue, repository, mark)
  }

  /// All facts, or as many as fit, most important first.
  func members(fitting fits: ([OrderedJSON.Member]) -> Bool) -> [OrderedJSON.Member] {
    let titles = [AnswerRows.longestTitle, 100, 40]
    for title in titles {
      let members = members(title: title, isWhole: true)
      if fits(members) { return members }
    }
    for title in titles {
      let members = members(title: title, isWhole: false)
      if fits(members) { return members }
    }
    return members(title: 20, isWhole: false)
  }

  private func members(title: Int, isWhole: Bool) -> [OrderedJSON.Member] {
    func time(_ date: Date?) -> OrderedJSON {
      date.map { .string(Timestamp.string(from: $0)) } ?? .null
    }
    var members: [OrderedJSON.Member] = [
      ("repo", .string(repository.typedName)), ("number", .integer(issue.number)),
      ("kind", AnswerRows.kind(of: issue)), ("state", AnswerRows.state(of: issue)),
      ("title", .string(mark.marked(line: issue.title, atMost: title))),
      ("author", .string(DiscussionText.login(issue.user))),
      ("association", .string(DiscussionText.association(issue.authorAssociation))),
    ]
    guard isWhole else { return members }
    members.append(("labels", AnswerRows.labels(of: issue, mark)))
    if !issue.assignees.isEmpty {
      members.append(
        ("assignees", .strings(issue.assignees.prefix(5).map { DiscussionText.login($0) })))
    }
    if let milestone = issue.milestone?.title {
      members.append(("milestone", .string(mark.marked(line: milestone, atMost: 60))))
    }
    members += [("createdAt", time(issue.createdAt)), ("updatedAt", time(issue.updatedAt))]
    if issue.closedAt != nil { members.append(("closedAt", time(issue.closedAt))) }
    members.append(("comments", .integer(issue.commentsCount)))
    if let url = issue.htmlURL, let page = try? IssueReference(parsing: url),
      page.number == issue.number
    {
      members.append(("url", .string(url)))
    }
    return members
  }
}
