import GRDB
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Opening a mirror file", .timeLimit(.minutes(5)))
struct OpeningTests {
  private static func code(_ path: String) -> MirrorFailure.Code? {
    do throws(MirrorFailure) {
      _ = try Mirror(path: path)
      return nil
    } catch {
      return error.code
    }
  }

  @Test(
    "opening a mirror creates private folders and a private file"
  )
  func modes() throws {
    let folder = try ScratchFolder()
    _ = try Mirror(path: folder["data/issues/mirror.db"])
    #expect(folder.permissions("data") == 0o700)
    #expect(folder.permissions("data/issues") == 0o700)
    for name in folder.names(in: "data/issues") {
      #expect(folder.permissions("data/issues/\(name)") == 0o600, "\(name)")
    }
    #expect(folder.names(in: "data/issues").contains("mirror.db"))
    // No home comes into being that nobody has.
    #expect(Self.code(folder["a/b/c/mirror.db"]) == .cannotOpen)
    #expect(!folder.names.contains("a"))
  }

  @Test(
    "root doesn't leave files in another user's home folder",
    .enabled(if: geteuid() == 0, "only root can make files of other users"))
  func root() throws {
    let folder = try ScratchFolder()
    try #require(chown(folder.path, 54_321, 54_321) == 0)
    let failure = #expect(throws: MirrorFailure.self) {
      try Mirror(path: folder["data/issues/mirror.db"])
    }
    #expect(failure?.code == .cannotOpen)
    #expect(failure?.message.contains("XDG_DATA_HOME") == true)
    #expect(folder.names.isEmpty)
    // Nor in a folder that is there.
    #expect(Self.code(folder["mirror.db"]) == .cannotOpen)
    #expect(folder.names.isEmpty)
  }

  @Test(
    "a mirror's file is found in the user's data folder",
    arguments: [
      (["XDG_DATA_HOME": "/d", "HOME": "/h"], "/d/issues/mirror.db"),
      (["XDG_DATA_HOME": "d", "HOME": "/h"], "/h/.local/share/issues/mirror.db"),
      (["HOME": "/h"], "/h/.local/share/issues/mirror.db"),
      (["HOME": ""], nil), ([:], nil),
    ] as [([String: String], String?)])
  func path(environment: [String: String], path: String?) {
    #expect(Mirror.path(in: environment) == path)
  }

  @Test("simultaneous openers create one mirror, and reopening changes nothing")
  func again() async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    let versions = try await withThrowingTaskGroup(of: Int?.self) { group in
      for _ in 1...8 {
        group.addTask {
          let mirror = try Mirror(path: path)
          return try await mirror.database.read { db in
            try Int.fetchOne(db, sql: "PRAGMA user_version")
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(versions == Array(repeating: MirrorSchema.version, count: 8))
    #expect(try await Mirror(path: path).check() == [])
  }

  @Test("a mirror uses a write-ahead log and foreign keys, and frees space incrementally")
  func settings() async throws {
    let test = try await TestMirror()
    let database = test.mirror.database
    func value(_ pragma: String) async throws -> String? {
      try await database.writeWithoutTransaction { db in
        try String.fetchOne(db, sql: "PRAGMA \(pragma)")
      }
    }
    #expect(try await value("journal_mode") == "wal")
    #expect(try await value("synchronous") == "1")
    #expect(try await value("foreign_keys") == "1")
    #expect(try await value("auto_vacuum") == "2")
  }

  @Test("opening a file that isn't a mirror is refused, and leaves it unchanged")
  func others() throws {
    let folder = try ScratchFolder()
    let text = Data("Dear diary, today nothing happened that would be worth a line.\n".utf8)
    try folder.write(text, to: "diary.txt")
    #expect(Self.code(folder["diary.txt"]) == .damaged)
    #expect(folder.contents("diary.txt") == text)

    try DatabaseQueue(path: folder["other.db"]).write { db in
      try db.execute(sql: "CREATE TABLE flower (name TEXT)")
    }
    let other = folder.contents("other.db")
    chmod(folder["other.db"], 0o600)
    #expect(Self.code(folder["other.db"]) == .damaged)
    #expect(folder.contents("other.db") == other)

    #expect(Self.code(folder["diary.txt/mirror.db"]) == .cannotOpen)
    mkdir(folder["folder.db"], 0o700)
    #expect(Self.code(folder["folder.db"]) == .cannotOpen)
  }

  @Test("opening a mirror refuses a file or folder that others can write to")
  func shared() throws {
    let folder = try ScratchFolder()
    _ = try Mirror(path: folder["mirror.db"])
    chmod(folder["mirror.db"], 0o666)
    #expect(Self.code(folder["mirror.db"]) == .cannotOpen)
    chmod(folder["mirror.db"], 0o600)
    chmod(folder.path, 0o777)
    #expect(Self.code(folder["mirror.db"]) == .cannotOpen)
    chmod(folder.path, 0o1777)
    #expect(Self.code(folder["mirror.db"]) == nil)
  }

  @Test("opening a mirror removes the read permission of other users")
  func restriction() async throws {
    let test = try await TestMirror()
    for name in test.folder.names { chmod(test.folder[name], 0o644) }
    let mirror = try test.another()
    #expect(test.folder.names.count == 3)
    for name in test.folder.names { #expect(test.folder.permissions(name) == 0o600, "\(name)") }
    #expect(try await mirror.repositories().count == 1)
  }

  /// Does something as another user; nothing else may run meanwhile.
  private static func asUser(_ id: uid_t, _ body: () throws -> Void) throws {
    try #require(seteuid(id) == 0)
    defer { seteuid(0) }
    try body()
  }

  @Test(
    "a closed mirror in a folder that its owner made read-only can be opened",
    .enabled(if: geteuid() == 0, "only root can become another user"))
  func readOnlyFolder() throws {
    let (outer, user) = (try ScratchFolder(), uid_t(54_321))
    chmod(outer.path, 0o755)
    let folder = outer["data"]
    let path = "\(folder)/mirror.db"
    mkdir(folder, 0o700)
    try Mirror(path: path).database.close()
    for name in ["mirror.db-wal", "mirror.db-shm"] { unlink("\(folder)/\(name)") }
    chown(path, user, user)
    chown(folder, user, user)
    chmod(folder, 0o500)
    try Self.asUser(user) {
      for isReadOnly in [true, false] {
        let mirror = try Mirror(path: path, isReadOnly: isReadOnly)
        #expect(
          try mirror.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
        try mirror.database.close()
      }
    }
  }

  @Test(
    "a user can open root's mirror, and an error reports another user's ownership",
    .enabled(if: geteuid() == 0, "only root can become another user"))
  func otherOwners() throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    try Mirror(path: path).database.close()
    for name in ["mirror.db-wal", "mirror.db-shm"] { unlink(folder[name]) }
    chmod(folder.path, 0o755)
    chmod(path, 0o644)
    try Self.asUser(54_321) {
      let mirror = try Mirror(path: path, isReadOnly: true)
      #expect(
        try mirror.database.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM item") } == 0)
      try mirror.database.close()
    }
    try #require(chown(path, 54_322, 54_322) == 0)
    try Self.asUser(54_321) {
      let failure = #expect(throws: MirrorFailure.self) { try Mirror(path: path) }
      #expect(failure?.code == .cannotOpen)
      #expect(failure?.message.contains("it belongs to another user") == true)
    }
  }

  @Test("opening a mirror for reading doesn't wait for a lock or change the file")
  func reading() async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    do {
      let mirror = try Mirror(path: path)
      let repository = try await TestMirror.record(id: 1, name: "a/b", in: mirror)
      try await mirror.store(
        TestMirror.page([.numbered(1)]), of: repository, sweep: nil, at: TestMirror.now)
      try mirror.database.close()
    }
    let file = folder.contents("mirror.db")
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let writer = try DatabaseQueue(path: path, configuration: configuration)
    try await writer.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    let mirror = try Mirror(path: path, isReadOnly: true)
    let repository = try #require(try await mirror.repositories().first)
    let query = try SearchQuery(parsing: "title")
    #expect(try await mirror.search(query, in: [repository], limit: 9).count == 1)
    #expect(try await mirror.check() == [])
    #expect(folder.contents("mirror.db-wal")?.isEmpty == true)
    try await writer.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    let failure = await #expect(throws: MirrorFailure.self) {
      try await mirror.store(
        TestMirror.page([.numbered(2)]), of: repository, sweep: nil, at: TestMirror.now)
    }
    #expect(failure?.code == .readOnly)
    try mirror.database.close()
    #expect(folder.contents("mirror.db") == file)
  }

  @Test("opening a mirror for reading doesn't create a file, but completes an empty one")
  func readingNothing() async throws {
    let folder = try ScratchFolder()
    let failure = #expect(throws: MirrorFailure.self) {
      try Mirror(path: folder["mirror.db"], isReadOnly: true)
    }
    #expect(failure?.code == .cannotOpen)
    #expect(folder.names.isEmpty)
    try folder.write(Data(), to: "mirror.db")
    chmod(folder["mirror.db"], 0o600)
    #expect(try await Mirror(path: folder["mirror.db"], isReadOnly: true).repositories().isEmpty)
  }

  @Test("opening a later version's mirror is refused and leaves the file unchanged")
  func laterVersion() async throws {
    let test = try await TestMirror()
    try await test.mirror.database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = 99")
    }
    #expect(Self.code(test.mirror.path) == .laterVersion)
  }

  @Test("opening a mirror reports an impossible version", arguments: [-5, 0])
  func noVersion(version: Int) async throws {
    let test = try await TestMirror()
    try await test.mirror.database.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(version)")
    }
    #expect(Self.code(test.mirror.path) == .damaged)
  }

  @Test("opening a mirror reports damage anywhere in the file")
  func damage() async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    do {
      let mirror = try Mirror(path: path)
      let repository = try await TestMirror.record(id: 1, name: "a/b", in: mirror)
      for first in stride(from: 1, to: 2_000, by: 100) {
        let page = try TestMirror.page((first..<(first + 100)).map { .numbered($0) })
        try await mirror.store(page, of: repository, sweep: nil, at: TestMirror.now)
      }
      try mirror.database.close()
    }
    let sound = try #require(folder.contents("mirror.db"))
    for name in folder.names where name != "mirror.db" { unlink(folder[name]) }

    // Pages in the middle.
    var bytes = sound
    let middle = bytes.count * 3 / 4
    bytes.replaceSubrange(
      middle..<(middle + 64 << 10), with: Array(repeating: 0xA5, count: 64 << 10))
    try folder.write(bytes, to: "mirror.db")
    let damaged = try Mirror(path: path)
    #expect(try await !damaged.check().isEmpty)
    let failure = await #expect(throws: MirrorFailure.self) {
      let repository = try #require(try await damaged.repositories().first)
      _ = try await damaged.issues(of: repository)
      _ = try await damaged.counts(of: repository)
      for number in 1...2_000 { _ = try await damaged.issue(number, of: repository) }
    }
    #expect(failure?.code == .damaged)

    // The beginning.
    bytes = sound
    bytes.replaceSubrange(0..<64, with: Array(repeating: 0xA5, count: 64))
    let other = try ScratchFolder()
    try other.write(bytes, to: "mirror.db")
    chmod(other["mirror.db"], 0o600)
    #expect(Self.code(other["mirror.db"]) == .damaged)
  }

  @Test(
    "a read-only mirror can be read, and a failed write has the reason",
    .enabled(if: geteuid() != 0, "root may write everywhere"))
  func readOnly() async throws {
    let folder = try ScratchFolder()
    let path = folder["mirror.db"]
    do {
      let mirror = try Mirror(path: path)
      let repository = try await TestMirror.record(id: 1, name: "a/b", in: mirror)
      try await mirror.store(
        TestMirror.page([.numbered(1)]), of: repository, sweep: nil, at: TestMirror.now)
      try mirror.database.close()
    }
    for name in folder.names { chmod(folder[name], 0o400) }
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }
    let mirror = try Mirror(path: path)
    let repository = try #require(try await mirror.repositories().first)
    #expect(try await mirror.issues(of: repository).map(\.number) == [1])
    let failure = await #expect(throws: MirrorFailure.self) {
      try await mirror.store(
        TestMirror.page([.numbered(2)]), of: repository, sweep: nil, at: TestMirror.now)
    }
    #expect(failure?.code == .readOnly)
    #expect(try await mirror.issues(of: repository).map(\.number) == [1])
    // A mirror that isn't there can't be made in such a folder.
    #expect(Self.code(folder["other.db"]) == .cannotOpen)
  }
}
