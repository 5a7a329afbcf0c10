internal import IssueMirror
internal import PlatformModules

/// The tool `search_issues`: rows of matching issues, best first.
struct SearchTool: Sendable {
  static let limits = 1...50
  static let usualLimit = 10

  private static let columns = [
    "number", "kind", "state", "title", "labels", "comments", "updated",
  ]

  private let query: SearchQuery
  private let repository: RepositoryReference?
  private let limit: Int
  private let position: Position

  init(_ values: [String: MCPArgument]) throws(ToolRefusal) {
    let arguments = try MCPArguments(values, known: ["query", "repo", "limit", "cursor"])
    let text = try arguments.text(needed: "query", #"such as "crash is:open label:bug""#)
    do throws(InvalidInput) {
      query = try SearchQuery(parsing: text)
    } catch {
      throw ToolRefusal("query: \(error.message)")
    }
    repository = try arguments.repository()
    limit = try arguments.number("limit", in: Self.limits) ?? Self.usualLimit
    position = try arguments.text("cursor").map(Position.init) ?? Position()
  }

  func text(in context: ToolContext) async throws -> String {
    let repositories = try await repositories(in: context)
    var head = try await context.head(of: repositories)
    let synced = head.asOf.map { Int($0.timeIntervalSince1970) } ?? 0
    if let before = position.synced, before != synced {
      head.add("The mirror was synced since the previous page: rows may repeat or be missing.")
    }
    // One more result than is shown is requested, to find out whether there are more.
    let found = try await context.mirror.find(
      query, in: repositories, limit: position.offset + limit + 1)
    let end = min(position.offset + limit, found.resultsCount)
    let results =
      position.offset < end
      ? try await context.mirror.results(position.offset..<end, of: found) : []
    let showsRepository = repositories.count > 1
    let total = max(found.count ?? 0, found.resultsCount)
    var facts = head.members
    if !showsRepository { facts.append(("repo", .string(repositories[0].typedName))) }
    facts += [
      ("total", .integer(total)), ("totalIsExact", .boolean(found.count != nil)),
    ]
    func next(_ offset: Int) -> [OrderedJSON.Member] {
      [("nextCursor", .string(Position(offset: offset, synced: synced).cursor))]
    }
    var rows = AnswerRows(
      facts, columns: (showsRepository ? ["repo"] : []) + Self.columns, tail: next(.max))
    for result in results {
      let repo = showsRepository ? [OrderedJSON.string(result.repository.typedName)] : []
      guard rows.append(repo + Self.cells(of: result.issue, context.mark)) else { break }
    }
    let shown = position.offset + rows.count
    if rows.count < results.count || end < found.resultsCount { return rows.text(next(shown)) }
    guard rows.count == 0 else { return rows.text([]) }
    let hint =
      position.offset > 0
      ? "No more results." : "0 results: use fewer or other words, or look at mirror_status."
    return rows.text([("hint", .string(hint))])
  }

  static func cells(of issue: GitHub.Issue, _ mark: StrangerText) -> [OrderedJSON] {
    [
      .integer(issue.number), AnswerRows.kind(of: issue), AnswerRows.state(of: issue),
      .string(mark.marked(line: issue.title, atMost: AnswerRows.longestTitle)),
      AnswerRows.labels(of: issue, mark), .integer(issue.commentsCount),
      AnswerRows.day(issue.updatedAt),
    ]
  }

  /// The repositories that `repo` or the query names, or else all. Refuses a name that isn't mirrored, because an empty
  /// result would look as if nothing matched.
  private func repositories(in context: ToolContext) async throws -> [MirroredRepository] {
    if let repository { return [try await context.mirror.repository(of: repository)] }
    var named: [MirroredRepository] = []
    for name in query.repositories {
      let found = try await context.mirror.repository(of: RepositoryReference(name: name))
      if !named.contains(where: { $0.id == found.id }) { named.append(found) }
    }
    let all = named.isEmpty ? try await context.mirror.repositories() : named
    guard !all.isEmpty else {
      throw ToolRefusal(
        "Nothing is mirrored. Ask the user to mirror a repository with 'issues sync OWNER/REPO'."
      )
    }
    return all
  }

  /// The start of a page, and the state of the mirror at the previous page.
  struct Position: Sendable, Hashable {
    private static let highest = 1_000_000

    var offset = 0
    var synced: Int?

    init(offset: Int = 0, synced: Int? = nil) {
      (self.offset, self.synced) = (offset, synced)
    }

    init(cursor: String) throws(ToolRefusal) {
      let parts = cursor.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
      guard parts.count == 2, let offset = parts[0], let synced = parts[1],
        (0...Self.highest).contains(offset)
      else {
        throw ToolRefusal("cursor must be a nextCursor: leave it out to begin again.")
      }
      self.init(offset: offset, synced: synced)
    }

    var cursor: String { "\(offset).\(synced ?? 0)" }
  }
}
