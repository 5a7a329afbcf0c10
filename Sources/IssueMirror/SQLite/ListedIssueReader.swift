internal import GRDB
internal import GitHubAPI
internal import PlatformModules

/// Reads listed issues from columns, ten times as fast as decoding their JSON. A label looks as it was last seen on
/// any issue.
struct ListedIssueReader {
  private let items: BoundStatement
  private let itemLabels: BoundStatement
  private let labels: BoundStatement
  private let assignees: BoundStatement?
  private let documents: BoundStatement
  private var knownLabels: [Int64: GitHub.Label] = [:]

  init(_ db: Database, withAssignees: Bool) throws {
    items = try BoundStatement(
      db,
      sql: """
        SELECT number, title, state, state_reason, html_url, updated_at, is_pull_request, is_draft,
          merged_at IS NOT NULL, is_abridged
        FROM item WHERE key = ?
        """)
    itemLabels = try BoundStatement(
      db, sql: "SELECT position, label FROM item_label WHERE item = ?")
    labels = try BoundStatement(db, sql: "SELECT name, color FROM label WHERE key = ?")
    assignees =
      withAssignees
      ? try BoundStatement(
        db,
        sql: """
          SELECT item_assignee.position, user.login
          FROM item_assignee CROSS JOIN user ON user.key = item_assignee.user
          WHERE item_assignee.item = ?
          """) : nil
    documents = try BoundStatement(db, sql: "SELECT json FROM item WHERE key = ?")
  }

  mutating func issue(_ key: Int64) throws -> GitHub.Issue? {
    var issue: GitHub.Issue?
    var isAbridged = false
    try items.forEachRow(of: key) { row in
      var read = GitHub.Issue(
        id: 0, number: Int(try row.integer(0)), title: try row.text(1),
        state: IssueState(rawValue: try row.text(2)),
        stateReason: try row.textIfAny(3).map(StateReason.init(rawValue:)),
        updatedAt: Date(timeIntervalSince1970: TimeInterval(try row.integer(5))),
        htmlURL: try row.textIfAny(4))
      if try row.integer(6) != 0 {
        let isMerged = try row.integer(8) != 0
        read.pullRequest = PullRequestLink(mergedAt: isMerged ? read.updatedAt : nil)
        read.isDraft = try row.integer(7) != 0
      }
      isAbridged = try row.integer(9) != 0
      issue = read
    }
    if isAbridged { return try decoded(key) }
    issue?.labels = try shownLabels(of: key)
    issue?.assignees = try shownAssignees(of: key)
    return issue
  }

  private func decoded(_ key: Int64) throws -> GitHub.Issue? {
    var issue: GitHub.Issue?
    try documents.forEachRow(of: key) { row in
      issue = try GitHubJSON.decodeKept(GitHub.Issue.self, row.bytes(0), "an issue")
    }
    return issue
  }

  private mutating func shownLabels(of key: Int64) throws -> [GitHub.Label] {
    var found: [(position: Int64, label: Int64)] = []
    try itemLabels.forEachRow(of: key) { row in
      found.append((try row.integer(0), try row.integer(1)))
    }
    guard !found.isEmpty else { return [] }
    return try found.sorted(by: <).compactMap { try label($0.label) }
  }

  private mutating func label(_ key: Int64) throws -> GitHub.Label? {
    if let known = knownLabels[key] { return known }
    var label: GitHub.Label?
    try labels.forEachRow(of: key) { row in
      label = GitHub.Label(
        name: try row.text(0),
        color: try row.textIfAny(1).map { String($0.unicodeScalars.drop { $0 == "#" }) })
    }
    knownLabels[key] = label
    return label
  }

  private func shownAssignees(of key: Int64) throws -> [GitHub.User] {
    guard let assignees else { return [] }
    var found: [(position: Int64, login: String)] = []
    try assignees.forEachRow(of: key) { row in
      found.append((try row.integer(0), try row.text(1)))
    }
    return found.sorted(by: <).map { GitHub.User(login: $0.login) }
  }
}
