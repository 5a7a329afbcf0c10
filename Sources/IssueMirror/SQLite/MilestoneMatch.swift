internal import GRDB
internal import GitHubAPI

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
