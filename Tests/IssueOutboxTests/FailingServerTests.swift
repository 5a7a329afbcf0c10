import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Sending to a server that fails at some changes", .timeLimit(.minutes(5)))
struct FailingServerTests {
  /// Has every edit of these issues end with status 502.
  private static func breakEdits(of numbers: ClosedRange<Int>, _ bench: OutboxBench) {
    bench.github.strike(.badGateway, times: 1_000) { request in
      request.method == "PATCH" && numbers.contains { request.path.hasSuffix("/issues/\($0)") }
    }
  }

  private static func title(_ number: Int) -> Change {
    .edit(.number(number), IssueChange(title: TextChange("New \(number)")))
  }

  @Test("three edits that always fail don't prevent the others from being sent")
  func head() async throws {
    try await OutboxBench.run { bench in
      Self.breakEdits(of: 1...3, bench)
      for number in 1...5 { try await bench.add(Self.title(number)) }
      for _ in 0..<2 {
        let error = await #expect(throws: NetworkError.self) { try await bench.send() }
        #expect(error?.response?.status.code == 502)
        let states = try await bench.outbox.entries().map(\.state)
        #expect(states == [.queued, .queued, .queued, .sent, .sent])
      }
      // A later change of the same issue keeps its place.
      try await bench.add(.comment(on: .number(1), body: "After the edit."))
      _ = try? await bench.send()
      #expect(bench.comments(on: 1).isEmpty)
    }
  }

  @Test(
    "a failing server receives five attempts, and the next run begins with other changes")
  func down() async throws {
    try await OutboxBench.run {
      $0.repositories = [.swift(issues: SyntheticIssues(count: 12, pullRequests: 0, closed: 0))]
    } _: { bench in
      Self.breakEdits(of: 1...7, bench)
      for number in 1...9 { try await bench.add(Self.title(number)) }
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(bench.writes.count == 5)
      await #expect(throws: NetworkError.self) { try await bench.send() }
      let entries = try await bench.outbox.entries()
      #expect(entries.filter { $0.state == .sent }.map(\.id) == [8, 9])
      #expect(entries.prefix(7).allSatisfy { $0.attempts >= 1 })
      // The two that the first run didn't reach, the two that could be sent, and five of the rest.
      #expect(bench.writes.count == 14)
    }
  }

  @Test("a change that the user retries goes to the head of the queue")
  func retried() async throws {
    try await OutboxBench.run { bench in
      Self.breakEdits(of: 1...1, bench)
      try await bench.add(Self.title(1))
      _ = try? await bench.send()
      try await bench.add(Self.title(2), Self.title(3))
      _ = try await bench.outbox.retry(1, mayRepeat: false)
      _ = try? await bench.send()
      let tried = bench.writes.map { String($0.suffix(2)) }
      // Each run tries it twice, the second time after the others.
      #expect(tried == ["/1", "/1", "/1", "/2", "/3", "/1"])
    }
  }

  @Test("a failing lookup doesn't prevent other changes from being sent")
  func looks() async throws {
    let isBroken = Watched(false)
    let instead: @Sendable (LoopbackRequest) -> LoopbackResponse? = { request in
      guard request.method == "GET", request.path.hasSuffix("/issues/1/comments"),
        isBroken.current
      else { return nil }
      return LoopbackResponse(status: 502)
    }
    try await OutboxBench.run(instead: instead) { bench in
      bench.github.strike(.requestLost)
      try await bench.add(.comment(on: .number(1), body: "Lost."))
      try await bench.send()
      #expect(try await bench.entry(1).state == .unknown)
      try await bench.add(.comment(on: .number(2), body: "Here."))
      isBroken.update { $0 = true }
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(try await bench.entry(1).state == .unknown)
      #expect(bench.comments(on: 2) == ["Here."])
    }
  }

  @Test(
    "after five consecutive comments with lost responses, the rest stay queued"
  )
  func lostOnes() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.badGateway, times: 1_000) { $0.method == "POST" }
      for number in 1...5 {
        try await bench.add(
          .comment(on: .number(number), body: "a"), .react(.number(number), .heart))
      }
      try await bench.add(.createIssue(NewIssue(title: "Not tried")))
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(try await bench.outbox.entries(in: [.unknown]).count == 5)
      #expect(bench.writes.count == 5)
      #expect(try await bench.entry(11).attempts == 0)
    }
  }
}

@Suite("Confirmations by the user that a change arrived", .timeLimit(.minutes(5)))
struct ContradictionTests {
  /// The server's objection to `new-1` being an issue; the change is a creation whose request was lost.
  private static func contradiction(
    _ bench: OutboxBench, number: Int?, id: OutboxEntry.ID = 1
  ) async throws -> String? {
    try await bench.outbox.contradiction(to: id, number: number, connection: bench.connection())
  }

  @Test("a confirmed issue must exist, belong to the user and have the sent text")
  func issue() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.requestLost)
      try await bench.add(.createIssue(NewIssue(title: "Mine", body: "Text")))
      try await bench.send()
      // Posted by hand, one of them with another text.
      try await bench.add(
        .createIssue(NewIssue(title: "Mine", body: "Text")),
        .createIssue(NewIssue(title: "Mine", body: "Other")))
      try await bench.send([2, 3])
      #expect(
        try await Self.contradiction(bench, number: 9_999) == "swiftlang/swift has no #9999")
      bench.github.changeIssue(1, of: bench.there) { $0.author = "ada" }
      #expect(
        try await Self.contradiction(bench, number: 1) == "#1 is by ada, not by octocat")
      #expect(
        try await Self.contradiction(bench, number: 6) == "another change has created #6")
      try await bench.pretend("item = NULL")
      #expect(try await Self.contradiction(bench, number: 7) == "#7 has another title or text")
      #expect(try await Self.contradiction(bench, number: 6) == nil)
    }
  }

  @Test("a confirmed comment must be on its issue")
  func comment() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.requestLost)
      try await bench.add(.comment(on: .number(1), body: "Mine."))
      try await bench.send()
      #expect(try await Self.contradiction(bench, number: nil) == "the server doesn't show it")
      try await bench.add(.comment(on: .number(2), body: "Mine."))
      try await bench.send([2])
      #expect(try await Self.contradiction(bench, number: nil) == "the server doesn't show it")
      try await bench.outbox.add([try bench.intention(.comment(on: .number(1), body: "Mine."))])
      try await bench.pretend("state = 'sent' WHERE id = 1")
      try await bench.send([3])
      try await bench.pretend("item = NULL")
      #expect(try await Self.contradiction(bench, number: nil) == nil)
    }
  }
}
