import Foundation
import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing

@Suite("The account that sends a change", .timeLimit(.minutes(5)))
struct AccountTests {
  private func run(_ body: (OutboxBench) async throws -> Void) async throws {
    try await OutboxBench.run(
      { $0.tokenOwners = ["eves-token": "eve", "new-token": "octocat"] }, body)
  }

  private func looks(_ bench: OutboxBench) -> Int {
    bench.github.receipts.count { $0.target == "/user" }
  }

  @Test("the same token sends without looking up the login")
  func sameToken() async throws {
    try await run { bench in
      try await bench.add(.comment(on: .number(1), body: "Hello."))
      try await bench.send()
      #expect(looks(bench) == 0 && bench.github.receipts.count == 1)
    }
  }

  @Test("another token of the same user sends if its user is known")
  func renewedToken() async throws {
    try await run { bench in
      // The first answer says whose token it is.
      try await bench.add(.comment(on: .number(1), body: "first"))
      try await bench.send()
      try await bench.add(.comment(on: .number(1), body: "second"))
      try await bench.send(token: "new-token")
      #expect(bench.comments(on: 1) == ["first", "second"])
      #expect(looks(bench) == 1)
      // It is remembered.
      try await bench.add(.comment(on: .number(1), body: "third"))
      try await bench.send(token: "new-token")
      #expect(looks(bench) == 1)
    }
  }

  @Test("another user's token doesn't send, unless requested")
  func stranger() async throws {
    try await run { bench in
      try await bench.outbox.add([
        try bench.intention(.comment(on: .number(1), body: "Hello."), login: "octocat")
      ])
      try await bench.send(token: "eves-token")
      let entry = try await bench.entry(1)
      #expect(entry.state == .queued)
      #expect(
        entry.reason?.hasPrefix("queued as octocat, and the token now belongs to eve") == true)
      #expect(bench.writes.isEmpty)

      var options = OutboxSending.fast
      options.asPresentAccount = true
      try await bench.send(token: "eves-token", options: options)
      #expect(try await bench.entry(1).state == .sent)
      #expect(bench.github.comments(on: 1, of: bench.there).last?.author == "eve")
    }
  }

  @Test("another token doesn't send if the first token's user is unknown")
  func unknown() async throws {
    try await run { bench in
      try await bench.add(.comment(on: .number(1), body: "Hello."))
      try await bench.send(token: "new-token")
      #expect(try await bench.entry(1).reason?.hasPrefix("queued with another token") == true)
      #expect(bench.writes.isEmpty)
    }
  }

  @Test("a change found under another account doesn't assign that account's login to the token")
  func foundForAnother() async throws {
    try await run { bench in
      func comment(_ body: String) throws -> Intention {
        try bench.intention(.comment(on: .number(1), body: body), token: "eves-token")
      }
      try await bench.outbox.add([comment("first")])
      try await bench.send(token: "eves-token")
      try await bench.pretend("state = 'unknown', item = NULL, answer = NULL, json = NULL")
      try await bench.outbox.add([comment("second")])
      try await bench.send()
      #expect(try await bench.entry(1).answer?.wasFound == true)
      let second = try await bench.entry(2)
      #expect(second.state == .queued)
      #expect(
        second.reason?.hasPrefix("queued as eve, and the token now belongs to octocat") == true)
      #expect(bench.comments(on: 1) == ["first"])
    }
  }

  @Test("a change queued without a token is sent with any token")
  func nobody() async throws {
    try await run { bench in
      try await bench.outbox.add([
        Intention(
          .comment(on: .number(1), body: "Hello."), in: bench.repository,
          on: try bench.gitHubServer())
      ])
      try await bench.send(token: "eves-token")
      #expect(try await bench.entry(1).account == bench.connection(token: "eves-token").account)
    }
  }

  @Test("the outbox file never contains a token")
  func secrets() async throws {
    try await run { bench in
      try await bench.add(.comment(on: .number(1), body: "Hello."))
      try await bench.send()
      for name in try FileManager.default.contentsOfDirectory(atPath: bench.folder.path) {
        let data = try Data(contentsOf: URL(filePath: "\(bench.folder.path)/\(name)"))
        #expect(data.range(of: Data("t0ken".utf8)) == nil)
      }
    }
  }
}
