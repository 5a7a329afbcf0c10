internal import GRDB

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
