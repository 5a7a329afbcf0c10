/// The generation of the protocol that a request uses.
///
/// Clients may mix both on one pipe. Some probe with `server/discover` and send `initialize` without waiting for the
/// response. Therefore each message is interpreted by itself, and no response affects the next request.
enum MCPEra: Sendable, Equatable {
  /// A session that begins with `initialize`.
  case legacy
  /// No session: each request contains its version in `_meta`.
  case modern

  /// The versions with a session, oldest first.
  static let legacyVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
  static let modernVersions = ["2026-07-28"]
}

/// Decides how to handle a message (<https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning>).
struct MCPDialogueStateMachine: Sendable {
  enum Action: Sendable, Equatable {
    case reply(MCPReply)
    case call(MCPCall)
    case cancel(MCPIdentifier)
    /// No reply, and optionally a reason for a log.
    case ignore(String?)
  }

  private let toolset: MCPToolset
  /// Whether an `initialize` was received, so that requests without a version are accepted.
  private var isInitialized = false
  /// The client's name in `initialize`.
  private var clientName: String?

  init(_ toolset: MCPToolset = .reading) { self.toolset = toolset }

  mutating func received(_ message: MCPMessage) -> Action {
    switch message {
    case .request(let request): return received(request)
    case .notification(let notification):
      guard notification.method == "notifications/cancelled",
        let identifier = notification.parameters.requestIdentifier
      else { return .ignore(nil) }
      return .cancel(identifier)
    case .response: return .ignore("a response to a request that was never sent")
    case .invalid(let identifier, let reason):
      return .reply(MCPReply(identifier, .error(.invalidRequest, reason)))
    // Before 2025-11-25, an error had to contain the ID of its request, which is unknown.
    case .garbage(let reason): return .ignore("a line that isn't JSON: \(reason)")
    }
  }

  private mutating func received(_ request: MCPRequest) -> Action {
    let parameters = request.parameters
    func refuse(_ code: MCPReply.ErrorCode, _ reason: String) -> Action {
      .reply(MCPReply(request.identifier, .error(code, reason)))
    }
    guard parameters.isObject else { return refuse(.invalidParameters, "params must be an object") }
    if let version = parameters.metaVersion, request.method != "initialize" {
      guard !version.isEmpty, parameters.hasMetaCapabilities else {
        return refuse(
          .invalidParameters,
          "_meta requires \(MCPParameters.prefix)protocolVersion, text, and "
            + "\(MCPParameters.prefix)clientCapabilities, an object")
      }
      guard MCPEra.modernVersions.contains(version) else {
        return .reply(MCPReply(request.identifier, .unsupportedVersion(version)))
      }
      return answer(to: request, in: .modern)
    }
    switch request.method {
    case "initialize":
      isInitialized = true
      clientName = parameters.clientName
      let wanted = parameters.protocolVersion ?? ""
      let version =
        MCPEra.legacyVersions.contains(wanted) ? wanted : MCPEra.legacyVersions.last ?? wanted
      return .reply(MCPReply(request.identifier, .initialized(version, toolset)))
    // This is allowed before `initialize`.
    case "ping": return .reply(MCPReply(request.identifier, .pong))
    default:
      guard isInitialized else {
        return refuse(
          .invalidParameters,
          "send initialize first, or \(MCPParameters.prefix)protocolVersion in _meta")
      }
      return answer(to: request, in: .legacy)
    }
  }

  private func answer(to request: MCPRequest, in era: MCPEra) -> Action {
    func reply(_ content: MCPReply.Content) -> Action {
      .reply(MCPReply(request.identifier, content, era))
    }
    switch (request.method, era) {
    case ("server/discover", .modern): return reply(.discovered(toolset))
    case ("tools/list", _):
      guard request.parameters.cursor == nil else {
        return reply(.error(.invalidParameters, "there is no such page: leave out the cursor"))
      }
      return reply(.tools(toolset))
    case ("tools/call", _):
      guard let name = request.parameters.name, let tool = MCPTool(rawValue: name),
        toolset.tools.contains(tool)
      else {
        return reply(.error(.invalidParameters, "the tools are \(toolset.names)"))
      }
      guard let arguments = request.parameters.arguments else {
        return reply(.error(.invalidParameters, "arguments must be an object"))
      }
      return .call(
        MCPCall(
          identifier: request.identifier, era: era, tool: tool, arguments: arguments,
          clientName: era == .modern ? request.parameters.clientName : clientName))
    default:
      return reply(.error(.unknownMethod, "this server has no such method"))
    }
  }
}

/// A call of a tool. Its arguments aren't checked yet.
struct MCPCall: Sendable, Equatable {
  let identifier: MCPIdentifier
  let era: MCPEra
  let tool: MCPTool
  let arguments: [String: MCPArgument]
  /// The client's name, as it was sent.
  var clientName: String?
}
