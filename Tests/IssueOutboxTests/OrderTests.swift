import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@testable import IssueOutbox

@Suite("The order of the outbox", .timeLimit(.minutes(5)))
struct OrderTests {
  @Test("changes to an issue wait for an uncertain one, and changes to other issues don't")
  func unknown() async throws {
    try await OutboxBench.run { bench in
      bench.github.strike(.requestLost)
      try await bench.add(
        .comment(on: .number(1), body: "first"), .comment(on: .number(1), body: "second"),
        .comment(on: .number(2), body: "elsewhere"))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.unknown, .queued, .sent])
      #expect(entries[1].dependencies == [1])
      #expect(
        entries[1].reason == "waits for change 1, which may have been carried out"
      )
      _ = try await bench.outbox.retry(1, mayRepeat: true)
      try await bench.send()
      #expect(bench.comments(on: 1) == ["first", "second"])
    }
  }

  @Test("changes to a pending issue get its number, including references in text")
  func pending() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.createIssue(NewIssue(title: "new-1 is this", body: "a")))
      try await bench.add(
        .comment(on: .pending(1), body: "On #new-1, not `new-1` or renew-1."),
        .edit(.pending(1), IssueChange(body: TextChange("See new-1.", base: "a"))),
        .comment(on: .number(1), body: "Like new-1: new-12, new-99 and new-1."))
      #expect(try await bench.entry(2).dependencies == [1])
      #expect(try await bench.entry(4).dependencies == [1])
      try await bench.send()
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .sent, .sent, .sent])
      #expect(bench.comments(on: 6) == ["On #6, not `new-1` or renew-1."])
      #expect(bench.comments(on: 1) == ["Like #6: new-12, new-99 and #6."])
      #expect(bench.github.issues(of: bench.there).last?.body == "See #6.")
      #expect(try await bench.entry(2).change.target == .number(6))
      // One that is added now gets it at once.
      try await bench.add(.comment(on: .pending(1), body: "new-1"))
      #expect(try await bench.entry(5).change == .comment(on: .number(6), body: "#6"))
    }
  }

  @Test("a refused creation holds back only its dependents")
  func refused() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.createIssue(NewIssue(title: "t", labels: ["no such label"])))
      try await bench.add(
        .comment(on: .pending(1), body: "a"), .comment(on: .number(1), body: "Fixed by new-1."),
        .comment(on: .number(2), body: "b"))
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.refused, .queued, .queued, .sent])
      #expect(entries[1].reason == "held back: it needs new-1, which was refused")
      #expect(entries[2].reason == entries[1].reason)

      _ = try await bench.outbox.replace(1, with: .createIssue(NewIssue(title: "t")))
      try await bench.send()
      #expect(bench.comments(on: 6) == ["a"])
      #expect(bench.comments(on: 1) == ["Fixed by #6."])
    }
  }

  @Test("a refused change holds back the rest of its chain")
  func chain() async throws {
    try await OutboxBench.run { bench in
      try await bench.outbox.add([
        try bench.intention(.comment(on: .number(99), body: "Bye.")),
        try bench.intention(.close(.number(1), .completed), followsPrevious: true),
        try bench.intention(.close(.number(2), .completed)),
      ])
      try await bench.send()
      let entries = try await bench.outbox.entries()
      #expect(entries.map(\.state) == [.refused, .queued, .sent])
      #expect(entries[1].reason == "held back: it needs change 1, which was refused")
    }
  }

  @Test("selected changes are sent together with their dependencies")
  func some() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(
        .comment(on: .number(1), body: "a"), .comment(on: .number(2), body: "b"),
        .comment(on: .number(1), body: "c"))
      try await bench.send([3])
      #expect(try await bench.outbox.entries().map(\.state) == [.sent, .queued, .sent])
      #expect(bench.comments(on: 1) == ["a", "c"])
    }
  }

  @Test("a reference to a nonexistent creation is refused immediately")
  func noSuchCreation() async throws {
    try await OutboxBench.run { bench in
      try await bench.add(.comment(on: .number(1), body: "a"))
      for id in [1, 2, 7] as [Int64] {
        let failure = await #expect(throws: OutboxFailure.self) {
          try await bench.add(.comment(on: .pending(id), body: "b"))
        }
        #expect(failure?.code == .noSuchEntry)
      }
      #expect(try await bench.outbox.entries().count == 1)
    }
  }

  @Test("a chain of 50,000 changes is ordered without delay")
  func longChain() {
    let entries = (1...50_000).map {
      OutboxOrder.Entry(
        id: $0, state: $0 == 1 ? .unknown : .queued, issue: .number("s", "o/r", 7))
    }
    let order = OutboxOrder(entries)
    #expect(order.next(among: nil, skipping: [1]) == nil)
    #expect(order.reason(of: 50_000)?.hasPrefix("waits for change 1,") == true)
    #expect(order.closure(of: [50_000]).count == 50_000)
  }
}

@Suite("Mentions of pending issues")
struct PendingMentionsTests {
  @Test(
    "mentions of pending issues are replaced only as whole words",
    arguments: [
      ("new-1", "#9"), ("#new-1", "#9"), ("(new-1)", "(#9)"), ("new-1, new-1.", "#9, #9."),
      ("new-12", "new-12"), ("new-01", "new-01"), ("anew-1", "anew-1"), ("new-1s", "new-1s"),
      ("new-1-x", "new-1-x"), ("x/new-1", "x/new-1"), ("`new-1`", "`new-1`"),
      ("`` ` new-1 `` new-1", "`` ` new-1 `` #9"), ("` new-1", "` #9"),
      ("```\nnew-1\n```\nnew-1", "```\nnew-1\n```\n#9"), ("~~~ new-1\nnew-1", "~~~ new-1\nnew-1"),
      ("```\nnew-1\n~~~\n````\nnew-1", "```\nnew-1\n~~~\n````\n#9"),
      ("new-1\r\nnew-1", "#9\r\n#9"), ("`a\nnew-1`", "`a\nnew-1`"), ("", ""),
      ("new-99999999999999999999", "new-99999999999999999999"), ("né-1 new-1é", "né-1 new-1é"),
    ])
  func replaced(text: String, result: String) {
    #expect(PendingMentions.resolving([1: 9], in: text) == result)
    #expect(PendingMentions.ids(in: text).contains(1) == (text != result))
  }
}
