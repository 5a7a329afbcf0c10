/// A row of the table of faults that an agent's client meets at `issues mcp`, which asks no server.
public struct AgentFault: Sendable, CustomStringConvertible {
  /// The item in the place of the mirror.
  public enum Place: Sendable {
    /// Nothing.
    case empty
    /// A mirror of `a/b` with one issue.
    case mirror
    /// A mirror that others may write to.
    case sharedMirror
    /// A folder.
    case folder
    /// A file with this text.
    case text(String)
  }

  /// The outcome.
  public enum Outcome: Sendable {
    /// An answer with `isError`, and words of its text. The server goes on.
    case refusal([String])
    /// An error of the protocol. The server goes on.
    case error(Int)
    /// No answer, and words on standard error. The server goes on.
    case silence([String])
    /// The command doesn't start: its exit status, and words on standard error.
    case failure(Int32, [String])
  }

  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The outcome.
  public var outcome: Outcome
  /// The item in the place of the mirror.
  public var place = Place.mirror
  /// The line that the client sends; nil for a call of `mirror_status`.
  public var line: String?
  /// Options of the command.
  public var options: [String] = []

  private init(
    _ fault: String, _ promise: String, _ outcome: Outcome, place: Place = .mirror,
    line: String? = nil, options: [String] = []
  ) {
    self.fault = fault
    self.promise = promise
    self.outcome = outcome
    self.place = place
    self.line = line
    self.options = options
  }

  /// The fault.
  public var description: String { fault }

  /// A request without a session, with the id 1.
  public static func request(_ method: String, _ params: String) -> String {
    let meta = """
      "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
      "io.modelcontextprotocol/clientCapabilities":{}}
      """
    return #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":{\#(params),\#(meta)}}"#
  }

  /// Every row.
  public static let all = [
    AgentFault(
      "there is no mirror", "the answer says how a person makes one; nothing is made",
      .refusal(["Nothing is mirrored", "issues sync OWNER/REPO", "--mirror"]), place: .empty),
    AgentFault(
      "the mirror is a folder", "the answer says so", .refusal(["is not a regular file"]),
      place: .folder),
    AgentFault(
      "the mirror is no database", "as above, and the file stays as it is",
      .refusal(["it isn't a database"]),
      place: .text(String(repeating: "no database ", count: 3_000))),
    AgentFault(
      "others may write to the mirror", "as above", .refusal(["others may write"]),
      place: .sharedMirror),
    AgentFault(
      "a repository that isn't mirrored",
      "the answer names what is, and the command that mirrors it",
      .refusal(["no/such is not mirrored", "Mirrored: a/b", "issues sync no/such"]),
      line: request(
        "tools/call", #""name":"search_issues","arguments":{"query":"x","repo":"no/such"}"#)),
    AgentFault(
      "an issue that the mirror lacks", "the answer says how old the mirror is",
      .refusal(["no a/b#99", "synced about", "issues sync a/b"]),
      line: request("tools/call", #""name":"read_issue","arguments":{"repo":"a/b","number":99}"#)),
    AgentFault(
      "a wrong argument of a tool", "the answer says what is right", .refusal(["from 1 to 50"]),
      line: request(
        "tools/call", #""name":"search_issues","arguments":{"query":"x","limit":1000}"#)),
    AgentFault(
      "an unknown tool", "an error that names the tools", .error(-32602),
      line: request("tools/call", #""name":"delete_issue""#)),
    AgentFault(
      "an unknown method", "an error", .error(-32601),
      line: request("resources/list", #""cursor":null"#)),
    AgentFault(
      "a request with neither a version nor a session", "an error", .error(-32602),
      line: #"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#),
    AgentFault("an array", "an error without an id", .error(-32600), line: "[]"),
    AgentFault(
      "a line of 5 MiB", "an error without an id; the line isn't kept", .error(-32600),
      line: #"{"jsonrpc":"2.0","id":1,"x":""# + String(repeating: "x", count: 5 << 20) + #""}"#),
    AgentFault(
      "a line that isn't JSON", "no answer", .silence(["isn't JSON"]), line: "Content-Length: 12"),
    AgentFault(
      "a wrong option", "an error", .failure(64, ["--token"]), options: ["--token", "x"]),
    AgentFault(
      "no file behind `--mirror`", "an error", .failure(64, ["--mirror names a file"]),
      options: ["--mirror", ""]),
  ]
}
