import GitHubAPI
import IssueTracker
import PlatformModules
import Reactive
import StyledText
import TerminalMarkdown
import TerminalScreen
import Testing

@testable import IssueBrowser

/// Handmade states of the browser.
enum SampleStates {
  static let now = Date(timeIntervalSince1970: 1_790_000_000)

  static func empty(_ columns: Int = 80, _ rows: Int = 24) -> BrowserState {
    BrowserState(size: ScreenSize(columns: columns, rows: rows), now: now, host: "github.com")
  }

  static let swift = GitHub.Repository(
    id: 1, fullName: "swiftlang/swift", description: "The Swift Programming Language",
    language: "C++", stargazersCount: 69_123, openIssuesCount: 7_900)

  static func issue(_ index: Int) -> GitHub.Issue {
    let titles = [
      "Compiler crashes when a package has no targets",
      "コンパイラが無限ループに入る問題について報告します",
      "👨‍👩‍👧 Families and 🇩🇪 flags and ❤️ hearts 1️⃣ keycaps étude e\u{301}\u{302}",
      "หน้าจอแสดงผลผิด and हिन्दी शीर्षक",
      "Short",
      "A title that goes on and on, because who reports it has much to say before the matter is reached",
    ]
    let labels = [
      [GitHub.Label(name: "bug", color: "d73a4a"), GitHub.Label(name: "crash", color: "5319e7")],
      [GitHub.Label(name: "日本語", color: "0e8a16")], [], [GitHub.Label(name: "good first issue")],
    ]
    return GitHub.Issue(
      id: Int64(index), number: 85_968 - index * 7, title: titles[index % titles.count],
      state: index % 5 == 3 ? .closed : .open,
      stateReason: index % 10 == 3 ? .notPlanned : index % 5 == 3 ? .completed : nil,
      user: GitHub.User(login: ["octocat", "a-very-long-login-of-somebody", "ghost"][index % 3]),
      labels: labels[index % labels.count], commentsCount: [0, 12, 1_234, 3][index % 4],
      createdAt: now.addingTimeInterval(-Double(index * index + 1) * 40_000))
  }

  static func sheet(count: Int = 30) throws -> IssueSheet {
    var sheet = IssueSheet(reference: try RepositoryReference(parsing: "apple/swift"))
    sheet.repository = swift
    sheet.issues = (0..<count).map(issue)
    return sheet
  }

  static func issues(_ columns: Int = 80, _ rows: Int = 24, count: Int = 30) throws -> BrowserState
  {
    var state = empty(columns, rows)
    state.search.field = TextField("apple/swift")
    state.pane = .list
    state.list.content = .issues(try sheet(count: count))
    state.list.cursor.selection = 2
    return state
  }

  static func repositories(_ columns: Int = 80, _ rows: Int = 24) -> BrowserState {
    var state = empty(columns, rows)
    state.search.field = TextField("swift http")
    state.pane = .list
    var found = RepositorySearchState(query: "swift http")
    let repositories = [
      swift,
      GitHub.Repository(
        id: 2, fullName: "swift-server/async-http-client",
        description: "HTTP client library built on SwiftNIO", language: "Swift",
        stargazersCount: 998),
      GitHub.Repository(id: 3, fullName: "日本/語", description: "漢字の説明"),
    ]
    found.apply(.page(RepositorySearchPage(repositories: repositories, totalCount: 1_234)))
    state.list.content = .repositories(found)
    return state
  }

  static func typing(_ columns: Int = 80, _ rows: Int = 24) throws -> BrowserState {
    var state = try issues(columns, rows)
    state.pane = .search
    state.search.field = TextField("apple/sw")
    let names = ["apple/swift", "apple/swift-nio", "apple/swift-argument-parser"]
    state.search.completions = Completions(
      predictions: names.compactMap { Prediction($0, matching: "apple/sw", by: .prefix) },
      selection: 1)
    return state
  }

  static func reading(_ columns: Int = 80, _ rows: Int = 24) throws -> BrowserState {
    var state = try issues(columns, rows)
    state.pane = .reader
    var reader = ReaderState(issue: issue(2))
    reader.document = RenderedDocument(
      lines: (1...100).map { number in
        StyledLine("Line \(number) of the page, as it was laid out for the pane")
      })
    reader.top = 30
    state.reader = reader
    return state
  }
}
