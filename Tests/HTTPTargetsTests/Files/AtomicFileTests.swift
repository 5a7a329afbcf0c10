import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

@Suite("AtomicFile")
struct AtomicFileTests {
  private let folder: ScratchFolder
  private let old = Data("old".utf8)
  private let new = Data("new".utf8)

  init() throws {
    folder = try ScratchFolder()
  }

  private func begin(_ name: String = "file", replaces: Bool = true) throws -> AtomicFile {
    try AtomicFile(named: folder[name], replaces: replaces)
  }

  @Test("the old file is kept until the new one is complete, and no other file is left")
  func whole() throws {
    try folder.write(old, to: "file")
    let file = try begin()
    try file.write(new)
    #expect(folder.contents("file") == old)
    #expect(folder.names.count == 2)
    try file.commit()
    #expect(folder.contents("file") == new)
    #expect(folder.names == ["file"])
  }

  @Test("an uncommitted file is removed when its value is dropped, and the old file is kept")
  func dropped() throws {
    try folder.write(old, to: "file")
    do {
      let file = try begin()
      try file.write(new)
    }
    #expect(folder.names == ["file"])
    #expect(folder.contents("file") == old)
  }

  @Test("an unfinished file is private, and its name is unpredictable")
  func temporary() throws {
    let files = try (0..<8).map { _ in try begin() }
    #expect(Set(files.map(\.temporaryPath)).count == files.count)
    for name in folder.names {
      #expect(folder.permissions(name) == 0o600)
      #expect(AtomicFile.finalName(ofTemporary: name) == "file")
    }
  }

  @Test("a replaced file keeps its permissions", arguments: [0o600, 0o640, 0o755])
  func keptPermissions(mode: Int) throws {
    try folder.write(old, to: "file")
    #expect(chmod(folder["file"], mode_t(mode)) == 0)
    let file = try begin()
    try file.commit()
    #expect(folder.permissions("file") == mode)
    let own = try AtomicFile(private: folder["file"])
    try own.commit()
    #expect(folder.permissions("file") == mode)
  }

  @Test("a private file is readable only by its user, and a requested file has default permissions")
  func permissions() throws {
    try AtomicFile(private: folder["own"]).commit()
    try begin().commit()
    try folder.write(new, to: "any")
    #expect(folder.permissions("own") == 0o600)
    #expect(folder.permissions("file") == folder.permissions("any"))
  }

  @Test("a link is replaced, and its target is kept")
  func link() throws {
    try folder.write(old, to: "victim")
    #expect(symlink("victim", folder["file"]) == 0)
    let file = try begin()
    try file.write(new)
    try file.commit()
    #expect(folder.contents("victim") == old)
    #expect(FileStatus.at(folder["file"])?.isRegular == true)
    #expect(folder.contents("file") == new)
  }

  @Test("an existing file isn't replaced on request, even if it was created during the write")
  func taken() throws {
    let file = try begin(replaces: false)
    try file.write(new)
    try folder.write(old, to: "file")
    #expect(throws: FileFailure.self) { try begin(replaces: false) }
    let failure = #expect(throws: FileFailure.self) { try file.commit() }
    #expect(failure?.isNameTaken == true)
    #expect(folder.names == ["file"])
    #expect(folder.contents("file") == old)
  }

  @Test("files left by killed writers are removed, and other writers' files are kept")
  func swept() throws {
    let random = "0123456789abcdef"
    try folder.write(old, to: ".file.\(random).tmp")
    let others = [
      ".other.\(random).tmp", ".file.x.\(random).tmp", ".file.0123.tmp", "file.\(random).tmp",
      ".file.tmp",
    ]
    for name in others { try folder.write(old, to: name) }
    #expect(symlink("file", folder[".file.fedcba9876543210.tmp"]) == 0)
    let living = try begin()
    let file = try begin()
    #expect(folder.names.count == others.count + 3)
    try living.commit()
    try file.commit()
    #expect(folder.names == (others + [".file.fedcba9876543210.tmp", "file"]).sorted())
  }

  @Test("a failed write leaves the folder unchanged")
  func failed() throws {
    try folder.write(old, to: "file")
    let file = try begin()
    #expect(unlink(file.temporaryPath) == 0)
    #expect(throws: FileFailure.self) { try file.commit() }
    #expect(folder.names == ["file"])
    #expect(folder.contents("file") == old)
  }

  @Test("an atomic file can have a name of the maximum length", arguments: ["a", "é"])
  func longNames(letter: Character) throws {
    let name = String(repeating: letter, count: 255 / letter.utf8.count)
    try begin(name).commit()
    #expect(folder.names == [name])
  }
}
