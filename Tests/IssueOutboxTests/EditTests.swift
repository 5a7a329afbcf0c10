import Foundation
import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Edits from the outbox", .timeLimit(.minutes(5)))
struct EditTests {
  private func issue(_ number: Int, _ bench: OutboxBench) throws -> SyntheticIssue {
    try #require(bench.github.issues(of: bench.there).first { $0.number == number })
  }

  /// Changes an issue as another user.
  private func change(_ number: Int, _ edit: IssueEdit, _ bench: OutboxBench) async throws {
    _ = try await bench.connection().provider.request(
      .editIssue(repositoryFullName: OutboxBench.name, number: number, edit: edit))
  }

  @Test("only changed fields are sent")
  func untouched() async throws {
    try await OutboxBench.run { bench in
      let before = try issue(1, bench)
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(
            title: TextChange("New", base: before.title),
            body: TextChange(before.body ?? "", base: "something else"))))
      try await change(1, IssueEdit(milestone: .clear), bench)
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      #expect(try issue(1, bench).title == "New")
      #expect(
        bench.github.receipts.last { $0.method == "PATCH" }.map(\.body) == #"{"title":"New"}"#)
    }
  }

  @Test("an edit that already matches the server completes without a write")
  func alreadySo() async throws {
    try await OutboxBench.run { bench in
      try await change(1, IssueEdit(title: "New", body: "a\nb"), bench)
      let writes = bench.writes.count
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(
            title: TextChange("New", base: "Old"), body: TextChange("a\r\nb\r\n", base: "Old"))))
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .sent && entry.answer?.json != nil)
      #expect(bench.writes.count == writes)
    }
  }

  @Test("text changed by another user is a conflict, and is never overwritten")
  func conflict() async throws {
    try await OutboxBench.run { bench in
      try await change(1, IssueEdit(body: "one\r\ntwo\r\nthree"), bench)
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(
            body: TextChange("ONE\ntwo\nthree", base: "one\ntwo\nthree"), addedLabels: ["new"],
            createsLabels: true)))
      try await change(1, IssueEdit(body: "one\ntwo\nTHREE"), bench)
      let writes = bench.writes.count
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(
        entry.state == .conflict
          && entry.reason == "someone else has changed the body in the meantime")
      #expect(
        entry.conflict
          == OutboxConflict(
            field: .body, base: "one\ntwo\nthree", mine: "ONE\ntwo\nthree",
            theirs: "one\ntwo\nTHREE", merged: "ONE\ntwo\nTHREE"))
      // Nothing of it is written while it isn't resolved.
      try await bench.send()
      #expect(bench.writes.count == writes)

      // A text of the person's, which a further change stops once more.
      #expect(try await bench.outbox.resolve(1, with: "ONE\ntwo\nTHREE").state == .queued)
      try await change(1, IssueEdit(body: "four"), bench)
      try await bench.send()
      #expect(try await bench.entry(1).conflict?.merged == nil)
      #expect(try await bench.entry(1).conflict?.base == "one\ntwo\nTHREE")
      _ = try await bench.outbox.resolve(1, with: "five")
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      #expect(try issue(1, bench).body == "five")
      #expect(try issue(1, bench).labels.map(\.name).contains("new"))
    }
  }

  @Test("a title that changes between two attempts isn't overwritten")
  func changedBetweenAttempts() async throws {
    try await OutboxBench.run { bench in
      let before = try issue(1, bench).title
      bench.github.strike(.badGateway, times: 2)
      try await bench.add(.edit(.number(1), IssueChange(title: TextChange("mine"))))
      await #expect(throws: NetworkError.self) { try await bench.send() }
      try await change(1, IssueEdit(title: "theirs"), bench)
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .conflict)
      #expect(entry.conflict?.base == before && entry.conflict?.theirs == "theirs")
      #expect(try issue(1, bench).title == "theirs")
    }
  }

  @Test("a title that changes right after a failed attempt isn't overwritten by the next one")
  func changedRightAfterAttempt() async throws {
    let there = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
    let meanwhile: @Sendable (LoopbackRequest, LoopbackGitHub) -> Void = { request, github in
      guard request.method == "PATCH" else { return }
      github.changeIssue(1, of: there) { $0.title = "theirs" }
    }
    try await OutboxBench.run(meanwhile: meanwhile) { bench in
      bench.github.strike(.badGateway)
      try await bench.add(.edit(.number(1), IssueChange(title: TextChange("mine"))))
      try await bench.send()
      #expect(try await bench.entry(1).state == .conflict)
      #expect(try issue(1, bench).title == "theirs")
    }
  }

  @Test("a comment that changes between two attempts isn't overwritten")
  func commentChangedBetweenAttempts() async throws {
    try await OutboxBench.run { bench in
      let issue = try issue(1, bench)
      let index = try #require(
        bench.github.addComment(on: 1, of: bench.there, at: issue.updatedAt) { $0.body = "old" })
      let id = Int64(LoopbackGitHub.commentID(index, on: issue))
      bench.github.strike(.badGateway, times: 2)
      try await bench.add(.editComment(id: id, on: 1, body: TextChange("mine")))
      await #expect(throws: NetworkError.self) { try await bench.send() }
      bench.github.changeComment(index, on: 1, of: bench.there) { $0.body = "theirs" }
      try await bench.send()
      #expect(try await bench.entry(1).conflict?.base == "old")
      #expect(bench.github.comments(on: 1, of: bench.there).last?.body == "theirs")
    }
  }

  @Test("the server's text stays if the user chooses it")
  func theirs() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .edit(.number(1), IssueChange(title: TextChange("mine", base: "old"))),
        .edit(
          .number(2),
          IssueChange(
            title: TextChange("mine", base: "old"), addedLabels: ["new"], createsLabels: true)))
      let title = try issue(1, bench).title
      try await bench.send()
      // Nothing is left of the first.
      #expect(try await bench.outbox.resolve(1, with: nil).dropped != nil)
      #expect(try await bench.outbox.resolve(2, with: nil).state == .queued)
      try await bench.send()
      #expect(try issue(1, bench).title == title)
      #expect(try issue(2, bench).labels.map(\.name).contains("new"))
      #expect(try await bench.outbox.entries().map(\.state) == [.sent])
    }
  }

  @Test("title and body can be in conflict one after the other")
  func twoConflicts() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(title: TextChange("t", base: "x"), body: TextChange("b", base: "x"))))
      for field in [OutboxConflict.Field.title, .body] {
        try await bench.send()
        let conflict = try #require(try await bench.entry(1).conflict)
        #expect(conflict.field == field)
        _ = try await bench.outbox.resolve(1, with: conflict.mine)
      }
      try await bench.send()
      #expect(try issue(1, bench).title == "t" && issue(1, bench).body == "b")
    }
  }

  @Test("labels and assignees are added and removed, and no label is created unless requested")
  func deltas() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(
            addedLabels: ["one"], removedLabels: ["no such"], addedAssignees: ["ada"],
            removedAssignees: ["bob"], createsLabels: true)),
        .edit(.number(2), IssueChange(title: TextChange("New"), addedLabels: ["two"])))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.sent, .refused], "\(entries.map(\.reason))")
      #expect(try issue(1, bench).labels.map(\.name).contains("one"))
      #expect(try issue(1, bench).assignees.contains("ada"))
      #expect(entries[0].answer?.dropped == [] && entries[0].answer?.json != nil)
      #expect(entries[1].reason?.contains("has no label “two”") == true)
      #expect(try issue(2, bench).title != "New")
    }
  }

  @Test("a title that changes while labels are written isn't overwritten")
  func changeBetween() async throws {
    let there = LoopbackRepository.swift()
    let meanwhile: @Sendable (LoopbackRequest, LoopbackGitHub) -> Void = { request, github in
      guard request.method == "POST" else { return }
      github.changeIssue(1, of: there) { $0.title = "theirs" }
    }
    try await OutboxBench.run(meanwhile: meanwhile) { bench in
      let before = try issue(1, bench)
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(
            title: TextChange("mine", base: before.title), addedLabels: ["new"],
            createsLabels: true)))
      try await bench.send()
      #expect(try await bench.entry(1).conflict?.theirs == "theirs")
      #expect(try issue(1, bench).title == "theirs")
    }
  }

  @Test("an edit refused partway reports the changes already made")
  func partly() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(milestone: .set(99), addedLabels: ["new"], createsLabels: true)))
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .refused)
      #expect(entry.reason?.hasSuffix("; before that, labels were added") == true)
    }
  }

  @Test("closing a closed issue and reopening an open one succeeds", arguments: [true, false])
  func state(isReopening: Bool) async throws {
    try await OutboxBench.run { bench in
      let change = isReopening ? Change.reopen(.number(1)) : .close(.number(1), .completed)
      try await bench.add(change, change)
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.sent, .sent])
      #expect(entries.allSatisfy { $0.answer?.dropped.isEmpty == true })
      #expect(try issue(1, bench).isOpen == isReopening)
    }
  }

  @Test("the outbox locks, unlocks, reacts, pins and unpins")
  func others() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .lock(.number(1), .spam), .react(.number(2), .heart), .pin(.number(3)),
        .pin(.number(4)), .unpin(.number(4)), .lock(.number(5), nil), .unlock(.number(5)))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.allSatisfy { $0.state == .sent }, "\(entries.map(\.reason))")
      #expect(try issue(1, bench).lockReason == "spam")
      #expect(try issue(3, bench).isPinned && !issue(4, bench).isPinned)
      // For the mirror.
      let json = try #require(entries[0].answer?.json)
      #expect(try GitHubJSON.decode(GitHub.Issue.self, from: json).isLocked)
    }
  }

  @Test("comments are edited against the version that the user saw, and deleted")
  func comments() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .comment(on: .number(1), body: "old"), .comment(on: .number(1), body: "x"))
      try await bench.send()
      let written = bench.github.comments(on: 1, of: bench.there).filter(\.isWritten)
      let ids = try await bench.outbox.entries().map { entry in
        try #require(try entry.commentID)
      }
      #expect(written.count == 2)
      try await bench.add(
        .editComment(id: ids[0], on: 1, body: TextChange("new", base: "old")),
        .editComment(id: ids[1], on: 1, body: TextChange("mine", base: "base")),
        .deleteComment(id: ids[1], on: 1))
      try await bench.send()
      #expect(
        try await bench.outbox.entries().suffix(3).map(\.state) == [.sent, .conflict, .queued])
      #expect(bench.comments(on: 1) == ["new", "x"])
      _ = try await bench.outbox.drop(4)
      try await bench.send()
      #expect(bench.comments(on: 1) == ["new"])
    }
  }
}

extension OutboxEntry {
  /// The id of the comment in the answer.
  fileprivate var commentID: Int64? {
    get throws {
      try answer?.json.map { try GitHubJSON.decode(IssueComment.self, from: $0).id }
    }
  }
}
