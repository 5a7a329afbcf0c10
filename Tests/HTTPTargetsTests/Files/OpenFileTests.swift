import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

@Suite("OpenFile")
struct OpenFileTests {
  #if os(Linux)
    @Test("the error for a full disk states the file's name and the reason")
    func fullDisk() throws {
      let file = try OpenFile("/dev/full", O_WRONLY)
      let failure = #expect(throws: FileFailure.self) { try file.write(Data("x".utf8)) }
      #expect(failure?.description == "“/dev/full”: No space left on device")
    }
  #endif

  @Test("a lock excludes other open handles of the file, and ends when the file is closed")
  func locking() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data(), to: "a")
    let second = try OpenFile(path, O_RDWR)
    do {
      let first = try OpenFile(path, O_RDWR)
      #expect(first.lock())
      #expect(!second.lock())
    }
    #expect(second.lock())
  }

  @Test("a dropped file is closed, and child processes don't inherit it")
  func closing() throws {
    let folder = try ScratchFolder()
    let path = try folder.write(Data("abc".utf8), to: "a")
    do {
      let file = try OpenFile(path, O_RDWR)
      #expect(file.lock())
      #expect(try file.status().size == 3)
    }
    #expect(try OpenFile(path, O_RDWR).lock())
  }
}
