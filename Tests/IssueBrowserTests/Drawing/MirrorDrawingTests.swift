import IssueMirror
import IssueTracker
import PlatformModules
import TerminalScreen
import Testing

@testable import IssueBrowser

@Suite("The mirror's state on the screen")
struct MirrorDrawingTests {
  /// The last line of the window.
  private static func statusLine(_ state: BrowserState) -> String {
    let cells = BrowserScreen.canvas(of: state)[row: state.size.rows - 1]
    return cells.map(\.text).joined()
  }

  private static func state(
    columns: Int, standing: IssueSheet.Standing = .offline, isComplete: Bool = true,
    search: String? = nil
  ) throws -> BrowserState {
    var state = SampleStates.empty(columns, 12)
    state.pane = .list
    let synced = SampleStates.now.addingTimeInterval(-3 * 3_600 - 60)
    let repository = MirroredRepository(
      id: 1, host: "github.com", serverID: 1, fullName: "swiftlang/swift",
      syncedTo: isComplete ? synced : nil, checkedAt: isComplete ? synced : nil)
    var sheet = try SampleStates.sheet(count: 0)
    sheet.mirror = .repository(
      MirrorListing(
        repository: repository, numbers: Array(1...12_345), isExhaustive: search == nil))
    if let search { sheet.search = try ListQuery.Search(search) }
    sheet.append((0..<30).map(SampleStates.issue))
    sheet.standing = standing
    state.list.content = .issues(sheet)
    return state
  }

  @Test(
    "the status line shows the mirror's age, abbreviated in a narrow window",
    arguments: [
      (200, "offline · row 1 of 12,345 · synced about 3 hours ago"),
      (60, "offline · row 1 of 12,345 · synced about 3 hours ago"),
      (50, "offline · row 1 of 12,345 · synced 3h ago"),
      (30, "offline · row 1 of 12,345"), (20, "offline"),
    ])
  func age(columns: Int, words: String) throws {
    #expect(Self.statusLine(try Self.state(columns: columns)).hasPrefix(words))
  }

  @Test("the status line reports a mirror that stands in and an unfinished first sync")
  func others() throws {
    let alone = try Self.state(columns: 100, standing: .online)
    #expect(Self.statusLine(alone).hasPrefix("row 1 of 12,345 · synced about 3 hours ago"))
    let part = try Self.state(columns: 100, standing: .online, isComplete: false)
    #expect(Self.statusLine(part).hasPrefix("row 1 of 12,345 · first sync unfinished"))
  }

  @Test("the heading of a search shows its text, its count and whether all issues were compared")
  func heading() throws {
    let canvas = BrowserScreen.canvas(of: try Self.state(columns: 100, search: "is:open crash"))
    let heading = canvas[row: 1].map(\.text).joined()
    #expect(
      heading.hasPrefix(
        "swiftlang/swift · matching “is:open crash” · 12,345 found · the newest of many"))
  }

  @Test("an empty list reports that nothing is mirrored or nothing matches")
  func nothing() throws {
    var state = try Self.state(columns: 100, search: "crash")
    guard case .issues(var sheet) = state.list.content else { return }
    sheet.issues = []
    state.list.content = .issues(sheet)
    let text = BrowserScreen.canvas(of: state)[row: 3].map(\.text).joined()
    #expect(text.contains("Nothing matches “crash”"))
    var empty = BrowserState(
      size: state.size, now: state.now, host: "github.com", isOffline: true)
    var found = RepositorySearchState()
    found.apply(.page(RepositorySearchPage(repositories: [], totalCount: 0)))
    empty.list.content = .repositories(found)
    let notice = BrowserScreen.canvas(of: empty)[row: 3].map(\.text).joined()
    #expect(
      notice.contains("Nothing from github.com is mirrored: run 'issues sync OWNER/REPO'"))
  }
}
