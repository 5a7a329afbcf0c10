internal import ArgumentParser

/// How issues are exported.
enum ExportFormat: String, CaseIterable, NamedChoice {
  /// An array of what the server sent.
  case json
  /// A table of text.
  case csv
  /// A database file.
  case sqlite
}
