internal import GRDB
internal import GitHubAPI

/// The properties that a search asks for, as SQL over a row of `item`.
struct SearchConditions {
  /// What has to hold, each by itself.
  private var all: [SQL] = []
  /// The key of a row of `item`.
  private let key: SQL

  /// Translates the properties of a search.
  ///
  /// Where rows are found by words, and not by their properties (`drives`), SQLite must be kept from going
  /// through all issues with a label for each row: that is what the `+` does
  /// (<https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_>).
  init(_ query: SearchQuery, drives: Bool) {
    key = drives ? "item.key" : "+item.key"
    var alternatives: [SearchQuery.Property.Alternatives: [SQL]] = [:]
    for condition in query.conditions {
      let sql = sql(condition.property)
      if condition.isNegated {
        // What isn't known is not so.
        all.append("(\(sql)) IS NOT TRUE")
      } else if let kind = condition.property.alternatives {
        alternatives[kind, default: []].append(sql)
      } else {
        all.append("(\(sql))")
      }
    }
    all += alternatives.values.map { "(\($0.joined(separator: " OR ")))" }
  }

  /// What stands behind `WHERE …`; empty without conditions.
  var conjunction: SQL { all.map { " AND \($0)" as SQL }.joined() }

  /// The place of a row of `item` in the index.
  static let place: SQL = "(item.repository << \(sql: "\(SearchIndex.numberBits)") | item.number)"

  private func sql(_ property: SearchQuery.Property) -> SQL {
    switch property {
    case .state(let state): "item.state = \(state.rawValue)"
    case .kind(let kind): sql(kind)
    case .label(let names):
      """
      \(key) IN (
        SELECT item_label.item FROM item_label JOIN label ON label.key = item_label.label
        WHERE \(names.map { NameMatch.sql("label.name", $0) }.joined(separator: " OR ")))
      """
    case .person(let role, let login): sql(role, login.login)
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
    func field(_ path: String) -> SQL { "json_extract(CAST(item.json AS TEXT), \(path))" }
    return switch kind {
    case .issue: "item.is_pull_request = 0"
    case .pullRequest: "item.is_pull_request = 1"
    case .merged:
      "item.is_pull_request = 1 AND \(field("$.pull_request.merged_at")) IS NOT NULL"
    case .unmerged:
      "item.is_pull_request = 1 AND \(field("$.pull_request.merged_at")) IS NULL"
    case .draft: "\(field("$.draft")) IS TRUE"
    case .locked: "\(field("$.locked")) IS TRUE"
    case .unlocked: "\(field("$.locked")) IS NOT TRUE"
    }
  }

  private func sql(_ role: SearchQuery.Property.Role, _ login: String) -> SQL {
    switch role {
    case .author: "item.author = \(login)"
    case .assignee:
      """
      \(key) IN (
        SELECT item_assignee.item FROM item_assignee JOIN user ON user.key = item_assignee.user
        WHERE user.login = \(login))
      """
    case .mentioned: mention(of: login)
    case .commenter:
      """
      EXISTS (
        SELECT 1 FROM comment
        WHERE comment.repository = item.repository AND comment.number = item.number
          AND comment.author = \(login))
      """
    case .involved:
      ([.author, .assignee, .mentioned, .commenter] as [SearchQuery.Property.Role])
        .map { "(\(sql($0, login)))" as SQL }.joined(separator: " OR ")
    }
  }

  /// The index knows the words, but neither the `@` nor where the login ends.
  private func mention(of login: String) -> SQL {
    var query = SearchQuery()
    query.terms = [[SearchQuery.Term(text: login, isPhrase: true)]]
    let expression = MatchExpression(query)
    guard
      let inText = expression.matching(in: ["body"]), let inComment = expression.matching(in: [])
    else { return "FALSE" }
    return """
      \(Self.place) IN (SELECT item_text.rowid FROM item_text WHERE item_text MATCH \(inText))
        AND \(sql: MentionFunction.name)(json_extract(CAST(item.json AS TEXT), '$.body'), \(login))
      OR (item.repository, item.number) IN (
        SELECT comment.repository, comment.number FROM comment_text CROSS JOIN comment
          ON \(sql: SearchIndex.commentRow)
        WHERE comment_text MATCH \(inComment)
          AND \(sql: MentionFunction.name)(json_extract(CAST(comment.json AS TEXT), '$.body'), \(login)))
      """
  }

  private func sql(_ span: SearchSpan, of column: String) -> SQL {
    let first = span.first.map { "\(sql: column) >= \($0)" as SQL }
    let end = span.end.map { "\(sql: column) < \($0)" as SQL }
    let bounds = [first, end].compactMap { $0 }
    return bounds.isEmpty ? "\(sql: column) IS NOT NULL" : bounds.joined(separator: " AND ")
  }
}
