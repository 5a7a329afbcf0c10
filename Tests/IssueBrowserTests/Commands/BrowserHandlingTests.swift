import GitHubAPI
import IssueTracker
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("Effects of an event")
struct BrowserHandlingTests {
  @Test(
    "typing replaces the list and the completions, and empty text ends them")
  func typing() {
    var state = SampleStates.empty()
    #expect(
      state.handle(.input(.key(.character("a")))) == [
        .begin(.list(revision: 1, pause: .milliseconds(300))),
        .begin(.completions(revision: state.revisions.completions)),
      ])
    #expect(
      state.handle(.input(.key(.backspace))) == [.cancel(.list), .cancel(.completions)])
  }

  @Test("Enter doesn't wait for more typing")
  func enter() {
    var state = SampleStates.empty()
    state.handle(.input(.paste("a/b")))
    let revision = state.revisions.list
    #expect(
      state.handle(.input(.key(.enter))) == [
        .begin(.list(revision: revision + 1, pause: nil)), .cancel(.completions),
      ])
  }

  @Test("the reader delays the comments of an issue passed on the way, and closing cancels them")
  func reading() throws {
    var state = try SampleStates.issues(160, 24)
    #expect(
      state.handle(.input(.key(.enter))) == [
        .begin(.reader(revision: 1, pause: nil))
      ])
    #expect(
      state.handle(.input(.key(.character("J")))) == [
        .begin(.reader(revision: 2, pause: .milliseconds(300)))
      ])
    #expect(
      state.handle(.input(.resized(ScreenSize(columns: 130, rows: 24)))) == [
        .begin(.layout(revision: 2))
      ])
    #expect(state.handle(.input(.key(.escape))) == [.cancel(.reader)])
  }

  @Test("a superseded result changes nothing")
  func superseded() {
    var state = SampleStates.empty()
    state.handle(.input(.paste("swift")))
    let old = BrowserWork.list(revision: state.revisions.list, pause: nil)
    #expect(state.wants(old))
    state.handle(.input(.key(.character("x"))))
    #expect(!state.wants(old))
    let before = state
    let found = RepositorySearchState(query: "swift")
    #expect(state.handle(.result(.repositories(found), of: old)) == [])
    #expect(state == before)
  }

  @Test("quitting ends all work, and later events do nothing")
  func leaving() throws {
    var state = try SampleStates.issues()
    #expect(state.handle(.input(.key(.interrupt))) == [.cancelAll])
    let before = state
    #expect(state.handle(.input(.key(.enter))) == [])
    #expect(state.handle(.result(.message("late"), of: .clock)) == [])
    #expect(state == before)
  }

  @Test("only one task of each kind runs at a time, but pages open side by side")
  func kinds() throws {
    let list = BrowserWork.list(revision: 1, pause: nil)
    let pages = BrowserWork.pages(revision: 1, turn: 1)
    let open = BrowserWork.open(try RepositoryReference(parsing: "a/b"))
    #expect(
      BrowserState.Effect.begin(list).ends(list) && BrowserState.Effect.begin(list).ends(pages))
    #expect(!BrowserState.Effect.begin(pages).ends(list))
    #expect(
      !BrowserState.Effect.begin(open).ends(open) && !BrowserState.Effect.cancelAll.ends(open))
    #expect(BrowserState.Effect.cancel(.reader).ends(.layout(revision: 1)))
    #expect(BrowserState.Effect.cancelAll.ends(.clock))
  }
}
