import Dispatch
import GitHubAPI
import PlatformModules
import StyledText
import TerminalScreen
import TestSupport
import Testing

@testable import IssueBrowser

@Suite("Laying out a page in the reader", .timeLimit(.minutes(5)))
struct PageLayoutTests {
  private static let page = IssuePage(
    issue: GitHub.Issue(id: 1, number: 1, title: "a", state: .open), now: BrowserWorld.start,
    width: 80)

  private static func inputs(width: Int = 80, comments: Int = 0) -> BrowserState.ReaderPage {
    BrowserState.ReaderPage(
      revision: 1, comments: comments, width: width, changes: 0, look: Look(), images: 0)
  }

  @Test("an endless layout doesn't delay keys or quitting")
  func leaving() async throws {
    let (begun, end) = (Gate(), DispatchSemaphore(value: 0))
    var world = BrowserWorld(issues: SyntheticIssues(count: 60, pullRequests: 0, closed: 0))
    world.size = ScreenSize(columns: 160, rows: 24)
    world.pageLayout = PageLayout { page, comment in
      begun.open()
      end.wait()
      return PageLayout.part(of: page, comment)
    }
    defer { for _ in 1...100 { end.signal() } }
    try await world.run("apple/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      await begun.wait()
      // More than there are processors. Each of these needs its own page.
      for columns in 130..<150 {
        await run.input(.resized(ScreenSize(columns: columns, rows: 24)))
        await run.press(.character("J"))
      }
      #expect(run.state.reader?.lines.isEmpty == true)
      await run.press(.interrupt)
      #expect(run.state.isFinished)
    }
  }

  @Test("pages are laid out outside Swift's cooperative thread pool")
  func threads() async {
    let (begun, end) = (Watched(0), DispatchSemaphore(value: 0))
    let count = 16
    await withTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          let layout = PageLayout { page, comment in
            begun.update { $0 += 1 }
            end.wait()
            return PageLayout.part(of: page, comment)
          }
          #expect(await layout.document(of: Self.page, Self.inputs()) == Self.page.document)
        }
      }
      await begun.wait { $0 == count }
      for _ in 0..<count { end.signal() }
    }
  }

  @Test("the layout of a page that is no longer needed stops before its comments")
  func cancelled() async throws {
    let begun = Watched(0)
    let layout = PageLayout { page, comment in
      begun.update { $0 += 1 }
      return PageLayout.part(of: page, comment)
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await layout.document(of: Self.page, Self.inputs())
    }
    #expect(await task.value == nil)
    #expect(begun.current == 0)
    #expect(await layout.document(of: Self.page, Self.inputs()) == Self.page.document)
  }

  @Test("each comment of a long discussion is laid out once")
  func linear() async throws {
    let recipe = SyntheticIssues(count: 60, pullRequests: 0, closed: 0)
    let (beginnings, comments) = (Watched(0), Watched(0))
    var world = BrowserWorld(issues: recipe)
    world.github.changeIssue(60, of: .swift(issues: recipe)) { $0.comments = 950 }
    world.pageLayout = PageLayout { page, comment in
      (comment == nil ? beginnings : comments).update { $0 += 1 }
      return PageLayout.part(of: page, comment)
    }
    try await world.run("swiftlang/swift") { run, _ in
      try await run.state { $0.isSettled }
      await run.press(.enter)
      let state = try await run.state { $0.reader?.isLoading == false }
      let reader = try #require(state.reader)
      #expect(reader.comments.count == 950)
      #expect((beginnings.current, comments.current) == (1, 950))
    }
  }

  @Test("a page whose comments arrive in parts has the lines of the whole page")
  func parts() async throws {
    let layout = PageLayout()
    let comments = try (1...5).map { number in
      try GitHubJSON.decoder().decode(
        IssueComment.self,
        from: Data(#"{"id": \#(number), "body": "- [a](https://example.com/\#(number))"}"#.utf8))
    }
    func page(_ count: Int, width: Int = 80) -> IssuePage {
      IssuePage(
        issue: Self.page.issue, comments: Array(comments.prefix(count)), now: BrowserWorld.start,
        width: width)
    }
    for (count, width) in [(0, 80), (2, 80), (5, 80), (5, 80), (5, 40), (3, 40)] {
      let page = page(count, width: width)
      let inputs = Self.inputs(width: width, comments: count)
      #expect(await layout.document(of: page, inputs) == page.document)
    }
  }
}
