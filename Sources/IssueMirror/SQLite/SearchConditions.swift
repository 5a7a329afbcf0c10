internal import GRDB
internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The properties that a search asks for, as SQL over a row of `item`.
struct SearchConditions {
  /// How rows are found of which the conditions have to hold.
  enum Use {
    /// By the conditions themselves.
    case driving
    /// By something else: SQLite must be kept from going through all issues with a label for each row. That is what
    /// the `+` does (<https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_>).
    case testing
  }

  /// What has to hold, each by itself.
  private struct Requirement {
    /// It, where rows are found by it.
    var driving: SQL
    /// It, where rows are found by something else.
    var testing: SQL
    /// What gives a row for each issue that has it, or a few, from an index; nil where there is no index.
    var matches: SQL?
  }

  private let query: SearchQuery
  /// The keys of the repositories that are searched.
  private let repositories: [Int64]

  /// Prepares the properties of a search in some repositories.
  init(_ query: SearchQuery, in repositories: [Int64]) {
    self.query = query
    self.repositories = repositories
  }

  /// What stands behind `WHERE …`; empty without conditions.
  func conjunction(_ use: Use) -> SQL {
    requirements.map { " AND \(use == .driving ? $0.driving : $0.testing)" as SQL }.joined()
  }

  /// What stands behind `WHERE …` to find issues by those of the conditions that few have: nil where none is so.
  ///
  /// - Parameters:
  ///   - count: How many issues are few.
  ///   - db: Where they are counted, up to that.
  /// - Returns: The conditions.
  /// - Throws: `DatabaseError`.
  func conjunction(drivenByUpTo count: Int, _ db: Database) throws -> SQL? {
    var isDriven = false
    let conditions = try requirements.map { requirement -> SQL in
      guard let matches = requirement.matches else { return requirement.testing }
      let found =
        try SQLRequest<Int>(
          literal: "SELECT count(*) FROM (SELECT 1 FROM (\(matches)) LIMIT \(count + 1))"
        ).fetchOne(db) ?? 0
      guard found <= count else { return requirement.testing }
      isDriven = true
      return requirement.driving
    }
    return isDriven ? conditions.map { " AND \($0)" as SQL }.joined() : nil
  }

  /// The place of a row of `comment` in the index.
  static let commentPlace: SQL =
    "(comment.repository << \(sql: "\(SearchIndex.commentBits)") | comment.id)"

  private var requirements: [Requirement] {
    var all: [Requirement] = []
    var alternatives: [SearchQuery.Property.Alternatives: [Requirement]] = [:]
    for condition in query.conditions {
      let property = condition.property
      let testing = sql(property, .testing)
      if condition.isNegated {
        // What isn't known is not so.
        let negated: SQL = "(\(testing)) IS NOT TRUE"
        all.append(Requirement(driving: negated, testing: negated))
        continue
      }
      let requirement = Requirement(
        driving: sql(property, .driving), testing: testing, matches: matches(property))
      if let kind = property.alternatives {
        alternatives[kind, default: []].append(requirement)
      } else {
        all.append(
          Requirement(
            driving: "(\(requirement.driving))", testing: "(\(testing))",
            matches: requirement.matches))
      }
    }
    return all
      + alternatives.values.map { choices in
        let matches = choices.compactMap(\.matches)
        return Requirement(
          driving: "(\(choices.map(\.driving).joined(separator: " OR ")))",
          testing: "(\(choices.map(\.testing).joined(separator: " OR ")))",
          matches: matches.count == choices.count ? matches.joined(separator: " UNION ALL ") : nil)
      }
  }

  /// The place of a row of `item` in the index.
  static let place: SQL = "(item.repository << \(sql: "\(SearchIndex.numberBits)") | item.number)"

  private func sql(_ property: SearchQuery.Property, _ use: Use) -> SQL {
    switch property {
    case .state(let state): "item.state = \(state.rawValue)"
    case .kind(let kind): sql(kind)
    case .label(let names): "\(Self.key(use)) IN (\(items(labelled: names)))"
    case .person(let role, let login): sql(role, login.login, use)
    case .assigned:
      "EXISTS (SELECT 1 FROM item_assignee WHERE item_assignee.item = item.key)"
    case .milestone(let title): MilestoneMatch.sql(title, of: "item")
    case .planned: "item.milestone IS NOT NULL"
    case .without(.label):
      "NOT EXISTS (SELECT 1 FROM item_label WHERE item_label.item = item.key)"
    case .without(.assignee):
      "NOT EXISTS (SELECT 1 FROM item_assignee WHERE item_assignee.item = item.key)"
    case .without(.milestone): "item.milestone IS NULL"
    case .time(.created, let span): sql(span, of: "item.created_at")
    case .time(.updated, let span): sql(span, of: "item.updated_at")
    case .time(.closed, let span): sql(span, of: "item.closed_at")
    case .comments(let span): sql(span, of: "item.comments")
    }
  }

  private func sql(_ kind: SearchQuery.Property.Kind) -> SQL {
    switch kind {
    case .issue: "item.is_pull_request = 0"
    case .pullRequest: "item.is_pull_request = 1"
    case .merged: "item.merged_at IS NOT NULL"
    case .unmerged: "item.is_pull_request = 1 AND item.merged_at IS NULL"
    case .draft: "item.is_draft"
    case .locked: "item.is_locked"
    case .unlocked: "NOT item.is_locked"
    }
  }

  private func sql(
    _ role: SearchQuery.Property.Role, _ login: String, _ use: Use
  ) -> SQL {
    switch (role, use) {
    case (.author, _): "item.author = \(login)"
    case (.assignee, _): "\(Self.key(use)) IN (\(items(assignedTo: login)))"
    case (.mentioned, _): "\(Self.number(use)) IN (\(numbers(mentioning: login)))"
    case (.commenter, _): "\(Self.number(use)) IN (\(numbers(commentedBy: login)))"
    case (.involved, .testing):
      [.author, .assignee, .mentioned, .commenter].map { sql($0, login, use) }
        .joined(separator: " OR ")
    case (.involved, .driving):
      """
      item.key IN (
        SELECT own.key FROM item AS own
        WHERE own.repository IN \(repositories) AND own.author = \(login)
        UNION \(items(assignedTo: login))
        UNION SELECT own.key
        FROM (\(numbers(mentioning: login)) UNION \(numbers(commentedBy: login))) AS place
          CROSS JOIN item AS own
          ON own.repository = place.repository AND own.number = place.number)
      """
    }
  }

  /// What an index has of a property: a row for each issue that has it, or a few.
  private func matches(_ property: SearchQuery.Property) -> SQL? {
    switch property {
    case .label(let names): items(labelled: names)
    case .person(.author, let login):
      "SELECT 1 FROM item WHERE repository IN \(repositories) AND author = \(login.login)"
    case .person(.assignee, let login): items(assignedTo: login.login)
    case .person(.mentioned, let login): numbers(mentioning: login.login)
    case .person(.commenter, let login): numbers(commentedBy: login.login)
    case .person(.involved, let login):
      ([.author, .assignee, .mentioned, .commenter] as [SearchQuery.Property.Role])
        .compactMap { matches(.person($0, login)) }
        .map { "SELECT 1 FROM (\($0))" as SQL }.joined(separator: " UNION ALL ")
    case .kind(.draft), .kind(.locked), .kind(.merged), .time(.created, _):
      """
      SELECT 1 FROM item WHERE item.repository IN \(repositories) AND \(sql(property, .driving))
      """
    case .state, .kind, .assigned, .milestone, .planned, .without, .time, .comments: nil
    }
  }

  private static func key(_ use: Use) -> SQL { use == .driving ? "item.key" : "+item.key" }

  private static func number(_ use: Use) -> SQL {
    use == .driving ? "(item.repository, item.number)" : "(+item.repository, +item.number)"
  }

  /// The keys of the items with one of some labels.
  private func items(labelled names: [String]) -> SQL {
    """
    SELECT item_label.item FROM label CROSS JOIN item_label ON item_label.label = label.key
    WHERE label.repository IN \(repositories)
      AND (\(names.map { NameMatch.sql("label.name", $0) }.joined(separator: " OR ")))
    """
  }

  /// The keys of the items that somebody is assigned to.
  private func items(assignedTo login: String) -> SQL {
    """
    SELECT item_assignee.item FROM user CROSS JOIN item_assignee ON item_assignee.user = user.key
    WHERE user.login = \(login)
    """
  }

  private func numbers(mentioning login: String) -> SQL {
    """
    SELECT mention.repository, mention.number FROM mention
    WHERE mention.repository IN \(repositories) AND mention.login = \(login.lowercased())
    """
  }

  private func numbers(commentedBy login: String) -> SQL {
    """
    SELECT comment.repository, comment.number FROM comment
    WHERE comment.repository IN \(repositories) AND comment.author = \(login)
    """
  }

  private func sql(_ span: SearchSpan, of column: String) -> SQL {
    let first = span.first.map { "\(sql: column) >= \($0)" as SQL }
    let end = span.end.map { "\(sql: column) < \($0)" as SQL }
    let bounds = [first, end].compactMap { $0 }
    return bounds.isEmpty ? "\(sql: column) IS NOT NULL" : bounds.joined(separator: " AND ")
  }
}

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

/// Whether an issue's milestone is the one that somebody typed: by its title, or by its number where no milestone
/// of the repository has that title.
enum MilestoneMatch {
  /// A condition on a row of `item`.
  static func sql(_ title: String, of item: String) -> SQL {
    let isTitled = NameMatch.sql("\(item).milestone", title)
    guard let number = MilestoneChoice.number(of: title) else { return isTitled }
    return """
      \(isTitled) OR \(sql: item).milestone_number = \(number) AND NOT EXISTS (
        SELECT 1 FROM milestone
        WHERE milestone.repository = \(sql: item).repository
          AND \(NameMatch.sql("milestone.title", title)))
      """
  }
}

/// Whether a name is one that somebody typed, in whatever case.
///
/// GitHub's names of labels and milestones may have letters of any script, and SQLite knows the two cases of
/// ASCII letters only.
enum NameMatch {
  /// `issue_lowercase(text)`.
  static let function = DatabaseFunction("issue_lowercase", argumentCount: 1, pure: true) {
    values in
    String.fromDatabaseValue(values[0])?.lowercased()
  }

  /// A condition on a column that ignores the case of ASCII letters by itself.
  static func sql(_ column: String, _ name: String) -> SQL {
    name.utf8.allSatisfy { $0 < 0x80 }
      ? "\(sql: column) = \(name)"
      : "issue_lowercase(\(sql: column)) = \(name.lowercased())"
  }
}
