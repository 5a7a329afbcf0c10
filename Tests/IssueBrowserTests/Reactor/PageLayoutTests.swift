import Dispatch
import GitHubAPI
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

  @Test("an endless layout doesn't delay keys or quitting")
  func leaving() async throws {
    let (begun, end) = (Gate(), DispatchSemaphore(value: 0))
    var world = BrowserWorld(issues: SyntheticIssues(count: 60, pullRequests: 0, closed: 0))
    world.size = ScreenSize(columns: 160, rows: 24)
    world.pageLayout = PageLayout { page in
      begun.open()
      end.wait()
      return page.document
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
          let layout = PageLayout { page in
            begun.update { $0 += 1 }
            end.wait()
            return page.document
          }
          #expect(await layout.document(of: Self.page) == Self.page.document)
        }
      }
      await begun.wait { $0 == count }
      for _ in 0..<count { end.signal() }
    }
  }

  @Test("the layout of a page that is no longer needed stops before its comments")
  func cancelled() async throws {
    let begun = Watched(0)
    let layout = PageLayout { page in
      begun.update { $0 += 1 }
      return page.document
    }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await layout.document(of: Self.page)
    }
    #expect(await task.value == nil)
    #expect(begun.current == 0)
    #expect(await layout.document(of: Self.page) == Self.page.document)
  }
}
