import IssueTracker
import PlatformModules
import TestSupport
import Testing

@Suite("RepositoryHistory", .timeLimit(.minutes(5)))
struct RepositoryHistoryTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private func history(capacity: Int = 500) -> RepositoryHistory {
    RepositoryHistory(folder: scratch["issues"], capacity: capacity)
  }

  private func entry(_ line: String) throws -> RepositoryHistory.Entry {
    try #require(RepositoryHistory.Entry(line))
  }

  private var lines: [String] {
    let text = scratch.contents("issues/repositories").map { String(decoding: $0, as: UTF8.self) }
    return (text ?? "").split(separator: "\n").map(String.init)
  }

  @Test("the newest entry comes first, and a repository is listed once regardless of case")
  func order() async throws {
    let history = history()
    #expect(await history.entries().isEmpty)
    for line in ["a/a", "b/b", "ghe.example.com/a/a", "A/a"] {
      #expect(await history.record(try entry(line)))
    }
    #expect(lines == ["A/a", "ghe.example.com/a/a", "b/b"])
    #expect(await self.history().entries().map(\.description) == lines)
  }

  @Test(
    "an entry is encoded as its line, and the line is its ID",
    arguments: ["a/b", "ghe.example.com/a/b", "127.0.0.1:8080/a/b"])
  func coding(line: String) throws {
    let entry = try entry(line)
    #expect(entry.id == line)
    let json = try JSONEncoder().encode([entry])
    #expect(try JSONDecoder().decode([String].self, from: json) == [line])
    #expect(try JSONDecoder().decode([RepositoryHistory.Entry].self, from: json) == [entry])
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([RepositoryHistory.Entry].self, from: Data(#"["a"]"#.utf8))
    }
  }

  @Test("the history keeps a maximum number of entries and drops the oldest")
  func bounded() async throws {
    for number in 1...5 { await history(capacity: 3).record(try entry("a/\(number)")) }
    #expect(lines == ["a/5", "a/4", "a/3"])
  }

  @Test("the file and its folder are readable only by this user")
  func permissions() async throws {
    await history().record(try entry("a/a"))
    #expect(scratch.permissions("issues/repositories") == 0o600)
    #expect(scratch.permissions("issues") == 0o700)
    #expect(scratch.names(in: "issues") == ["repositories"])
  }

  @Test("the history file isn't written when the newest entry is recorded again")
  func unchanged() async throws {
    await history().record(try entry("a/a"))
    let before = try FileManager.default.attributesOfItem(atPath: scratch["issues/repositories"])
    #expect(await history().record(try entry("a/a")))
    let after = try FileManager.default.attributesOfItem(atPath: scratch["issues/repositories"])
    #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
  }

  @Test(
    "an invalid line is ignored",
    arguments: [
      "", "a", "/", "a/", "../x", "a/..", "a b/c", "a/b/c/d", "a/b\u{1B}[31m", "//", "ä/b",
      "-.example.com/a/b", "a/b?c", " a/b", "\0/a", "user@host/a/b",
    ])
  func damaged(line: String) async throws {
    await history().record(try entry("a/a"))
    let text = "b/b\n\(line)\n127.0.0.1:8080/c/c\r\n127.0.0.1:8080/d/d"
    try scratch.write(Data(text.utf8), to: "issues/repositories")
    #expect(await history().entries().map(\.description) == ["b/b", "127.0.0.1:8080/d/d"])
    await history().record(try entry("e/e"))
    #expect(lines == ["e/e", "b/b", "127.0.0.1:8080/d/d"])
  }

  @Test(
    "an invalid history file has no entries and doesn't block", arguments: ["pipe", "big"])
  func odd(kind: String) async throws {
    await history().record(try entry("a/a"))
    let path = scratch["issues/repositories"]
    try FileManager.default.removeItem(atPath: path)
    if kind == "pipe" {
      let made = try await CommandRun.run("/bin/sh", ["-c", "mkfifo \"$0\"", path])
      #expect(made.status == .exited(0))
    } else {
      try scratch.resize("issues/repositories", to: 1 << 30)
    }
    #expect(await history().entries().isEmpty)
    #expect(await history().record(try entry("b/b")))
    #expect(lines == ["b/b"])
  }

  @Test("recording in an unwritable folder changes nothing and throws no error")
  func readOnly() async throws {
    try scratch.write(Data(), to: "issues")
    #expect(await history().record(try entry("a/a")) == false)
    #expect(await history().entries().isEmpty)
    await #expect(throws: Never.self) { try await history().clear() }
  }

  @Test("the unfinished file of a killed process is removed")
  func leftOver() async throws {
    await history().record(try entry("a/a"))
    try scratch.write(Data("x/x\ny/".utf8), to: leftOverName)
    #expect(await history().record(try entry("b/b")))
    #expect(lines == ["b/b", "a/a"])
    #expect(scratch.names(in: "issues") == ["repositories"])
  }

  private let leftOverName = "issues/.repositories.0123456789abcdef.tmp"

  @Test(
    "a linked history file is replaced, and its other name keeps the old contents",
    arguments: [false, true])
  func secondName(isSymbolic: Bool) async throws {
    await history().record(try entry("a/a"))
    let (path, victim) = (scratch["issues/repositories"], scratch["victim"])
    try FileManager.default.moveItem(atPath: path, toPath: victim)
    if isSymbolic {
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: victim)
    } else {
      try FileManager.default.linkItem(atPath: victim, toPath: path)
    }
    #expect(await history().record(try entry("b/b")))
    #expect(lines == ["b/b", "a/a"])
    #expect(scratch.contents("victim") == Data("a/a\n".utf8))
    #expect(scratch.names(in: "issues") == ["repositories"])
  }

  @Test("a history file shared with other users keeps its permissions")
  func keptPermissions() async throws {
    await history().record(try entry("a/a"))
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: scratch["issues/repositories"])
    await history().record(try entry("b/b"))
    #expect(scratch.permissions("issues/repositories") == 0o640)
  }

  @Test(
    "a history run by root creates nothing in another user's home",
    .enabled(if: Self.isRoot, "only root can try"))
  func root() async throws {
    try FileManager.default.setAttributes(
      [.ownerAccountID: 54_321], ofItemAtPath: scratch.path)
    #expect(await history().record(try entry("a/a")) == false)
    let home = try #require(RepositoryHistory(environment: ["HOME": scratch.path]))
    #expect(await home.record(try entry("a/a")) == false)
    #expect(scratch.names.isEmpty)
  }

  private static var isRoot: Bool {
    (try? FileManager.default.attributesOfItem(atPath: "/proc/self"))?[.ownerAccountID] as? Int == 0
  }

  @Test("every entry recorded successfully by concurrent writers is in the file")
  func concurrent() async throws {
    let recorded = await withTaskGroup(of: [String].self) { group in
      for writer in 0..<8 {
        group.addTask {
          // One of its own, as in a process of its own.
          let history = self.history(capacity: 1000)
          var recorded: [String] = []
          for number in 0..<40 {
            guard let entry = RepositoryHistory.Entry("w\(writer)/n\(number)") else { continue }
            if await history.record(entry) { recorded.append(entry.description) }
          }
          return recorded
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(!recorded.isEmpty)
    #expect(lines.sorted() == recorded.sorted())
    #expect(scratch.names(in: "issues") == ["repositories"])
  }

  @Test("a cleared history is empty, and clearing a missing one succeeds")
  func clear() async throws {
    try await history().clear()
    await history().record(try entry("a/a"))
    try scratch.write(Data("x/x\ny/".utf8), to: leftOverName)
    try await history().clear()
    #expect(scratch.names(in: "issues") == [])
    #expect(await history().entries().isEmpty)
  }

  @Test("the history's path follows the XDG Base Directory Specification")
  func place() async throws {
    func path(_ environment: [String: String]) -> String? {
      RepositoryHistory(environment: environment)?.path
    }
    #expect(path(["XDG_STATE_HOME": "/s", "HOME": "/h"]) == "/s/issues/repositories")
    #expect(path(["HOME": "/h"]) == "/h/.local/state/issues/repositories")
    #expect(path(["XDG_STATE_HOME": "s", "HOME": "/h"]) == "/h/.local/state/issues/repositories")
    #expect(path(["XDG_STATE_HOME": "", "HOME": ""]) == nil)
  }

  @Test("folders are created within an existing home, but the home isn't created")
  func homes() async throws {
    let home = try #require(RepositoryHistory(environment: ["HOME": scratch.path]))
    #expect(await home.record(try entry("a/a")))
    #expect(scratch.names(in: ".local/state/issues") == ["repositories"])
    let nobody = try #require(RepositoryHistory(environment: ["HOME": scratch["nobody"]]))
    #expect(await nobody.record(try entry("a/a")) == false)
    #expect(scratch.names == [".local"])
  }
}
