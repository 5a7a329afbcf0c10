import PlatformModules
import TestSupport
import Testing

extension CommandTests {
  @Suite("Completion of databases", .timeLimit(.minutes(5)))
  struct DatabaseCompletionTests {
    @Test(
      "libpq's services are offered, except names that a shell could act on",
      arguments: [
        ("", ["local", "service=issues", "service=team-2"]), ("service=t", ["service=team-2"]),
      ])
    func services(prefix: String, expected: [String]) async throws {
      let folder = try ScratchFolder()
      let file = try folder.write(
        Data("# [no]\n[issues]\nhost=db\n[$(id)]\n[team-2]\npassword=hunter2\n[]\n".utf8),
        to: "services")
      let result = try await IssuesProgram.run(
        ["---complete", "--", "issues list --database \(prefix)"],
        environment: ["PGSERVICEFILE": file])
      #expect(result.status == .exited(0), "\(result.errorText)")
      #expect(result.lines == expected)
    }
  }
}
