import Foundation
import GRDB
import GitHubAPI
import TestSupport
import Testing

@testable import IssueOutbox

@Suite("Changes that a program proposes", .timeLimit(.minutes(5)))
struct ProposalTests {
  private static let comment = Change.comment(on: .number(1), body: "From the agent")

  private func propose(
    _ bench: OutboxBench, _ change: Change = comment
  ) async throws -> OutboxEntry {
    try await bench.outbox.propose(
      Intention(change, in: bench.repository, on: bench.gitHubServer()), by: "helper")
  }

  @Test("a proposal isn't sent until a person approves it, and doesn't hold up other changes")
  func approval() async throws {
    try await OutboxBench.run { bench in
      let proposal = try await propose(bench)
      #expect(proposal.state == .proposed)
      #expect(proposal.reason == "proposed by helper")
      #expect(proposal.needsPerson)
      try await bench.add(.comment(on: .number(1), body: "Mine"))
      #expect(try await bench.entry(2).dependencies.isEmpty)
      try await bench.send()
      // Naming it isn't an approval.
      try await bench.send([1])
      #expect(try await bench.outbox.entries().map(\.state) == [.proposed, .sent])
      #expect(bench.comments(on: 1) == ["Mine"])

      let approved = try await bench.outbox.approve(1)
      #expect(approved.state == .queued && approved.reason == nil)
      try await bench.send()
      #expect(bench.comments(on: 1) == ["Mine", "From the agent"])
      #expect(try await bench.entry(1).proposer == "helper")
      #expect(try await bench.entry(2).proposer == nil)
    }
  }

  @Test("a repeated proposal is added once, and a limited number waits")
  func bounds() async throws {
    try await OutboxBench.run { bench in
      for _ in 0..<2 { #expect(try await propose(bench).id == 1) }
      for number in 1..<Outbox.mostProposals {
        _ = try await propose(bench, .comment(on: .number(1), body: "\(number)"))
      }
      let failure = await #expect(throws: OutboxFailure.self) {
        _ = try await propose(bench, .comment(on: .number(2), body: "one more"))
      }
      #expect(failure?.message.contains("100 proposals are waiting") == true)
      // A repetition still finds its entry, and a dropped proposal makes room.
      #expect(try await propose(bench).id == 1)
      _ = try await bench.outbox.drop(1)
      #expect(try await propose(bench).id == 101)
    }
  }

  @Test("a change that needs a proposed issue waits until it is approved and created")
  func dependent() async throws {
    try await OutboxBench.run { bench in
      _ = try await propose(bench, .createIssue(NewIssue(title: "Found by the agent")))
      try await bench.add(.comment(on: .pending(1), body: "I see it too."))
      #expect(try await bench.entry(2).reason == "waits for new-1, which is proposed")
      try await bench.send([2])
      #expect(try await bench.outbox.entries().map(\.state) == [.proposed, .queued])
      _ = try await bench.outbox.approve(1)
      try await bench.send()
      #expect(bench.comments(on: 6) == ["I see it too."])
    }
  }

  @Test("a proposal that is edited, or dropped and restored, stays a proposal")
  func decisions() async throws {
    try await OutboxBench.run { bench in
      _ = try await propose(bench)
      let edited = try await bench.outbox.replace(1, with: .comment(on: .number(1), body: "Better"))
      #expect(edited.state == .proposed && edited.change.text == "Better")
      _ = try await bench.outbox.drop(1)
      #expect(try await bench.outbox.restore(1).map(\.state) == [.proposed])
      try await bench.send()
      #expect(bench.comments(on: 1).isEmpty)
    }
  }

  @Test("a proposal isn't shown as a pending change of its issue")
  func notPending() async throws {
    try await OutboxBench.run { bench in
      _ = try await propose(bench)
      let pending = PendingChanges(
        try await bench.outbox.entries(), of: bench.repository,
        on: try bench.gitHubServer().host)
      #expect(pending.isEmpty)
    }
  }

  @Test("a proposal in a damaged outbox stays a proposal")
  func damaged() async throws {
    try await OutboxBench.run { bench in
      _ = try await propose(bench)
      let path = bench.outbox.path
      let database = try DatabaseQueue(path: path)
      try await database.write { try $0.execute(sql: "CREATE TABLE other(x)") }
      try database.close()
      let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
      #expect(failure?.code == .damaged)
      let entries = try await Outbox(path: path).entries()
      #expect(entries.map(\.state) == [.proposed])
      #expect(entries.map(\.reason) == ["proposed by helper"])
    }
  }
}
