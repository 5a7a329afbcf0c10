import IssueMirror
import PlatformModules
import TestSupport
import TestTraits
import Testing

@Suite("Syncs with Forgejo and Gitea", .timeLimit(.minutes(5)))
struct ForgeSyncTests {
  private static let forges = [LoopbackForge.forgejo, .gitea]

  @Test("a mirror has the server's issues, comments, labels and milestones", arguments: forges)
  func first(forge: LoopbackForge) async throws {
    try await withSyncWorld(forge: forge, items: 130) { world in
      try await world.sync(comments: true)
      #expect(try await world.kept() == world.served())
      #expect(try await world.keptComments() == world.servedComments())
      let repository = try #require(try await world.mirrored())
      let names = try await world.mirror.names(of: repository)
      #expect(Set(names.labels) == Set(SyntheticIssues.labels.map(\.name)))
      #expect(
        try await world.mirror.milestones(of: repository).map(\.title).sorted()
          == SyntheticIssues.milestones.sorted())
    }
  }

  @Test(
    "later syncs find changes and new comments, and a verification what was deleted",
    arguments: forges)
  func changes(forge: LoopbackForge) async throws {
    try await withSyncWorld(forge: forge, items: 130) { world in
      try await world.sync(comments: true)
      for round in 0..<6 {
        for change in 0..<8 {
          world.github.stir(
            world.repository, round * 8 + change, seed: 5, at: world.ticks.seconds)
        }
        world.ticks.pass(3)
        try await world.sync(comments: true)
      }
      world.ticks.pass(3)
      try await world.sync(comments: true)
      let (kept, served) = (try await world.kept(), try await world.served())
      for (number, issue) in served { #expect(kept[number] == issue, "#\(number)") }
      try await world.sync(comments: true, verifies: true)
      #expect(try await world.kept() == world.served())
      #expect(try await world.keptComments() == world.servedComments())
      #expect(try await world.mirror.check().isEmpty)
    }
  }

  @Test("the labels of an organization stay on its issues", arguments: forges)
  func organizationLabels(forge: LoopbackForge) async throws {
    try await withSyncWorld(
      forge: forge, items: 60, configure: { $0.organizationLabels = ["bug", "Linux"] },
      perform: Self.checkKeptTwice)
  }

  private static func checkKeptTwice(_ world: SyncWorld) async throws {
    for _ in 1...2 {
      try await world.sync(verifies: true)
      #expect(try await world.kept() == world.served())
      world.ticks.pass(120)
    }
  }

  @Test("a sync of an unchanged repository takes few requests", arguments: forges)
  func unchanged(forge: LoopbackForge) async throws {
    try await withSyncWorld(forge: forge, items: 130) { world in
      try await world.sync()
      world.ticks.pass(60)
      let requests = try await world.requests { try await world.sync() }
      #expect(requests.count <= 5, "\(requests.map(\.target))")
    }
  }

  @Test("a sync finds a change that is listed seconds late, after a newer one", arguments: forges)
  func late(forge: LoopbackForge) async throws {
    try await withSyncWorld(forge: forge, items: 130) { world in
      try await world.sync()
      world.ticks.pass(1_000)
      let time = world.ticks.seconds
      world.github.schedule(at: time + 20) { github in
        github.changeIssue(3, of: world.repository) { ($0.title, $0.updatedAt) = ("Late", time) }
      }
      world.github.changeIssue(4, of: world.repository) { $0.updatedAt = time + 3 }
      world.ticks.pass(4)
      #expect(try await world.sync().updated == 1)
      world.ticks.pass(20)
      #expect(try await world.sync().updated == 1)
      #expect(try await world.kept() == world.served())
    }
  }

  @Test("changes while a list is read are in the mirror after the next sync", arguments: forges)
  func busy(forge: LoopbackForge) async throws {
    func configure(_ configuration: inout LoopbackGitHub.Configuration) {
      configuration.activity = LoopbackActivity(changesPerRequest: 2, maximumCount: 120, seed: 9)
      configuration.maximumPage = 20
    }
    try await withSyncWorld(forge: forge, items: 230, configure: configure) { world in
      for _ in 0..<4 {
        try await world.sync(comments: true)
        world.ticks.pass(2)
      }
      world.ticks.pass(2)
      try await world.sync(comments: true)
      try await world.sync(comments: true, verifies: true)
      #expect(try await world.kept() == world.served())
      #expect(try await world.keptComments() == world.servedComments())
    }
  }
}
