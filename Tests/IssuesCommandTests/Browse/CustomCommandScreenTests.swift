import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite(
    "The user's own commands on the screen", .timeLimit(.minutes(5)),
    .enabled(if: TmuxSession.isAvailable, "tmux is not installed"))
  struct CustomCommandScreenTests {
    private static let configuration = """
      [commands.print]
      key = "z"
      command = ["printf", "<%s>", "{branch}", "{number}", "{repository}"]
      description = "print it"
      [commands.missing]
      key = "Z"
      command = ["no-such-program"]
      """

    @Test("a command gets hostile text as one argument, and the screen returns after Enter")
    func hostile() async throws {
      let scene = try WriteScene()
      let branch = "x;touch${IFS}pwned;$(touch${IFS}pwned)`touch${IFS}pwned`"
      scene.github.linkBranch(branch, to: 20, of: WriteScene.repository)
      scene.github.linkBranch("--output=pwned", to: 19, of: WriteScene.repository)
      try FileManager.default.createDirectory(
        atPath: scene.folder["issues"], withIntermediateDirectories: true)
      try scene.folder.write(Data(Self.configuration.utf8), to: "issues/config.toml")
      try await withLoopbackServer(answering: scene.github.handler) { server in
        let own = scene.environment.merging(["XDG_CONFIG_HOME": scene.folder.path]) { $1 }
        let window = try await ScriptedScreenTests.window(columns: 120, rows: 24, environment: own)
        window.type("$issues browse swiftlang/swift --api-url \(server.url)")
        window.press("Enter")
        try await window.see("row 1 of 20 ")
        window.press("z")
        let host = server.url.dropFirst("http://".count)
        try await window.see("the output") {
          $0.contains("<\(branch)><20><\(host)/swiftlang/swift>")
            && $0.contains("Done. Press Enter to return.")
        }
        window.press("Enter")
        try await window.see("the list") { $0.contains("Done: print it") }
        window.press("Z")
        try await window.see("Cannot find no-such-program")
        window.press("Escape")
        try await window.see("no message") { !$0.contains("Cannot find") }
        window.press("j", "z")
        try await window.see("the branch begins with a hyphen")
        window.press("Escape")
        try await window.see("no message") { !$0.contains("begins with a hyphen") }
        window.press("j", "z")
        try await window.see("the issue has no linked branch")
        #expect(!FileManager.default.fileExists(atPath: "\(window.folder)/pwned"))
        window.press("q")
      }
    }
  }
}
