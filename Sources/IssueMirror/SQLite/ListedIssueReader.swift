internal import GRDB
internal import GitHubAPI
internal import PlatformModules
internal import PrivateDatabase

/// Reads listed issues from columns, ten times as fast as decoding their JSON. A label is shown as it was last received
/// with any issue.
struct ListedIssueReader {
  private let items: Statement
  private let itemLabels: Statement
  private let labels: Statement
  private let assignees: Statement?
  private let documents: Statement
  private var knownLabels: [Int64: GitHub.Label] = [:]

  init(_ db: Database, withAssignees: Bool) throws {
    items = try db.cachedStatement(
      sql: """
        SELECT number, title, state, state_reason, html_url, updated_at, is_pull_request, is_draft,
          merged_at IS NOT NULL, is_abridged
        FROM item WHERE key = ?
        """)
    itemLabels = try db.cachedStatement(
      sql: "SELECT label FROM item_label WHERE item = ? ORDER BY position, label")
    labels = try db.cachedStatement(sql: "SELECT name, color FROM label WHERE key = ?")
    assignees =
      withAssignees
      ? try db.cachedStatement(
        sql: """
          SELECT user.login
          FROM item_assignee CROSS JOIN user ON user.key = item_assignee.user
          WHERE item_assignee.item = ? ORDER BY item_assignee.position, user.login
          """) : nil
    documents = try db.cachedStatement(sql: "SELECT json FROM item WHERE key = ?")
  }

  mutating func issue(_ key: Int64) throws -> GitHub.Issue? {
    guard let row = try Row.fetchOne(items, arguments: [key]) else { return nil }
    if try row.value(9) { return try decoded(key, number: row.value(0)) }
    var issue = GitHub.Issue(
      id: 0, number: try row.value(0), title: try row.value(1),
      state: IssueState(rawValue: try row.value(2)),
      stateReason: (try row.value(3) as String?).map(StateReason.init(rawValue:)),
      updatedAt: Date(timeIntervalSince1970: TimeInterval(try row.value(5) as Int)),
      htmlURL: try row.value(4))
    if try row.value(6) {
      let isMerged: Bool = try row.value(8)
      issue.pullRequest = PullRequestLink(mergedAt: isMerged ? issue.updatedAt : nil)
      issue.isDraft = try row.value(7)
    }
    issue.labels = try Row.fetchAll(itemLabels, arguments: [key]).compactMap {
      try label($0.value(0))
    }
    issue.assignees =
      try assignees.map { assignees in
        try String.fetchAll(assignees, arguments: [key]).map { GitHub.User(login: $0) }
      } ?? []
    return issue
  }

  private func decoded(_ key: Int64, number: Int) throws -> GitHub.Issue? {
    try Data.fetchOne(documents, arguments: [key]).map {
      try GitHubJSON.decodeKept(GitHub.Issue.self, $0, "issue \(number)")
    }
  }

  private mutating func label(_ key: Int64) throws -> GitHub.Label? {
    if let known = knownLabels[key] { return known }
    let label = try Row.fetchOne(labels, arguments: [key]).map { row in
      let color: String? = try row.value(1)
      return GitHub.Label(
        name: try row.value(0), color: color.map { String($0.unicodeScalars.drop { $0 == "#" }) })
    }
    knownLabels[key] = label
    return label
  }
}
