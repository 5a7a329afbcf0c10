import HTTPTargets
import HTTPTypes
import IssueMirror
import IssueMirrorPostgres
import TestSupport

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// 32 workers that take repositories from the queue and finish them at once.
struct Claims: Sendable {
  let database: TeamDatabase
  private static let workers = 32
  private static let repositories = 5_000
  /// Of so many claims, a worker stands still with one until another has it.
  private static let claimsPerStall = 100

  private struct Done: Sendable {
    var finished: [String] = []
    var stalled: [RepositoryClaim] = []
  }

  func rows() async throws -> [Row] {
    let schema = "claims"
    let (mirrors, _) = try await database.mirrors(Self.workers, schema)
    let names = (1...Self.repositories).compactMap { RepositoryName("acme/tool\($0)") }
    try await mirrors[0].enqueue(names, on: .github, reason: "a measure")
    let start = ContinuousClock.now
    let plain = try await work(mirrors, stalls: false, lease: .seconds(120))
    let rate = Double(plain.finished.count) / (ContinuousClock.now - start).seconds

    try await database.psql("UPDATE \(schema).queue SET due_at = now()")
    let troubled = try await work(mirrors, stalls: true, lease: .milliseconds(500))
    var late = 0
    let queue = RepositoryQueue(mirrors[0], host: GitHubServer.github.host)
    for claim in troubled.stalled {
      let due = try await queue.finish(claim, as: claim.name, claim.pace, dueIn: .seconds(3_600))
      if due != nil { late += 1 }
    }
    let repeated =
      [plain, troubled].reduce(0) { $0 + $1.finished.count - Set($1.finished).count } + late
    let missing =
      2 * Self.repositories - Set(plain.finished).count - Set(troubled.finished).count
    return [
      Row(
        what: "32 workers, claim and finish", here: "\(Row.short(rate))/s", value: rate,
        relation: .atLeast, target: 350, unit: "/s"),
      Row(
        what: "\(2 * Self.repositories) due repositories, \(troubled.stalled.count) stalls: "
          + "finished twice or not at all",
        here: "\(repeated + missing)", value: Double(repeated + missing), relation: .atMost,
        target: 0),
    ]
  }

  private func work(
    _ mirrors: [PostgresMirror], stalls: Bool, lease: Duration
  ) async throws -> Done {
    let left = Watched(Self.repositories)
    return try await withThrowingTaskGroup(of: Done.self) { group in
      for (number, mirror) in mirrors.enumerated() {
        group.addTask {
          let queue = RepositoryQueue(mirror, host: GitHubServer.github.host)
          var done = Done()
          var claims = number
          // Until others have finished what stood still.
          while left.read({ $0 }) > 0 {
            guard let claim = try await queue.claim(for: lease, by: "worker \(number)") else {
              continue
            }
            claims += 1
            if stalls, claims.isMultiple(of: Self.claimsPerStall) {
              done.stalled.append(claim)
            } else if try await queue.finish(
              claim, as: claim.name, claim.pace, dueIn: .seconds(3_600)) != nil
            {
              done.finished.append(claim.name)
              left.update { $0 -= 1 }
            }
          }
          return done
        }
      }
      return try await group.reduce(into: Done()) {
        $0.finished += $1.finished
        $0.stalled += $1.stalled
      }
    }
  }
}

/// 16 workers that send what a token may send, some of which die with what they have reserved.
struct Budget: Sendable {
  let database: TeamDatabase
  private static let workers = 16
  private static let quota = 5_000
  /// A worker dies after so many requests, and another one comes.
  private static let requestsPerLife = 250

  /// Counts as GitHub does.
  private struct CountingServer: Transport {
    let used = Watched(0)
    let quota: Int
    /// The end of the window.
    let reset: Int

    func send(
      _ request: TargetRequest, onSent: SentObserver?
    ) async throws(NetworkError) -> TransportReply {
      let used = used.update { used in
        used += 1
        return used
      }
      var headers = HTTPFields()
      for (name, value) in [
        ("limit", quota), ("remaining", max(quota - used, 0)), ("reset", reset), ("used", used),
      ] {
        if let name = HTTPField.Name("x-ratelimit-\(name)") { headers[name] = "\(value)" }
      }
      return TransportReply(
        status: used <= quota ? .ok : .forbidden, headers: headers,
        body: ResponseBody(Data(), maximumSize: 0))
    }
  }

  func rows() async throws -> [Row] {
    let (mirrors, _) = try await database.mirrors(Self.workers, "budget")
    let server = CountingServer(
      quota: Self.quota, reset: Int(Date().timeIntervalSince1970) + 3_000)
    let deaths = Watched(0)
    let start = ContinuousClock.now
    let end = Watched(start)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for mirror in mirrors {
        group.addTask {
          while true {
            // What a transport has reserved is lost with it.
            let transport = TeamBudgetTransport(server, mirror: mirror, server: .github)
            for _ in 0..<Self.requestsPerLife {
              let reply = try await transport.send(
                TargetRequest(url: "https://api.github.com/repos/a/b"), onSent: nil)
              // Nothing is left.
              if reply.status == .forbidden { return }
              end.update { $0 = .now }
            }
            deaths.update { $0 += 1 }
          }
        }
      }
      try await group.waitForAll()
    }
    let used = server.used.read { $0 }
    let seconds = (end.read { $0 } - start).seconds
    return [
      Row(
        what: "16 workers and a budget of \(Self.quota): requests beyond it",
        here: "\(max(used - Self.quota, 0))",
        peer: "\(Row.short(Double(used) / seconds)) requests/s",
        value: Double(max(used - Self.quota, 0)), relation: .atMost, target: 0),
      Row(
        what: "the same, \(deaths.read { $0 }) of which died: never sent",
        here: "\(max(Self.quota - used, 0))", peer: "\(Self.quota)",
        value: Double(max(Self.quota - used, 0)) / Double(Self.quota) * 100, relation: .atMost,
        target: 3, unit: " %"),
    ]
  }
}
