import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("Changes with lost responses", .timeLimit(.minutes(5)))
struct LostAnswerTests {
  /// After these the change is there, without a response.
  private static let carriedOut: [LoopbackWriteFault] = [
    .answerLost, .answerCut, .badGatewayAfterCommit,
  ]
  /// After these it isn't.
  private static let notCarriedOut: [LoopbackWriteFault] = [.requestLost, .badGateway]

  @Test("a creation that took effect is found", arguments: carriedOut)
  func foundCreation(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(
        .createIssue(
          NewIssue(title: " Once ", body: "a\r\nb\n", labels: ["nobody"]), createsLabels: true))
      let events = try await bench.send()
      #expect(events.states(of: 1) == [.sending, .unknown, .sent])
      #expect(events.waits.isEmpty)
      let answer = try #require(try await bench.entry(1).answer)
      #expect(answer.wasFound && answer.number == 6 && answer.json != nil)
      #expect(bench.createdTitles == ["Once"])
    }
  }

  @Test("a comment that took effect is found", arguments: carriedOut)
  func foundComment(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(.comment(on: .number(2), body: "Once."))
      let events = try await bench.send()
      #expect(events.states(of: 1) == [.sending, .unknown, .sent])
      #expect(try await bench.entry(1).answer?.number == 2)
      #expect(bench.comments(on: 2) == ["Once."])
    }
  }

  @Test("a creation that takes effect late is found at the second lookup")
  func late() async throws {
    try await OutboxBench.run {
      // Not by the first look, which takes two requests: for the login and the list.
      $0.writeFaults = .delaying(3)
    } _: { bench in
      bench.github.strike(.commitDelayed)
      try await bench.add(.createIssue(NewIssue(title: "Late")))
      let events = try await bench.send()
      #expect(events.states(of: 1) == [.sending, .unknown, .sent])
      #expect(events.waits == [.secondLook])
      #expect(bench.createdTitles == ["Late"])
    }
  }

  @Test("a creation under an old repository name is found under the current one")
  func renamed() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(2), body: "Once."))
      try await bench.send()
      try await bench.pretend(
        "state = 'unknown', repository = 'apple/swift', item = NULL, answer = NULL, json = NULL")
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .sent && entry.answer?.wasFound == true)
      #expect(entry.repository == bench.repository)
      #expect(bench.comments(on: 2) == ["Once."])
    }
  }

  @Test("a killed process's creation isn't resent until the user allows it")
  func interrupted() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(2), body: "Once."))
      try await bench.send()
      try await bench.pretend("state = 'sending', item = NULL, answer = NULL, json = NULL")
      let failure = await #expect(throws: OutboxFailure.self) {
        _ = try await bench.outbox.retry(1, mayRepeat: false)
      }
      #expect(failure?.code == .wrongState)
      try await bench.send()
      #expect(bench.comments(on: 2) == ["Once."])
    }
  }

  @Test(
    "a creation that isn't found stays uncertain, and is never repeated automatically",
    arguments: notCarriedOut)
  func notFound(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(.createIssue(NewIssue(title: "Lost")))
      #expect(try await bench.send().waits == [.secondLook])
      let entry = try await bench.entry(1)
      #expect(entry.state == .unknown && entry.attempts == 1)
      #expect(entry.reason?.hasSuffix("it isn't on the server so far") == true)
      // It is looked for once more, and its repository's name, and that is all.
      let reads = bench.github.receipts.count
      #expect(try await bench.send().waits.isEmpty)
      #expect(bench.github.receipts.count == reads + 2)
      #expect(try await bench.entry(1).state == .unknown)
      #expect(bench.createdTitles.isEmpty && bench.writes.count == 1)

      // The person says that it wasn't carried out.
      #expect(try await bench.outbox.retry(1, mayRepeat: true).state == .queued)
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      #expect(bench.createdTitles == ["Lost"])
    }
  }

  @Test("a creation that a later run finds is then marked as sent")
  func laterRun() async throws {
    try await OutboxBench.run {
      $0.writeFaults = .delaying(1_000)
    } _: { bench in
      bench.github.strike(.commitDelayed)
      try await bench.add(.comment(on: .number(1), body: "At last."))
      try await bench.send()
      #expect(try await bench.entry(1).state == .unknown)
      bench.github.settle()
      #expect(try await bench.send().states(of: 1) == [.sent])
      #expect(bench.comments(on: 1) == ["At last."])
    }
  }

  @Test("a repeated creation is looked up first, and isn't sent while the lookup fails")
  func repeated() async throws {
    let isBroken = Watched(false)
    let instead: @Sendable (LoopbackRequest) -> LoopbackResponse? = { request in
      guard request.method == "GET", request.path.hasSuffix("/comments"), isBroken.current
      else { return nil }
      return LoopbackResponse(status: 502)
    }
    let configure: (inout LoopbackGitHub.Configuration) -> Void = {
      $0.writeFaults = .delaying(1_000)
    }
    try await OutboxBench.run(configure, instead: instead) { bench in
      bench.github.strike(.commitDelayed)
      try await bench.add(.comment(on: .number(1), body: "Once."))
      try await bench.send()
      #expect(try await bench.entry(1).state == .unknown)
      bench.github.settle()
      _ = try await bench.outbox.retry(1, mayRepeat: true)
      isBroken.update { $0 = true }
      await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(try await bench.entry(1).state == .queued)
      isBroken.update { $0 = false }
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .sent && entry.answer?.wasFound == true)
      #expect(bench.comments(on: 1) == ["Once."])
    }
  }

  @Test("two identical changes create two items", arguments: [true, false])
  func twins(isComment: Bool) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.answerLost, times: 2)
      let change =
        isComment
        ? Change.comment(on: .number(1), body: "+1") : .createIssue(NewIssue(title: "Twin"))
      try await bench.add(change, change)
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.sent, .sent])
      #expect(entries.allSatisfy { $0.answer?.wasFound == true })
      #expect(Set(entries.map(\.answer?.url)).count == 2)
      #expect((isComment ? bench.comments(on: 1) : bench.createdTitles).count == 2)
    }
  }

  @Test("an older or another user's item isn't mistaken for a lost creation")
  func strangers() async throws {
    try await OutboxBench.run {
      $0.tokenOwners = ["eves-token": "eve"]
    } _: { bench in
      try await bench.outbox.add([
        try bench.intention(.createIssue(NewIssue(title: "Same")), token: "eves-token")
      ])
      try await bench.send(token: "eves-token")
      bench.github.strike(.requestLost)
      try await bench.add(.createIssue(NewIssue(title: "Same")))
      try await bench.send()
      #expect(try await bench.entry(2).state == .unknown)
    }
  }

  @Test(
    "an idempotent change is repeated after a lost response", arguments: notCarriedOut + carriedOut)
  func idempotent(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(.close(.number(1), .notPlanned))
      await #expect(throws: NetworkError.self) { try await bench.send() }
      let entry = try await bench.entry(1)
      #expect(entry.state == .queued && entry.reason != nil)
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
      #expect(bench.github.issues(of: bench.there)[0].isOpen == false)
    }
  }

  @Test("a killed process's change may have taken effect", arguments: [true, false])
  func killed(wasCarriedOut: Bool) async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .comment(on: .number(1), body: "Once."), .close(.number(2), .completed))
      if wasCarriedOut { try await bench.send([1]) }
      try await bench.pretend(
        "state = 'sending', attempts = 1, began = created, answer = NULL, item = NULL")
      try await bench.send()
      #expect(try await bench.entry(1).state == (wasCarriedOut ? .sent : .unknown))
      #expect(try await bench.entry(2).state == .sent)
      #expect(bench.comments(on: 1).count == (wasCarriedOut ? 1 : 0))
    }
  }

  @Test(
    "a transfer and a deletion are recognized by the issue's current location",
    arguments: carriedOut)
  func places(fault: LoopbackWriteFault) async throws {
    let there = LoopbackRepository(
      id: 7, owner: "swiftlang", name: "other",
      issues: SyntheticIssues(count: 1, pullRequests: 0, closed: 0))
    try await OutboxBench.run {
      $0.permission = .admin
      $0.repositories.append(there)
    } _: { bench in
      let name = try #require(RepositoryName("swiftlang/other"))
      try await bench.add(.transfer(.number(1), to: name), .delete(.number(2)))
      bench.github.strike(fault, times: 2) {
        $0.path.hasSuffix("/graphql")
          && String(decoding: $0.body, as: UTF8.self).contains("mutation")
      }
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.sent, .sent], "\(entries.map(\.reason))")
      #expect(entries.map(\.answer?.wasFound) == [true, true])
      #expect(entries[0].answer?.number == 2)
      #expect(entries[0].answer?.url?.hasSuffix("swiftlang/other/issues/2") == true)
    }
  }

  @Test("a comment that moved with its issue isn't mistaken for a deleted one")
  func movedComment() async throws {
    let there = LoopbackRepository(
      id: 7, owner: "swiftlang", name: "other",
      issues: SyntheticIssues(count: 0, pullRequests: 0, closed: 0))
    try await OutboxBench.run {
      $0.repositories.append(there)
    } _: { bench in
      let issue = try #require(bench.github.issues(of: bench.there).first)
      let index = try #require(
        bench.github.addComment(on: issue.number, of: bench.there, at: issue.updatedAt) {
          $0.body = "Mine."
        })
      let id = Int64(LoopbackGitHub.commentID(index, on: issue))
      let number = try #require(
        bench.github.transferIssue(issue.number, of: bench.there, to: there))
      try await bench.add(.deleteComment(id: id, on: issue.number))
      try await bench.send()
      let entry = try await bench.entry(1)
      #expect(entry.state == .refused)
      #expect(entry.reason?.contains("swiftlang/other/issues/\(number)") == true)
      #expect(bench.github.comments(on: number, of: there).last?.body == "Mine.")
    }
  }
}
