internal import GitHubAPI
internal import PlatformModules

/// A list in a tool result: the column names once, and as many rows as fit.
struct AnswerRows: Sendable {
  /// The length to which a title may be cut. At least one row must fit, or there would be no next page.
  static let longestTitle = 300
  private static let longestLabels = 100

  private let head: [OrderedJSON.Member]
  private let columns: [String]
  private var rows: [OrderedJSON] = []
  /// The space left for rows.
  private var left: Int

  /// Creates a list. `tail` is the longest possible end of the result.
  init(
    _ head: [OrderedJSON.Member], columns: [String], tail: [OrderedJSON.Member],
    bound: Int = AnswerBound.usual
  ) {
    (self.head, self.columns) = (head, columns)
    let empty = Self.object(head, columns, [], tail)
    left = bound - empty.text.utf16.count
  }

  var count: Int { rows.count }

  /// Appends a row. Returns whether it fits.
  mutating func append(_ cells: [OrderedJSON]) -> Bool {
    let row = OrderedJSON.array(cells)
    let cost = row.text.utf16.count + 1
    guard cost <= left else { return false }
    left -= cost
    rows.append(row)
    return true
  }

  func text(_ tail: [OrderedJSON.Member]) -> String {
    Self.object(head, columns, rows, tail).text
  }

  private static func object(
    _ head: [OrderedJSON.Member], _ columns: [String], _ rows: [OrderedJSON],
    _ tail: [OrderedJSON.Member]
  ) -> OrderedJSON {
    .object(head + [("cols", .strings(columns)), ("rows", .array(rows))] + tail)
  }

  // MARK: Cells

  /// The names of an issue's labels, which anyone with write access to the repository chooses.
  static func labels(of issue: GitHub.Issue, _ mark: StrangerText) -> OrderedJSON {
    let names = issue.labels.map(\.name).joined(separator: ", ")
    return .string(names.isEmpty ? "" : mark.marked(line: names, atMost: longestLabels))
  }

  static func harmlessName(_ name: String) -> String {
    PlainText.harmless(name.split(whereSeparator: \.isNewline).joined(separator: " "))
  }

  static func kind(of issue: GitHub.Issue) -> OrderedJSON {
    .string(issue.isPullRequest ? "pr" : "issue")
  }

  /// The state as on GitHub: a pull request may also be merged or a draft.
  static func state(of issue: GitHub.Issue) -> OrderedJSON {
    .string(StrangerText.defused(harmlessName(issue.stateName.lowercased())))
  }

  static func day(_ date: Date?) -> OrderedJSON {
    date.map { .string(String(Timestamp.string(from: $0).prefix { $0 != "T" })) } ?? .null
  }
}
