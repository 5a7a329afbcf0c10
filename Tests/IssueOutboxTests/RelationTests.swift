import Foundation
import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Relations and fields, sent from the outbox", .timeLimit(.minutes(5)))
struct RelationTests {
  private func issue(_ number: Int, _ bench: OutboxBench) throws -> SyntheticIssue {
    try #require(bench.github.issues(of: bench.there).first { $0.number == number })
  }

  /// Makes an issue a sub-issue as another user, once it was looked up.
  private static func attaching(
    _ child: Int, to parent: Int
  ) -> @Sendable (LoopbackRequest, LoopbackGitHub) -> Void {
    let there = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 5, pullRequests: 0, closed: 0))
    return { request, github in
      guard request.method == "GET", request.path.hasSuffix("/issues/\(child)"),
        github.issues(of: there).first(where: { $0.number == child })?.parent == nil
      else { return }
      github.attach(child, to: parent, of: there)
    }
  }

  @Test("sub-issues, parents and dependencies are added from both sides, and removed")
  func relations() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .relate(.number(1), .addSubIssue(RelatedIssue(2))),
        .relate(.number(3), .setParent(RelatedIssue(1))),
        .relate(.number(1), .addBlocker(RelatedIssue(4))),
        .relate(.number(1), .block(RelatedIssue(5))))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.allSatisfy { $0.state == .sent }, "\(entries.map(\.reason))")
      #expect(try issue(1, bench).subIssues == [2, 3])
      #expect(try issue(1, bench).blockedBy == [4] && issue(5, bench).blockedBy == [1])
      // Each answer is the issue that the change is about, for the mirror.
      let numbers = try entries.map { entry in
        try GitHubJSON.decode(GitHub.Issue.self, from: #require(entry.answer?.json)).number
      }
      #expect(numbers == [1, 3, 1, 1])

      try await bench.add(
        .relate(.number(1), .removeSubIssue(RelatedIssue(2))), .relate(.number(3), .removeParent),
        .relate(.number(1), .removeBlocker(RelatedIssue(4))),
        .relate(.number(1), .unblock(RelatedIssue(5))))
      try await bench.send()
      #expect(try await bench.outbox.entries().allSatisfy { $0.state == .sent })
      let before = try issue(1, bench)
      #expect(before.subIssues.isEmpty && before.blockedBy.isEmpty && before.blocking.isEmpty)
    }
  }

  private static let repeated: [(RelationChange, String)] = [
    (.addSubIssue(RelatedIssue(2)), "sub_issues"), (.setParent(RelatedIssue(2)), "sub_issues"),
    (.addBlocker(RelatedIssue(2)), "blocked_by"), (.block(RelatedIssue(2)), "blocked_by"),
  ]

  @Test("a relation with a lost response is found, and added once", arguments: repeated)
  func lostAnswer(change: RelationChange, path: String) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.answerLost)
      try await bench.add(.relate(.number(1), change))
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(try await bench.entry(1).state == .queued)
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      let (one, two) = (try issue(1, bench), try issue(2, bench))
      let all = [one.subIssues, two.subIssues, one.blockedBy, two.blockedBy].flatMap(\.self)
      #expect(all.count == 1, "\(all)")
      let committed = bench.github.receipts.filter { $0.method == "POST" && $0.isCommitted }
      #expect(committed.count == 1 && committed[0].target.hasSuffix(path))
    }
  }

  @Test("a relation that another user adds between lookup and write counts as added")
  func race() async throws {
    // Right after the look at the sub-issue.
    let meanwhile = Self.attaching(2, to: 1)
    try await OutboxBench.run(meanwhile: meanwhile) { bench in
      try await bench.add(.relate(.number(1), .addSubIssue(RelatedIssue(2))))
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .sent, "\(entry.reason ?? "")")
      #expect(try issue(1, bench).subIssues == [2])
      #expect(bench.writes == ["POST /repos/swiftlang/swift/issues/1/sub_issues"])
    }
  }

  @Test("another parent is refused before and after the write, unless the change replaces it")
  func otherParent() async throws {
    let meanwhile = Self.attaching(4, to: 5)
    try await OutboxBench.run(meanwhile: meanwhile) { bench in
      bench.github.attach(2, to: 3, of: bench.there)
      try await bench.add(.relate(.number(1), .addSubIssue(RelatedIssue(2))))
      try await bench.send()
      #expect(try await bench.entry(1).state == .refused)
      #expect(
        try await bench.entry(1).reason
          == "swiftlang/swift#2 is a sub-issue of swiftlang/swift#3: remove it from there first, or replace its parent"
      )
      #expect(bench.writes.isEmpty)
      try await bench.add(
        .relate(.number(1), .addSubIssue(RelatedIssue(2), replacesParent: true)),
        .relate(.number(1), .addSubIssue(RelatedIssue(4))))
      try await bench.send()
      #expect(try await bench.entry(2).state == .sent)
      #expect(try await bench.entry(3).state == .refused)
      #expect(try await bench.entry(3).reason?.contains("of swiftlang/swift#5") == true)
      #expect(try issue(1, bench).subIssues == [2])
    }
  }

  @Test("an issue in another repository is identified by its ID, and changed in its own repository")
  func otherRepository() async throws {
    let elsewhere = LoopbackRepository(
      id: 9, owner: "swiftlang", name: "elsewhere",
      issues: SyntheticIssues(count: 3, pullRequests: 0, closed: 0))
    let name = try #require(RepositoryName("swiftlang/elsewhere"))
    try await OutboxBench.run {
      $0.repositories.append(elsewhere)
    } instead: { request in
      // The made-up GitHub relates issues of one repository only.
      guard request.method == "POST" else { return nil }
      let number = request.path.contains("/issues/3/") ? 3 : 1
      return .json(#"{"id":1,"number":\#(number),"title":"t","state":"open"}"#, status: 201)
    } _: { bench in
      try await bench.add(
        .relate(.number(1), .addBlocker(RelatedIssue(2, in: name))),
        .relate(.number(1), .block(RelatedIssue(3, in: name))))
      try await bench.send()
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent])
      let posts = bench.server.log.requests.filter { $0.method == "POST" }
      #expect(
        posts.map(\.path) == [
          "/repos/swiftlang/swift/issues/1/dependencies/blocked_by",
          "/repos/swiftlang/elsewhere/issues/3/dependencies/blocked_by",
        ])
      let number = try await bench.entry(1).answer?.number
      #expect(number == 1)
    }
  }

  @Test("a relation to a moved issue is refused with the new location")
  func moved() async throws {
    try await OutboxBench.run { bench in
      let old = try #require(RepositoryName("apple/swift"))
      try await bench.add(.relate(.number(1), .addBlocker(RelatedIssue(2, in: old))))
      try await bench.send()
      #expect(
        try await bench.entry(1).reason
          == "apple/swift#2 is now swiftlang/swift#2: use that name")
      #expect(bench.writes.isEmpty)
    }
  }

  @Test("relations of a new issue wait for its number")
  func newIssue() async throws {
    try await OutboxBench.run { bench in
      try await bench.outbox.add([
        bench.intention(.createIssue(NewIssue(title: "New"))),
        bench.intention(.relate(.createdBefore, .addBlocker(RelatedIssue(2)))),
        bench.intention(.relate(.createdBefore, .setParent(RelatedIssue(1)))),
      ])
      #expect(try await bench.entry(2).change.target == .pending(1))
      #expect(try await bench.entry(3).dependencies == [1, 2])
      try await bench.send()
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent, .sent])
      let made = try issue(6, bench)
      #expect(made.blockedBy == [2] && made.parent == 1)
    }
  }

  @Test("fields are set by name with their own types, and cleared even if already empty")
  func fields() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.answerLost)
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(fields: [
            "priority": "high", "Effort": "3", "Target date": "2026-12-31",
            "Areas": "tools,Compiler", "Customer": "Ada",
          ])))
      _ = try? await bench.send()
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      let json = try #require(try await bench.entry(1).answer?.json)
      let values = try GitHubJSON.decode(GitHub.Issue.self, from: json).fieldValues
      #expect(
        values.map { "\($0.name ?? "")=\($0.content.map { "\($0)" } ?? "")" } == [
          "Priority=High", "Effort=3", "Target date=2026-12-31", "Areas=tools, compiler",
          "Customer=Ada",
        ])
      try await bench.add(
        .edit(
          .number(1),
          IssueChange(
            title: TextChange("New"), fields: ["Effort": "2.5"], clearedFields: ["Priority"])),
        .edit(.number(1), IssueChange(clearedFields: ["priority", "Areas"])))
      try await bench.send()
      #expect(try await bench.outbox.entries().allSatisfy { $0.state == .sent })
      #expect(try issue(1, bench).fields.keys.sorted() == [5_002, 5_003, 5_005])
      #expect(try issue(1, bench).fields[5_002] == "2.5" && issue(1, bench).title == "New")
    }
  }
}
