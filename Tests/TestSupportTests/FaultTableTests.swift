import PlatformModules
import TestSupport
import Testing

@Suite("The table of faults")
struct FaultTableTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Documentation/contributing/faults.md")

  @Test("the documented fault table matches the tests (ISSUES_RECORD_SNAPSHOTS=1 rewrites it)")
  func documentation() throws {
    if ProcessInfo.processInfo.environment["ISSUES_RECORD_SNAPSHOTS"] == "1" {
      try Data(FaultTable.page.utf8).write(to: Self.file)
    }
    let page = String(decoding: try Data(contentsOf: Self.file), as: UTF8.self)
    #expect(page == FaultTable.page)
  }

  @Test("every row has a unique name")
  func names() {
    let names =
      FaultCase.all.map(\.fault) + CommandFault.all.map(\.fault) + WriteFault.all.map(\.fault)
      + AgentFault.all.map(\.fault) + TeamFault.all.map(\.fault) + FollowFault.all.map(\.fault)
      + BudgetFault.all.map(\.fault)
    #expect(Set(names).count == names.count)
    #expect(names.count > 60)
  }

  @Test(
    "a secret is found in every encoding",
    arguments: ["", "x", "xy", "Bearer "])
  func traces(before: String) {
    let traces = SecretTraces(FaultCase.tokenCore)
    let text = before + FaultCase.tokenCore + "z"
    #expect(traces.found(in: Data("--\(text)--".utf8)) == ["as it is"])
    #expect(traces.found(in: Data(text.utf8).base64EncodedData()) == ["base64"])
    #expect(traces.found(in: Data(text.utf8.dropLast(4))).isEmpty)
  }
}
