import PlatformModules
import TestSupport
import TestTraits
import Testing

@testable import IssuesCommand

@Suite("Fuzzed lines from an agent", .tags(.heavy), .timeLimit(.minutes(10)))
struct MCPFuzzTests {
  private static let lines = [
    MCPPipe.initialize, MCPPipe.call(1, "read_issue", #""repo":"a/b","number":1,"part":"all""#),
    MCPPipe.call(2, "search_issues", #""query":"is:open \"x\"","limit":5,"cursor":"1.2""#),
    #"{"jsonrpc":"2.0","id":"a","method":"server/discover","params":{\#(MCPPipe.meta)}}"#,
    #"{"jsonrpc":"2.0","id":0,"method":"tools/list","params":{"cursor":null}}"#,
    #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}"#,
  ]
  private static let words = [
    #""id":"#, #""method":"#, "null", "[", "{", "}", #"\ud800"#, #"\u0000"#, "1e999", "-",
    #""_meta":"#,
    "tools/call", "ping",
  ]

  private struct Reply: Decodable {
    let jsonrpc: String
  }

  @Test("every line gets one line of JSON or no response")
  func lines() {
    let failure = FuzzTest("lines of an agent", iterations: 600).run { source in
      var dialogue = MCPDialogueStateMachine()
      for _ in 0..<(1 + source.below(4)) {
        let line = source.mutation(of: Self.lines, words: Self.words, upTo: 600)
        guard case .reply(let reply) = dialogue.received(MCPMessage(line: Array(line.utf8))) else {
          continue
        }
        let bytes = reply.line
        try check(bytes.last == UInt8(ascii: "\n"), line)
        try check(bytes.count { $0 == UInt8(ascii: "\n") } == 1, line)
        let read = try? JSONDecoder().decode(Reply.self, from: Data(bytes))
        try check(read?.jsonrpc == "2.0", line)
      }
    }
    #expect(failure == nil)
  }

  @Test("a tool without a mirror refuses random arguments with a message")
  func arguments() async throws {
    let toolbox = MCPToolbox(watch: MirrorWatch(.file("/nonexistent/mirror.db")))
    var calls: [MCPCall] = []
    let failure = FuzzTest("arguments of an agent", iterations: 400).run { source in
      var dialogue = MCPDialogueStateMachine()
      let line = source.mutation(of: Array(Self.lines[1...2]), words: Self.words, upTo: 600)
      if case .call(let call) = dialogue.received(MCPMessage(line: Array(line.utf8))) {
        calls.append(call)
      }
    }
    #expect(failure == nil)
    #expect(calls.count > 20)
    for call in calls {
      let answer = try await toolbox.answer(call)
      #expect(answer.isError && !answer.text.isEmpty && answer.text.count <= 2_000)
    }
  }
}
