import ConcurrencyPrimitives
import CurlTransport
import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@testable import IssueOutbox

@Suite("Sending from the outbox", .timeLimit(.minutes(5)))
struct SendingTests {
  @Test("sending creates, comments, edits and closes, and stores the responses")
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

  @Test("sending without a network keeps all changes")
  func noNetwork() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(1), body: "Later."))
      // The server has stopped.
      let gone = try await withLoopbackServer { _ in
        LoopbackResponse()
      } perform: {
        $0.url
      }
      let provider = Provider.gitHub(
        .init(
          server: try GitHubServer(apiURL: gone), retries: nil,
          transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
      let error = await #expect(throws: NetworkError.self) {
        let connection = OutboxConnection(
          provider: provider, account: try bench.connection().account)
        for try await _ in bench.outbox.send(connect: { _ in connection }) {}
      }
      #expect(error?.isNetworkAway == true)
      let entry = try await bench.entry(1)
      #expect(entry.state == .queued && entry.reason == nil)
      // It was tried, and nothing of it left this machine.
      #expect(entry.attempts == 1 && entry.lastSent == nil)
      try await bench.send()
      #expect(try await bench.entry(1).lastSent != nil)
    }
  }

  @Test("sending with an invalid token keeps all changes")
  func unauthorized() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.unauthorized)
      try await bench.add(
        .comment(on: .number(1), body: "a"), .comment(on: .number(2), body: "b"))
      let error = await #expect(throws: NetworkError.self) { try await bench.send() }
      #expect(error?.response?.status.code == 401)
      #expect(try await bench.outbox.entries().map(\.state) == [.queued, .queued])
      #expect(bench.writes.count == 1)
      try await bench.send()
      #expect(bench.comments(on: 1) == ["a"] && bench.comments(on: 2) == ["b"])
    }
  }

  @Test(
    "sending waits for the content limit, and neither loses nor duplicates changes",
    arguments: [LoopbackWriteFault.contentLimit, .contentLimitWithTime])
  func contentLimit(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault)
      try await bench.add(.comment(on: .number(1), body: "Once."))
      let events = try await bench.send()
      #expect(events.waits == [.rateLimit])
      #expect(events.states(of: 1) == [.sending, .queued, .sending, .sent])
      #expect(bench.comments(on: 1) == ["Once."])
    }
  }

  @Test("sending waits no longer than the allowed time, in any process")
  func longLimit() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.contentLimit)
      try await bench.add(.comment(on: .number(1), body: "Once."))
      var options = OutboxSending.fast
      options.maximumWait = .seconds(30)
      for _ in 0..<2 {
        let error = await #expect(throws: NetworkError.self) {
          try await bench.send(options: options)
        }
        #expect(error?.code == .rateLimited && error?.retryDate != nil)
      }
      // The second one asked nothing.
      #expect(bench.writes.count == 1)
      #expect(try await bench.entry(1).state == .queued)
    }
  }

  @Test(
    "sending uses a renamed repository's current name, and keeps it for later changes",
    arguments: [true, false])
  func renamed(looksFirst: Bool) async throws {
    try await OutboxBench.run { bench in
      let title = bench.github.issues(of: bench.there).first { $0.number == 1 }?.title
      // The look at the title is redirected, and finds an issue with another address.
      let edit = Change.edit(.number(1), IssueChange(title: TextChange("New", base: title)))
      let comment = Change.comment(on: .number(1), body: "Hello.")
      let old = try #require(RepositoryName("apple/swift"))
      try await bench.outbox.add(
        ((looksFirst ? [edit, comment] : [comment, edit]) + [
          .createIssue(NewIssue(title: "t")), .comment(on: .pending(3), body: "On new-3."),
        ]).map {
          var intention = try bench.intention($0)
          intention.repository = old
          return intention
        })
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.sent, .sent, .sent, .sent])
      #expect(entries.allSatisfy { $0.repository == bench.repository })
      #expect(bench.comments(on: 6) == ["On #6."])
      #expect(bench.comments(on: 1) == ["Hello."])
      #expect(bench.github.issues(of: bench.there).first { $0.number == 1 }?.title == "New")
      #expect(bench.writes.count { $0.contains("apple/swift") } == (looksFirst ? 0 : 1))
    }
  }

  @Test(
    "sending doesn't accept a response about another item",
    arguments: [LoopbackWriteFault.otherIssue, .otherRepository])
  func hostile(fault: LoopbackWriteFault) async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(fault, times: 2)
      try await bench.add(
        .edit(.number(1), IssueChange(title: TextChange("New"))),
        .comment(on: .number(2), body: "Hello."))
      let events = try await bench.send()
      let entries = try await bench.outbox.entries()
      // The second attempt finds the title there.
      #expect(events.states(of: 1) == [.sending, .queued, .sending, .sent])
      #expect(bench.writes.count { $0.hasPrefix("PATCH") } == 1)
      // That one can be looked for.
      #expect(entries[1].state == .sent && entries[1].answer?.wasFound == true)
      #expect(bench.comments(on: 2) == ["Hello."])
      try await bench.send()
      #expect(try await bench.entry(1).state == .sent)
    }
  }

  @Test("sending stores a refusal's message and continues")
  func refusal() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .comment(on: .number(99), body: "Nowhere."), .comment(on: .number(1), body: "Here."))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.refused, .sent])
      #expect(entries[0].reason?.contains("Not Found") == true)
    }
  }

  @Test("sending reports properties that the server omitted")
  func dropped() async throws {
    try await OutboxBench.run {
      $0.permission = .read
    } _: { bench in
      try await bench.add(.createIssue(NewIssue(title: "t", labels: ["bug"]), createsLabels: true))
      try await bench.send()
      #expect(try await bench.entry(1).answer?.dropped == ["labels: asked for bug; got none"])
    }
  }

  @Test("sending delivers a response before marking it, and again after a failure")
  func delivery() async throws {
    struct Broken: Error {}
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(1), body: "Hello."))
      let delivered = Locked<[OutboxEntry.ID]>([])
      var options = OutboxSending.fast
      options.deliver = { _ in throw Broken() }
      try await bench.send(options: options)
      #expect(try await bench.entry(1).state == .sent)
      options.deliver = { entry in delivered.withLock { $0.append(entry.id) } }
      for _ in 0..<2 { try await bench.send(options: options) }
      #expect(delivered.withLock { $0 } == [1])
    }
  }

  @Test("sending keeps GitHub's pace across all processes")
  func pace() async throws {
    try await OutboxBench.run { bench in
      for number in 1...3 {
        try await bench.add(.comment(on: .number(number), body: "Hello."))
      }
      var options = OutboxSending.fast
      options.pace = OutboxPace(interval: .seconds(1), perMinute: 2, perHour: 3)
      let begin = bench.clock.now
      #expect(try await bench.send(options: options).waits == [.pace, .pace])
      #expect(begin.duration(to: bench.clock.now) == .seconds(60))
      // Another one, an hour after the first.
      let other = try bench.other()
      try await other.add([try bench.intention(.comment(on: .number(4), body: "Hello."))])
      let error = await #expect(throws: NetworkError.self) {
        try await bench.send(options: options)
      }
      #expect(error?.code == .rateLimited && error?.retryDate != nil, "a wait beyond the longest")
      #expect(try await bench.entry(4).state == .queued)
      options.maximumWait = .seconds(3_600)
      #expect(try await bench.send(options: options).waits == [.pace])
      #expect(begin.duration(to: bench.clock.now) == .seconds(3_600))
    }
  }

  @Test("sending counts each request of one change, and keeps the pace between them")
  func paceWithinChange() async throws {
    try await OutboxBench.run { bench in
      let edit = IssueChange(
        title: TextChange("New"), addedLabels: ["bug"], addedAssignees: ["ada"], createsLabels: true
      )
      try await bench.add(.edit(.number(1), edit))
      var options = OutboxSending.fast
      options.pace.interval = .seconds(1)
      let begin = bench.clock.now
      try await bench.send(options: options)
      #expect(bench.writes.count == 3)
      #expect(begin.duration(to: bench.clock.now) == .seconds(2))
      #expect(try await bench.outbox.recentWrites(like: bench.entry(1)).count == 3)
    }
  }

  @Test("a change delayed by the hourly limit has the end time, even in the list")
  func limitInList() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(1), body: "Hello."))
      let entry = try await bench.entry(1)
      #expect(entry.reason == nil)
      let (journal, key) = (bench.outbox.journal, PaceKey(entry.server, entry.account))
      let date = journal.now()
      try await journal.write { db in
        for _ in 0..<500 { try OutboxJournal.noteWrite(db, key, at: date - 600) }
      }
      let end = Timestamp.string(from: date + 3_000)
      let reason = try await bench.entry(1).reason
      #expect(reason == "the server doesn't accept more changes until \(end)")
    }
  }

  @Test("a bulk is sent only on request, and doesn't delay other changes")
  func bulk() async throws {
    try await OutboxBench.run { bench in
      let bulk = try await bench.outbox.add(
        [1, 2].map { try bench.intention(.comment(on: .number($0), body: "Bulk.")) }, asBulk: true)
      #expect(bulk.map(\.bulk) == [1, 1])
      try await bench.add(.comment(on: .number(1), body: "Later."))
      try await bench.send()
      #expect(bench.comments(on: 1) == ["Later."])
      #expect(try await bench.entry(1).reason?.contains("bulk 1") == true)
      try await bench.send(bulk.map(\.id))
      #expect(bench.comments(on: 1) == ["Later.", "Bulk."] && bench.comments(on: 2) == ["Bulk."])
    }
  }
}
