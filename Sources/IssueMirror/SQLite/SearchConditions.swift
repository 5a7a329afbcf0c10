internal import GRDB
internal import GitHubAPI
internal import PlatformModules

struct SearchConditions {
  enum Use {
    /// The condition finds the rows.
    case driving
    /// Another condition finds the rows. A `+` prevents SQLite from listing all issues with a label for each row
    /// (<https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_>).
    case testing
  }

  private struct Requirement {
    var driving: SQL
    var testing: SQL
    var matches: SQL?
  }

  private let query: SearchQuery
  private let repositories: [Int64]

  init(_ query: SearchQuery, in repositories: [Int64]) {
    self.query = query
    self.repositories = repositories
  }

  func conjunction(_ use: Use) -> SQL {
    requirements.map { " AND \(use == .driving ? $0.driving : $0.testing)" as SQL }.joined()
  }

  /// The order of results. Without words, relevance means newest first.
  var order: SQL {
    let direction: SQL = query.direction == .descending ? "DESC" : "ASC"
    let column: SQL =
      switch query.sort {
      case .relevance, .created: "item.created_at"
      case .updated: "item.updated_at"
      case .comments: "item.comments"
      case .reactions: Self.reactions
      }
    return "\(column) \(direction), item.number \(direction)"
  }

  /// Finds issues by the conditions that at most `count` issues meet; nil if no condition is that selective.
  func conjunction(drivenByUpTo count: Int, _ db: Database) throws -> SQL? {
    var isDriven = false
    let conditions = try requirements.map { requirement -> SQL in
      guard let matches = requirement.matches else { return requirement.testing }
      let found =
        try SQLRequest<Int>(
          literal: "SELECT count(*) FROM (SELECT 1 FROM (\(matches)) LIMIT \(count + 1))",
          cached: true
        ).fetchOne(db) ?? 0
      guard found <= count else { return requirement.testing }
      isDriven = true
      return requirement.driving
    }
    return isDriven ? conditions.map { " AND \($0)" as SQL }.joined() : nil
  }

  static let commentPlace: SQL =
    "(comment.repository << \(sql: "\(SearchIndex.commentBits)") | comment.id)"

  private var requirements: [Requirement] {
    var all: [Requirement] = []
    var choices: [Requirement] = []
    for condition in query.conditions {
      let property = condition.property
      let testing = sql(property, .testing)
      if condition.isNegated {
        // An unknown value doesn't meet the condition, but meets its negation.
        let negated: SQL = "(\(testing)) IS NOT TRUE"
        all.append(Requirement(driving: negated, testing: negated))
        continue
      }
      let requirement = Requirement(
        driving: sql(property, .driving), testing: testing, matches: matches(property))
      if property.isAlternative {
        choices.append(requirement)
      } else {
        all.append(
          Requirement(
            driving: "(\(requirement.driving))", testing: "(\(testing))",
            matches: requirement.matches))
      }
    }
    guard !choices.isEmpty else { return all }
    let matches = choices.compactMap(\.matches)
    all.append(
      Requirement(
        driving: "(\(choices.map(\.driving).joined(separator: " OR ")))",
        testing: "(\(choices.map(\.testing).joined(separator: " OR ")))",
        matches: matches.count == choices.count ? matches.joined(separator: " UNION ALL ") : nil))
    return all
  }

  /// Most items don't have reactions, which is detected without parsing the JSON.
  private static let reactions: SQL = """
    CASE WHEN instr(item.json, CAST('"total_count":0,' AS BLOB)) > 0 THEN 0
      ELSE ifnull(json_extract(CAST(item.json AS TEXT), '$.reactions.total_count'), 0) END
    """

  static let place: SQL = "(item.repository << \(sql: "\(SearchIndex.numberBits)") | item.number)"

  private func sql(_ property: SearchQuery.Property, _ use: Use) -> SQL {
    switch property {
    case .state(let state): "item.state = \(state.rawValue)"
    case .kind(let kind): sql(kind)
    case .label(let names): "\(Self.key(use)) IN (\(items(labelled: names)))"
    case .person(let role, let login): sql(role, login.login, use)
    case .assigned:
      "EXISTS (SELECT 1 FROM item_assignee WHERE item_assignee.item = item.key)"
    case .mentionedInText(let login):
      "\(Self.number(use)) IN (\(numbers(mentioning: login.login, inComments: false)))"
    case .milestone(let title): MilestoneMatch.sql(title, of: "item")
    case .milestoneNumber(let number): "item.milestone_number = \(number)"
    case .planned: "item.milestone IS NOT NULL"
    case .without(.label):
      "NOT EXISTS (SELECT 1 FROM item_label WHERE item_label.item = item.key)"
    case .without(.assignee):
      "NOT EXISTS (SELECT 1 FROM item_assignee WHERE item_assignee.item = item.key)"
    case .without(.milestone): "item.milestone IS NULL"
    case .without(.type): "\(Self.type) IS NULL"
    case .without(.parent): "\(Self.parent) IS NULL"
    case .type(let name): "issue_lowercase(\(Self.type)) = \(name.lowercased())"
    case .typed: "\(Self.type) IS NOT NULL"
    case .field(let test): FieldConditions.sql(test)
    case .withoutField(let field): "NOT \(FieldConditions.has(field))"
    case .parent(let repository, let number):
      Self.parentEnds(in: (repository.map { "/\($0)" } ?? "") + "/issues/\(number)")
    case .time(.created, let span): sql(span, of: "item.created_at")
    case .time(.updated, let span): sql(span, of: "item.updated_at")
    case .time(.closed, let span): sql(span, of: "item.closed_at")
    case .comments(let span): sql(span, of: "item.comments")
    }
  }

  /// Issues without a type are detected without parsing the JSON; the next two properties work in the same way.
  private static let type: SQL = """
    CASE WHEN instr(item.json, CAST('"type":null' AS BLOB)) > 0 THEN NULL
      ELSE json_extract(CAST(item.json AS TEXT), '$.type.name') END
    """

  private static let parent: SQL = """
    CASE WHEN instr(item.json, CAST('"parent_issue_url"' AS BLOB)) > 0
      THEN json_extract(CAST(item.json AS TEXT), '$.parent_issue_url') END
    """

  /// Compares without LIKE, because repository names may contain its wildcards.
  private static func parentEnds(in suffix: String) -> SQL {
    "substr(issue_lowercase(\(parent)), \(-suffix.utf8.count)) = \(suffix.lowercased())"
  }

  private func dependencies(_ count: String) -> SQL {
    """
    instr(item.json, CAST(\("\"\(count)\":0") AS BLOB)) = 0
      AND ifnull(json_extract(
        CAST(item.json AS TEXT), \("$.issue_dependencies_summary.\(count)")), 0) > 0
    """
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
    case .blocked: dependencies("blocked_by")
    case .blocking: dependencies("blocking")
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
    case .mentionedInText(let login): numbers(mentioning: login.login, inComments: false)
    case .state, .kind, .assigned, .milestone, .milestoneNumber, .planned, .type, .typed, .field,
      .withoutField, .parent, .without, .time, .comments:
      nil
    }
  }

  private static func key(_ use: Use) -> SQL { use == .driving ? "item.key" : "+item.key" }

  private static func number(_ use: Use) -> SQL {
    use == .driving ? "(item.repository, item.number)" : "(+item.repository, +item.number)"
  }

  private func items(labelled names: [String]) -> SQL {
    """
    SELECT item_label.item FROM label CROSS JOIN item_label ON item_label.label = label.key
    WHERE label.repository IN \(repositories)
      AND (\(names.map { NameMatch.sql("label.name", $0) }.joined(separator: " OR ")))
    """
  }

  private func items(assignedTo login: String) -> SQL {
    """
    SELECT item_assignee.item FROM user CROSS JOIN item_assignee ON item_assignee.user = user.key
    WHERE user.host IN (SELECT host FROM repository WHERE key IN \(repositories))
      AND user.login = \(login)
    """
  }

  private func numbers(mentioning login: String, inComments: Bool = true) -> SQL {
    """
    SELECT mention.repository, mention.number FROM mention
    WHERE mention.repository IN \(repositories) AND mention.login = \(login.lowercased())
      \(sql: inComments ? "" : "AND mention.comment = 0")
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

extension MirrorList {
  func keys(_ db: Database) throws -> [Int64] {
    try selection("item.key", as: Int64.self).fetchAll(db)
  }

  func numbers(_ db: Database) throws -> [Int] {
    try selection("item.number", as: Int.self).fetchAll(db)
  }

  private func selection<Value>(_ column: SQL, as type: Value.Type) -> SQLRequest<Value> {
    let conditions = SearchConditions(
      SearchQuery(filter, includesPullRequests: includesPullRequests), in: [repository.id])
    // SQLite treats a negative limit as no limit.
    return SQLRequest(
      literal: """
        SELECT \(column) FROM item
        WHERE item.repository = \(repository.id)\(conditions.conjunction(.driving))
        ORDER BY \(conditions.order) LIMIT \(limit.map { max($0, 0) } ?? -1)
        """)
  }
}

/// A milestone matches by title, or by number if no milestone of the repository has that title.
enum MilestoneMatch {
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

/// Compares names, ignoring case. SQLite alone ignores only the case of ASCII letters.
enum NameMatch {
  static let function = DatabaseFunction("issue_lowercase", argumentCount: 1, pure: true) {
    values in
    String.fromDatabaseValue(values[0])?.lowercased()
  }

  static func sql(_ column: String, _ name: String) -> SQL {
    name.utf8.allSatisfy { $0 < 0x80 }
      ? "\(sql: column) = \(name)"
      : "issue_lowercase(\(sql: column)) = \(name.lowercased())"
  }
}

/// Phrases in FTS5's syntax (<https://www.sqlite.org/fts5.html#full_text_query_syntax>), quoted so that their text
/// isn't interpreted.
extension SearchPhrases {
  /// Nil if the search doesn't have required words. If `columns` is empty, all columns are searched. Excluded words are
  /// searched in `others`, by default the same columns.
  func matching(in columns: [String], excludingIn others: [String]? = nil) -> String? {
    guard !required.isEmpty else { return nil }
    let words = Self.filtered(required.map(Self.anyOf).joined(separator: " AND "), columns)
    guard let exclusion = exclusion(in: others ?? columns) else { return words }
    return "(\(words)) NOT (\(exclusion))"
  }

  func exclusion(in columns: [String]) -> String? {
    excluded.isEmpty ? nil : Self.filtered(Self.anyOf(excluded), columns)
  }

  private static func filtered(_ text: String, _ columns: [String]) -> String {
    columns.isEmpty ? text : "{\(columns.joined(separator: " "))} : (\(text))"
  }

  private static func anyOf(_ phrases: [Phrase]) -> String {
    "(\(phrases.map(\.text).joined(separator: " OR ")))"
  }
}

extension SearchPhrases.Phrase {
  var text: String {
    // Tokens never contain quotation marks.
    "\"\(tokens.joined(separator: " "))\"" + (isPrefix ? " *" : "")
  }
}
