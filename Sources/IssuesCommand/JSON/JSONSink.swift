internal import IssueTracker
internal import PlatformModules

/// Writes JSON immediately, or the result of the `--jq` expression. The expression needs the whole JSON in memory.
///
/// With `--jsonl`, each object of a list is a line. The expression is applied to each object immediately.
struct JSONSink {
  /// The maximum size. jq needs several times as much memory.
  private static let maximumBytes = 256 << 20

  private let output: Output
  private let errors: ErrorOutput
  private let fields: JSONFields
  private let program: JQProgram?
  private let isTerminal: Bool
  private var gathered: [UInt8] = []
  private var count = 0
  /// The unknown names that no object has contained yet.
  private var missing: [String]

  init(_ session: CommandSession, _ fields: JSONFields) throws(CommandFailure) {
    program = try fields.program(session.environment)
    output = session.output
    errors = session.errors
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

  /// Writes the next objects of a list, either as an array with one object per line or as lines.
  mutating func write(list objects: [JSONObject]) async throws {
    var page: [UInt8] = []
    for text in try texts(of: objects) {
      page += isLines ? text + "\n".utf8 : (count == 0 ? "[\n" : ",\n").utf8 + text
      count += 1
    }
    if isLines, let program {
      try await writeValues(of: program, for: page)
    } else if isLines {
      try await output.write(page)
    } else {
      try await write(page)
    }
  }

  mutating func finishList() async throws {
    try await finish(isLines ? "" : count == 0 ? "[]\n" : "\n]\n")
  }

  /// The texts of the objects. Also checks unknown names against the objects' members.
  mutating func texts(of objects: [JSONObject]) throws -> [[UInt8]] {
    if !missing.isEmpty {
      let present = try objects.reduce(into: Set<String>()) { try $0.formUnion($1.names()) }
      try checkNames(among: present)
    }
    return try objects.map { try $0.text(fields.names) }
  }

  /// Writes bytes, or keeps them for the expression.
  mutating func write(_ bytes: [UInt8]) async throws {
    guard program != nil else { return try await output.write(bytes) }
    guard gathered.count + bytes.count <= Self.maximumBytes else {
      throw CommandFailure(
        .failed,
        "--jq accepts at most 256 MiB of JSON, and there is more\n"
          + "Name the fields that you need after --json, or pipe the list to jq.")
    }
    gathered += bytes
  }

  /// Ends the JSON, and writes the values of the expression.
  mutating func finish(_ ending: String = "") async throws {
    try checkNames(among: [])
    try await write(Array(ending.utf8))
    // A list in lines doesn't collect anything.
    guard let program, !gathered.isEmpty else { return }
    try await writeValues(of: program, for: gathered)
    gathered = []
  }

  /// Writes the values before a failure, as jq does.
  private func writeValues(of program: JQProgram, for json: [UInt8]) async throws {
    guard !json.isEmpty else { return }
    let result = try await program.run(json)
    var text: [UInt8] = []
    for line in result.values.split(separator: UInt8(ascii: "\n")) {
      if line.first == UInt8(ascii: "\"") {
        text += try self.text(ofString: line).utf8
      } else if !line.elementsEqual("null".utf8) {
        // As in gh, null is an empty line.
        text += JSONText.escaped(Array(line))
      }
      text.append(UInt8(ascii: "\n"))
    }
    try await output.write(text)
    for message in result.messages { errors.write(message) }
    if let problem = result.problem { throw CommandFailure(.failed, "--jq: \(problem)") }
  }

  /// The text of a string. In a pipe, a string is data, except for control characters, because the pipe may lead to a
  /// terminal.
  private func text(ofString json: ArraySlice<UInt8>) throws -> String {
    let text = try JSONDecoder().decode(String.self, from: Data(json))
    return isTerminal ? PlainText.harmless(text) : PlainText.withoutControls(text)
  }

  private mutating func checkNames(among present: Set<String>) throws(CommandFailure) {
    if let name = missing.first(where: { !present.contains($0) }) {
      throw CommandFailure(.usage, fields.refusal(of: name).description)
    }
    missing = []
  }
}
