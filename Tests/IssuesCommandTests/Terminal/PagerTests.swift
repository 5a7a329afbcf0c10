import PlatformModules
import Testing

@testable import IssuesCommand

@Suite("Pager", .timeLimit(.minutes(5)))
struct PagerTests {
  private let path = ["PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"]

  init() {
    OwnProcess.prepare()
  }

  @Test(
    "the pager's command is GH_PAGER, else PAGER",
    arguments: [
      (["GH_PAGER": "less -R", "PAGER": "more"], "less -R"),
      (["GH_PAGER": "", "PAGER": "less"], nil),
      (["GH_PAGER": "cat", "PAGER": "less"], nil),
      ([:], nil), (["PAGER": ""], nil), (["PAGER": "cat"], nil), (["PAGER": "less -S"], "less -S"),
    ] as [([String: String], String?)])
  func command(environment: [String: String], expected: String?) {
    #expect(Pager.command(in: environment) == expected)
  }

  @Test("rows go through the pager, and the command waits for its end")
  func rows() async throws {
    let shown = try await show("one\ntwo\n", pager: "sed s/^/-/")
    #expect(shown == "-one\n-two\n")
  }

  @Test("less and lv get git's options, unless the user has set others")
  func options() async throws {
    let pager = #"echo "$LESS $LV"; cat"#
    #expect(try await show("row\n", pager: pager) == "FRX -c\nrow\n")
    #expect(try await show("row\n", pager: pager, extra: ["LESS": "-S"]) == "-S -c\nrow\n")
    #expect(try await show("row\n", pager: "LESS=x " + "sed s/r/R/") == "Row\n")
  }

  @Test(
    "no pager starts in a pipe, without PAGER, or if it can't be run",
    arguments: [
      ("less", false), ("", true), ("cat", true), ("no-such-pager --option", true),
      ("/dev/null", true), ("A=b", true),
    ])
  func none(command: String, isTerminal: Bool) async {
    let environment = path.merging(["PAGER": command]) { $1 }
    let pager = await Pager.start(environment: environment, isTerminal: isTerminal)
    #expect(pager == nil)
    await pager?.finish()
  }

  @Test("quitting the pager early closes the output")
  func left() async throws {
    let environment = path.merging(["PAGER": "true"]) { $1 }
    let pager = try #require(await Pager.start(environment: environment, isTerminal: true))
    let output = Output(descriptor: pager.descriptor)
    await #expect(throws: OutputError.closed) {
      while true {
        try await output.write("row\n")
      }
    }
    #expect(await pager.finish())
    #expect(await pager.finish(), "finishing twice is harmless")
  }

  @Test("a command that only the shell can resolve reports at its end that it wasn't run")
  func notFound() async throws {
    let environment = path.merging(["PAGER": "{ no-such-pager; } 2>/dev/null"]) { $1 }
    let pager = try #require(await Pager.start(environment: environment, isTerminal: true))
    #expect(await pager.finish() == false)
  }

  @Test("a child process started meanwhile doesn't keep the pager's input open")
  func noLeak() async throws {
    let file = try ScratchFile()
    let environment = path.merging(["PAGER": "sed s/a/b/"]) { $1 }
    let pager = try #require(
      await Pager.start(
        environment: environment, isTerminal: true, output: .descriptor(file.descriptor)))
    let pipe = try #require(Pipe())
    let other = try ChildProcess(
      ["cat"], environment: path, input: .descriptor(pipe.readingEnd), output: .null)
    await pager.finish()
    close(pipe.writingEnd)
    #expect(await other.wait() == .exited(0))
    close(pipe.readingEnd)
  }

  private func show(
    _ text: String, pager command: String, extra: [String: String] = [:]
  ) async throws -> String {
    let file = try ScratchFile()
    let environment = path.merging(["PAGER": command]) { $1 }.merging(extra) { $1 }
    let pager = try #require(
      await Pager.start(
        environment: environment, isTerminal: true, output: .descriptor(file.descriptor)))
    let output = Output(descriptor: pager.descriptor, sharesScreen: false)
    try await output.write(text)
    #expect(await pager.finish())
    return file.contents
  }
}
