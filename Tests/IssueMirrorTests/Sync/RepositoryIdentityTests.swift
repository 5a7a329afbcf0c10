import GitHubAPI
import HTTPTargets
import IssueMirror
import TestSupport
import Testing

@Suite("The identity of a synced repository", .timeLimit(.minutes(5)))
struct RepositoryIdentityTests {
  private static func repository(
    id: Int = 1, _ name: String, formerNames: [String] = [], items: Int = 120
  ) -> LoopbackRepository {
    LoopbackRepository(
      id: id, owner: "apple", name: name, formerNames: formerNames,
      issues: SyntheticIssues(count: items))
  }

  @Test("a repository keeps its mirror when it is renamed")
  func renamed() async throws {
    let folder = try ScratchFolder()
    let mirror = try Mirror(path: folder["mirror.db"])
    let ticks = SyncWorld.Ticks()
    try await withSyncWorld(repository: Self.repository("old"), mirror: mirror, ticks: ticks) {
      try await $0.sync()
    }
    let renamed = Self.repository("young", formerNames: ["apple/old"])
    try await withSyncWorld(repository: renamed, mirror: mirror, ticks: ticks) { world in
      let number = world.github.addIssue(to: renamed) { $0.updatedAt = ticks.seconds }
      let report = try await world.sync("apple/old")
      #expect(report.inserted == 1)
      #expect(report.repository.fullName == "apple/young")
      #expect(try await world.kept()[number] != nil)
      #expect(try await mirror.repositories().count == 1)
      // By either name it is the same. From the old one the server leads there; its list may have a tag of its own.
      for (name, requests) in [
        ("apple/old", 2...2), ("apple/young", 2...3), ("apple/young", 1...1),
      ] {
        let report = try await world.sync(name)
        #expect(report.isUnchanged)
        #expect(requests.contains(report.requests))
      }
      #expect(try await mirror.repositories().count == 1)
    }
  }

  @Test(
    "a repository that takes over a name gets its own mirror, and the old mirror is unchanged"
  )
  func replaced() async throws {
    let folder = try ScratchFolder()
    let mirror = try Mirror(path: folder["mirror.db"])
    let ticks = SyncWorld.Ticks()
    try await withSyncWorld(repository: Self.repository("name"), mirror: mirror, ticks: ticks) {
      try await $0.sync()
    }
    let other = Self.repository(id: 2, "name", items: 7)
    try await withSyncWorld(repository: other, mirror: mirror, ticks: ticks) { world in
      let report = try await world.sync()
      #expect(report.inserted == 7)
      #expect(report.removed == 0)
      #expect(report.repository.serverID == 2)
      let kept = try await mirror.repositories()
      #expect(kept.map(\.serverID) == [1, 2])
      var counts: [Int] = []
      for repository in kept {
        counts.append(
          try await mirror.issues(
            of: repository, filter: IssueFilter(state: .all), includesPullRequests: true
          ).count)
      }
      #expect(counts == [120, 7])
      #expect(try await world.sync().isUnchanged)
    }
  }

  @Test(
    "a repository that is no longer visible keeps its mirror unchanged",
    arguments: [false, true])
  func missing(verifies: Bool) async throws {
    try await withSyncWorld(items: 150) { world in
      try await world.sync()
      let kept = try await world.kept()
      world.github.intercept(where: { _ in true }) { GitHubError.notFound.response(now: $1) }
      let error = await #expect(throws: NetworkError.self) {
        try await world.sync(verifies: verifies)
      }
      #expect(error?.response?.status == .notFound)
      #expect(try await world.kept() == kept)
      #expect(try await world.mirrored()?.isComplete == true)
    }
  }

  @Test(
    "a repository keeps its name when the server sends an invalid one",
    arguments: ["../../user", "", "o/r?x=1#"])
  func bogusName(name: String) async throws {
    try await withSyncWorld(items: 3) { world in
      try await world.sync()
      let kept = try await world.mirrored()?.fullName
      world.github.intercept(where: { $0.path == "/repos/\(kept ?? "")" }) { _, _ in
        .json(#"{"id":1,"full_name":"\#(name)","open_issues_count":-9223372036854775808}"#)
      }
      let error = await #expect(throws: NetworkError.self) { try await world.sync(verifies: true) }
      #expect(error?.code == .decoding)
      #expect(try await world.mirrored()?.fullName == kept)
    }
  }

  @Test(
    "a repository is requested again if the response to a conditional request is unusable")
  func bogusAnswer() async throws {
    try await withSyncWorld { world in
      try await world.sync()
      world.github.intercept(where: { $0.headers["If-None-Match"] != nil }) {
        GitHubError.notFound.response(now: $1)
      }
      let report = try await world.sync()
      #expect(report.isUnchanged)
    }
  }
}
