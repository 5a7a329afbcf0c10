internal import GRDB
internal import GitHubAPI

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
    var sql: SQL
    /// Whether an index finds what it holds of.
    var isIndexed: Bool
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
    requirements(use).map { " AND \($0.sql)" as SQL }.joined()
  }

  /// Those of the conditions that an index answers; nil where there is none.
  var indexed: SQL? {
    let indexed = requirements(.driving).filter(\.isIndexed)
    return indexed.isEmpty ? nil : indexed.map { " AND \($0.sql)" as SQL }.joined()
  }

  /// The place of a row of `comment` in the index.
  static let commentPlace: SQL =
    "(comment.repository << \(sql: "\(SearchIndex.commentBits)") | comment.id)"

  private func requirements(_ use: Use) -> [Requirement] {
    var all: [Requirement] = []
    var alternatives: [SearchQuery.Property.Alternatives: [Requirement]] = [:]
    for condition in query.conditions {
      let isTesting = use == .testing || condition.isNegated
      let sql = sql(condition.property, isTesting ? "+item.key" : "item.key")
      let isIndexed = condition.property.isIndexed
      if condition.isNegated {
        // What isn't known is not so.
        all.append(Requirement(sql: "(\(sql)) IS NOT TRUE", isIndexed: false))
      } else if let kind = condition.property.alternatives {
        alternatives[kind, default: []].append(Requirement(sql: sql, isIndexed: isIndexed))
      } else {
        all.append(Requirement(sql: "(\(sql))", isIndexed: isIndexed))
      }
    }
    return all
      + alternatives.values.map { choices in
        Requirement(
          sql: "(\(choices.map(\.sql).joined(separator: " OR ")))",
          isIndexed: choices.allSatisfy(\.isIndexed))
      }
  }

  /// The place of a row of `item` in the index.
  static let place: SQL = "(item.repository << \(sql: "\(SearchIndex.numberBits)") | item.number)"

  private func sql(_ property: SearchQuery.Property, _ key: SQL) -> SQL {
    switch property {
    case .state(let state): "item.state = \(state.rawValue)"
    case .kind(let kind): sql(kind)
    case .label(let names):
      """
      \(key) IN (
        SELECT item_label.item FROM item_label JOIN label ON label.key = item_label.label
        WHERE label.repository IN \(repositories)
          AND (\(names.map { NameMatch.sql("label.name", $0) }.joined(separator: " OR "))))
      """
    case .person(let role, let login): sql(role, login.login, key)
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

  private func sql(_ role: SearchQuery.Property.Role, _ login: String, _ key: SQL) -> SQL {
    switch role {
    case .author: "item.author = \(login)"
    case .assignee, .mentioned, .commenter: "\(key) IN (\(items(role, login)))"
    case .involved:
      """
      \(key) IN (
        SELECT author_item.key FROM item AS author_item
        WHERE author_item.repository IN \(repositories) AND author_item.author = \(login)
        UNION \(items(.assignee, login)) UNION \(items(.mentioned, login))
        UNION \(items(.commenter, login)))
      """
    }
  }

  /// The keys of the items with which somebody has to do.
  private func items(_ role: SearchQuery.Property.Role, _ login: String) -> SQL {
    switch role {
    case .author, .involved, .assignee:
      """
      SELECT item_assignee.item FROM user JOIN item_assignee ON item_assignee.user = user.key
      WHERE user.login = \(login)
      """
    case .mentioned:
      """
      SELECT own.key FROM mention CROSS JOIN item AS own
        ON own.repository = mention.repository AND own.number = mention.number
      WHERE mention.repository IN \(repositories) AND mention.login = \(login.lowercased())
      """
    case .commenter:
      """
      SELECT own.key FROM comment CROSS JOIN item AS own
        ON own.repository = comment.repository AND own.number = comment.number
      WHERE comment.repository IN \(repositories) AND comment.author = \(login)
      """
    }
  }

  private func sql(_ span: SearchSpan, of column: String) -> SQL {
    let first = span.first.map { "\(sql: column) >= \($0)" as SQL }
    let end = span.end.map { "\(sql: column) < \($0)" as SQL }
    let bounds = [first, end].compactMap { $0 }
    return bounds.isEmpty ? "\(sql: column) IS NOT NULL" : bounds.joined(separator: " AND ")
  }
}

extension SearchQuery.Property {
  /// Whether what has it is found by an index, without looking at everything.
  fileprivate var isIndexed: Bool {
    switch self {
    case .state, .label, .person, .kind(.draft), .kind(.locked), .kind(.merged): true
    case .kind, .assigned, .milestone, .planned, .without, .time, .comments: false
    }
  }
}
