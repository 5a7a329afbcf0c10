internal import IssueTracker

/// Writes JSON at once, or what the expression of `--jq` makes of the whole, which has to be in memory then.
///
/// With `--jsonl`, each object of a list is a line, and the expression is applied to each, at once.
struct JSONSink {
  /// jq takes several times as much memory.
  private static let maximumBytes = 256 << 20

  private let output: Output
  private let fields: JSONFields
  private let program: JQProgram?
  private let isTerminal: Bool
  private var gathered: [UInt8] = []
  private var count = 0
  /// Unknown names that no object has had yet.
  private var missing: [String]

  init(_ session: CommandSession, _ fields: JSONFields) throws(CommandFailure) {
    program = try fields.program()
    output = session.output
    self.fields = fields
    isTerminal = session.style.layout == .table
    missing = fields.unknown
  }

  static func write(
    _ object: JSONObject, _ fields: JSONFields, to session: CommandSession
  ) async throws {
    var sink = try JSONSink(session, fields)
    for text in try sink.texts(of: [object]) { try await sink.write(text + "\n".utf8) }
    try await sink.finish()
  }

  var isLines: Bool { fields.isLines }

  /// Writes the next objects of a list: an array with an object a line, or lines.
  mutating func write(list objects: [JSONObject]) async throws {
    var page: [UInt8] = []
    var failure: CommandFailure?
    for text in try texts(of: objects) where failure == nil {
      if !isLines {
        page += (count == 0 ? "[\n" : ",\n").utf8 + text
      } else if let program {
        // Values before a failure are written, as jq does.
        failure = run(program, on: text, into: &page)
      } else {
        page += text + "\n".utf8
      }
      count += 1
    }
    if isLines { try await output.write(page) } else { try await write(page) }
    if let failure { throw failure }
  }

  mutating func finishList() async throws {
    try await finish(isLines ? "" : count == 0 ? "[]\n" : "\n]\n")
  }

  /// Checks unknown names against the members of the objects.
  mutating func texts(of objects: [JSONObject]) throws -> [[UInt8]] {
    if !missing.isEmpty {
      let present = try objects.reduce(into: Set<String>()) { try $0.formUnion($1.names()) }
      try checkNames(among: present)
    }
    return try objects.map { try $0.text(fields.names) }
  }

  /// Keeps bytes for the expression, if there is one.
  mutating func write(_ bytes: [UInt8]) async throws {
    guard program != nil else { return try await output.write(bytes) }
    guard gathered.count + bytes.count <= Self.maximumBytes else {
      throw CommandFailure(
        .failed,
        "--jq takes at most 256 MiB of JSON, and there is more\n"
          + "Name the fields that you need after --json, or pipe the list to jq.")
    }
    gathered += bytes
  }

  /// Ends the JSON, and writes the values of the expression.
  mutating func finish(_ ending: String = "") async throws {
    try checkNames(among: [])
    try await write(Array(ending.utf8))
    // Of a list in lines nothing was kept.
    guard let program, !gathered.isEmpty else { return }
    // Values before a failure are written, as jq does.
    var results: [UInt8] = []
    let failure = run(program, on: gathered, into: &results)
    gathered = []
    try await output.write(results)
    if let failure { throw failure }
  }

  private func run(
    _ program: JQProgram, on json: [UInt8], into results: inout [UInt8]
  ) -> CommandFailure? {
    do throws(CommandFailure) {
      try program.run(json) { result in
        switch result {
        case .string(let text) where isTerminal: results += PlainText.harmless(text).utf8
        case .string(let text): results += text.utf8
        case .json(let json): results += JSONText.escaped(json)
        // As with gh.
        case .null: break
        }
        results.append(UInt8(ascii: "\n"))
      }
      return nil
    } catch {
      return error
    }
  }

  private mutating func checkNames(among present: Set<String>) throws(CommandFailure) {
    if let name = missing.first(where: { !present.contains($0) }) {
      throw CommandFailure(.usage, fields.refusal(of: name).description)
    }
    missing = []
  }
}
