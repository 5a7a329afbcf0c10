import ConcurrencyPrimitives
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("A Model Context Protocol server", .timeLimit(.minutes(2)))
struct MCPServerTests {
  @Test("a canceled call ends and doesn't send anything afterward", arguments: [0, 7])
  func cancelled(id: Int) async throws {
    var input: [CInt] = [-1, -1]
    try #require(pipe(&input) == 0)
    let output = try ScratchFile()
    let ended = Watched(false)
    let server = MCPServer(
      wire: Output(descriptor: output.descriptor), errors: ErrorOutput(descriptor: STDERR_FILENO)
    ) { call throws(CancellationError) in
      guard call.tool == .relatedIssues else { return MCPAnswer(text: "{}") }
      // It goes on until it is cancelled.
      await Watched(false).wait { $0 }
      ended.update { $0 = true }
      // An answer that comes all the same.
      return MCPAnswer(text: "late")
    }
    let serving = Task { [reader = input[0]] in await server.serve(LineInput(descriptor: reader)) }
    let cancel =
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":\#(id),"reason":"x"}}"#
    let lines = [
      MCPPipe.call(id, "related_issues", #""repo":"a/b""#), cancel, cancel,
      MCPPipe.call(8, "mirror_status", ""),
    ]
    #expect(DescriptorWriter.write(lines.map { $0 + "\n" }.joined().utf8, to: input[1]) == 0)
    _ = try await ended.value { $0 ? true : nil }
    close(input[1])
    await serving.value
    close(input[0])
    let replies = output.contents.split(separator: "\n")
    #expect(replies.count == 1)
    #expect(replies.first?.hasPrefix(#"{"jsonrpc":"2.0","id":8,"#) == true)
  }
}
