import Testing

@testable import IssuesCommand

@Suite("The search for a program")
struct ProgramSearchTests {
  @Test("a program is found in the first folder of PATH that has it as an executable file")
  func order() async throws {
    let first = try await FakeGH("exit 0")
    let second = try await FakeGH("exit 0")
    let scratch = try ScratchFile()
    let path = [first.path(""), second.path("")].map { String($0.dropLast()) }
    func found(_ folders: String) -> String? {
      ProgramSearch.path(of: "gh", in: ["PATH": folders])
    }
    #expect(found(path.joined(separator: ":")) == first.path("gh"))
    #expect(found("/nonexistent:\(path[1]):\(path[0])") == second.path("gh"))
    #expect(found("\(scratch.path):\(path[0])") == first.path("gh"))
    #expect(found("/nonexistent") == nil)
    #expect(found("") == nil)
    #expect(ProgramSearch.path(of: "gh", in: [:]) == nil)
    // A folder of that name is no program, and neither is a file that isn't executable.
    #expect(ProgramSearch.path(of: "bin", in: ["PATH": "/usr"]) == nil)
    #expect(ProgramSearch.path(of: "passwd", in: ["PATH": "/etc"]) == nil)
    #expect(ProgramSearch.path(of: "../bin/sh", in: ["PATH": "/usr/bin"]) == nil)
    #expect(ProgramSearch.path(of: "", in: ["PATH": "/usr/bin"]) == nil)
  }

  @Test(
    "relative folders of PATH are skipped",
    arguments: ["", ".", "bin", "../../usr/bin", "../../../../../../usr/bin", "./usr/bin"])
  func relative(folder: String) {
    #expect(ProgramSearch.path(of: "sh", in: ["PATH": "\(folder):\(folder)"]) == nil)
  }
}
