import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Sending from the outbox", .timeLimit(.minutes(5)))
struct SendingTests {
  @Test("creates, comments, edits and closes, and keeps the answers")
  func plain() async throws {
    try await OutboxBench.run { bench in
      let ids = try await bench.add(
        .createIssue(NewIssue(title: "It crashes", body: "With every input.")),
        .comment(on: .number(1), body: "Me too."),
        .edit(.number(1), IssueChange(title: TextChange("A new title"))),
        .close(.number(2), .notPlanned)
      ).map(\.id)
      #expect(ids == [1, 2, 3, 4])
      let events = try await bench.send()
      for id in ids {
        #expect(events.states(of: id) == [.sending, .sent])
        #expect(try await bench.entry(id).state == .sent)
      }
      #expect(bench.createdTitles.contains("It crashes"))
      #expect(bench.comments(on: 1) == ["Me too."])
      let created = try #require(try await bench.entry(1).answer)
      #expect(created.number == 6 && created.json != nil && !created.wasFound)
      #expect(created.url?.hasSuffix("/issues/6") == true)
      #expect(try await bench.outbox.entries(in: [.queued]).isEmpty)
    }
  }

  @Test(
    "finds what was carried out though its answer was lost",
    arguments: [LoopbackWriteFault.answerLost, .answerCut, .badGatewayAfterCommit, .commitDelayed])
  func lostAnswer(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(.createIssue(NewIssue(title: "Once", body: "a\r\nb")))
      let events = try await bench.send()
      #expect(events.states(of: 1) == [.sending, .unknown, .sent])
      #expect(try await bench.entry(1).answer?.wasFound == true)
      #expect(bench.createdTitles == ["Once"])
    }
  }
}
