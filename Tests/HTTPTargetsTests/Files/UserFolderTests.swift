import TestSupport
import Testing

@testable import HTTPTargets

@Suite("Folders that a user names")
struct UserFolderTests {
  @Test("are made with those above them, for the user alone")
  func parents() throws {
    let scratch = try ScratchFolder()
    UserFolder.cache.make(in: ["XDG_CACHE_HOME": scratch["a/b/c"]])
    for folder in ["a", "a/b", "a/b/c"] { #expect(scratch.permissions(folder) == 0o700) }
  }

  @Test("no folder is made of a relative path, or of the home", arguments: ["relative", ""])
  func none(value: String) throws {
    let scratch = try ScratchFolder()
    UserFolder.cache.make(in: ["XDG_CACHE_HOME": value, "HOME": scratch["home"]])
    #expect(scratch.names == [])
  }
}
