package import IssueTracker
package import PlatformModules

/// A column that a list of issues may show after the number and the title. Adding a column here adds it to tables, the
/// screen, its plain mode and the configuration.
package struct ListColumn: Sendable, RawRepresentable, Hashable, CaseIterable {
  /// The content of a cell.
  package enum Value: Sendable {
    case labels
    case people(@Sendable (GitHub.Issue) -> [GitHub.User])
    case person(@Sendable (GitHub.Issue) -> GitHub.User?)
    case text(@Sendable (GitHub.Issue) -> String?)
    /// A number or a ratio, such as `2/5`.
    case figure(@Sendable (GitHub.Issue) -> String?)
    case count(@Sendable (GitHub.Issue) -> Int)
    case time(@Sendable (GitHub.Issue) -> Date?)
  }

  /// The name in the configuration, which is also the title.
  package let rawValue: String
  package let value: Value
  /// The largest share of a table, in percent; nil for the width of the longest cell.
  package let share: Int?
  /// The order in which columns are dropped from a narrow table, lowest number first.
  package let dropOrder: Int
  /// Whether the mirror provides the value without reading the whole issue (`ListedIssueReader`).
  package let isListed: Bool
  /// The words for a nonempty cell.
  let words: @Sendable (_ cell: String, GitHub.Issue) -> String

  private init(
    _ name: String, _ value: Value, share: Int? = nil, dropOrder: Int, isListed: Bool = false,
    words: (@Sendable (_ cell: String, GitHub.Issue) -> String)? = nil
  ) {
    rawValue = name
    self.value = value
    self.share = share
    self.dropOrder = dropOrder
    self.isListed = isListed
    self.words = words ?? { cell, _ in "\(name) \(cell)" }
  }

  package static let labels = ListColumn(
    "labels", .labels, share: 25, dropOrder: 5, isListed: true,
    words: { "\($1.labels.count == 1 ? "label" : "labels") \($0)" })
  package static let assignees = ListColumn(
    "assignees", .people(\.assignees), share: 20, dropOrder: 6, isListed: true,
    words: { cell, _ in "assigned to \(cell)" })
  package static let updated = ListColumn(
    "updated", .time { $0.updatedAt ?? $0.createdAt }, dropOrder: 0, isListed: true)
  static let author = ListColumn(
    "author", .person(\.user), share: 20, dropOrder: 4, words: { cell, _ in "by \(cell)" })
  static let milestone = ListColumn(
    "milestone", .text(\.milestone?.title), share: 20, dropOrder: 3)
  static let comments = ListColumn(
    "comments", .count(\.commentsCount), dropOrder: 2,
    words: { "\($0) \($1.commentsCount == 1 ? "comment" : "comments")" })
  static let created = ListColumn("created", .time(\.createdAt), dropOrder: 1)

  /// All columns, in the order of the configuration's documentation.
  package static let allCases: [ListColumn] = [
    .labels, .assignees, .author, .milestone,
    ListColumn("type", .text(\.type?.name), share: 15, dropOrder: 3),
    ListColumn(
      "sub-issues", .figure(\.subIssues?.progress), dropOrder: 2,
      words: { cell, _ in "\(cell.replacing("/", with: " of ")) sub-issues done" }),
    ListColumn("fields", .text(\.fieldsText), share: 25, dropOrder: 3, words: { cell, _ in cell }),
    .comments, .created, .updated,
  ]

  package init?(rawValue: String) {
    guard let column = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
    self = column
  }

  package var isTime: Bool { if case .time = value { true } else { false } }

  package var isNumber: Bool {
    switch value {
    case .figure, .count: true
    case .labels, .people, .person, .text, .time: false
    }
  }
}

extension GitHub.Issue {
  /// The fields, such as `Priority=High, Effort=3`.
  package var fieldsText: String {
    fieldValues.compactMap(\.assignment).joined(separator: ", ")
  }
}

extension GitHub.SubIssuesSummary {
  /// The progress, such as `2/5`; nil without sub-issues.
  package var progress: String? { total > 0 ? "\(completed)/\(total)" : nil }
}
