internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// Writes a list page by page: as a table, as tab-separated values, or as JSON.
///
/// JSON is one array with one item per line. Only ``finish()`` closes it, so an interrupted list isn't valid JSON. With
/// `--jsonl`, only the lines are written.
struct ListWriter<Item: ListItem> {
  private enum Form {
    case table(Table)
    case plain(TSV)
    case json(JSONSink)
  }

  private let output: Output
  private let errors: ErrorOutput
  private let hasPager: Bool
  private let hasOwnLimit: Bool
  private let color: ColorMode
  /// The reference time for relative times.
  var now: Date
  private var form: Form
  private(set) var count = 0
  /// The grouping. If it is set, the rows are written at the end, group by group.
  var grouping: ListGrouping<Item>?
  private var gathered: [Item] = []
  private var headingOfGroups = ""

  init(
    _ session: CommandSession, fields: JSONFields?, columns: [Column] = Item.columns.map(\.column),
    now: Date = Date()
  ) throws(CommandFailure) {
    output = session.output
    errors = session.errors
    hasPager = session.hasPager
    hasOwnLimit = session.hasOwnLimit
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

  /// Whether the output is a table for a person, who needs headings and explanations.
  var isTable: Bool {
    if case .table = form { true } else { false }
  }

  /// Writes items immediately. The heading is above a table's first page.
  mutating func write(_ items: [Item], heading: @autoclosure () -> String) async throws {
    guard !items.isEmpty else { return }
    if grouping != nil {
      if count == 0 { headingOfGroups = heading() }
      gathered += items
      count += items.count
      return
    }
    var page: [UInt8] = []
    switch form {
    case .table(var table):
      if count == 0 { page += "\n\(TerminalText(heading()))\n\n".utf8 }
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

  /// Writes objects. Throws if a requested field doesn't exist.
  mutating func write(objects: [JSONObject]) async throws {
    guard case .json(var sink) = form else { return }
    try await sink.write(list: objects)
    form = .json(sink)
    count += objects.count
  }

  /// Writes a notice to standard error, or below the table if a pager owns the screen.
  func tell(_ notice: String) async throws {
    guard isTable, hasPager else { return errors.write(notice) }
    let line = StyledLine(notice, style: .faint).rendered(in: color)
    try await output.write("\(count == 0 ? "" : "\n")\(line)\n")
  }

  /// Writes the collected rows: as a table with a heading for each group, as lines that begin with the group, or as
  /// JSON with each item once, in the order of the groups.
  mutating func writeGroups() async throws {
    guard let grouping, !gathered.isEmpty else { return }
    let (items, rows) = (gathered, GroupedRows(gathered.map(grouping.names)))
    gathered = []
    var page: [UInt8] = []
    switch form {
    case .table(var table):
      let cells = items.map { $0.tableCells(now: now) }
      page += "\n\(TerminalText(headingOfGroups))\n\n\(table.header(over: cells))".utf8
      for group in rows.groups {
        let title = StyledLine(runs: [
          StyledLine.Run(group.name ?? grouping.none, style: .heading),
          StyledLine.Run(" (\(group.rows.count))", style: .faint),
        ])
        page += "\n\(table.line(of: title))".utf8
        page +=
          table.page(group.rows.map { cells[$0] }, notes: group.rows.map { items[$0].note })
          .utf8
      }
      form = .table(table)
    case .plain(let tsv):
      for group in rows.groups {
        let name = StyledLine(group.name ?? "")
        page += tsv.page(group.rows.map { [name] + items[$0].plainCells() }).utf8
      }
    case .json:
      count -= items.count
      return try await write(objects: rows.order.map { try items[$0].object() })
    }
    try await output.write(page)
  }

  mutating func finish() async throws {
    try await writeGroups()
    guard case .json(var sink) = form else { return }
    try await sink.finishList()
  }

  /// Ends the list, and reports whether it is complete. Throws if it is incomplete although all of it was requested.
  ///
  /// In a pipe, a limit on the command line doesn't need a notice, which cron would mail.
  mutating func finish(_ end: ListEnd, nothing: String) async throws {
    try await finish()
    for note in end.notes { try await tell(note) }
    if let limit = end.limit {
      let total = end.total.flatMap { $0 > limit ? " of \($0.grouped)" : nil } ?? ""
      let reach = end.reach.map { ", which gives the first \($0.grouped)" } ?? ""
      if isTable || !hasOwnLimit {
        try await tell(
          "Stopped at the limit of \(limit.grouped)\(total): for more use --limit or --all\(reach)."
        )
      }
    } else if count == 0, end.failure == nil, isTable {
      try await tell(nothing)
    }
    if let gap = end.gap { errors.report(gap) }
    if let failure = end.failure { throw failure }
  }
}

/// The grouping of a list's rows.
struct ListGrouping<Item: Sendable>: Sendable {
  /// The title of the rows without a group.
  let none: String
  let names: @Sendable (Item) -> [String]
}

protocol ListItem: Sendable {
  /// The columns of a table, and also of a pipe unless ``plainCells()`` differs.
  static var columns: [ItemColumn<Self>] { get }

  func tableCells(now: Date) -> [StyledLine]

  /// A note, shown in the line below the row in a table.
  var note: StyledLine? { get }

  /// The cells for programs. They aren't cut, and times aren't relative.
  func plainCells() -> [StyledLine]

  func object() throws -> JSONObject
}

extension ListItem {
  var note: StyledLine? { nil }

  func tableCells(now: Date) -> [StyledLine] { Self.columns.map { $0.cell(self, now) } }

  func plainCells() -> [StyledLine] { Self.columns.map { $0.cell(self, nil) } }
}
