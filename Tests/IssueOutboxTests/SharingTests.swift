import ConcurrencyPrimitives
import Foundation
import GRDB
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@testable import IssueOutbox

@Suite("Two processes that share an outbox", .timeLimit(.minutes(5)))
struct SharingTests {
  @Test("one process sends, and the other receives the outcome")
  func twoSenders() async throws {
    try await OutboxBench.run { bench in
      for number in 1...5 { try await bench.add(.comment(on: .number(number), body: "Once.")) }
      let other = try bench.other()
      let connection = try bench.connection()
      let holdsOn = Gate()
      let (hasBegun, isWaiting) = (Gate(), Gate())
      var options = OutboxSending.fast
      options.deliver = { entry in
        guard entry.id == 1 else { return }
        hasBegun.open()
        await holdsOn.wait()
      }
      let (first, second) = (options, OutboxSending.fast)
      let outbox = bench.outbox
      try await withThrowingTaskGroup(of: [OutboxEvent]?.self) { group in
        group.addTask {
          var events: [OutboxEvent] = []
          for try await event in outbox.send(options: first, connect: { _ in connection }) {
            events.append(event)
          }
          return events
        }
        // The first one has the lease once its first entry is sent.
        await hasBegun.wait()
        group.addTask {
          var events: [OutboxEvent] = []
          for try await event in other.send(options: second, connect: { _ in connection }) {
            events.append(event)
            if case .waiting = event { isWaiting.open() }
          }
          return events
        }
        await isWaiting.wait()
        holdsOn.open()
        var all: [[OutboxEvent]] = []
        group.addTask { [clock = bench.clock] in
          while !Task.isCancelled {
            try? await clock.sleepers(atLeast: 1)
            clock.advanceToNextDeadline()
          }
          return nil
        }
        while all.count < 2, let events = try await group.next() {
          if let events { all.append(events) }
        }
        group.cancelAll()
        #expect(all.contains { $0.waits == [.otherProcess] })
      }
      for number in 1...5 { #expect(bench.comments(on: number) == ["Once."]) }
    }
  }

  @Test(
    "a dead process's lease is taken over at once, and a hanging process's when it ends")
  func leases() async throws {
    let folder = try ScratchFolder()
    let journal = try OutboxJournal(path: "\(folder.path)/outbox.db") { Date() }
    let (first, second) = (Lease(holder: "first"), Lease(holder: "second"))
    let date = Date(timeIntervalSince1970: 1_790_000_000)
    try await journal.write { db in
      #expect(try first.take(db, at: date, isLocked: true) == nil)
      #expect(try first.take(db, at: date + 10, isLocked: true) == nil)
      // While it has the lock of the folder it is alive.
      #expect(try second.take(db, at: date + 20, isLocked: false) == date + 70)
      #expect(try second.take(db, at: date + 70, isLocked: false) == nil)
      #expect(throws: Lease.Lost.self) { try first.check(db) }
      try first.release(db)
      try second.check(db)
      // It got no lock, so that its end is undetectable.
      #expect(try first.take(db, at: date + 80, isLocked: true) == date + 130)
      try second.release(db)
      #expect(try first.take(db, at: date + 80, isLocked: true) == nil)
      #expect(try second.take(db, at: date + 81, isLocked: true) == nil)
      // A clock that was set back.
      #expect(try first.take(db, at: date - 9_000, isLocked: false) == nil)
    }
  }

  @Test("a process waits for another sender only up to the limit, and all changes stay queued")
  func boundedWait() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(1), body: "a"))
      let other = Lease(holder: "other")
      let date = bench.outbox.journal.now()
      try await bench.outbox.journal.write { db in
        // It renews its lease all the time.
        _ = try other.take(db, at: date, isLocked: false)
      }
      var options = OutboxSending.fast
      for wait in [Duration.zero, .seconds(5)] {
        options.maximumWait = wait
        let begin = bench.clock.now
        let failure = await #expect(throws: OutboxFailure.self) {
          try await bench.send(options: options)
        }
        #expect(failure?.code == .otherProcess)
        #expect(begin.duration(to: bench.clock.now) == wait)
      }
      #expect(try await bench.entry(1).state == .queued)
    }
  }

  @Test("a killed process's change in flight can be dropped at once")
  func droppedAfterKill() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(1), body: "a"))
      let journal = bench.outbox.journal
      let date = journal.now()
      try await journal.write { db in
        _ = try Lease(holder: "killed").take(db, at: date, isLocked: true)
      }
      try await bench.pretend("state = 'sending'")
      #expect(try await bench.outbox.drop(1).dropped != nil)
    }
  }

  @Test("a process that lost its lease sends nothing more")
  func lostLease() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .comment(on: .number(1), body: "a"), .comment(on: .number(2), body: "b"))
      var options = OutboxSending.fast
      let journal = bench.outbox.journal
      let now = journal.now
      options.deliver = { entry in
        guard entry.id == 1 else { return }
        try await journal.write { db in
          try db.execute(
            sql: "UPDATE lease SET holder = 'other', locked = 0, until = ?",
            arguments: [now().timeIntervalSince1970 + 30])
        }
      }
      // It waits until that one's lease ends, and goes on.
      let events = try await bench.send(options: options)
      #expect(events.waits == [.otherProcess])
      #expect(bench.comments(on: 1) == ["a"] && bench.comments(on: 2) == ["b"])
      #expect(bench.writes.count == 2)
    }
  }

  @Test("a change dropped during sending isn't sent")
  func dropped() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .comment(on: .number(1), body: "a"), .comment(on: .number(2), body: "b"))
      let other = try bench.other()
      var options = OutboxSending.fast
      options.deliver = { _ in _ = try await other.drop(2) }
      try await bench.send(options: options)
      #expect(bench.comments(on: 2).isEmpty)
      #expect(try await bench.outbox.droppedEntries().map(\.id) == [2])
    }
  }
}

@Suite("User decisions")
struct DecisionTests {
  @Test("a user's decision is checked against the change's state")
  func states() async throws {
    let folder = try ScratchFolder()
    let outbox = try Outbox(path: "\(folder.path)/outbox.db")
    let name = try #require(RepositoryName("o/r"))
    try await outbox.add([Intention(.reopen(.number(1)), in: name, on: .github)])
    let allowed: [OutboxState: Set<String>] = [
      .proposed: ["approve", "replace", "drop"],
      .queued: ["replace", "retry", "drop"], .sending: [], .sent: [],
      .refused: ["replace", "retry", "drop"], .conflict: ["replace", "resolve", "drop"],
      .unknown: ["retry", "mark", "drop"],
    ]
    let decisions: [(String, @Sendable () async throws -> OutboxEntry)] = [
      ("approve", { try await outbox.approve(1) }),
      ("replace", { try await outbox.replace(1, with: .unlock(.number(1))) }),
      ("retry", { try await outbox.retry(1, mayRepeat: true) }),
      ("mark", { try await outbox.markSent(1, number: nil) }),
      ("resolve", { try await outbox.resolve(1, with: "text") }),
      ("drop", { try await outbox.drop(1) }),
    ]
    for state in OutboxState.allCases {
      for (name, decide) in decisions {
        try await outbox.journal.write { db in
          try db.execute(
            sql: "UPDATE entry SET state = ?, dropped = NULL", arguments: [state.rawValue])
          try db.execute(
            sql: "INSERT OR REPLACE INTO lease VALUES (1, 'somebody', ?, 0)",
            arguments: [Date.now.timeIntervalSince1970 + 30])
        }
        if allowed[state]?.contains(name) == true {
          _ = try await decide()
        } else {
          let failure = await #expect(throws: OutboxFailure.self, "\(name) \(state)") {
            _ = try await decide()
          }
          #expect(failure?.code == .wrongState)
        }
      }
    }
    let failure = await #expect(throws: OutboxFailure.self) {
      _ = try await outbox.retry(7, mayRepeat: true)
    }
    #expect(failure?.code == .noSuchEntry)
  }

  @Test("a lost creation that the user found gives its number to dependent changes")
  func marked() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.requestLost)
      try await bench.add(.createIssue(NewIssue(title: "t")))
      try await bench.add(.comment(on: .pending(1), body: "On new-1."))
      try await bench.send()
      #expect(try await bench.outbox.markSent(1, number: 3).answer?.number == 3)
      try await bench.send()
      #expect(bench.comments(on: 3) == ["On #3."])
    }
  }
}
