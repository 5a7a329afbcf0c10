import Dispatch
import HTTPTypes
import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

@Suite("DiskResponseStore", .timeLimit(.minutes(5)))
struct DiskResponseStoreTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  private var folder: String { "\(scratch.path)/cache/issues" }

  private func open(
    capacity: Int = 1 << 20, onProblem: (@Sendable (String) -> Void)? = nil
  ) -> DiskResponseStore {
    // On a busy machine writing can take longer than the default patience of a second.
    DiskResponseStore(
      folder: folder, capacity: capacity, patience: .seconds(60), onProblem: onProblem)
  }

  /// Stores answers by their keys' paths, the way that another process would have done.
  private func store(_ bodies: KeyValuePairs<String, String>) async throws {
    let store = open()
    for (path, body) in bodies {
      await store.store(try .animals(body: body), for: try .animals(path))
    }
    await store.flush()
  }

  private func path(_ name: String) throws -> String {
    "\(folder)/\(CacheFileName.entry(for: try .animals(name)))"
  }

  private func temporaryPath(_ name: String, _ random: String) throws -> String {
    "\(folder)/.\(CacheFileName.entry(for: try .animals(name))).\(random).tmp"
  }

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  /// Sets when a file was used last.
  private func age(_ path: String, hours: Int) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    now.tv_sec -= hours * 3600
    #expect(utimensat(AT_FDCWD, path, [now, now], 0) == 0)
  }

  @Test(
    "a store run by root creates nothing in another user's home",
    .enabled(if: geteuid() == 0, "only root can make files of other users"))
  func root() async throws {
    #expect(chown(scratch.path, 54_321, 54_321) == 0)
    let problems = Events([])
    let store = open { problems.note($0) }
    await store.store(try .animals(), for: try .animals())
    await store.flush()
    #expect(scratch.names.isEmpty)
    #expect(problems.current.count == 1)
  }

  @Test("DiskResponseStore returns another store's response until it is removed")
  func persistent() async throws {
    #expect(await open().response(for: try .animals("a")) == nil)
    #expect(scratch.names.isEmpty, "looking makes no folder")
    try await store(["a": "cats", "b": "birds", "a": "dogs"])
    let other = open()
    #expect(await other.response(for: try .animals("a")) == (try .animals(body: "dogs")))
    #expect(await other.response(for: try .animals("b")) == (try .animals(body: "birds")))
    #expect(await other.response(for: try .animals("c")) == nil)
    await other.removeResponse(for: try .animals("a"))
    await other.flush()
    #expect(await open().response(for: try .animals("a")) == nil)
    #expect(try await other.contents().files == 1)
  }

  @Test("folders and files are private regardless of the umask, and no other file is left")
  func permissions() async throws {
    try await store(["a": "cats"])
    #expect(mode("\(scratch.path)/cache") == 0o700)
    #expect(mode(folder) == 0o700)
    #expect(mode(try path("a")) == 0o600)
    #expect(scratch.names(in: "cache/issues").count == 1)
  }

  @Test("a damaged file isn't returned, and is removed", arguments: [0, 7, 30, 45, -1])
  func damaged(position: Int) async throws {
    try await store(["a": "cats"])
    let path = try path("a")
    var bytes = try #require(FileManager.default.contents(atPath: path))
    bytes[position < 0 ? bytes.count - 1 : position] ^= 4
    try bytes.write(to: URL(filePath: path))
    #expect(await open().response(for: try .animals("a")) == nil)
    #expect(scratch.names(in: "cache/issues").isEmpty)
  }

  @Test("an entry of another key with the same file name isn't returned, and is kept")
  func otherKey() async throws {
    try await store(["a": "cats"])
    #expect(rename(try path("a"), try path("b")) == 0)
    #expect(await open().response(for: try .animals("b")) == nil)
    #expect(scratch.names(in: "cache/issues").count == 1)
  }

  @Test("a link isn't followed for reading or writing, and a pipe doesn't block")
  func links() async throws {
    try await store(["a": "cats"])
    let elsewhere = "\(scratch.path)/elsewhere"
    #expect(rename(try path("a"), elsewhere) == 0)
    #expect(symlink(elsewhere, try path("a")) == 0)
    #expect(mkfifo(try path("b"), 0o600) == 0)
    let store = open()
    #expect(await store.response(for: try .animals("a")) == nil)
    #expect(await store.response(for: try .animals("b")) == nil)
    let before = FileManager.default.contents(atPath: elsewhere)
    await store.store(try .animals(body: "dogs"), for: try .animals("a"))
    await store.flush()
    #expect(FileManager.default.contents(atPath: elsewhere) == before)
    #expect(await store.response(for: try .animals("a")) == (try .animals(body: "dogs")))
  }

  @Test("the least recently used entries are removed from a full store, and reading counts as use")
  func leastRecentlyUsed() async throws {
    let body = String(repeating: "x", count: 1000)
    for (index, name) in ["a", "b", "c", "d"].enumerated() {
      try await store([name: body])
      age(try path(name), hours: 10 - index)
    }
    // Room for four and a half; to make room for the fifth a tenth more is removed.
    let capacity = try await open().contents().bytes / 8 * 9
    let store = open(capacity: capacity)
    #expect(await store.response(for: try .animals("a")) != nil)
    await store.store(try .animals(body: body), for: try .animals("e"))
    await store.flush()
    for (name, isThere) in ["a": true, "b": false, "c": true, "d": true, "e": true] {
      #expect((await store.response(for: try .animals(name)) != nil) == isThere, "\(name)")
    }
    #expect(try await store.contents().bytes <= capacity)
  }

  @Test("the disk store never grows beyond its capacity")
  func capped() async throws {
    let store = open(capacity: 20_000)
    for index in 0..<100 {
      let body = String(repeating: "x", count: 500 + index * 10)
      await store.store(try .animals(body: body), for: try .animals("\(index)"))
    }
    await store.flush()
    let contents = try await store.contents()
    #expect(contents.bytes <= 20_000)
    #expect(contents.bytes > 10_000)
    #expect(await store.response(for: try .animals("99")) != nil)
  }

  @Test(
    "a response of half the capacity isn't stored, and the entry that it would replace is removed")
  func tooLong() async throws {
    try await store(["a": "cats"])
    let store = open(capacity: 2000)
    let long = String(repeating: "x", count: 1000)
    await store.store(try .animals(body: long), for: try .animals("a"))
    await store.flush()
    #expect(try await store.contents().files == 0)
  }

  @Test("a dead writer's files are removed, and a living writer's files are kept")
  func swept() async throws {
    try await store(["a": "cats"])
    let dead = try temporaryPath("b", "0123456789abcdef")
    let living = try temporaryPath("b", "fedcba9876543210")
    for path in [dead, living] { try Data("half".utf8).write(to: URL(filePath: path)) }
    let file = openat(AT_FDCWD, living, O_RDONLY)
    #expect(flock(file, LOCK_EX) == 0)
    try await store(["c": "birds"])
    #expect(access(dead, F_OK) != 0)
    #expect(access(living, F_OK) == 0)
    // Not by closing it alone: a child of another test may have got a copy.
    #expect(flock(file, LOCK_UN) == 0)
    close(file)
    try await store(["c": "birds"])
    #expect(access(living, F_OK) != 0)
  }

  @Test("clearing removes only finished and unfinished entries")
  func cleared() async throws {
    try await store(["a": "cats", "b": "birds"])
    let own = [try path("c"), try temporaryPath("d", "0123456789abcdef")]
    for path in own { try Data(StoredResponse.magic.prefix(3)).write(to: URL(filePath: path)) }
    let foreign = [
      "notes.txt", "\(String(repeating: "0", count: 32)).response", "a.response", ".hidden",
      "\(String(repeating: "0", count: 32)).response.tmp", ".a.0123456789abcdef.tmp",
    ]
    for name in foreign { try Data("mine".utf8).write(to: URL(filePath: "\(folder)/\(name)")) }
    let target = "\(scratch.path)/target"
    try Data(StoredResponse.magic).write(to: URL(filePath: target))
    #expect(symlink(target, try path("e")) == 0)
    let link = CacheFileName.entry(for: try .animals("e"))
    #expect(mkdir(try path("f"), 0o700) == 0)

    let removed = try await open().removeAll()
    #expect(removed.files == 4)
    #expect(removed.bytes > 8)
    let directory = CacheFileName.entry(for: try .animals("f"))
    #expect(scratch.names(in: "cache/issues") == (foreign + [link, directory]).sorted())
    #expect(access(target, F_OK) == 0)
    #expect(try await open().removeAll() == DiskResponseStore.Contents(files: 0, bytes: 0))
  }

  @Test("concurrent stores on one folder never return a wrong response")
  func concurrent() async throws {
    let keys = try (0..<5).map { try ResponseKey.animals("\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          // Small enough that the two throw each other's entries out all the time.
          let store = open(capacity: 30_000)
          for round in 0..<100 {
            let index = (round * 7 + worker) % keys.count
            // Each body says whose it is, all over.
            let body = String(repeating: "\(index)", count: 1000 + round * 30)
            await store.store(try .animals(body: body), for: keys[index])
            let other = (index + round) % keys.count
            if let found = await store.response(for: keys[other]) {
              #expect(found.body.allSatisfy { $0 == UInt8(ascii: "0") + UInt8(other) })
              #expect(found.body.count >= 1000)
            }
            if round % 25 == 24 { await store.removeResponse(for: keys[index]) }
          }
          await store.flush()
        }
      }
      try await group.waitForAll()
    }
    let names = scratch.names(in: "cache/issues")
    #expect(names.count <= keys.count)
    #expect(names.allSatisfy { CacheFileName.Kind($0) == .entry })
  }

  @Test(
    "an unusable folder turns the store off, and is reported once",
    arguments: ["file", "parent is a file", "no home", "link", "open to all"])
  func unusable(kind: String) async throws {
    switch kind {
    case "file":
      #expect(mkdir("\(scratch.path)/cache", 0o700) == 0)
      try Data().write(to: URL(filePath: folder))
    case "parent is a file":
      try Data().write(to: URL(filePath: "\(scratch.path)/cache"))
    case "link":
      #expect(mkdir("\(scratch.path)/cache", 0o700) == 0)
      #expect(symlink(scratch.path, folder) == 0)
    case "open to all":
      #expect(mkdir("\(scratch.path)/cache", 0o700) == 0)
      #expect(mkdir(folder, 0o700) == 0)
      #expect(chmod(folder, 0o777) == 0)
    default: break
    }
    let problems = Events([])
    let path = kind == "no home" ? "\(scratch.path)/nobody/.cache/issues" : folder
    let store = DiskResponseStore(folder: path) { problems.note($0) }
    let key = try ResponseKey.animals()
    for _ in 0..<3 {
      await store.store(try .animals(), for: key)
      await store.flush()
      #expect(await store.response(for: key) == nil)
      await store.removeResponse(for: key)
    }
    await store.flush()
    #expect(problems.current.count == 1)
    #expect(problems.current.first?.hasPrefix("\(path) can't be used: ") == true)
    #expect(access("\(scratch.path)/nobody", F_OK) != 0)
  }

  @Test("a folder removed during use is reported once, and no call fails")
  func goneAway() async throws {
    let problems = Events([])
    let store = open { problems.note($0) }
    await store.store(try .animals(), for: try .animals("a"))
    await store.flush()
    #expect(await store.response(for: try .animals("a")) != nil)
    #expect(unlink(try path("a")) == 0)
    #expect(rmdir(folder) == 0)
    for name in ["a", "b"] {
      await store.store(try .animals(), for: try .animals(name))
      await store.flush()
      #expect(await store.response(for: try .animals(name)) == nil)
    }
    #expect(problems.current.count == 1)
    #expect(problems.current.first?.hasPrefix("nothing can be stored: ") == true)
    #expect(scratch.names(in: "cache").isEmpty)
    #expect(try await store.contents().files == 0)
  }

  @Test("flushing a hanging disk ends after the patience of the store")
  func impatient() async throws {
    // The store reports its first problem on its queue, which hangs until then.
    try Data().write(to: URL(filePath: "\(scratch.path)/cache"))
    let clock = TestClock()
    let hanging = DispatchSemaphore(value: 0)
    let store = DiskResponseStore(folder: folder, patience: .seconds(3), clock: clock) { _ in
      hanging.wait()
    }
    await store.store(try .animals(), for: try .animals())
    let flushing = Task { await store.flush() }
    try await clock.sleepers(atLeast: 1)
    clock.advance(by: .seconds(3))
    await flushing.value
    hanging.signal()
  }

  @Test(
    "the cache folder is in an absolute XDG_CACHE_HOME, or else in the home folder",
    arguments: [
      (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/issues"), (["HOME": "/h"], "/h/.cache/issues"),
      (["XDG_CACHE_HOME": "x", "HOME": "/h"], "/h/.cache/issues"),
      (["XDG_CACHE_HOME": "", "HOME": "/h"], "/h/.cache/issues"), (["HOME": ""], nil),
      (["HOME": "~"], nil), ([:], nil),
    ] as [([String: String], String?)])
  func xdg(environment: [String: String], folder: String?) {
    #expect(DiskResponseStore.folder(named: "issues", in: environment) == folder)
  }
}
