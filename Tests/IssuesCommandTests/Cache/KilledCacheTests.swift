import TestSupport
import TestTraits
import Testing

extension CommandTests {
  @Suite("A killed listing with a cache", .tags(.heavy), .timeLimit(.minutes(5)))
  struct KilledCacheTests {
    private static let repository = LoopbackRepository.swift(
      issues: SyntheticIssues(count: 450, pullRequests: 0, closed: 0))

    /// When the signal is sent, seen from the server.
    private enum Moment {
      /// A request has come in.
      case asked(Int)
      /// An answer has been handed to the system: it is being received or stored.
      case answered(Int)
      /// Rows are there, and later answers are on their way.
      case shown(Int)
    }

    @Test(
      "a listing killed at any moment leaves a usable cache and no growing leftovers"
    )
    func killed() async throws {
      let scratch = try ScratchFolder()
      let environment = ["XDG_CACHE_HOME": scratch.path]
      let github = LoopbackGitHub(repositories: [Self.repository])
      var random = FuzzSource(seed: 6)
      var killed = 0
      try await withLoopbackServer(answering: github.handler) { server in
        let arguments = ["swiftlang/swift", "--all", "--api-url", server.url]
        let rounds = runsFullTests ? 50 : 6
        for round in 0..<rounds {
          // Otherwise there is nothing to store but in the first round.
          if round % 3 != 2 { github.addIssue(to: Self.repository) }
          let numbers = github.issues(of: Self.repository).map(\.number)
          let before = server.log.requestCount
          let run = try IssuesProgram.start(arguments, environment: environment, isProcess: true)
          let count = Int.random(in: 1...6, using: &random)
          do {
            switch [Moment.asked(count), .answered(count), .shown(count)][round % 3] {
            case .asked(let count):
              try await server.log.requests(count: before + count)
            case .answered(let count):
              try await server.log.waitForOutcome(.answered) { $0.number >= before + count }
            case .shown(let count):
              try await run.waitFor("\n\(numbers.count - count * 60)\t")
            }
            // In some rounds a little later, while files are being written.
            for _ in 0..<Int.random(in: 0...200, using: &random) { await Task.yield() }
          } catch is CommandRun.EndedEarly {
            // It was done before; that is a moment like any other.
          }
          run.send(signal: 9)
          if try await run.result().status == .signalled(9) { killed += 1 }

          let next = try await IssuesProgram.run(arguments, environment: environment)
          #expect(next.status == .exited(0), "round \(round)")
          #expect(next.numbers == numbers.reversed(), "round \(round)")
          #expect(next.errorText.isEmpty)
        }
        #expect(killed > rounds / 3)
        // A run that stores something sweeps up what killed ones have left.
        github.addIssue(to: Self.repository)
        _ = try await IssuesProgram.run(arguments, environment: environment)
      }
      #expect(scratch.names(in: "issues").allSatisfy { $0.hasSuffix(".response") })
    }
  }
}
