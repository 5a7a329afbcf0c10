internal import IssueMirror

/// The tool `related_issues`: the issues that an issue mentions, the issues that mention it, and similar issues.
struct RelatedTool: Sendable {
  static let limits = 1...20
  static let usualLimit = 5
  static let longestText = 4_000
  /// The maximum number of texts that contain the number. They are read to find out whether they mention the issue.
  private static let mostMentions = 60

  private static let columns = ["relation", "number", "kind", "state", "title", "updated"]

  private enum Relation: String {
    case named = "named here"
    case naming = "names it"
    case similar
  }

  private struct Row {
    let relation: Relation
    let repository: MirroredRepository
    let issue: GitHub.Issue
  }

  private let repository: RepositoryReference
  private let number: Int?
  private let newText: String?
  private let limit: Int

  init(_ values: [String: MCPArgument]) throws(ToolRefusal) {
    let arguments = try MCPArguments(values, known: ["repo", "number", "text", "limit"])
    repository = try arguments.repository(neededWith: #"such as "apple/swift""#)
    number = try arguments.number("number", in: 1 ... .max)
    newText = try arguments.text("text")
    guard (number == nil) != (newText == nil) else {
      throw ToolRefusal("Give either number, of an issue, or text, of a new report.")
    }
    guard newText?.unicodeScalars.count ?? 0 <= Self.longestText else {
      throw ToolRefusal(
        "text can have at most \(Self.longestText) characters: its title and first lines are enough."
      )
    }
    limit = try arguments.number("limit", in: Self.limits) ?? Self.usualLimit
  }

  func text(in context: ToolContext) async throws -> String {
    let mirrored = try await context.mirror.repository(of: repository)
    var head = try await context.head(of: [mirrored])
    var rows: [Row] = []
    if let number {
      guard let issue = try await context.mirror.issue(number, of: mirrored) else {
        throw try await ReadTool.absence(of: number, from: mirrored, context)
      }
      rows = try await named(in: issue, of: mirrored, context)
      let (naming, isWhole) = try await self.naming(number, in: mirrored, context)
      rows += naming
      if !isWhole {
        head.add("Only \(Self.mostMentions) of the texts with this number were read.")
      }
    }
    let subject = number.map(SimilarIssuesQuery.Subject.issue) ?? .text(newText ?? "")
    let similar = try await context.mirror.similarIssues(
      to: SimilarIssuesQuery(subject, includesPullRequests: true), in: mirrored,
      limit: limit + rows.count)
    var known = Set(rows.map { [$0.repository.id, Int64($0.issue.number)] })
    known.formUnion(number.map { [[mirrored.id, Int64($0)]] } ?? [])
    // Links are few and certain. Similar issues fill the rest, with at least one row.
    let links = rows.prefix(similar.isEmpty ? limit : max(1, limit - 1))
    let others = similar.filter {
      known.insert([mirrored.id, Int64($0.issue.number)]).inserted
    }
    .prefix(limit - links.count)
    .map { Row(relation: .similar, repository: mirrored, issue: $0.issue) }
    return Self.text(
      Array(links) + others, leftOut: rows.count - links.count, head, mirrored, context.mark)
  }

  private static func text(
    _ rows: [Row], leftOut: Int, _ head: AnswerHead, _ mirrored: MirroredRepository,
    _ mark: StrangerText
  ) -> String {
    func tail(_ more: Int) -> [OrderedJSON.Member] {
      more > 0 ? [("linksLeftOut", .integer(more))] : []
    }
    var answer = AnswerRows(
      head.members + [("repo", .string(mirrored.typedName))], columns: columns, tail: tail(.max))
    for row in rows {
      let isHere = row.repository.id == mirrored.id
      let place: OrderedJSON =
        isHere
        ? .integer(row.issue.number)
        : .string("\(row.repository.typedName)#\(row.issue.number)")
      let fits = answer.append([
        .string(row.relation.rawValue), place, AnswerRows.kind(of: row.issue),
        AnswerRows.state(of: row.issue),
        .string(mark.marked(line: row.issue.title, atMost: AnswerRows.longestTitle)),
        AnswerRows.day(row.issue.updatedAt),
      ])
      guard fits else { break }
    }
    return answer.text(
      answer.count == 0 ? [("hint", .string("No issue is linked or similar."))] : tail(leftOut))
  }

  // MARK: Links

  /// The mirrored issues that an issue's text and comments mention.
  private func named(
    in issue: GitHub.Issue, of mirrored: MirroredRepository, _ context: ToolContext
  ) async throws -> [Row] {
    let comments = try await context.mirror.comments(on: issue.number, of: mirrored)
    let all = try await context.mirror.repositories()
    let own = mirrored.fullName.lowercased()
    var rows: [Row] = []
    var seen: Set<[Int64]> = [[mirrored.id, Int64(issue.number)]]
    for text in [issue.title, issue.body ?? ""] + comments.map({ $0.body ?? "" }) {
      for link in IssueLinks(in: text, host: mirrored.host).links {
        let name = link.repository ?? own
        guard
          let place = name == own
            ? mirrored
            : all.first(where: { $0.host == mirrored.host && $0.fullName.lowercased() == name }),
          seen.insert([place.id, Int64(link.number)]).inserted,
          let found = try await context.mirror.issue(link.number, of: place)
        else { continue }
        rows.append(Row(relation: .named, repository: place, issue: found))
      }
    }
    return rows
  }

  /// The issues of the repository that mention the issue, and whether all texts with its number were read.
  private func naming(
    _ number: Int, in mirrored: MirroredRepository, _ context: ToolContext
  ) async throws -> (rows: [Row], isWhole: Bool) {
    let query = try SearchQuery(parsing: "#\(number)")
    let found = try await context.mirror.find(
      query, in: [mirrored], limit: Self.mostMentions + 1)
    let results = try await context.mirror.results(
      0..<min(found.resultsCount, Self.mostMentions), of: found)
    let own = mirrored.fullName.lowercased()
    func names(_ text: String?) -> Bool {
      IssueLinks(in: text ?? "", host: mirrored.host).links.contains {
        $0.number == number && ($0.repository ?? own) == own
      }
    }
    var rows: [Row] = []
    for result in results where result.issue.number != number {
      var isNaming = names(result.issue.title) || names(result.issue.body)
      if !isNaming {
        isNaming = try await context.mirror.comments(on: result.issue.number, of: mirrored)
          .contains { names($0.body) }
      }
      if isNaming { rows.append(Row(relation: .naming, repository: mirrored, issue: result.issue)) }
    }
    return (rows, found.resultsCount <= Self.mostMentions)
  }
}
