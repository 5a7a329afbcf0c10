import HTTPTargets
import TestSupport
import Testing

@Suite("UserDirectory")
struct UserDirectoryTests {
  @Test("a folder named by the user is created private, with its parents")
  func parents() throws {
    let scratch = try ScratchFolder()
    UserDirectory.cache.makeIfNamed(in: ["XDG_CACHE_HOME": scratch["a/b/c"]])
    for folder in ["a", "a/b", "a/b/c"] { #expect(scratch.permissions(folder) == 0o700) }
  }

  @Test(
    "a folder isn't created from a relative path or in the home folder",
    arguments: ["relative", ""])
  func none(value: String) throws {
    let scratch = try ScratchFolder()
    UserDirectory.cache.makeIfNamed(in: ["XDG_CACHE_HOME": value, "HOME": scratch["home"]])
    #expect(scratch.names == [])
  }

  @Test(
    "a directory is the variable's absolute path, or else a folder of the home",
    arguments: [
      (UserDirectory.cache, "XDG_CACHE_HOME", "/h/.cache"),
      (.data, "XDG_DATA_HOME", "/h/.local/share"), (.state, "XDG_STATE_HOME", "/h/.local/state"),
    ])
  func path(directory: UserDirectory, variable: String, fallback: String) {
    #expect(directory.path(in: [variable: "/x", "HOME": "/h"]) == "/x")
    for value in ["", "x"] {
      #expect(directory.path(in: [variable: value, "HOME": "/h"]) == fallback)
    }
    #expect(directory.path(in: ["HOME": "h"]) == nil)
  }
}
