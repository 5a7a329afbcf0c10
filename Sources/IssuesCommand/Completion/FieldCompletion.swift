internal import IssueTracker

/// Completes the names of fields behind `--json`, of which several stand with commas between them.
enum FieldCompletion {
  /// The fields of what a subcommand shows, those left out that stand there already.
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    let typed = value(of: prefix).split(separator: ",", omittingEmptySubsequences: false)
    let given = typed.dropLast().map(String.init)
    let beginning = String(typed.last ?? "")
    return fields(of: words.dropFirst().first ?? "")
      .filter { $0.hasPrefix(beginning) && !given.contains($0) }
      .map { (given + [$0]).joined(separator: ",") }
  }

  /// What is typed of an option's value: zsh and fish tell the option too, where both are one word.
  static func value(of prefix: String) -> String {
    guard prefix.hasPrefix("--"), let mark = prefix.firstIndex(of: "=") else { return prefix }
    return String(prefix[prefix.index(after: mark)...])
  }

  private static func fields(of subcommand: String) -> [String] {
    switch subcommand {
    case "view": IssueWriter.fieldNames
    case "search": FoundIssue.fieldNames
    case "repos", "search-repos": Repository.fieldNames
    case "user": User.fieldNames
    case "stats": StatisticsReport.Field.allCases.map(\.rawValue)
    case "mirror": MirrorEntry.Field.allCases.map(\.rawValue)
    case "sync": SyncWriter.Entry.CodingKeys.allCases.map(\.rawValue)
    case "auth": AuthStatus.Field.allCases.map(\.rawValue)
    case "cache": CacheReport.Field.allCases.map(\.rawValue)
    default: Issue.fieldNames
    }
  }
}
