import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Changes to a moved issue", .timeLimit(.minutes(5)))
struct RetargetTests {
  private static let elsewhere = LoopbackRepository(
    id: 7, owner: "swiftlang", name: "other",
    issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0))

  @Test(
    "changes to a moved issue are refused with the new location, and sent after retargeting",
    arguments: [307, 404])
  func moved(status: Int) async throws {
    try await OutboxBench.run {
      $0.repositories.append(Self.elsewhere)
      $0.movedWriteStatus = status
    } _: { bench in
      try await bench.add(
        .comment(on: .number(1), body: "Mine."), .lock(.number(1), nil),
        .edit(.number(1), IssueChange(title: TextChange("New"))), .pin(.number(1)))
      let number = try #require(
        bench.github.transferIssue(1, of: bench.there, to: Self.elsewhere))
      try await bench.send()
      for entry in try await bench.outbox.entries() {
        #expect(entry.state == .refused && entry.hasMoved, "\(entry.change)")
        #expect(
          entry.reason?.contains("swiftlang/other/issues/\(number): nothing was sent") == true,
          "\(entry.change): \(entry.reason ?? "")")
      }
      let place = IssuePlace(
        repository: try #require(RepositoryName("swiftlang/other")), number: number)
      for id in 1...4 {
        #expect(try await bench.outbox.retarget(OutboxEntry.ID(id), to: place).state == .queued)
      }
      try await bench.send()
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent, .sent, .sent])
      #expect(bench.github.comments(on: number, of: Self.elsewhere).last?.body == "Mine.")
      let issue = bench.github.issues(of: Self.elsewhere).first { $0.number == number }
      #expect(issue?.isLocked == true && issue?.isPinned == true && issue?.title == "New")
    }
  }

  @Test("a comment with a lost response is found at the new location, and isn't posted twice")
  func unknown() async throws {
    try await OutboxBench.run {
      $0.repositories.append(Self.elsewhere)
      $0.writeFaults = .delaying(1_000)
    } _: { bench in
      bench.github.strike(.commitDelayed)
      try await bench.add(.comment(on: .number(1), body: "Mine."))
      try await bench.send()
      bench.github.settle()
      let number = try #require(
        bench.github.transferIssue(1, of: bench.there, to: Self.elsewhere))
      try await bench.send()
      #expect(try await bench.entry(1).state == .unknown)
      #expect(try await bench.entry(1).hasMoved)
      let place = IssuePlace(
        repository: try #require(RepositoryName("swiftlang/other")), number: number)
      #expect(try await bench.outbox.retarget(1, to: place).state == .unknown)
      try await bench.send()
      #expect(try await bench.entry(1).answer?.wasFound == true)
      let texts = bench.github.comments(on: number, of: Self.elsewhere).map(\.body)
      #expect(texts.count { $0 == "Mine." } == 1)
    }
  }

  @Test("a related issue keeps its repository, and a number in the old repository is refused")
  func numbers() async throws {
    try await OutboxBench.run { bench in
      let place = IssuePlace(
        repository: try #require(RepositoryName("swiftlang/other")), number: 4)
      try await bench.add(
        .relate(.number(1), .addBlocker(RelatedIssue(2))),
        .edit(.number(1), IssueChange(milestone: .set(3))),
        .close(.number(1), .duplicate, duplicateOf: 2), .createIssue(NewIssue(title: "New")))
      let related = try await bench.outbox.retarget(1, to: place)
      #expect(
        related.change
          == .relate(.number(4), .addBlocker(RelatedIssue(2, in: bench.repository))))
      #expect(related.repository == place.repository)
      for id in 2...4 {
        let failure = await #expect(throws: OutboxFailure.self) {
          _ = try await bench.outbox.retarget(OutboxEntry.ID(id), to: place)
        }
        #expect(failure?.code == .wrongState)
      }
      // Within the repository the numbers stay true.
      let near = IssuePlace(repository: bench.repository, number: 5)
      #expect(try await bench.outbox.retarget(2, to: near).change.target == .number(5))
    }
  }
}
