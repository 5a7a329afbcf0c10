internal import IssueTracker
internal import StyledText

/// Shows what a bulk change is about to change, and asks for confirmation.
struct BulkConfirmation: Sendable {
  private static let previewCount = 10

  /// The task, such as `close: 12 issues of swiftlang/swift`.
  let task: String
  /// Whether the user has confirmed it on the command line.
  let isConfirmed: Bool
  /// The rows in words, such as `Issues`.
  let noun: String
  /// The remedy if there is no terminal to ask on.
  let advice: String

  /// - Throws: ``CommandFailure`` unless the user confirms the task. `line` describes a row where there is no table.
  func ask<Row: ListItem>(
    _ rows: [Row], _ session: CommandSession, isJSON: Bool, line: (Row) -> String
  ) async throws {
    if session.style.layout == .table, !isJSON {
      var writer = try ListWriter<Row>(session, fields: nil)
      let shown = rows.prefix(Self.previewCount)
      let heading =
        shown.count < rows.count
        ? "The first \(shown.count) of \(rows.count.grouped):" : "\(noun):"
      try await writer.write(Array(shown), heading: heading)
      try await session.output.write("\n")
    }
    guard !isConfirmed else { return session.errors.write(task.capitalizedFirst) }
    guard session.canAsk else {
      let first = rows.prefix(Self.previewCount).map {
        line($0).split(whereSeparator: \.isNewline).joined(separator: " ")
      }
      let left = rows.count - first.count
      let preview = [task.capitalizedFirst] + first + (left > 0 ? ["and \(left.grouped) more"] : [])
      session.errors.write(preview.joined(separator: "\n"))
      throw CommandFailure(.usage, "nothing was changed\n\(advice)")
    }
    guard try await Question.ask("\(task). Go on?".capitalizedFirst) else {
      throw CommandFailure(.cancelled, "")
    }
  }
}
