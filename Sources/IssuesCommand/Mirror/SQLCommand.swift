internal import ArgumentParser
internal import IssueMirror
internal import PlatformModules
internal import StyledText

struct SQLCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Query the mirror with SQL.",
    discussion: """
      Runs one read-only statement of SQLite's SQL, and writes tab-separated values without a \
      header, or an array of objects with --json. The statement can't write or attach anything, \
      and no server is contacted.

      The tables are internal. Use these views:
        issues    host, repository, number, kind, state, title, body, author,
                  labels, assignees, milestone, comments, is_draft, is_locked,
                  created_at, updated_at, closed_at, merged_at, url, json
        comments  host, repository, number, id, author, body, created_at,
                  updated_at, url, json

      EXAMPLES:
        issues sql 'SELECT author, count(*) FROM issues GROUP BY 1 ORDER BY 2 DESC'
        issues sql --json "SELECT number, title FROM issues WHERE labels LIKE '%bug%'"
      """)

  @Argument(help: "The statement.")
  var query: String

  @Flag(help: "Write an array of objects.")
  var json = false

  @Option(help: ArgumentHelp("Stop after this many seconds.", valueName: "seconds"))
  var timeout = 60

  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  func validate() throws {
    guard (1...86_400).contains(timeout) else {
      throw ValidationError("--timeout accepts 1 to 86400 seconds.")
    }
  }

  func run(in session: CommandSession) async throws {
    try session.refuseTeamMirror(
      "and this is SQLite's SQL",
      "psql reads it: the view issues.open_issue has the open issues.")
    guard let mirror = try session.existingFile() else {
      throw CommandFailure(
        .notFound, "there is no mirror on this machine\nCreate one with 'issues sync OWNER/REPO'.")
    }
    let answer = try await mirror.query(query, timeLimit: .seconds(timeout))
    try await QueryWriter(isJSON: json).write(answer, to: session.output)
  }
}

struct QueryWriter: Sendable {
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

  /// A row as a JSON object. A dictionary wouldn't keep the order of the columns.
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
