#if os(Linux)
  import Foundation
  import Testing

  @testable import IssuesCommand

  @Suite("The first thread")
  struct FirstThreadTests {
    /// The processors of the process's first thread, such as `0-3,7`.
    private func processors() throws -> String {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      let line = status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list") }
      return String(try #require(line).split(separator: "\t")[1])
    }

    @Test("is woken on another processor, and may then use all that it could before")
    func woken() throws {
      let before = try processors()
      let first = FirstThread()
      first.wake()
      let meanwhile = try processors()
      first.wait()
      #expect(try processors() == before)
      let hasSeveral = before.contains { "-,".contains($0) }
      #expect((meanwhile != before) == hasSeveral)
    }
  }
#endif
