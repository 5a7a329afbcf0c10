internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Shows what is kept of answers: a line a field, or JSON.
struct CacheReport: Encodable {
  /// A field of the report, by its name in JSON.
  enum Field: String, CodingKey, CaseIterable {
    case folder
    case entries
    case bytes
    case capacity
  }

  private typealias CodingKeys = Field

  let folder: String
  let entries: Int
  let bytes: Int
  let capacity: Int

  /// Writes the report: aligned on a terminal, `name<TAB>value` in a pipe, or an object.
  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(JSONObject(encoding: self), fields, to: session)
    } else if session.style.layout == .table {
      var table = Table(
        columns: [
          Column(title: "FIELD"), Column(title: "VALUE", sizing: .flexible(minimum: 10)),
        ], width: session.style.width, color: session.style.color)
      let lines = [
        ("folder", folder), ("entries", "\(entries)"), ("size", ByteCount.text(bytes)),
        ("capacity", ByteCount.text(capacity)),
      ]
      let rows = lines.map { [StyledLine($0.0, style: .heading), StyledLine($0.1)] }
      try await session.output.write("\n\(table.page(rows))")
    } else {
      let lines = [
        ("folder", folder), ("entries", "\(entries)"), ("bytes", "\(bytes)"),
        ("capacity", "\(capacity)"),
      ]
      let tsv = TSV(color: session.style.color)
      let rows = lines.map { [StyledLine($0.0, style: .heading), StyledLine($0.1)] }
      try await session.output.write(tsv.page(rows))
    }
  }
}
