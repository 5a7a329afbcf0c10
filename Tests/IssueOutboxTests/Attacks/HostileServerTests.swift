import Foundation
import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("An outbox with a hostile server", .timeLimit(.minutes(5)))
struct HostileServerTests {
  /// An issue as a server might answer with it.
  private static func issue(
    _ number: String = "7", title: String = #""Mine""#, repository: String = "swiftlang/swift",
    origin: String = "https://api.github.com"
  ) -> String {
    """
    {"id":1,"number":\(number),"title":\(title),"body":"Text","state":"open","user":{"login":"octocat"},\
    "url":"\(origin)/repos/\(repository)/issues/\(number)",\
    "html_url":"https://github.com/\(repository)/issues/\(number)"}
    """
  }

  private static let escapes = #"\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e"#
  private static let longTitle =
    "\"" + String(repeating: escapes, count: 1 << 15) + "\""

  /// Answers to a creation that nothing can be concluded from.
  private static let worthlessAnswers: [String] = [
    issue(repository: "mallory/elsewhere"), issue(title: longTitle), issue(title: "null"),
    issue(title: #""Another""#), issue("-1"), issue("0"), issue("9223372036854775808"),
    issue("7.5"), issue(#""7""#), "null", "[]", "{}", "", #"{"number":7}"#,
    "<!DOCTYPE html><html><body>Welcome</body></html>",
    String(repeating: "[", count: 100_000),
  ]

  @Test(
    "with a hostile server, an unusable response isn't a creation, and the change isn't resent",
    arguments: [200, 201])
  func worthless(status: Int) async throws {
    for body in Self.worthlessAnswers {
      try await OutboxBench.run { bench in
        bench.github.intercept(where: { $0.method == "POST" }) { _, _ in
          .json(body, status: status, headers: ["Location": "https://evil.example/issues/7"])
        }
        try await bench.add(.createIssue(NewIssue(title: "Mine", body: "Text")))
        for _ in 0..<2 { _ = try? await bench.send() }
        let entry = try await bench.entry(1)
        #expect(entry.state == .unknown, "\(body.prefix(200))")
        Self.expectPlain(entry.reason)
        #expect(bench.server.log.requests.count { $0.method == "POST" } == 1)
      }
    }
  }

  @Test(
    "with a hostile server, a comment is found despite a response about another issue")
  func otherIssue() async throws {
    for fault in [LoopbackWriteFault.otherIssue, .otherRepository] {
      try await OutboxBench.run { bench in
        bench.github.strike(fault)
        try await bench.add(.comment(on: .number(1), body: "Once"))
        try await bench.send()
        let entry = try await bench.entry(1)
        #expect(entry.state == .sent && entry.answer?.wasFound == true)
        #expect(entry.answer?.url?.contains("swiftlang/swift/issues/1#") == true)
        #expect(bench.comments(on: 1) == ["Once"])
      }
    }
  }

  @Test(
    "with a hostile server, a response about another issue doesn't confirm an edit",
    arguments: [LoopbackWriteFault.otherIssue, .otherRepository])
  func otherEdit(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(.edit(.number(1), IssueChange(title: TextChange("New"))))
      // The title is there, as a look before the next attempt shows.
      let events = try await bench.send()
      #expect(events.states(of: 1) == [.sending, .queued, .sending, .sent])
      let entry = try await bench.entry(1)
      #expect(entry.answer?.number == 1)
      #expect(entry.answer?.url?.hasSuffix("swiftlang/swift/issues/1") == true)
    }
  }

  @Test(
    "with a hostile server, a write and its token follow no redirect to another server",
    arguments: [301, 302, 303, 307, 308])
  func redirect(status: Int) async throws {
    let elsewhere = LoopbackGitHub()
    try await withLoopbackServer(answering: elsewhere.handler) { other in
      try await OutboxBench.run { bench in
        let target = "\(other.url)/repos/swiftlang/swift/issues"
        bench.github.intercept(where: { $0.method != "GET" }) { _, _ in
          LoopbackResponse(status: status, headers: ["Location": target])
        }
        try await bench.add(
          .createIssue(NewIssue(title: "Mine")), .comment(on: .number(1), body: "Mine"),
          .edit(.number(2), IssueChange(title: TextChange("Mine"))), .lock(.number(3), nil))
        _ = try? await bench.send()
        #expect(other.log.requestCount == 0)
        for id in OutboxEntry.ID(1)...4 {
          let entry = try await bench.entry(id)
          #expect(entry.state == .refused, "\(entry.change)")
          Self.expectPlain(entry.reason)
        }
        let again = try await bench.outbox.retry(1, mayRepeat: true)
        #expect(again.state == .queued)
      }
    }
  }

  @Test(
    "with a hostile server, a redirected lookup doesn't carry the token or change anything elsewhere"
  )
  func redirectedQuery() async throws {
    let elsewhere = LoopbackGitHub()
    try await withLoopbackServer(answering: elsewhere.handler) { other in
      try await OutboxBench.run { bench in
        bench.github.intercept(where: { $0.path == "/graphql" }) { _, _ in
          LoopbackResponse(status: 307, headers: ["Location": "\(other.url)/graphql"])
        }
        try await bench.add(.pin(.number(1)))
        _ = try? await bench.send()
        #expect(try await bench.entry(1).state != .sent)
        #expect(other.log.requests.allSatisfy { $0.headers["Authorization"] == nil })
        #expect(elsewhere.receipts.isEmpty)
      }
    }
  }

  @Test("with a hostile server, a list of issues isn't followed to another server")
  func listElsewhere() async throws {
    let elsewhere = LoopbackGitHub()
    try await withLoopbackServer(answering: elsewhere.handler) { other in
      try await OutboxBench.run { bench in
        bench.github.strike(.answerLost)
        bench.github.intercept(where: { $0.method == "GET" && $0.path.hasSuffix("/issues") }) {
          _, _ in
          let next = "\(other.url)/repos/swiftlang/swift/issues?page=2"
          return .json("[]", headers: ["Link": "<\(next)>; rel=\"next\""])
        }
        try await bench.add(.createIssue(NewIssue(title: "Mine")))
        _ = try? await bench.send()
        #expect(other.log.requestCount == 0)
        #expect(try await bench.entry(1).state == .unknown)
        bench.github.stopIntercepting()
        try await bench.send()
        #expect(try await bench.entry(1).state == .sent)
        #expect(bench.createdTitles == ["Mine"])
      }
    }
  }

  @Test("with a hostile server, an endless list isn't read to its end")
  func endlessList() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.requestLost)
      bench.github.intercept(where: { $0.method == "GET" && $0.path.hasSuffix("/issues") }) {
        request, _ in
        let page = (request.queryValue("page").flatMap { Int($0) } ?? 1) + 1
        return .json(
          "[]",
          headers: [
            "Link": "<\(request.origin)/repos/swiftlang/swift/issues?page=\(page)>; rel=\"next\""
          ])
      }
      try await bench.add(.createIssue(NewIssue(title: "Mine")))
      _ = try? await bench.send()
      #expect(try await bench.entry(1).state == .unknown)
      #expect(bench.server.log.requestCount < 100)
    }
  }

  @Test(
    "with a hostile server, neither another user's issue nor an older one counts as the creation")
  func others() async throws {
    try await OutboxBench.run { bench in
      let now = Int(Date().timeIntervalSince1970)
      bench.github.addIssue(to: bench.there) {
        ($0.title, $0.body, $0.author) = ("Mine", "Text", "octocat")
        ($0.createdAt, $0.updatedAt) = (now - 3_600, now)
      }
      bench.github.addIssue(to: bench.there) {
        ($0.title, $0.body, $0.author, $0.createdAt) = ("Mine", "Text", "mallory", now + 1)
        $0.updatedAt = now + 1
      }
      bench.github.strike(.requestLost)
      try await bench.add(.createIssue(NewIssue(title: "Mine", body: "Text")))
      try await bench.send()
      #expect(try await bench.entry(1).state == .unknown)
    }
  }

  @Test(
    "with a hostile server, a refusal of any length is shown as plain text",
    arguments: [
      #"{"message":"\#(escapes)Validation Failed","errors":[{"field":"\#(escapes)","code":"custom","message":\#(longTitle)}]}"#,
      #"{"message":\#(longTitle)}"#, "<html>\(String(repeating: "x", count: 1 << 20))",
      #"{"message":null,"errors":[null,1,{"code":{}}]}"#, "",
    ])
  func refusal(body: String) async throws {
    try await OutboxBench.run { bench in
      bench.github.intercept(where: { $0.method == "POST" }) { _, _ in .json(body, status: 422) }
      try await bench.add(.comment(on: .number(1), body: "Mine"))
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .refused)
      Self.expectPlain(entry.reason)
    }
  }

  @Test(
    "with a hostile server, a GraphQL response without its data isn't a success",
    arguments: [
      #"{"data":null}"#, #"{"data":{"pinIssue":null}}"#, "null", "{}", "[]", "<html></html>",
      #"{"errors":[{"message":"\#(escapes)No"}]}"#,
      #"{"data":{"pinIssue":null},"errors":[{"message":\#(longTitle),"type":"FORBIDDEN"}]}"#,
    ])
  func graphQL(body: String) async throws {
    try await OutboxBench.run { bench in
      bench.github.intercept(where: { $0.path == "/graphql" }) { _, _ in .json(body) }
      try await bench.add(.pin(.number(1)))
      _ = try? await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state != .sent)
      Self.expectPlain(entry.reason)
    }
  }

  @Test(
    "with a hostile server, any requested wait is handled",
    arguments: [
      "0", "-5", "60", "3600", "99999999999999999999", "9223372036854775807", "1e300", "soon",
      "Fri, 31 Dec 9999 23:59:59 GMT", "Thu, 01 Jan 1970 00:00:00 GMT", "",
    ])
  func retryAfter(value: String) async throws {
    try await OutboxBench.run { bench in
      bench.github.intercept(times: 1, where: { $0.method == "POST" }) { _, _ in
        .json(
          #"{"message":"You have exceeded a secondary rate limit"}"#, status: 403,
          headers: ["Retry-After": value])
      }
      try await bench.add(.comment(on: .number(1), body: "Mine"))
      do {
        try await bench.send()
        #expect(try await bench.entry(1).state == .sent)
      } catch let error as NetworkError {
        #expect(error.code == .rateLimited)
        #expect(try await bench.entry(1).state == .queued)
      }
      #expect(bench.comments(on: 1).count <= 1)
    }
  }

  private static func expectPlain(_ reason: String?) {
    let reason = reason ?? ""
    #expect(!reason.isEmpty)
    #expect(reason.unicodeScalars.count < 2_000)
    #expect(
      !reason.unicodeScalars.contains {
        [.control, .format].contains($0.properties.generalCategory)
      }, "\(reason.debugDescription)")
  }
}
