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

  @Test("the editor of a comment names the issue in a line that isn't part of the text")
  func head() throws {
    let folder = try ScratchFolder()
    let environment = ["HOME": folder.path]
    let subject = Draft.Subject(kind: .newComment, place: "github.com/a/b", name: "7,new-1")
    let draft = try Draft.begin(subject, text: "", environment: environment)
    let line = "<!-- Your comment on #7, new-1 of github.com/a/b. This line isn't sent. -->"
    #expect(try String(contentsOfFile: draft.path, encoding: .utf8) == "\n\n\(line)\n")
    #expect(try draft.text() == "" && draft.isEmpty)
    for (written, text) in [
      ("Hi\n\n\(line)\n", "Hi\n\n\n"), ("\n\n\(line)\nHi", "Hi"), ("Hi\(line)", "Hi"),
      ("<!-- mine -->\n# Hi\n\(line)", "<!-- mine -->\n# Hi\n"), ("# Hi", "# Hi"),
    ] {
      try draft.keep(text: written)
      #expect(try draft.text() == text)
      #expect(!draft.isEmpty)
    }
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
