import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("The shared budget's file", .timeLimit(.minutes(2)))
struct SharedBudgetFileTests {
  private static let now = Date(timeIntervalSince1970: 1000)

  private static func quota(_ remaining: Int) -> QuotaAnswer {
    QuotaAnswer(
      quota: QuotaAnswer.Quota(limit: 15, remaining: remaining, reset: 9000, delay: 100))
  }

  private static func withFolder(_ body: (String) async throws -> Void) async throws {
    let scratch = try ScratchFolder()
    try await body(scratch.path)
  }

  @Test("two open files share their requests, one at a time")
  func two() async throws {
    try await Self.withFolder { folder in
      let files = (0..<2).map { _ in SharedBudgetFile(path: "\(folder)/file") }
      guard case .granted(let first) = await files[0].reserve("core", at: Self.now) else {
        Issue.record("nothing was granted")
        return
      }
      await files[0].finish(first, "core", Self.quota(15), at: Self.now)
      let granted = await withTaskGroup(of: Bool.self) { group in
        for index in 0..<40 {
          group.addTask {
            if case .granted = await files[index % 2].reserve("core", at: Self.now) {
              true
            } else {
              false
            }
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(granted == 15)
    }
  }

  @Test(
    "a damaged file is replaced",
    arguments: ["", "rate limits 1\n", "\0\0\0", "rate limits 2\nend 0\n"])
  func damaged(text: String) async throws {
    try await Self.withFolder { folder in
      try Data(text.utf8).write(to: URL(filePath: "\(folder)/file"))
      let file = SharedBudgetFile(path: "\(folder)/file")
      guard case .granted = await file.reserve("core", at: Self.now) else {
        Issue.record("nothing was granted")
        return
      }
      let written = try String(contentsOf: URL(filePath: "\(folder)/file"), encoding: .utf8)
      #expect(SharedBudget(written)?.tickets.count == 1)
    }
  }

  @Test("only the owner can read the file")
  func permissions() async throws {
    let scratch = try ScratchFolder()
    _ = await SharedBudgetFile(path: scratch["file"]).reserve("core", at: Self.now)
    #expect(scratch.permissions("file") == 0o600)
  }

  @Test("a shorter budget overwrites a longer one completely")
  func shorter() async throws {
    try await Self.withFolder { folder in
      let file = SharedBudgetFile(path: "\(folder)/file")
      guard case .granted(let id) = await file.reserve("core", at: Self.now) else { return }
      await file.finish(id, "core", QuotaAnswer(), at: Self.now)
      let written = try String(contentsOf: URL(filePath: "\(folder)/file"), encoding: .utf8)
      #expect(SharedBudget(written)?.tickets == [])
    }
  }

  @Test("an unusable path gives an unknown budget")
  func unusable() async throws {
    try await Self.withFolder { folder in
      let target = SharedBudgetFile(path: "\(folder)/target")
      _ = await target.reserve("core", at: Self.now)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link", withDestinationPath: "\(folder)/target")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/folder", withIntermediateDirectories: true)
      for name in ["absent/file", "link", "folder"] {
        let file = SharedBudgetFile(path: "\(folder)/\(name)")
        #expect(await file.reserve("core", at: Self.now) == .unknown, "\(name)")
      }
    }
  }

  @Test("a file that others can write to is ignored")
  func shared() async throws {
    try await Self.withFolder { folder in
      let file = SharedBudgetFile(path: "\(folder)/file")
      _ = await file.reserve("core", at: Self.now)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o666], ofItemAtPath: "\(folder)/file")
      #expect(await file.reserve("core", at: Self.now) == .unknown)
    }
  }

  @Test("a deleted file is created again")
  func removed() async throws {
    try await Self.withFolder { folder in
      let file = SharedBudgetFile(path: "\(folder)/file")
      _ = await file.reserve("core", at: Self.now)
      try FileManager.default.removeItem(atPath: "\(folder)/file")
      guard case .granted = await file.reserve("core", at: Self.now) else {
        Issue.record("nothing was granted")
        return
      }
      #expect(FileManager.default.fileExists(atPath: "\(folder)/file"))
    }
  }
}
