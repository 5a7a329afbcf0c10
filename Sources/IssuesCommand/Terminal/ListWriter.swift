internal import IssueTracker
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes a list page by page: as a table, as tab-separated values, or as JSON.
///
/// JSON is one array with an item a line. Only ``finish()`` closes it, so a list that broke off isn't valid JSON. With
/// `--jsonl` it is the lines alone.
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
  private(set) var count = 0

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

  /// People need headings and explanations.
  var isTable: Bool {
    if case .table = form { true } else { false }
  }

  /// Writes at once. The heading stands above a table's first page.
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

  /// Throws for a field that doesn't exist.
  mutating func write(objects: [JSONObject]) async throws {
    guard case .json(var sink) = form else { return }
    try await sink.write(list: objects)
    form = .json(sink)
    count += objects.count
  }

  /// Writes a notice to standard error, or below the table if a pager has the screen.
  func tell(_ notice: String) async throws {
    guard isTable, hasPager else { return errors.write(notice) }
    let line = StyledLine(notice, style: .faint).rendered(in: color)
    try await output.write("\(count == 0 ? "" : "\n")\(line)\n")
  }

  func finish() async throws {
    guard case .json(var sink) = form else { return }
    try await sink.finishList()
  }
}

protocol ListItem: Sendable {
  static var columns: [Column] { get }

  func tableCells(now: Date) -> [StyledLine]

  /// The line below its row in the table.
  var note: StyledLine? { get }

  /// For programs: nothing is cut, no time is relative.
  func plainCells() -> [StyledLine]

  func object() throws -> JSONObject
}

extension ListItem {
  var note: StyledLine? { nil }
}
