import HTTPTargets
import TestSupport
import Testing

@Suite("UserDirectory")
struct UserDirectoryTests {
  @Test("a folder that a user names is created with its parents, for that user alone")
  func parents() throws {
    let scratch = try ScratchFolder()
    UserDirectory.cache.makeIfNamed(in: ["XDG_CACHE_HOME": scratch["a/b/c"]])
    for folder in ["a", "a/b", "a/b/c"] { #expect(scratch.permissions(folder) == 0o700) }
  }

  @Test("no folder is made of a relative path, or of the home", arguments: ["relative", ""])
  func none(value: String) throws {
    let scratch = try ScratchFolder()
    UserDirectory.cache.makeIfNamed(in: ["XDG_CACHE_HOME": value, "HOME": scratch["home"]])
    #expect(scratch.names == [])
  }

  @Test(
    "an absolute path in the variable counts, else a folder of the home",
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
