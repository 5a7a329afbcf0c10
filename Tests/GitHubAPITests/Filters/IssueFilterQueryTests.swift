import Foundation
import TestSupport
import TestTraits
import Testing

@testable import GitHubAPI

@Suite("Filter queries", .tags(.heavy))
struct IssueFilterQueryTests {
  private static let day = Date(timeIntervalSince1970: 1_769_817_600)

  @Test(
    "a filter query is parsed",
    arguments: [
      ("", IssueFilter()), (" \t\n ", IssueFilter()), ("is:issue", IssueFilter()),
      ("is:open", IssueFilter()), ("state:closed", IssueFilter(state: .closed)),
      ("IS:All", IssueFilter(state: .all)), ("type:issue is:all", IssueFilter(state: .all)),
      ("label:bug label:Crash", IssueFilter(labels: ["bug", "Crash"])),
      ("label:\"good first issue\"", IssueFilter(labels: ["good first issue"])),
      ("label:good\" first \"issue", IssueFilter(labels: ["good first issue"])),
      (#"label:"a \"b\" \\ c""#, IssueFilter(labels: [#"a "b" \ c"#])),
      ("label:area:compiler", IssueFilter(labels: ["area:compiler"])),
      ("label:日本語", IssueFilter(labels: ["日本語"])),
      ("assignee:octocat", IssueFilter(assignee: Assignee("octocat"))),
      ("assignee:*", IssueFilter(assignee: .anybody)),
      ("assignee:none", IssueFilter(assignee: .nobody)),
      ("no:assignee no:milestone", IssueFilter(assignee: .nobody, milestone: .absent)),
      ("author:dependabot[bot]", IssueFilter(creator: Username("dependabot[bot]"))),
      ("mentions:ada", IssueFilter(mentioned: Username("ada"))),
      ("milestone:*", IssueFilter(milestone: .any)),
      ("milestone:none", IssueFilter(milestone: .absent)),
      ("milestone:12", IssueFilter(milestone: .title("12"))),
      ("milestone:\"Swift 6.3\"", IssueFilter(milestone: .title("Swift 6.3"))),
      ("updated:>=2026-01-31", IssueFilter(since: day)),
      ("updated:>=2026-01-31T00:00:01Z", IssueFilter(since: day + 1)),
      ("updated:>=2026-01-31T01:00:00+01:00", IssueFilter(since: day)),
      ("sort:updated", IssueFilter(sort: .updated)),
      ("sort:comments-asc", IssueFilter(sort: .comments, direction: .ascending)),
      ("sort:Created-DESC", IssueFilter()),
      (
        "is:open label:\"good first issue\" author:x assignee:y sort:comments-desc",
        IssueFilter(
          labels: ["good first issue"], assignee: Assignee("y"), creator: Username("x"),
          sort: .comments)
      ),
    ])
  func reading(query: String, filter: IssueFilter) throws {
    #expect(try IssueFilter(query: query) == filter)
  }

  @Test(
    "a filter is written as a canonical query of its differences from the defaults",
    arguments: [
      (IssueFilter(), "is:open"),
      (IssueFilter(state: .all, sort: .updated, direction: .ascending), "is:all sort:updated-asc"),
      (IssueFilter(direction: .ascending), "is:open sort:created-asc"),
      (IssueFilter(labels: ["bug", "c++"]), "is:open label:bug label:\"c++\""),
      (IssueFilter(labels: [#"a "b" \"#]), #"is:open label:"a \"b\" \\""#),
      (
        IssueFilter(
          state: .closed, labels: ["good first issue"], assignee: .nobody,
          creator: Username("dependabot[bot]"), mentioned: Username("ada"), milestone: .absent,
          since: day, sort: .comments),
        "is:closed label:\"good first issue\" no:assignee author:dependabot[bot] mentions:ada "
          + "no:milestone updated:>=2026-01-31 sort:comments-desc"
      ),
      (
        IssueFilter(assignee: .anybody, milestone: .title("3"), since: day + 61),
        "is:open assignee:* milestone:3 updated:>=2026-01-31T00:01:01Z"
      ),
    ])
  func writing(filter: IssueFilter, query: String) throws {
    #expect(filter.query == query)
    #expect(try IssueFilter(query: query) == filter)
  }

  @Test("a filter accepts the relative times of --since", arguments: ["today", "yesterday", "0w"])
  func relative(time: String) throws {
    let since = try #require(IssueFilter(query: "updated:>=\(time)").since)
    let expected = try #require(TimeWord(time)?.date)
    #expect(abs(since.timeIntervalSince(expected)) < 60)
  }

  @Test(
    "an invalid filter query is refused with the search term and the alternatives",
    arguments: [
      ("crash", ["\"crash\"", "label:", "sort:"]), ("-label:bug", ["\"-label:bug\""]),
      ("is:open colour:red", ["\"colour:red\"", "is:", "milestone:"]),
      ("is:merged", ["\"is:merged\"", "is:open, closed or all"]),
      ("state:", ["\"state:\"", "state:open, closed or all"]),
      ("label:", ["label:bug"]), ("label:bug,crash", ["one term per label"]),
      ("label:,\u{301}", ["one term per label"]),
      ("label:\"bug", ["quotation mark"]), (#"label:"bug\"#, ["quotation mark"]),
      ("assignee:@me", ["assignee:LOGIN"]), ("author:*", ["author:LOGIN"]),
      ("mentions:a..b", ["\"mentions:a..b\"", "mentions:LOGIN"]),
      ("milestone:", ["\"milestone:\"", "no:milestone"]), ("no:label", ["no:assignee"]),
      ("updated:2026-01-31", ["updated:>=2026-01-31"]),
      ("updated:>=soon", ["2026-01-31T12:00:00Z"]),
      ("sort:created-up", ["\"sort:created-up\"", "-asc"]), ("sort:", ["sort:created"]),
      ("sort:stars-asc", ["updated or comments"]),
      ("is:open state:closed", ["more than one state"]),
      ("assignee:a no:assignee", ["more than one assignee"]),
      ("author:a author:b", ["more than one author"]),
      ("mentions:a mentions:b", ["more than one mention"]),
      ("milestone:a milestone:b", ["more than one milestone"]),
      ("type:Bug type:Task", ["more than one type"]),
      ("updated:>=2026-01-01 updated:>=2026-01-02", ["more than one time"]),
      ("sort:updated sort:updated", ["more than one order"]),
      ("\u{1B}[31m:x", ["A filter term isn't part"]),
      ("label:ghp_0123456789,x", ["A filter term is not understood"]),
    ])
  func refusing(query: String, words: [String]) throws {
    let error = try #require(
      #expect(throws: InvalidInput.self) { try IssueFilter(query: query) })
    #expect(error.code == .filter)
    for word in words { #expect(error.message.contains(word), "\(error.message)") }
    #expect(!error.message.contains("\u{1B}") && !error.message.contains("ghp_"))
  }

  @Test("a parsed filter query survives writing and parsing")
  func fuzzed() {
    let words = [
      "is:", "open", "closed", "all", "state:", "label:", "\"", "\\", "assignee:", "*", "none",
      "no:",
      "assignee", "milestone", "author:", "mentions:", "milestone:", "updated:>=", "2026-01-31",
      "T12:00:00Z", "sort:", "comments", "-asc", "-desc", "updated", " ", " ", "a", "3", ",",
    ]
    let failure = FuzzTest("filters in words", iterations: 500).run { source in
      let text = source.text(upTo: 16, words: words)
      guard let filter = try? IssueFilter(query: text) else { return }
      let shown = "\(text.debugDescription) → \(filter.query.debugDescription)"
      let again = try? IssueFilter(query: filter.query)
      try check(again?.query == filter.query, shown)
      try check(again?.queryItems.map(\.value) == filter.queryItems.map(\.value), shown)
    }
    #expect(failure == nil)
  }
}
