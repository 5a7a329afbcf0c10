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
    /// An array with one item a line, as the server sent it, with escapes for what a terminal would obey.
    case json
    /// The rows of ``IssueTable``.
    case csv
  }

  let form: Form
  let sink: any ByteSink
  private(set) var count = 0

  init(_ form: Form, to sink: any ByteSink) {
    self.form = form
    self.sink = sink
  }

  /// Writes a page, at once.
  mutating func write(_ entries: [ExportedIssue]) async throws {
    var page: [UInt8] = []
    switch form {
    case .json:
      for (index, entry) in entries.enumerated() {
        page += (count + index == 0 ? "[\n" : ",\n").utf8
        page += JSONText.escaped(Self.object(entry))
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

  /// The object, with the comments as one more member if they are wanted.
  private static func object(_ entry: ExportedIssue) -> [UInt8] {
    let json = repaired(entry.json)
    guard let comments = entry.comments, let end = json.lastIndex(of: UInt8(ascii: "}")) else {
      return Array(json)
    }
    return Array(json[..<end]) + Array(#","comments_list":["#.utf8)
      + Array(comments.map(repaired).joined(separator: Data(",".utf8))) + Array("]}".utf8)
  }

  /// Replaces halves of surrogate pairs, as `list` does: without the other half they stand for no text, and many
  /// parsers refuse them.
  private static func repaired(_ json: Data) -> Data {
    let mayHaveHalves = json.withUnsafeBytes { bytes in
      bytes.indices.dropLast(2).contains { index in
        bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "u")
          && bytes[index + 2] | 0x20 == UInt8(ascii: "d")
      }
    }
    return mayHaveHalves ? JSONRepair.repaired(json) ?? json : json
  }
}

/// The destination of an export.
protocol ByteSink: Sendable {
  func write(_ bytes: [UInt8]) async throws
}

extension Output: ByteSink {}
