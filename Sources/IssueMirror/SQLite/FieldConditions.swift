internal import GRDB

/// Conditions on the fields that an organization defines. These are stored only in an issue's JSON.
enum FieldConditions {
  static func sql(_ test: FieldTest) -> SQL {
    switch test.meaning {
    case .equal(let values):
      some(
        test.field,
        where: values.map { value in
          let number: SQL =
            Double(value).map { " OR typeof(content) <> 'text' AND content = \($0)" } ?? ""
          return "(issue_lowercase(content) = \(value.lowercased())\(number))"
        }.joined(separator: " OR "))
    case .within(let bounds):
      some(test.field, where: bounds.map(sql).joined(separator: " AND "))
    }
  }

  /// Matches issues with a value in the field.
  static func has(_ field: String) -> SQL { some(field, where: "content IS NOT NULL") }

  private static func sql(_ bound: FieldTest.Bound) -> SQL {
    let relation: SQL = "\(sql: bound.relation.rawValue)"
    return switch bound.operand {
    case .number(let number): "typeof(content) <> 'text' AND content \(relation) \(number)"
    case .day(let day):
      // Text that compares greater isn't necessarily a day.
      "content GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]' AND content \(relation) \(day)"
    }
  }

  /// Most issues don't have fields, which is detected without parsing the JSON. As in `GitHub.IssueFieldValue`, the
  /// names of selected options take precedence over the value.
  private static func some(_ field: String, where condition: SQL) -> SQL {
    """
    (instr(item.json, CAST('"issue_field_values"' AS BLOB)) > 0 AND EXISTS (
      SELECT CASE WHEN json_type(\(entry), '$.multi_select_options') IS 'array'
          THEN json_extract(option.value, '$.name')
          ELSE ifnull(
            json_extract(\(entry), '$.single_select_option.name'), json_extract(\(entry), '$.value'))
        END AS content
      FROM json_each(CAST(item.json AS TEXT), '$.issue_field_values') AS entry
        LEFT JOIN json_each(\(entry), '$.multi_select_options') AS option
      WHERE replace(issue_lowercase(json_extract(\(entry), '$.issue_field_name')), ' ', '-')
          = \(field)
        AND (\(condition))))
    """
  }

  /// An entry that is text or a number isn't valid JSON for SQLite's functions.
  private static let entry: SQL = "CASE entry.type WHEN 'object' THEN entry.value END"
}
