import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Responses that aren't from the server", .timeLimit(.minutes(5)))
struct ForeignResponseTests {
  private static let changes: [Change] = [
    .lock(.number(1), .spam), .unlock(.number(1)), .react(.number(2), .heart), .pin(.number(3)),
    .unpin(.number(3)), .close(.number(4), .notPlanned), .reopen(.number(4)),
    .edit(.number(4), IssueChange(title: TextChange("New"))),
    .edit(.number(4), IssueChange(addedLabels: ["new"], createsLabels: true)),
    .edit(.number(4), IssueChange(removedLabels: ["new"])),
    .edit(.number(4), IssueChange(addedAssignees: ["octocat"])),
    .edit(.number(4), IssueChange(removedAssignees: ["octocat"])),
    .edit(.number(4), IssueChange(fields: ["Effort": "3"])),
    .edit(.number(4), IssueChange(clearedFields: ["Effort"])),
    .relate(.number(1), .addSubIssue(RelatedIssue(2))),
    .relate(.number(2), .removeParent),
    .relate(.number(1), .addBlocker(RelatedIssue(2))),
    .relate(.number(1), .removeBlocker(RelatedIssue(2))),
  ]

  @Test(
    "a change isn't sent while a proxy responds instead of the server, and is sent afterwards",
    arguments: [LoopbackWriteFault.loginPage, .foreignJSON])
  func repeatable(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      for change in Self.changes {
        let id = try #require(try await bench.add(change).first?.id)
        // A text is tried twice in a run.
        let isText = if case .edit(_, let edit) = change { edit.title != nil } else { false }
        bench.github.strike(fault, times: isText ? 2 : 1)
        await #expect(throws: NetworkError.self, "\(change)") { try await bench.send([id]) }
        #expect(try await bench.entry(id).state == .queued, "\(change)")
        try await bench.send([id])
        let entry = try await bench.entry(id)
        #expect(entry.state == .sent, "\(change): \(entry.reason ?? "")")
        #expect(entry.answer?.dropped == [], "\(change)")
      }
    }
  }

  @Test(
    "a comment isn't deleted while a proxy responds instead of the server",
    arguments: [LoopbackWriteFault.loginPage, .foreignJSON])
  func comment(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      let issue = try #require(bench.github.issues(of: bench.there).first)
      let index = try #require(
        bench.github.addComment(on: issue.number, of: bench.there, at: issue.updatedAt) {
          $0.body = "Mine."
        })
      let id = Int64(LoopbackGitHub.commentID(index, on: issue))
      let count = bench.github.comments(on: issue.number, of: bench.there).count
      bench.github.strike(fault)
      try await bench.add(.deleteComment(id: id, on: issue.number))
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(try await bench.entry(1).state == .queued)
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      #expect(bench.github.comments(on: issue.number, of: bench.there).count == count - 1)
    }
  }

  @Test(
    "a reaction isn't removed while a proxy responds instead of the server",
    arguments: [LoopbackWriteFault.loginPage, .foreignJSON])
  func reaction(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.unreact(.number(2), .heart))
      bench.github.strike(fault, where: { $0.method == "DELETE" })
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(try await bench.entry(1).state == .queued)
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
    }
  }

  @Test(
    "a change that isn't idempotent is uncertain after a proxy's response",
    arguments: [LoopbackWriteFault.loginPage, .foreignJSON])
  func countedEachTime(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run {
      $0.permission = .admin
    } _: { bench in
      let changes: [Change] = [
        .createIssue(NewIssue(title: "New")), .comment(on: .number(1), body: "Mine."),
        .delete(.number(2)),
      ]
      for change in changes {
        let id = try #require(try await bench.add(change).first?.id)
        bench.github.strike(fault)
        try await bench.send([id])
        #expect(try await bench.entry(id).state == .unknown, "\(change)")
      }
    }
  }

  @Test("a lock or unlock that is confirmed but has no effect is retried")
  func unmadeLock() async throws {
    try await OutboxBench.run { bench in
      for change in [Change.lock(.number(1), nil), .unlock(.number(1))] {
        let id = try #require(try await bench.add(change).first?.id)
        bench.github.strike(.ignored)
        await #expect(throws: NetworkError.self) { try await bench.send([id]) }
        #expect(try await bench.entry(id).state == .queued)
        try await bench.send([id])
        #expect(try await bench.entry(id).state == .sent)
      }
    }
  }
}
