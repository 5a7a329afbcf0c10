import GitHubAPI
import IssueOutbox
import TestSupport
import Testing

@Suite("Notifications, subscriptions and reactions in the outbox", .timeLimit(.minutes(5)))
struct NotificationTests {
  private static func thread(_ id: Int64, issue: Int? = 1) -> NotificationThread {
    NotificationThread(id: id, issue: issue)
  }

  private static func configure(_ configuration: inout LoopbackGitHub.Configuration) {
    configuration.notifications = (501...503).map { SyntheticNotification(id: $0, number: 1) }
  }

  @Test("actions on notifications are sent, and answered with the page of their issue")
  func sent() async throws {
    try await OutboxBench.run(Self.configure) { bench in
      try await bench.add(
        .notification(Self.thread(501), .done), .notification(Self.thread(502, issue: nil), .mute))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.sent, .sent])
      #expect(entries[0].answer?.url?.hasSuffix("/swiftlang/swift/issues/1") == true)
      #expect(entries[1].answer?.url?.hasSuffix("/swiftlang/swift") == true)
      #expect(bench.github.notifications.current.map(\.isDone) == [true, false, false])
      #expect(bench.github.notifications.current.map(\.isIgnored) == [false, true, false])
    }
  }

  @Test("actions on one thread keep their order, and don't wait for other threads or the issue")
  func order() async throws {
    try await OutboxBench.run(Self.configure) { bench in
      try await bench.add(
        .close(.number(1), .completed), .notification(Self.thread(501), .mute),
        .notification(Self.thread(501), .unsubscribe), .notification(Self.thread(502), .done))
      #expect(try await bench.outbox.entries().map(\.dependencies) == [[], [], [2], []])
      bench.github.strike(.badGateway) { $0.method == "PUT" }
      _ = try? await bench.send()
      try await bench.send()
      let thread = bench.github.notifications.current[0]
      #expect(!thread.isIgnored && !thread.isSubscribed)
    }
  }

  @Test(
    "an action whose response was lost is repeated",
    arguments: GitHub.NotificationAction.allCases)
  func lostAnswer(action: GitHub.NotificationAction) async throws {
    try await OutboxBench.run(Self.configure) { bench in
      bench.github.strike(.answerLost)
      try await bench.add(.notification(Self.thread(501), action))
      _ = try? await bench.send()
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      #expect(try await bench.entry(1).attempts == 2)
    }
  }

  @Test("a fine-grained token is refused with advice, and the action is kept")
  func fineGrained() async throws {
    try await OutboxBench.run(Self.configure) { bench in
      try await bench.outbox.add([
        bench.intention(.notification(Self.thread(501), .done), token: "github_pat_fine")
      ])
      try await bench.send(token: "github_pat_fine")
      #expect(try await bench.entry(1).state == .refused)
      #expect(try await bench.entry(1).reason?.contains("only classic tokens") == true)
    }
  }

  @Test("a subscription and a reaction to a comment reach the server once, and are taken back")
  func subscriptionAndReaction() async throws {
    try await OutboxBench.run {
      $0.repositories = [
        .swift(issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0, mostComments: 3))
      ]
    } _: { bench in
      let issue = try #require(
        bench.github.issues(of: bench.there).first {
          !bench.github.comments(on: $0.number, of: bench.there).isEmpty
        })
      let comment = bench.github.comments(on: issue.number, of: bench.there)[0]
      let id = Int64(LoopbackGitHub.commentID(comment.index, on: issue))
      func reactions() -> [String] {
        bench.github.comments(on: issue.number, of: bench.there)[0].reactions.map(\.content)
      }
      for _ in 0..<2 { bench.github.strike(.answerLost) }
      try await bench.add(
        .subscribe(.number(issue.number)), .reactToComment(id: id, on: issue.number, .heart))
      for _ in 0..<3 { _ = try? await bench.send() }
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent])
      #expect(reactions() == ["heart"])
      #expect(
        bench.github.issues(of: bench.there)[issue.number - 1].subscriptions == ["octocat": true])
      try await bench.add(
        .unsubscribe(.number(issue.number)), .unreactToComment(id: id, on: issue.number, .heart))
      try await bench.send()
      #expect(reactions().isEmpty)
      #expect(
        bench.github.issues(of: bench.there)[issue.number - 1].subscriptions == ["octocat": false])
    }
  }

  @Test("a sub-issue is moved after another one, and to the first position")
  func moves() async throws {
    try await OutboxBench.run { bench in
      for child in [2, 3, 4] { bench.github.attach(child, to: 1, of: bench.there) }
      func children() -> [Int] { bench.github.issues(of: bench.there)[0].subIssues }
      bench.github.strike(.answerLost)
      try await bench.add(.relate(.number(2), .moveAfter(RelatedIssue(3))))
      _ = try? await bench.send()
      try await bench.send()
      #expect(children() == [3, 2, 4])
      try await bench.add(.relate(.number(4), .moveFirst))
      try await bench.send()
      #expect(children() == [4, 3, 2])
      let count = bench.writes.count
      try await bench.add(
        .relate(.number(4), .moveFirst), .relate(.number(5), .moveFirst),
        .relate(.number(2), .moveAfter(RelatedIssue(5))),
        .relate(.number(2), .moveAfter(RelatedIssue(2))))
      try await bench.send()
      #expect(bench.writes.count == count)
      #expect(
        try await bench.outbox.entries().suffix(4).map(\.reason) == [
          nil, "swiftlang/swift#5 is no sub-issue: set its parent first",
          "swiftlang/swift#5 is no sub-issue of swiftlang/swift#1, the parent of swiftlang/swift#2",
          "swiftlang/swift#2 can't be after itself",
        ])
    }
  }
}
