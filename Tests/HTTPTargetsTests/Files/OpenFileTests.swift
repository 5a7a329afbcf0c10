import PlatformModules
import TestSupport
import Testing

@testable import HTTPTargets

@Suite("OpenFile")
struct OpenFileTests {
  #if os(Linux)
    @Test("the error for a full disk has the file's name and the reason")
    func fullDisk() throws {
      let file = try OpenFile("/dev/full", O_WRONLY)
      let failure = #expect(throws: FileFailure.self) { try file.write(Data("x".utf8)) }
      #expect(failure?.description == "“/dev/full”: No space left on device")
    }
  #endif

  @Test("a file is locked against every other opening of it, and free when it is closed")
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

  @Test("a file is closed when it is dropped, and no child process gets it")
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
