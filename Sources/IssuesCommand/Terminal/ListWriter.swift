internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes a list page by page: as a table, as tab-separated values, or as JSON.
///
/// JSON is one array with an item a line. The bracket that closes it is written by ``finish()`` only: a
/// list that broke half way is not valid JSON, and can't be taken for a whole one.
struct ListWriter<Item: ListItem> {
  private enum Form {
    case table(Table)
    case plain(TSV)
    case json(JSONSink)
  }

  private let output: Output
  private let errors: ErrorOutput
  private let hasPager: Bool
  private let color: ColorMode
  private let now: Date
  private var form: Form
  /// How many items were written.
  private(set) var count = 0

  /// Prepares writing.
  ///
  /// - Throws: ``CommandFailure`` where the expression can't be compiled.
  init(
    _ session: CommandSession, fields: JSONFields?, columns: [Column] = Item.columns,
    now: Date = Date()
  ) throws(CommandFailure) {
    output = session.output
    errors = session.errors
    hasPager = session.hasPager
    color = session.style.color
    self.now = now
    if let fields {
      form = try .json(JSONSink(session, fields))
    } else if session.style.layout == .table {
      form = .table(
        Table(
          columns: columns, width: session.style.width, color: session.style.color,
          showsLinks: session.showsHyperlinks))
    } else {
      form = .plain(TSV(color: session.style.color))
    }
  }

  /// Whether a person reads it: then a heading and explanations help.
  var isTable: Bool {
    if case .table = form { true } else { false }
  }

  /// Writes a page, at once.
  ///
  /// - Parameters:
  ///   - items: What is on it.
  ///   - heading: The line above the first page of a table.
  /// - Throws: ``OutputError`` when the output takes no more.
  mutating func write(_ items: [Item], heading: @autoclosure () -> String) async throws {
    guard !items.isEmpty else { return }
    var page: [UInt8] = []
    switch form {
    case .table(var table):
      if count == 0 { page += "\n\(heading())\n\n".utf8 }
      page += table.page(items.map { $0.tableCells(now: now) }, notes: items.map(\.note)).utf8
      form = .table(table)
    case .plain(let tsv):
      page += tsv.page(items.map { $0.plainCells() }).utf8
    case .json:
      return try await write(objects: items.map { try $0.object() })
    }
    count += items.count
    try await output.write(page)
  }

  /// Writes a page of a list that is JSON, at once.
  ///
  /// - Throws: ``OutputError``; ``CommandFailure`` where what was asked for isn't in it.
  mutating func write(objects: [JSONObject]) async throws {
    guard case .json(var sink) = form else { return }
    var page: [UInt8] = []
    for (index, text) in try sink.texts(of: objects).enumerated() {
      page += (count + index == 0 ? "[\n" : ",\n").utf8
      page += text
    }
    try await sink.write(page)
    form = .json(sink)
    count += objects.count
  }

  /// Says how the list ended: on standard error, or below the table where a pager has the screen, which
  /// another line would be written across.
  ///
  /// - Throws: ``OutputError`` when the output takes no more.
  func tell(_ notice: String) async throws {
    guard isTable, hasPager else { return errors.write(notice) }
    let line = StyledLine(notice, style: .faint).rendered(in: color)
    try await output.write("\(count == 0 ? "" : "\n")\(line)\n")
  }

  /// Ends the list.
  ///
  /// - Throws: ``OutputError``; ``CommandFailure`` where what was asked for isn't in it.
  func finish() async throws {
    guard case .json(var sink) = form else { return }
    try await sink.finish(count == 0 ? "[]\n" : "\n]\n")
  }
}
