internal import IssueMirror

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes an export as JSON or CSV, page by page.
struct ExportWriter: Sendable {
  /// How it is written.
  enum Form: Sendable {
    /// An array with an item a line, each the bytes that the server sent; on a terminal with escapes for what
    /// the terminal would obey.
    case json(escapes: Bool)
    /// Lines of ``IssueTable``.
    case csv
  }

  let form: Form
  let sink: any ByteSink
  /// How many issues were written.
  private(set) var count = 0

  init(_ form: Form, to sink: any ByteSink) {
    self.form = form
    self.sink = sink
  }

  /// Writes a page, at once.
  mutating func write(_ entries: [IssueExport.Entry]) async throws {
    var page: [UInt8] = []
    switch form {
    case .json(let escapes):
      for (index, entry) in entries.enumerated() {
        page += (count + index == 0 ? "[\n" : ",\n").utf8
        let object = Self.object(entry)
        page += escapes ? JSONText.escaped(object) : object
      }
    case .csv:
      if count == 0 { page += CSV.line(IssueTable.columns).utf8 }
      for entry in entries {
        page += Self.line(IssueTable.row(of: try entry.issue())).utf8
        for comment in try entry.decodedComments() {
          page += Self.line(IssueTable.row(of: comment, on: entry.number)).utf8
        }
      }
    }
    count += entries.count
    try await sink.write(page)
  }

  /// Writes the end.
  func finish() async throws {
    switch form {
    case .json: try await sink.write(Array((count == 0 ? "[]\n" : "\n]\n").utf8))
    case .csv: if count == 0 { try await sink.write(Array(CSV.line(IssueTable.columns).utf8)) }
    }
  }

  private static func line(_ cells: [String]) -> String {
    CSV.line(cells.map(PlainText.harmless))
  }

  /// The object, with the comments as one more member where there are any.
  private static func object(_ entry: IssueExport.Entry) -> [UInt8] {
    guard let comments = entry.comments,
      let end = entry.json.lastIndex(of: UInt8(ascii: "}"))
    else { return Array(entry.json) }
    return Array(entry.json[..<end]) + Array(#","comments_list":["#.utf8)
      + Array(comments.joined(separator: Data(",".utf8))) + Array("]}".utf8)
  }
}
