import Testing

@testable import IssuesCommand

@Suite("Protocol rules of the Model Context Protocol")
struct MCPDialogueTests {
  private typealias Action = MCPDialogueStateMachine.Action

  private static let meta = """
    "_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
    "io.modelcontextprotocol/clientCapabilities":{}}
    """

  private static func request(_ method: String, _ params: String? = nil, id: String = "0") -> String
  {
    let params = params.map { #","params":{\#($0)}"# } ?? ""
    return #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"\#(params)}"#
  }

  private static let initialize = request("initialize", #""protocolVersion":"2025-06-18""#)

  /// The actions for lines that one client sends.
  private func actions(_ lines: String...) -> [Action] {
    var dialogue = MCPDialogueStateMachine()
    return lines.map { dialogue.received(MCPMessage(line: Array($0.utf8))) }
  }

  private func code(_ action: Action) -> Int? {
    guard case .reply(let reply) = action else { return nil }
    return switch reply.content {
    case .error(let code, _): code.rawValue
    case .unsupportedVersion: MCPReply.ErrorCode.unsupportedVersion.rawValue
    default: nil
    }
  }

  @Test("initialize accepts a known version and offers the newest one otherwise")
  func versions() {
    for version in MCPEra.legacyVersions {
      let line = Self.request("initialize", #""protocolVersion":"\#(version)""#)
      #expect(actions(line) == [.reply(MCPReply(.number(0), .initialized(version, .reading)))])
    }
    for params in [#""protocolVersion":"1999-01-01""#, #""protocolVersion":7"#, ""] {
      #expect(
        actions(Self.request("initialize", params))
          == [.reply(MCPReply(.number(0), .initialized("2025-11-25", .reading)))])
    }
  }

  @Test("each message selects its own era, even on a shared pipe")
  func eras() {
    let found = actions(
      Self.request("server/discover", Self.meta, id: #""probe""#), Self.initialize,
      Self.request("tools/list", Self.meta, id: "2"), Self.request("tools/list", id: "3"))
    #expect(
      found == [
        .reply(MCPReply(.text("probe"), .discovered(.reading), .modern)),
        .reply(MCPReply(.number(0), .initialized("2025-06-18", .reading))),
        .reply(MCPReply(.number(2), .tools(.reading), .modern)),
        .reply(MCPReply(.number(3), .tools(.reading), .legacy)),
      ])
  }

  @Test(
    "a request without a version or handshake is refused",
    arguments: ["tools/list", "tools/call", "server/discover", "resources/list"])
  func unversioned(method: String) {
    #expect(code(actions(Self.request(method))[0]) == -32602)
    // Not even behind a probe.
    let found = actions(Self.request("server/discover", Self.meta), Self.request(method))
    #expect(code(found[1]) == -32602)
  }

  @Test(
    "an unknown or incomplete version in _meta is refused",
    arguments: [
      (#""io.modelcontextprotocol/protocolVersion":"2031-01-01""#, -32602),
      (
        #""io.modelcontextprotocol/protocolVersion":"2031-01-01","io.modelcontextprotocol/clientCapabilities":{}"#,
        -32022
      ),
      (
        #""io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}"#,
        -32022
      ),
      (
        #""io.modelcontextprotocol/protocolVersion":5,"io.modelcontextprotocol/clientCapabilities":{}"#,
        -32602
      ),
      (
        #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":1"#,
        -32602
      ),
    ])
  func wrongMeta(meta: String, expected: Int) {
    for method in ["server/discover", "tools/list", "tools/call"] {
      #expect(code(actions(Self.request(method, #""_meta":{\#(meta)}"#))[0]) == expected)
    }
  }

  @Test("ping is accepted in and before a session, but not without sessions")
  func ping() {
    #expect(actions(Self.request("ping", id: "9")) == [.reply(MCPReply(.number(9), .pong))])
    #expect(code(actions(Self.request("ping", Self.meta))[0]) == -32601)
  }

  @Test(
    "an undeclared method is unknown",
    arguments: [
      "resources/list", "resources/read", "prompts/list", "logging/setLevel",
      "subscriptions/listen", "completion/complete", "x",
    ])
  func unknown(method: String) {
    let found = actions(Self.initialize, Self.request(method), Self.request(method, Self.meta))
    #expect(found.dropFirst().map(code) == [-32601, -32601])
  }

  @Test("server/discover requires a version")
  func discoverInSession() {
    #expect(code(actions(Self.initialize, Self.request("server/discover"))[1]) == -32601)
  }

  @Test("notifications don't get a response, and a cancellation works even for id 0")
  func notifications() {
    let cancelled =
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#
    let found = actions(
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      #"{"jsonrpc":"2.0","method":"tools/list"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":null}}"#,
      cancelled)
    #expect(found == [.ignore(nil), .ignore(nil), .ignore(nil), .cancel(.number(0))])
  }

  @Test(
    "each valid request id is repeated in its response",
    arguments: [
      ("0", MCPIdentifier.number(0)), ("-3", .number(-3)), ("1e2", .number(100)),
      (#""a\n\u0000""#, .text("a\n\0")), (#""""#, .text("")),
    ])
  func identifiers(id: String, expected: MCPIdentifier) {
    #expect(actions(Self.request("ping", id: id)) == [.reply(MCPReply(expected, .pong))])
  }

  @Test(
    "JSON that isn't a message is refused, with its id if valid",
    arguments: [
      ("[]", nil), (#"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, nil), ("5", nil), ("null", nil),
      (#""x""#, nil), ("{}", nil), (#"{"id":1,"method":"ping"}"#, .number(1)),
      (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, .number(1)),
      (#"{"jsonrpc":"2.0","id":1}"#, .number(1)),
      (#"{"jsonrpc":"2.0","id":1,"method":4}"#, .number(1)),
      (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, nil),
      (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, nil),
      (#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, nil),
    ] as [(String, MCPIdentifier?)])
  func invalid(line: String, identifier: MCPIdentifier?) throws {
    guard case .reply(let reply) = actions(line)[0] else {
      Issue.record("no reply")
      return
    }
    #expect(code(.reply(reply)) == -32600)
    #expect(reply.identifier == identifier)
  }

  @Test(
    "a line that isn't JSON or is a response doesn't get a response",
    arguments: [
      "garbage", "{", #"{"jsonrpc":"2.0","id":1,"method":"ping"} x"#, "{'a':1}",
      #"{"jsonrpc":"2.0","id":1,"result":{}}"#, #"{"jsonrpc":"2.0","id":1,"error":{"code":1}}"#,
    ])
  func ignored(line: String) {
    guard case .ignore(.some) = actions(line)[0] else {
      Issue.record("\(actions(line))")
      return
    }
  }

  @Test(
    "invalid calls and cursors are reported as invalid parameters",
    arguments: [
      ("tools/call", #""arguments":{}"#), ("tools/call", #""name":"no_such_tool""#),
      ("tools/call", #""name":7"#), ("tools/call", #""name":"mirror_status","arguments":[]"#),
      ("tools/list", #""cursor":"2""#), ("tools/list", #""cursor":2"#),
    ])
  func wrongParameters(method: String, params: String) {
    #expect(code(actions(Self.initialize, Self.request(method, params))[1]) == -32602)
    #expect(code(actions(Self.request(method, "\(params),\(Self.meta)"))[0]) == -32602)
  }

  @Test("params must be an object, and a null cursor counts as absent")
  func parameters() {
    #expect(code(actions(#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}"#)[0]) == -32602)
    let found = actions(Self.initialize, Self.request("tools/list", #""cursor":null"#))
    #expect(found[1] == .reply(MCPReply(.number(0), .tools(.reading))))
  }

  @Test("a call's arguments are parsed, and the first of equal names counts")
  func arguments() {
    let found = actions(
      Self.request(
        "tools/call",
        """
        "name":"read_issue","arguments":{"repo":"a/b","number":2.0,"number":3,"x":null,\
        "y":{"z":[1,"}"]},"w":1.5},\(Self.meta)
        """))
    #expect(
      found == [
        .call(
          MCPCall(
            identifier: .number(0), era: .modern, tool: .readIssue,
            arguments: [
              "repo": .text("a/b"), "number": .number(2), "x": .null, "y": .other, "w": .other,
            ]))
      ])
  }

  @Test("a call has the client's name, from the handshake or from its own _meta")
  func clientName() throws {
    let call = #""name":"mirror_status""#
    let own =
      #""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","#
      + #""io.modelcontextprotocol/clientInfo":{"version":"1","name":"modern"},"#
      + #""io.modelcontextprotocol/clientCapabilities":{}}"#
    let found = actions(
      Self.request("initialize", #""clientInfo":{"name":"legacy","version":"1"}"#),
      Self.request("tools/call", call), Self.request("tools/call", "\(call),\(own)"),
      Self.request("tools/call", "\(call),\(Self.meta)"),
      Self.request("initialize", #""clientInfo":"x""#), Self.request("tools/call", call))
    let names = found.compactMap { action -> String?? in
      if case .call(let call) = action { call.clientName } else { nil }
    }
    #expect(names == ["legacy", "modern", nil, nil])
  }

  @Test("a tool that isn't offered is unknown")
  func offered() {
    let call = Self.request("tools/call", #""name":"propose_change",\#(Self.meta)"#)
    #expect(code(actions(call)[0]) == -32602)
    var dialogue = MCPDialogueStateMachine(MCPToolset(proposes: true))
    guard case .call(let found) = dialogue.received(MCPMessage(line: Array(call.utf8))) else {
      Issue.record("no call")
      return
    }
    #expect(found.tool == .proposeChange)
  }

  @Test("a reply is one line, and without a session it has a type, a version and an age")
  func replies() {
    func line(_ content: MCPReply.Content, _ era: MCPEra) -> String {
      String(decoding: MCPReply(.text("a\nb"), content, era).line, as: UTF8.self)
    }
    let answer = MCPReply.Content.answer(MCPAnswer(text: "line\n\u{2028}\u{202E}"))
    for era in [MCPEra.legacy, .modern] {
      for content in [
        answer, .tools(.reading), .discovered(.reading), .pong, .error(.unknownMethod, "x\ny"),
      ] {
        let text = line(content, era)
        #expect(text.hasPrefix(#"{"jsonrpc":"2.0","id":"a\nb","#))
        #expect(text.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(text.hasSuffix("}\n"))
        #expect(!text.contains("\u{2028}") && !text.contains("\u{202E}"))
      }
    }
    #expect(line(.tools(.reading), .modern).contains(#""ttlMs":"#))
    #expect(line(.tools(.reading), .modern).contains(#""cacheScope":"public""#))
    #expect(line(answer, .modern).contains(#""resultType":"complete""#))
    #expect(!line(answer, .modern).contains("isError"))
    #expect(!line(answer, .legacy).contains("resultType"))
    #expect(!line(.tools(.reading), .legacy).contains(#""nextCursor":"#))
    #expect(
      line(.unsupportedVersion("x"), .legacy).contains(
        #""data":{"supported":["2026-07-28"],"requested":"x"}"#))
  }
}
