internal import GitHubAPI

/// A response to a request, as one line.
struct MCPReply: Sendable, Equatable {
  enum ErrorCode: Int, Sendable {
    case invalidRequest = -32_600
    case unknownMethod = -32_601
    case invalidParameters = -32_602
    case unsupportedVersion = -32_022
  }

  enum Content: Sendable, Equatable {
    case initialized(_ version: String, MCPToolset)
    case discovered(MCPToolset)
    case pong
    case tools(MCPToolset)
    case answer(MCPAnswer)
    case error(ErrorCode, String)
    /// The version isn't one of those without a session.
    case unsupportedVersion(String)
  }

  /// The ID of the request; nil if the request had no valid ID.
  let identifier: MCPIdentifier?
  let content: Content
  let era: MCPEra

  init(_ identifier: MCPIdentifier?, _ content: Content, _ era: MCPEra = .legacy) {
    (self.identifier, self.content, self.era) = (identifier, content, era)
  }

  /// The line including its line break. JSON text doesn't contain line breaks.
  var line: [UInt8] {
    var members: [OrderedJSON.Member] = [("jsonrpc", .string("2.0"))]
    if let identifier { members.append(("id", identifier.json)) }
    return OrderedJSON.object(members + [body]).bytes + [UInt8(ascii: "\n")]
  }

  private static let longestVersion = 100
  private static let serverInfo = OrderedJSON.object([
    ("name", .string("issues")), ("version", .string(PackageVersion.current)),
  ])
  private static let capabilities = OrderedJSON.object([("tools", .object([]))])
  /// The lifetime of the response: neither the tools nor the instructions change while the program runs.
  private static let caching: [OrderedJSON.Member] = [
    ("ttlMs", .integer(3_600_000)), ("cacheScope", .string("public")),
  ]

  private var body: OrderedJSON.Member {
    switch content {
    case .initialized(let version, let toolset):
      return (
        "result",
        .object([
          ("protocolVersion", .string(version)), ("capabilities", Self.capabilities),
          ("serverInfo", Self.serverInfo), ("instructions", .string(toolset.instructions)),
        ])
      )
    case .discovered(let toolset):
      return result(
        [
          ("supportedVersions", .strings(MCPEra.modernVersions)),
          ("capabilities", Self.capabilities), ("instructions", .string(toolset.instructions)),
        ] + Self.caching)
    case .pong: return ("result", .object([]))
    case .tools(let toolset):
      let caching = era == .modern ? Self.caching : []
      return result([("tools", .written(toolset.definitions))] + caching)
    case .answer(let answer):
      let block = OrderedJSON.object([("type", .string("text")), ("text", .string(answer.text))])
      let mark: [OrderedJSON.Member] = answer.isError ? [("isError", .boolean(true))] : []
      return result([("content", .array([block]))] + mark)
    case .error(let code, let reason): return Self.error(code, reason)
    case .unsupportedVersion(let version):
      let data = OrderedJSON.object([
        ("supported", .strings(MCPEra.modernVersions)),
        ("requested", .string(String(version.prefix(Self.longestVersion)))),
      ])
      return Self.error(.unsupportedVersion, "this version isn't supported", [("data", data)])
    }
  }

  private func result(_ members: [OrderedJSON.Member]) -> OrderedJSON.Member {
    guard era == .modern else { return ("result", .object(members)) }
    let meta = OrderedJSON.object([(MCPParameters.prefix + "serverInfo", Self.serverInfo)])
    return ("result", .object([("resultType", .string("complete"))] + members + [("_meta", meta)]))
  }

  private static func error(
    _ code: ErrorCode, _ reason: String, _ more: [OrderedJSON.Member] = []
  ) -> OrderedJSON.Member {
    (
      "error",
      .object([("code", .integer(code.rawValue)), ("message", .string(reason))] + more)
    )
  }
}

/// A tool's result: one compact JSON object, or a problem and its remedy.
struct MCPAnswer: Sendable, Equatable {
  let text: String
  var isError = false
}
