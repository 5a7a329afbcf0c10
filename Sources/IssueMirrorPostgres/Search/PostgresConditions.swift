internal import IssueMirror

/// The conditions of a search: some are tested on a row of `item`, others by the words of its text.
struct PostgresConditions {
  /// Alternative conditions of which any must hold, or if negated, none.
  private struct Group {
    var alternatives: [SearchQuery.Property]
    var isNegated = false

    var words: String? {
      let words = alternatives.map(PostgresConditions.words)
      guard !words.contains(nil) else { return nil }
      let any = "(\(words.compactMap(\.self).joined(separator: " | ")))"
      return isNegated ? "!\(any)" : any
    }

    var sql: PostgresSQL {
      let any = alternatives.map { "(\(PostgresConditions.sql($0)))" as PostgresSQL }
        .joined(separator: " OR ")
      // An unknown value doesn't meet a condition, but meets its negation.
      return isNegated ? " AND (\(any)) IS NOT TRUE" : " AND (\(any))"
    }
  }

  private let query: SearchQuery
  private let groups: [Group]
  /// The conditions that the words of an issue's text can test, each as a `tsquery`.
  let words: [String]
  /// The other conditions. The SQL begins with ` AND ` unless it is empty.
  let rest: PostgresSQL

  /// `hasWords` is true if texts contain the words of ``PropertyWord``.
  init(_ query: SearchQuery, hasWords: Bool = false) {
    self.query = query
    groups = Self.groups(query)
    words = hasWords ? groups.compactMap(\.words) : []
    rest = groups.filter { !hasWords || $0.words == nil }.map(\.sql).joined()
  }

  /// Whether the index of words finds the issues of ``words``, at least one of which isn't negated.
  var hasIndexedWords: Bool { words.contains { !$0.hasPrefix("!") } }

  /// All conditions. The SQL begins with ` AND ` unless it is empty.
  var conjunction: PostgresSQL { groups.map(\.sql).joined() }

  /// The groups in the order of the search, so that equal searches produce equal statements.
  private static func groups(_ query: SearchQuery) -> [Group] {
    var single: [Group] = []
    var alternatives: [SearchQuery.Property] = []
    for condition in query.conditions {
      if !condition.isNegated, condition.property.isAlternative {
        alternatives.append(condition.property)
      } else {
        single.append(
          Group(alternatives: [condition.property], isNegated: condition.isNegated))
      }
    }
    return alternatives.isEmpty ? single : single + [Group(alternatives: alternatives)]
  }

  private static func words(_ property: SearchQuery.Property) -> String? {
    let words: [String?] =
      switch property {
      case .state(let state): [PropertyWord.state(state.rawValue)]
      case .kind(.issue): [PropertyWord.kind(isPullRequest: false)]
      case .kind(.pullRequest): [PropertyWord.kind(isPullRequest: true)]
      case .label(let names): names.map { PropertyWord.label($0.lowercased()) }
      case .person(.author, let login): [PropertyWord.author(login.login.lowercased())]
      case .person(.assignee, let login): [PropertyWord.assignee(login.login.lowercased())]
      default: [nil]
      }
    guard !words.isEmpty, !words.contains(nil) else { return nil }
    return words.compactMap { $0.map(PropertyWord.quoted) }.joined(separator: " | ")
  }

  /// The column that determines the order. Without words, relevance means newest first.
  var orderColumn: PostgresSQL {
    switch query.sort {
    case .relevance, .created: "item.created_at"
    case .updated: "item.updated_at"
    case .comments: "item.comments"
    case .reactions: "item.reactions"
    }
  }

  var order: PostgresSQL {
    query.direction == .descending
      ? "\(orderColumn) DESC NULLS LAST, item.number DESC"
      : "\(orderColumn) ASC NULLS FIRST, item.number ASC"
  }

  private static func sql(_ property: SearchQuery.Property) -> PostgresSQL {
    switch property {
    case .state(let state): "item.state = \(state.rawValue)"
    case .kind(let kind): sql(kind)
    case .label(let names): "item.label_keys && \(names.map { $0.lowercased() })"
    case .person(let role, let login): sql(role, login.login.lowercased())
    case .assigned: "item.assignee_keys <> '{}'"
    case .mentionedInText(let login): "\(login.login.lowercased()) = ANY (item.mention_keys)"
    case .milestone(let title): Self.isPlanned(for: title)
    case .milestoneNumber(let number): "item.milestone_number = \(number)"
    case .planned: "item.milestone_key IS NOT NULL"
    case .without(.label): "item.label_keys = '{}'"
    case .without(.assignee): "item.assignee_keys = '{}'"
    case .without(.milestone): "item.milestone_key IS NULL"
    case .without(.type): "item.type_key IS NULL"
    case .without(.parent): "item.parent_key IS NULL"
    case .type(let name): "item.type_key = \(name.lowercased())"
    case .typed: "item.type_key IS NOT NULL"
    case .field(let test): Self.sql(test)
    case .withoutField(let field): "NOT \(Self.hasField(field))"
    case .parent(let repository, let number):
      Self.parentEnds(in: (repository.map { "/\($0)" } ?? "") + "/issues/\(number)")
    case .time(.created, let span): sql(span, of: "item.created_at")
    case .time(.updated, let span): sql(span, of: "item.updated_at")
    case .time(.closed, let span): sql(span, of: "item.closed_at")
    case .comments(let span): sql(span, of: "item.comments")
    }
  }

  private static func sql(_ kind: SearchQuery.Property.Kind) -> PostgresSQL {
    switch kind {
    case .issue: "NOT item.is_pull_request"
    case .pullRequest: "item.is_pull_request"
    case .merged: "item.merged_at IS NOT NULL"
    case .unmerged: "item.is_pull_request AND item.merged_at IS NULL"
    case .draft: "item.is_draft"
    case .locked: "item.is_locked"
    case .unlocked: "NOT item.is_locked"
    case .blocked: "item.blocked_by > 0"
    case .blocking: "item.blocking > 0"
    }
  }

  private static func sql(_ role: SearchQuery.Property.Role, _ login: String) -> PostgresSQL {
    switch role {
    case .author: "item.author_key = \(login)"
    case .assignee: "\(login) = ANY (item.assignee_keys)"
    case .mentioned:
      """
      \(login) = ANY (item.mention_keys) OR \(Self.hasComment("\(login) = ANY (comment.mention_keys)"))
      """
    case .commenter: Self.hasComment("comment.author_key = \(login)")
    case .involved:
      ([.author, .assignee, .mentioned, .commenter] as [SearchQuery.Property.Role])
        .map { sql($0, login) }.joined(separator: " OR ")
    }
  }

  private static func sql(_ test: FieldTest) -> PostgresSQL {
    switch test.meaning {
    case .equal(let values):
      let keys = values.flatMap { value in
        [ItemFacts.key(test.field, value)]
          + (Double(value).map { [ItemFacts.key(test.field, $0)] } ?? [])
      }
      return "item.field_keys && \(keys)"
    case .within(let bounds):
      let conditions = bounds.map { sql($0, of: test.field) }
      return """
        EXISTS (
          SELECT FROM unnest(item.field_keys) AS key WHERE \(conditions.joined(separator: " AND ")))
        """
    }
  }

  /// Uses CASE, because otherwise a value of another type might be cast.
  private static func sql(_ bound: FieldTest.Bound, of field: String) -> PostgresSQL {
    let relation: PostgresSQL = "\(sql: bound.relation.rawValue)"
    switch bound.operand {
    case .number(let number):
      let prefix = ItemFacts.prefix(field, ofNumber: true)
      let place = prefix.unicodeScalars.count + 1
      return """
        CASE WHEN starts_with(key, \(prefix))
          THEN substr(key, \(place)::integer)::double precision \(relation) \("\(number)")::double precision
          ELSE false END
        """
    case .day(let day):
      let prefix = ItemFacts.prefix(field, ofNumber: false)
      let value: PostgresSQL = "substr(key, \(prefix.unicodeScalars.count + 1)::integer)"
      return """
        CASE WHEN starts_with(key, \(prefix))
          THEN \(value) ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' AND \(value) COLLATE "C" \(relation) \(day)
          ELSE false END
        """
    }
  }

  private static func hasField(_ field: String) -> PostgresSQL {
    """
    EXISTS (
      SELECT FROM unnest(item.field_keys) AS key
      WHERE starts_with(key, \(field + ItemFacts.separator)))
    """
  }

  private static func hasComment(_ condition: PostgresSQL) -> PostgresSQL {
    """
    EXISTS (
      SELECT FROM comment WHERE comment.repository = item.repository
        AND comment.number = item.number AND \(condition))
    """
  }

  /// A milestone matches by title, or by number if no milestone of the repository has that title.
  private static func isPlanned(for title: String) -> PostgresSQL {
    let key = title.lowercased()
    guard let number = MilestoneChoice.number(of: title) else {
      return "item.milestone_key = \(key)"
    }
    return """
      item.milestone_key = \(key) OR item.milestone_number = \(number) AND NOT EXISTS (
        SELECT FROM milestone WHERE milestone.repository = item.repository
          AND milestone.title_key = \(key))
      """
  }

  /// Compares without LIKE, because repository names may contain its wildcards.
  private static func parentEnds(in suffix: String) -> PostgresSQL {
    "right(item.parent_key, \(suffix.count)::integer) = \(suffix.lowercased())"
  }

  private static func sql(_ span: SearchSpan, of column: PostgresSQL) -> PostgresSQL {
    let first = span.first.map { "\(column) >= \($0)" as PostgresSQL }
    let end = span.end.map { "\(column) < \($0)" as PostgresSQL }
    let bounds = [first, end].compactMap { $0 }
    return bounds.isEmpty ? "\(column) IS NOT NULL" : bounds.joined(separator: " AND ")
  }
}
