internal import GRDB
internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A filter as SQL: which items of a repository it lists, and in which order.
///
/// It agrees with `IssueFilter.matches` and `sorted`.
struct IssueSelection {
  /// The statement; it gives a column of the items.
  private(set) var sql: String
  /// Its arguments.
  private(set) var arguments: StatementArguments

  /// Selects items.
  ///
  /// - Parameters:
  ///   - filter: The filter.
  ///   - repository: Whose items.
  ///   - includesPullRequests: Whether pull requests are among them.
  ///   - column: The column that the statement gives.
  ///   - db: Where the labels are looked up.
  /// - Throws: `DatabaseError`.
  init(
    _ filter: IssueFilter, of repository: MirroredRepository, includesPullRequests: Bool,
    selecting column: String = "key", _ db: Database
  ) throws {
    sql = "SELECT \(column) FROM item WHERE repository = ?"
    arguments = [repository.id]
    if filter.state != .all { require("state = ?", [filter.state.rawValue]) }
    if !includesPullRequests { require("is_pull_request = 0") }
    for label in Set(filter.labels) {
      try require(label: label, of: repository, db)
    }
    require(filter.assignee, on: repository.host)
    if let creator = filter.creator { require("author = ?", [creator.login]) }
    try require(filter.milestone, of: repository, db)
    if let since = filter.since { require("updated_at >= ?", [since.seconds]) }
    if let mentioned = filter.mentioned {
      // As in GitHub's list, the issue's own text counts, and no comment.
      require(
        "number IN (SELECT number FROM mention WHERE repository = ? AND login = ? AND comment = 0)",
        [repository.id, mentioned.login.lowercased()])
    }
    let order =
      switch filter.sort {
      case .created: "created_at"
      case .updated: "updated_at"
      case .comments: "comments"
      }
    let direction = filter.direction == .ascending ? "ASC" : "DESC"
    sql += " ORDER BY \(order) \(direction), number \(direction)"
  }

  /// Ends the selection after a number of items.
  mutating func stop(after limit: Int) {
    sql += " LIMIT ?"
    arguments += [limit]
  }

  private mutating func require(_ condition: String, _ values: StatementArguments = []) {
    sql += " AND \(condition)"
    arguments += values
  }

  private mutating func require(
    label name: String, of repository: MirroredRepository, _ db: Database
  ) throws {
    let condition: SQL = """
      key IN (
        SELECT item_label.item FROM label JOIN item_label ON item_label.label = label.key
        WHERE label.repository = \(repository.id) AND \(NameMatch.sql("label.name", name)))
      """
    let (sql, values) = try condition.build(db)
    require(sql, values)
  }

  private mutating func require(_ assignee: Assignee?, on host: String) {
    switch assignee {
    case .user(let username):
      require(
        """
        key IN (
          SELECT item FROM item_assignee
          WHERE user = (SELECT key FROM user WHERE host = ? AND login = ?))
        """, [host, username.login])
    case .anybody: require("EXISTS (SELECT 1 FROM item_assignee WHERE item = key)")
    case .nobody: require("NOT EXISTS (SELECT 1 FROM item_assignee WHERE item = key)")
    case nil: break
    }
  }

  private mutating func require(
    _ milestone: MilestoneChoice?, of repository: MirroredRepository, _ db: Database
  ) throws {
    switch milestone {
    case .number(let number): require("milestone_number = ?", [number])
    case .title(let title):
      let (sql, values) = try MilestoneMatch.sql(title, of: "item").build(db)
      require("(\(sql))", values)
    case .any: require("milestone IS NOT NULL")
    case .absent: require("milestone IS NULL")
    case nil: break
    }
  }
}
