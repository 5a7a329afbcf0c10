import IssueMirror
import PlatformModules
import TestSupport
import Testing

@testable import IssuesCommand

@Suite("Messages about the mirror")
struct MirrorWordingTests {
  private static let now = Date(timeIntervalSince1970: 1_780_000_000)

  private static func repository(
    host: String = "github.com", syncedTo: Date? = nil, checkedAt: Date? = nil
  ) -> MirroredRepository {
    MirroredRepository(
      id: 1, host: host, serverID: 2, fullName: "octo/cat", syncedTo: syncedTo, checkedAt: checkedAt
    )
  }

  @Test(
    "a mirror's age is worded as the time since its last sync",
    arguments: [(10, "less than a minute ago"), (10_800, "about 3 hours ago")])
  func ages(seconds: Double, words: String) {
    let repository = Self.repository(
      syncedTo: Self.now - 99, checkedAt: Self.now.addingTimeInterval(-seconds))
    #expect(repository.age(now: Self.now) == "synced \(words)")
  }

  @Test("with comments, the mirror's age is that of the older part")
  func commentAges() {
    var repository = Self.repository(syncedTo: Self.now, checkedAt: Self.now)
    #expect(repository.age(withComments: true, now: Self.now) == "synced less than a minute ago")
    repository.commentsSyncedTo = Self.now
    repository.commentsCheckedAt = Self.now.addingTimeInterval(-10_800)
    #expect(repository.age(withComments: true, now: Self.now) == "synced about 3 hours ago")
    #expect(repository.age(now: Self.now) == "synced less than a minute ago")
  }

  @Test("an incomplete first sync has no age")
  func incomplete() {
    #expect(Self.repository(checkedAt: Self.now).age(now: Self.now) == "never completed")
    #expect(Self.repository().age(now: Self.now) == "never completed")
  }

  @Test("a repository's name includes the host only if it isn't github.com")
  func names() {
    #expect(Self.repository().typedName == "octo/cat")
    #expect(Self.repository(host: "git.example.com").typedName == "git.example.com/octo/cat")
  }

  @Test(
    "the suggested sync command has --api-url if the host doesn't determine it",
    arguments: [
      ("https://api.github.com", "issues sync octo/cat"),
      ("https://git.example.com/api/v3", "issues sync git.example.com/octo/cat"),
      (
        "https://git.example.com/api/v1",
        "issues sync octo/cat --api-url https://git.example.com/api/v1"
      ),
      ("http://127.0.0.1:8080", "issues sync octo/cat --api-url http://127.0.0.1:8080"),
    ])
  func syncCommand(url: String, command: String) throws {
    let name = try #require(RepositoryName("octo/cat"))
    #expect(Place(name: name, server: try GitHubServer(apiURL: url)).syncCommand == command)
  }

  @Test(
    "each failure of the mirror has an exit status and advice",
    arguments: [
      (.cannotOpen, 74, "XDG_DATA_HOME"), (.damaged, 74, nil),
      (.laterVersion, 74, nil), (.full, 74, nil), (.readOnly, 74, "permissions"),
      (.busy, 74, nil), (.notMirrored, 3, nil), (.cancelled, 2, nil),
      (.notExported, 74, nil), (.queryRefused, 64, nil),
      (.queryTooCostly, 1, nil), (.database, 74, "mirror check"),
    ] as [(MirrorFailure.Code, Int32, String?)])
  func failures(code: MirrorFailure.Code, status: Int32, advice: String?) {
    let failure = CommandFailure(MirrorFailure(code, "it happened"))
    #expect(failure.status.rawValue == status)
    let lines = failure.message.split(separator: "\n")
    #expect(lines.first == "it happened")
    #expect(lines.count == (advice == nil ? 1 : 2))
    if let advice { #expect(lines.last?.contains(advice) == true) }
  }

  @Test(
    "each failure of a team's mirror has the exit status of the same failure of a file",
    arguments: [.cannotOpen, .damaged, .laterVersion, .full, .readOnly, .busy, .database]
      as [MirrorFailure.Code])
  func failuresOfServer(code: MirrorFailure.Code) {
    var failure = MirrorFailure(code, "it happened")
    failure.isOfServer = true
    #expect(CommandFailure(failure).status == .output)
  }

  @Test(
    "the pace is GitHub's, and can be changed only for a server on this machine",
    arguments: [
      ("http://127.0.0.1:1234", "5000", 5000), ("http://localhost:1234", "5000", 5000),
      ("http://127.0.0.1:1234", "fast", 900), ("http://127.0.0.1:1234", nil, 900),
      ("https://api.github.com", "5000", 900), ("https://git.example.com/api/v3", "5000", 900),
    ] as [(String, String?, Int)])
  func pace(url: String, value: String?, points: Int) throws {
    let server = try GitHubServer(apiURL: url)
    let environment = value.map { [PointsPerMinute.variable: $0] } ?? [:]
    #expect(PointsPerMinute.value(for: server, in: environment) == points)
  }
}
