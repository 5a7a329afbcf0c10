import PlatformModules
import TestSupport
import Testing

@Suite("Faults in the shared budget's file", .timeLimit(.minutes(5)))
struct BudgetFaultTests {
  private static let folders = ScratchFolderOfProcess()

  @Test("a shared budget handles each fault as documented", arguments: BudgetFault.all)
  func budget(row: BudgetFault) async throws {
    try await withLoopbackServer(answering: LoopbackGitHub().handler) { server in
      var state = Self.folders.freshPath()
      func run() async throws -> CommandRun.Result {
        try await IssuesProgram.run(
          ["swiftlang/swift", "-L", "1", "--retries", "0", "--api-url", server.url],
          environment: ["XDG_STATE_HOME": state])
      }
      var file = ""
      if case .nowhere = row.place {
        state = "/dev/null/state"
      } else {
        _ = try await run()
        let folder = "\(state)/issues/rate-limits"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        file = try "\(folder)/\(#require(names.first))"
      }
      let other = "\(file).other"
      switch row.place {
      case .text(let text): try Data(text.utf8).write(to: URL(filePath: file))
      case .folder:
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
      case .link:
        try FileManager.default.moveItem(atPath: file, toPath: other)
        try Data("as it is".utf8).write(to: URL(filePath: other))
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: other)
      case .sharedFile:
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
      case .nowhere: break
      }
      let result = try await run()
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines.count == 1)
      #expect(result.errorText.isEmpty)
      if row.isMended {
        let text = try String(contentsOf: URL(filePath: file), encoding: .utf8)
        #expect(text.hasPrefix("rate limits 1\npause 0\nquota core "), "\(text)")
      }
      if case .link = row.place {
        #expect(try String(contentsOf: URL(filePath: other), encoding: .utf8) == "as it is")
      }
    }
  }
}
