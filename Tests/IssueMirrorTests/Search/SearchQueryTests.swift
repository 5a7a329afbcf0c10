import GitHubAPI
import PlatformModules
import TestSupport
import Testing

@testable import IssueMirror

@Suite("Search queries")
struct SearchQueryTests {
  @Test(
    "a search query is parsed, and written in GitHub's syntax",
    arguments: [
      ("", ""),
      ("crash  parser", "crash parser"),
      ("\"result builder\" crash", "\"result builder\" crash"),
      (#""say \"hi\" \\""#, #""say \"hi\" \\""#),
      ("-macro -\"two words\" NOT swift", "-macro -\"two words\" -swift"),
      ("swif* AND parse", "swif* parse"),
      ("crash OR hang", "crash OR hang"),
      ("crash OR hang parser", "(crash OR hang) parser"),
      ("(crash OR hang OR stop) parser", "(crash OR hang OR stop) parser"),
      (
        "foo.bar() std::vector https://a.b/c error:",
        #""foo.bar()" "std::vector" "https://a.b/c" "error:""#
      ),
      ("foo.bar foo(ba* \"result buil\"*", "foo.bar \"foo(ba\"* \"result buil\"*"),
      ("(\"a b\" OR c) (d OR \"e f\")", "(\"a b\" OR c) (d OR \"e f\")"),
      (
        "( crash OR hang ) (a) foo() f(x) :) b)",
        "(crash OR hang) \"(a)\" \"foo()\" \"f(x)\" \":\" b"
      ),
      ("a OR (b OR cd*) (\"d e\")", "(a OR b OR cd*) \"d e\""),
      ("\"OR\" \"-x\" -\"a*\"", "\"OR\" \"-x\" -\"a*\""),
      ("--flag #123", "\"--flag\" #123"), ("-> -x -", "\"->\" -x"),
      ("is:open is:pr state:closed type:issue", "is:open is:pr is:closed is:issue"),
      ("IS:Merged is:draft -is:locked", "is:merged is:draft -is:locked"),
      ("label:bug,\"help wanted\" -label:x", "label:bug,\"help wanted\" -label:x"),
      ("label:\"a,b\"", "label:\"a,b\""),
      ("author:ada assignee:* assignee:bob", "author:ada assignee:* assignee:bob"),
      ("author:app/dependabot", "author:app/dependabot"),
      ("author:dependabot[bot]", "author:app/dependabot"),
      ("mentions:a commenter:b involves:c", "mentions:a commenter:b involves:c"),
      (
        "milestone:\"6.3 later\" no:label no:milestone",
        "milestone:\"6.3 later\" no:label no:milestone"
      ),
      ("created:2026-01-31 updated:>=2026-01-01", "created:2026-01-31 updated:>=2026-01-01"),
      ("closed:*..2026-01-31T12:00:00Z", "closed:*..2026-01-31T12:00:00Z"),
      ("comments:>10 comments:5..10", "comments:>10 comments:5..10"),
      ("repo:a/b x repo:c/d", "x repo:a/b repo:c/d"),
      ("in:title,body x", "x in:title in:body"),
      ("x sort:comments", "x sort:comments-desc"),
      ("x sort:created-asc", "x sort:created-asc"),
      ("x sort:relevance", "x"), ("x sort:reactions", "x sort:reactions-desc"),
      // An AND without a word binds closer than an OR.
      ("crash OR hang is:open", "(crash OR hang) is:open"),
      ("crash OR hang sort:created", "(crash OR hang) sort:created-desc"),
    ])
  func understood(_ row: (text: String, written: String)) throws {
    let query = try SearchQuery(parsing: row.text)
    #expect(query.text == row.written)
    #expect(try SearchQuery(parsing: row.written) == query)
  }

  @Test(
    "an unknown part of a search is refused, and the error lists the known ones",
    arguments: [
      ("\"open", "unclosed"), ("foo:bar", "isn't a search qualifier"), ("is:nice", "is:"),
      ("lable:bug", "did you mean 'label:'?"), ("-autor:ada", "did you mean 'author:'?"),
      ("state:merged", "state:open"), ("type:", "type:issue"), ("label:", "label:"),
      ("author:@me", "login"), ("no:author", "no:label"), ("created:tomorrow", "created:"),
      ("updated:2026-13-01", "updated:"), ("closed:>", "closed:"), ("comments:many", "comments:"),
      ("comments:..", "comments:"), ("repo:a", "OWNER/REPO"), ("in:labels", "in:title"),
      ("sort:stars", "sort:"), ("sort:created-up", "sort:"),
      ("sort:created sort:updated", "more than one sort:"),
      ("OR a", "OR"), ("a OR", "OR"), ("a OR OR b", "OR"), ("a OR -b", "OR"),
      ("a OR is:open", "OR"),
      ("NOT", "NOT"), ("NOT is:open", "NOT"), ("NOT * likes", "NOT"), ("a OR * b", "OR"),
      ("a OR ) b", "OR"), ("(crash parser) OR hang", "Parentheses"),
      ("-(crash parser)", "Parentheses"), ("-(crash OR hang)", "Parentheses"),
      ("NOT (crash OR hang)", "Parentheses"), ("(label:bug)", "Parentheses"),
      ("(label:bug OR label:crash)", "Parentheses"), ("(is:open crash)", "Parentheses"),
      ("(crash is:open)", "Parentheses"), ("(crash OR -hang)", "Parentheses"),
      ("((a OR b) OR c)", "Parentheses"), ("(NOT a)", "Parentheses"),
      ("(crash OR hang", "Parentheses"), ("( )", "Parentheses"), ("-in:title a", "minus"),
      ("milestone:", "milestone"),
      ("is:open,closed", "value of is:"), ("label:,", "value of label:"),
      ("created:>", "value of created:"),
      ("comments:>-1", "value of comments:"), ("state:bug", "\"state:bug\""),
    ])
  func refused(_ row: (text: String, reason: String)) {
    let error = #expect(throws: InvalidInput.self) { try SearchQuery(parsing: row.text) }
    #expect(error?.code == .search)
    #expect(error?.message.contains(row.reason) == true)
  }

  @Test("a very long search is refused")
  func length() throws {
    #expect(throws: InvalidInput.self) {
      try SearchQuery(parsing: String(repeating: "word ", count: 300))
    }
    #expect(try SearchQuery(parsing: String(repeating: "w ", count: 500)).terms.count == 500)
  }

  @Test("the last word is a prefix only while it is being typed")
  func typing() throws {
    #expect(try SearchQuery(parsing: "crash par", isBeingTyped: true).text == "crash par*")
    #expect(try SearchQuery(parsing: "a OR par", isBeingTyped: true).text == "a OR par*")
    #expect(try SearchQuery(parsing: "(a OR par", isBeingTyped: true).text == "a OR par*")
    for text in ["crash par ", "(a OR par)", "crash -par", "crash \"par\"", "crash is:open", ""] {
      let query = try SearchQuery(parsing: text, isBeingTyped: true)
      #expect(query == (try SearchQuery(parsing: text)))
    }
  }

  @Test(
    "ranges of dates and times have the specified bounds",
    arguments: [
      ("1970-01-02", 86_400, 172_800), (">1970-01-02", 172_800, nil), (">=1970-01-02", 86_400, nil),
      ("<1970-01-02", nil, 86_400), ("<=1970-01-02", nil, 172_800),
      ("1970-01-01..1970-01-02", 0, 172_800), ("*..1970-01-02", nil, 172_800),
      ("1970-01-02..*", 86_400, nil), ("1970-01-01T00:00:10Z", 10, 11),
      (">1970-01-01T00:00:10+00:00", 11, nil),
    ] as [(String, Int?, Int?)])
  func spans(_ row: (text: String, first: Int?, end: Int?)) {
    let span = SearchSpan(times: row.text)
    #expect(span?.first == row.first)
    #expect(span?.end == row.end)
  }

  @Test("today, yesterday and ages are relative to now, and are written as times")
  func relative() throws {
    let now = Int(Date.now.timeIntervalSince1970)
    let week = try #require(SearchSpan(times: ">=7d"))
    let first = try #require(week.first)
    #expect((now - 604_800...now - 604_700).contains(first) && week.end == nil)
    let day = try #require(SearchSpan(times: "yesterday"))
    #expect(try #require(day.end) - #require(day.first) == 86_400)
    #expect(try (0..<90_000).contains(now - #require(day.end)))
    #expect(SearchSpan(times: ">=yesterday")?.first == day.first)
    #expect(SearchSpan(times: "<yesterday")?.end == day.first)
    let range = SearchSpan(times: "2w..today")
    #expect(try #require(range?.end) == #require(SearchSpan(times: "today")?.end))
    // GitHub doesn't know the words.
    for text in ["updated:>=yesterday", "closed:yesterday", "created:<today", "-updated:2w..*"] {
      let query = try SearchQuery(parsing: text)
      #expect(query.text.contains("T") && !query.text.contains("day"), "\(query.text)")
      #expect(try SearchQuery(parsing: query.text) == query)
    }
    for wrong in ["7d", "tomorrow", ">=7x", ">=-7d", "Yesterday"] {
      #expect(SearchSpan(times: wrong) == nil, "\(wrong)")
    }
    let error = #expect(throws: InvalidInput.self) { try SearchQuery(parsing: "updated:7d") }
    #expect(error?.message.contains("updated:>=7d") == true)
  }

  @Test(
    "a prefix of one letter is refused, even after other parts",
    arguments: ["p*", "-p*", "foo-p*", "\"result b\"*"])
  func shortPrefix(text: String) throws {
    let error = #expect(throws: InvalidInput.self) { try SearchQuery(parsing: text) }
    #expect(error?.message.contains("at least two letters") == true)
    // A word that is being typed begins with one letter.
    #expect(try SearchQuery(parsing: "crash p", isBeingTyped: true).text == "crash p")
    #expect(try SearchQuery(parsing: "日*").terms.first?.first?.isPrefix == true)
  }

  @Test("any typed search is refused, or written with an equal meaning", arguments: 1...300)
  func anything(seed: UInt64) throws {
    var source = FuzzSource(seed: seed)
    let text = source.text(upTo: 30, words: Self.pieces)
    guard let query = try? SearchQuery(parsing: text) else { return }
    #expect(try SearchQuery(parsing: query.text) == query, "\(text) became \(query.text)")
  }

  /// Texts with a meaning in a search.
  static let pieces = [
    " ", " ", " ", "\"", "-", ":", ",", "*", "(", ")", "OR", "NOT", "AND", " OR ", "is:open",
    "label:",
    "author:", "ada", "created:", ">=", "2026-01-01", "..", "comments:", "5", "#12", "in:title",
    "sort:",
    "crash", "parser", "getUserName", "日本語", "\\", "repo:a/b", "no:label", "milestone:", "NEAR",
    "^", "+",
    "title:", "{", "}", "'", ";", "\u{0}", "\n", "e\u{301}", "🎉",
  ]
}
