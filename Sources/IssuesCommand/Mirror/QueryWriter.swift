internal import IssueMirror
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes the answer to a query: as tab-separated values, or as JSON.
struct QueryWriter: Sendable {
  /// How many rows are written at a time.
  private static let pageSize = 200

  let isJSON: Bool

  func write(_ answer: QueryAnswer, to output: Output) async throws {
    let (tsv, encoder) = (TSV(), GitHubJSON.encoder())
    for start in stride(from: 0, to: answer.rows.count, by: Self.pageSize) {
      let rows = answer.rows[start..<min(start + Self.pageSize, answer.rows.count)]
      if isJSON {
        var page: [UInt8] = []
        for (index, row) in zip(rows.indices, rows) {
          page += (index == 0 ? "[\n" : ",\n").utf8
          page += try JSONText.escaped(Data(object(answer.columns, row, encoder)))
        }
        try await output.write(page)
      } else {
        try await output.write(tsv.page(rows.map { $0.map { StyledLine(Self.text(of: $0)) } }))
      }
    }
    if isJSON { try await output.write(answer.rows.isEmpty ? "[]\n" : "\n]\n") }
  }

  /// In the columns' order, which a dictionary wouldn't keep. Of two columns of a name readers take one.
  private func object(
    _ columns: [String], _ row: [QueryAnswer.Value], _ encoder: JSONEncoder
  ) throws -> [UInt8] {
    var object: [UInt8] = Array("{".utf8)
    for (index, (column, value)) in zip(columns, row).enumerated() {
      if index > 0 { object += ",".utf8 }
      object += try encoder.encode(column)
      object += ":".utf8
      switch value {
      case .null: object += "null".utf8
      case .integer(let number): object += "\(number)".utf8
      case .real(let number):
        object += number.isFinite ? Array("\(number)".utf8) : Array("null".utf8)
      case .text(let text): object += try encoder.encode(text)
      }
    }
    return object + Array("}".utf8)
  }

  private static func text(of value: QueryAnswer.Value) -> String {
    switch value {
    case .null: ""
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): text
    }
  }
}
