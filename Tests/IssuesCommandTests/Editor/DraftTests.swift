import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Drafts")
struct DraftTests {
  @Test(
    "root doesn't create a draft in another user's folder",
    .enabled(if: geteuid() == 0, "only root can give a folder away"))
  func otherUsersFolder() throws {
    let home = try ScratchFolder()
    chown(home.path, 65_534, 65_534)
    defer { chown(home.path, geteuid(), getegid()) }
    let subject = Draft.Subject(kind: .newIssue, place: "github.com/a/b")
    let failure = #expect(throws: CommandFailure.self) {
      try Draft.begin(subject, text: "x", environment: ["HOME": home.path])
    }
    #expect(failure?.status == .output)
    #expect(failure?.message.contains("another user's folder") == true)
    #expect(home.names.isEmpty)
  }

  @Test("discarding a draft deletes vim's swap file unless only that has the text")
  func swapFile() throws {
    let home = try ScratchFolder()
    let subject = Draft.Subject(kind: .newComment, place: "github.com/a/b", name: "7")
    for text in ["", "x"] {
      let draft = try Draft.begin(subject, text: text, environment: ["XDG_DATA_HOME": home.path])
      let name = try #require(draft.path.split(separator: "/").last)
      try home.write(Data("swap".utf8), to: "issues/drafts/.\(name).swp")
      draft.discard()
      let isThere = access(home["issues/drafts/.\(name).swp"], F_OK) == 0
      #expect(isThere == text.isEmpty)
      #expect(access(draft.path, F_OK) != 0)
    }
  }
}
