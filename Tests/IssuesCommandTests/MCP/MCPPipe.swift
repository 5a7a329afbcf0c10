import PlatformModules
import TestSupport
import Testing

/// `issues mcp` in real pipes, and a client that reads its lines.
final class MCPPipe: Sendable {
  /// A line of the server.
  struct Line: Decodable, Equatable {
    struct Result: Decodable, Equatable {
      struct Block: Decodable, Equatable {
        let type: String
        let text: String
      }
      struct Tool: Decodable, Equatable { let name: String }
      var protocolVersion: String?
      var supportedVersions: [String]?
      var resultType: String?
      var content: [Block]?
      var isError: Bool?
      var tools: [Tool]?
      var ttlMs: Int?
    }
    struct Failure: Decodable, Equatable {
      let code: Int
      let message: String
    }
    var jsonrpc: String
    var id: Int?
    var result: Result?
    var error: Failure?

    /// The only block of an answer.
    var text: String { result?.content?.count == 1 ? result?.content?.first?.text ?? "" : "" }
  }

  static let initialize =
    #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"#
    + #""clientInfo":{"name":"t","version":"1"}}}"#
  static let meta = """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
    "io.modelcontextprotocol/clientCapabilities":{}}
    """

  static func call(_ id: Int, _ tool: String, _ arguments: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"tools/call","params":{"name":"\#(tool)","arguments":{\#(arguments)},\#(meta)}}"#
  }

  let run: CommandRun

  /// Only what clients pass on.
  init(mirror: String?, _ options: [String] = [], home: String = "/nonexistent") throws {
    run = try IssuesProgram.start(
      ["mcp"] + (mirror.map { ["--mirror", $0] } ?? []) + options,
      wholeEnvironment: ["HOME": home], input: nil)
  }

  func send(_ lines: String...) { run.write(lines.map { $0 + "\n" }.joined()) }

  /// Waits for the answer to a request.
  func line(_ id: Int) async throws -> Line {
    try await run.waitFor(after: 0) { data in
      Self.lines(data).first { $0.id == id }
    }.found
  }

  /// Sends a call, and waits for its answer, which must not be a refusal.
  func answer(_ id: Int, _ tool: String, _ arguments: String) async throws -> Answer {
    send(Self.call(id, tool, arguments))
    let line = try await line(id)
    try #require(line.result?.isError == nil, "\(line.text)")
    return try Answer(line.text)
  }

  /// Waits for a refusal's text.
  func refusal(_ id: Int, _ tool: String, _ arguments: String) async throws -> String {
    send(Self.call(id, tool, arguments))
    let line = try await line(id)
    #expect(line.result?.isError == true, "\(line.text)")
    return line.text
  }

  /// Closes the client's end, and waits for the server's.
  func finish() async throws -> (lines: [Line], result: CommandRun.Result) {
    run.closeInput()
    let result = try await run.result()
    #expect(result.status == .exited(0), "\(result.errorText)")
    let lines = Self.lines(result.output)
    #expect(lines.count == result.lines.count, "standard output carries something else")
    return (lines, result)
  }

  private static func lines(_ data: Data) -> [Line] {
    data.split(separator: UInt8(ascii: "\n")).compactMap {
      try? JSONDecoder().decode(Line.self, from: Data($0))
    }
  }

  /// The JSON of an answer.
  struct Answer {
    struct Facts: Decodable {
      struct Mirror: Decodable {
        let repo: String
        let asOf: String?
        let complete: Bool
        let refresh: String
        let issues: Int
        let comments: Int
      }
      let asOf: String?
      let ageHours: Double?
      let complete: Bool
      let missing: [String]
      let notice: String
      var repo: String?
      var number: Int?
      var title: String?
      var state: String?
      var association: String?
      var total: Int?
      var cols: [String]?
      var rows: [[Cell]]?
      var hint: String?
      var totalChars: Int?
      var text: String?
      var nextCursor: String?
      var mirrors: [Mirror]?
      var leftOut: Int?
    }

    enum Cell: Decodable, Hashable {
      case number(Int)
      case text(String)
      case texts([String])

      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int.self) {
          self = .number(number)
        } else if let text = try? container.decode(String.self) {
          self = .text(text)
        } else {
          self = .texts(try container.decode([String].self))
        }
      }
    }

    let json: String
    let facts: Facts

    init(_ json: String) throws {
      self.json = json
      facts = try JSONDecoder().decode(Facts.self, from: Data(json.utf8))
      #expect(json.hasPrefix(#"{"asOf":"#))
      let order = ["asOf", "ageHours", "complete", "missing", "notice"]
      let places = order.map { json.firstRange(of: "\"\($0)\":")?.lowerBound ?? json.endIndex }
      #expect(places == places.sorted())
      #expect(!json.contains("\n"))
    }

    /// A column of the rows.
    func column(_ name: String) throws -> [Cell] {
      let index = try #require(facts.cols?.firstIndex(of: name))
      return try #require(facts.rows).map { $0[index] }
    }

    var numbers: [Int] {
      get throws {
        try column("number").compactMap { if case .number(let number) = $0 { number } else { nil } }
      }
    }
  }
}
