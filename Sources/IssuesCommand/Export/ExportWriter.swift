internal import IssueMirror
internal import PlatformModules

/// Writes an export as JSON or CSV, page by page.
struct ExportWriter: Sendable {
  enum Form: Sendable {
    /// One item per line, as in `list`.
    case json
    case csv
  }

  let form: Form
  let sink: any ByteSink
  private(set) var count = 0

  init(_ form: Form, to sink: any ByteSink) {
    self.form = form
    self.sink = sink
  }

  /// Writes entries. `timelines` are the timelines of the entries, for JSON.
  mutating func write(
    _ entries: [ExportedIssue], timelines: [[Data]?]? = nil
  ) async throws {
    var page: [UInt8] = []
    switch form {
    case .json:
      for (index, entry) in entries.enumerated() {
        page += (count + index == 0 ? "[\n" : ",\n").utf8
        page += Self.object(entry, timeline: timelines.map { $0[index] })
      }
    case .csv:
      if count == 0 { page += CSV.line(IssueTable.columns).utf8 }
      for entry in entries {
        page += Self.line(try entry.cells()).utf8
        for comment in try entry.decodedComments() {
          page += Self.line(IssueTable.row(of: comment, on: entry.number)).utf8
        }
      }
    }
    count += entries.count
    try await sink.write(page)
  }

  func finish() async throws {
    switch form {
    case .json: try await sink.write(Array((count == 0 ? "[]\n" : "\n]\n").utf8))
    case .csv: if count == 0 { try await sink.write(Array(CSV.line(IssueTable.columns).utf8)) }
    }
  }

  private static func line(_ cells: [String]) -> String { CSV.line(cells.map(harmless)) }

  /// Makes a cell safe. CRLF, the line ending of browsers and of CSV, is kept.
  private static func harmless(_ cell: String) -> String {
    guard cell.utf8.contains(UInt8(ascii: "\r")) else { return PlainText.harmless(cell) }
    // By single bytes, which is faster than a search for two bytes or for a character.
    let lines = cell.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    return lines.dropLast().reduce(into: "") { text, line in
      let end = line.last == UInt8(ascii: "\r") ? "\r\n" : "\n"
      text += PlainText.harmless(String(Substring(line.dropLast(end.utf8.count - 1)))) + end
    } + PlainText.harmless(String(Substring(lines[lines.count - 1])))
  }

  private static func object(_ entry: ExportedIssue, timeline: [Data]??) -> [UInt8] {
    var object = JSONText.passed(entry.json)
    guard object.last == UInt8(ascii: "}") else { return object }
    object.removeLast()
    if let comments = entry.comments { object += #","comments_list":"#.utf8 + array(comments) }
    if let timeline {
      object += #","timeline":"#.utf8 + (timeline.map(array) ?? Array("null".utf8))
    }
    return object + Array("}".utf8)
  }

  private static func array(_ objects: [Data]) -> [UInt8] {
    Array("[".utf8) + Array(objects.map(JSONText.passed).joined(separator: ",".utf8))
      + Array("]".utf8)
  }
}
