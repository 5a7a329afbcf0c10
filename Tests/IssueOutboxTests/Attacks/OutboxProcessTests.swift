import Foundation
import GitHubAPI
import HTTPTargets
import IssueOutbox
import TestSupport
import Testing
import outbox_probe

@Suite("Processes that share an outbox", .timeLimit(.minutes(5)))
struct OutboxProcessTests {
  @Test("eight simultaneous processes create one outbox, and it has all their changes")
  func firstStarts() async throws {
    let folder = try ScratchFolder()
    let github = LoopbackGitHub()
    try await withLoopbackServer(answering: github.handler) { server in
      let runs = try (1...8).map {
        try CommandRun(
          "outbox-probe", ["github", server.url, folder["data/outbox.db"], "\($0)", "0", "5"])
      }
      var lines = 0
      for run in runs {
        let result = try await run.result()
        #expect(result.status == .exited(0))
        #expect(!result.outputText.contains("failed"), "\(result.outputText)")
        lines += result.outputText.split(separator: "\n").count { $0.hasPrefix("added") }
      }
      let entries = try await Outbox(path: folder["data/outbox.db"]).entries()
      #expect(lines >= 8)
      #expect(entries.count == lines)
      // All of them know a token by the same digest.
      let digests = Set(entries.compactMap(\.account?.fingerprint))
      #expect(digests.count <= OutboxPerson.Token.allCases.count)
      #expect(folder.permissions("data") == 0o700)
      for name in folder.names(in: "data") where name.hasPrefix("outbox.db") {
        let isFolder = name.hasSuffix(".attachments")
        #expect(folder.permissions("data/\(name)") == (isFolder ? 0o700 : 0o600), "\(name)")
      }
    }
  }

  @Test("processes that share an outbox neither write nor print the token")
  func token() async throws {
    let folder = try ScratchFolder()
    let script = try OutboxScript(seed: 7)
    let world = OutboxWorld(
      seed: 7, script: script, clock: OutboxPerson.clock(of: folder["outbox.db"]))
    try await withLoopbackServer(answering: world.handler) { server in
      var run: CommandRun?
      for _ in 0..<3 {
        run = try CommandRun(
          "outbox-probe",
          ["github", server.url, folder["outbox.db"], "7", "0", "8", "first"])
        let result = try await run?.result()
        let output = (result?.output ?? Data()) + (result?.error ?? Data())
        #expect(SecretTraces(OutboxPerson.Token.first.secret).found(in: output).isEmpty)
      }
      #expect(server.log.requests.contains { $0.headers["Authorization"] != nil })
      for name in folder.names {
        let data = try #require(folder.contents(name))
        #expect(SecretTraces(OutboxPerson.Token.first.secret).found(in: data).isEmpty, "\(name)")
      }
    }
  }

  @Test(
    "a change that can't be saved isn't sent, and saved changes stay", arguments: [8, 40, 72, 120])
  func fullDisk(blocks: Int) async throws {
    let folder = try ScratchFolder()
    let github = LoopbackGitHub()
    try await withLoopbackServer(answering: github.handler) { server in
      let arguments = ["github", server.url, folder["outbox.db"], "3"]
      let first = try await CommandRun.run("outbox-probe", arguments + ["0", "2"])
      #expect(first.status == .exited(0))
      let before = try await Outbox(path: folder["outbox.db"]).entries()
      #expect(!before.isEmpty)
      // No file may grow beyond some half kilobytes: as on a full disk, a write ends before its end.
      let probe = try BuiltProducts.path(of: "outbox-probe")
      let result = try await CommandRun.run(
        "/bin/sh",
        ["-c", "trap '' XFSZ; ulimit -f \(blocks); exec \"$0\" \"$@\"", probe] + arguments
          + ["2", "60", "first"])
      #expect(result.status == .exited(0), "\(result.errorText)")
      let entries = try await Outbox(path: folder["outbox.db"]).entries()
      #expect(Array(entries.map(\.id).prefix(before.count)) == before.map(\.id))
      let hasFailed = result.outputText.contains("failed")
      if blocks == 8 { #expect(hasFailed) }
      // A change that isn't in the journal isn't sent.
      if hasFailed, !result.outputText.contains("changed") { #expect(github.receipts.isEmpty) }
      let posts = github.receipts.filter { $0.method == "POST" }
      #expect(posts.count <= 4 * entries.count { $0.attempts > 0 })
    }
  }

  @Test("setting the clock neither delays nor hastens sending")
  func clockSet() async throws {
    try await OutboxBench.run { bench in
      let offset = Watched(0.0)
      let now = OutboxBench.now(bench.clock)
      let outbox = try Outbox(path: bench.outbox.path, clock: bench.clock) {
        now().addingTimeInterval(offset.read { $0 })
      }
      let jumps: [Double] = [0, -86_400, 43_200, -1_000_000_000]
      for (index, jump) in jumps.enumerated() {
        offset.update { $0 += jump }
        try await outbox.add([
          bench.intention(.createIssue(NewIssue(title: "Issue \(index)"))),
          bench.intention(.comment(on: .number(1), body: "Comment \(index)")),
        ])
        bench.github.strike(.answerLost)
        try await bench.with(outbox).send(options: OutboxSending())
        let states = try await outbox.entries().suffix(2).map(\.state)
        #expect(states == [.sent, .sent], "after a jump of \(jump) seconds")
      }
      #expect(bench.createdTitles == (0..<4).map { "Issue \($0)" })
      #expect(bench.comments(on: 1) == (0..<4).map { "Comment \($0)" })
      // Ten seconds for each second look and one for each write, and no day more.
      #expect(bench.clock.now.offset < .seconds(120))
    }
  }
}

extension OutboxBench {
  /// The same bench with another outbox.
  func with(_ outbox: Outbox) -> OutboxBench {
    OutboxBench(
      forge: forge, github: github, there: there, server: server, folder: folder, outbox: outbox,
      clock: clock, repository: repository)
  }
}
