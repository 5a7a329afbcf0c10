import ConcurrencyPrimitives
import HTTPTargets
import IssueMirror
import TestSupport
import TestTraits
import Testing

@Suite("A killed sync", .tags(.heavy), .timeLimit(.minutes(5)))
struct KilledSyncTests {
  /// The process that runs, after how many requests it is killed, and what else goes wrong.
  private struct Round: Sendable {
    var run: CommandRun?
    var requestsLeft = 0
    var dice: FuzzSource
    var hasFaults = true

    /// Counts a request, and tells what is to come of it.
    mutating func next() -> (isLast: Bool, fault: LoopbackFault?) {
      requestsLeft -= 1
      let fault = dice.pick(KilledSyncTests.faults)
      return (requestsLeft == 0, hasFaults && dice.once(in: 25) ? fault : nil)
    }
  }

  private static let faults: [LoopbackFault] = [
    .reset(.beforeHead), .reset(.insideBody), .closed(.insideBody), .truncated, .gzipCutInHalf,
  ]

  @Test(
    "a killed sync resumes at its position, and ends with the server's data",
    arguments: LoopbackForge.allCases)
  func killed(forge: LoopbackForge) async throws {
    let folder = try ScratchFolder()
    let mirror = try Mirror(path: folder["mirror.db"])
    let ticks = SyncWorld.Ticks()
    let repository = LoopbackRepository.swift(issues: SyntheticIssues(count: 700))
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [repository]
    configuration.now = { ticks.now() }
    configuration.forge = forge
    let github = LoopbackGitHub(configuration)
    var dice = FuzzSource(seed: 30)
    let current = Watched(Round(dice: FuzzSource(seed: 31)))
    let handler: LoopbackServer.Handler = { request in
      let (isLast, fault) = current.update { $0.next() }
      if isLast, let run = try? await current.value({ $0.run }) { run.send(signal: 9) }
      let response = await github.handler(request)
      return fault?.applied(to: response) ?? response
    }
    try await withLoopbackServer(answering: handler) { server in
      var kills = 0
      let apiURL = forge == .gitHub ? server.url : "\(server.url)/api/v1"
      let rounds = runsFullTests ? 30 : 5
      for round in 0..<rounds {
        current.update { $0.requestsLeft = 1 + dice.below(14) }
        let verifies = dice.once(in: 3) ? ["--verify"] : []
        let run = try CommandRun("sync-probe", [apiURL, mirror.path] + verifies)
        current.update { $0.run = run }
        if try await run.result().status == .signalled(9) { kills += 1 }
        current.update { $0.run = nil }
        for change in 0..<12 { github.stir(repository, round * 12 + change, at: ticks.seconds) }
        ticks.pass(5)
      }
      #expect(kills >= rounds / 2)
      #expect(try await mirror.check().isEmpty)

      // The next sync isn't limited by the last process's remaining requests.
      current.update { ($0.hasFaults, $0.requestsLeft) = (false, .max) }
      let world = try SyncWorld(repository, github, server, mirror, ticks, forge: forge)
      try await world.sync(comments: true)
      // All but what is there no more.
      #expect(try await Set(world.served().keys).isSubset(of: world.kept().keys))
      #expect(
        try await Set(world.servedComments().keys).isSubset(of: world.keptComments().keys))
      try await world.sync(comments: true, verifies: true)
      #expect(try await world.kept() == world.served())
      #expect(try await world.keptComments() == world.servedComments())
      #expect(try await mirror.check().isEmpty)
    }
  }
}
