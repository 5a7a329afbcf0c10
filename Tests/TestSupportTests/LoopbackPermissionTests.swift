import Foundation
import Testing

@testable import TestSupport

@Suite("A token's permissions on the loopback GitHub", .timeLimit(.minutes(5)))
struct LoopbackPermissionTests {
  private static let wishes =
    #"{"title":"t","labels":["bug"],"assignees":["ada"],"milestone":1,"type":"Bug"}"#

  @Test(
    "labels, assignees, milestone and type are silently dropped without push permission",
    arguments: [LoopbackPermission.read, .triage, .write, .admin])
  func dropped(_ permission: LoopbackPermission) async throws {
    try await withWritableGitHub {
      $0.permissions = ["secret": permission]
      $0.tokenOwners = ["secret": "eve"]
    } perform: { _, client in
      let created = try await client.send("POST", "/issues", Self.wishes)
      let edited = try await client.send("PATCH", "/issues/6", Self.wishes)
      #expect(created.status == 201 && edited.status == 200)
      #expect(created.json.at("user.login") == .string("eve"))
      #expect(try await client.send("GET", "//user").json["login"] == .string("eve"))
      for answer in [created.json, edited.json] {
        let isPusher = permission >= .write
        #expect(answer["labels"]?.texts("name") == (isPusher ? ["bug"] : []))
        #expect(answer["assignees"]?.texts("login") == (isPusher ? ["ada"] : []))
        #expect(answer.at("milestone.number") == (isPusher ? .number(1) : nil))
        #expect(answer.at("type.name") == (isPusher ? .string("Bug") : nil))
      }
      let assigned = try await client.send(
        "POST", "/issues/6/assignees", #"{"assignees":["ken"]}"#)
      #expect(assigned.status == 201)
      #expect(
        assigned.json["assignees"]?.texts("login") == (permission >= .write ? ["ada", "ken"] : []))
      let labels = try await client.send("POST", "/issues/6/labels", #"{"labels":["Linux"]}"#)
      #expect(labels.status == (permission >= .triage ? 200 : 404))
      let others = try await client.send("PATCH", "/issues/1", #"{"state":"closed"}"#)
      #expect(others.status == (permission >= .triage ? 200 : 403))
    }
  }

  @Test("a repository can report a token's permissions")
  func told() async throws {
    try await withWritableGitHub {
      $0.permission = .triage
      $0.tellsPermissions = true
    } perform: { _, client in
      let permissions = try await client.send("GET", "").json["permissions"]
      #expect(permissions?["triage"] == .bool(true) && permissions?["push"] == .bool(false))
      var nobody = client
      nobody.token = nil
      #expect(try await nobody.send("GET", "").json["permissions"] == nil)
    }
  }

  @Test("a token without access is refused, and a write requires a token")
  func refused() async throws {
    try await withWritableGitHub {
      $0.permissions = ["secret": .noAccess]
    } perform: { github, client in
      let answer = try await client.send("POST", "/issues", #"{"title":"t"}"#)
      #expect(answer.status == 403)
      #expect(answer.headers["X-Accepted-GitHub-Permissions"] == "issues=write")
      var nobody = client
      nobody.token = nil
      #expect(try await nobody.send("POST", "/issues", #"{"title":"t"}"#).status == 401)
      #expect(github.receipts.map(\.status) == [403, 401])
      #expect(github.receipts.allSatisfy { !$0.isCommitted })
    }
  }

  @Test("archived repositories, disabled issues and locked issues refuse writes")
  func states() async throws {
    try await withWritableGitHub {
      $0.repositories[0].isArchived = true
    } perform: { _, client in
      let answer = try await client.send("PATCH", "/issues/1", #"{"title":"t"}"#)
      #expect(answer.status == 403)
      #expect(answer.json["message"] == .string("Repository was archived so is read-only."))
    }
    try await withWritableGitHub {
      $0.repositories[0].hasIssues = false
    } perform: { _, client in
      let created = try await client.send("POST", "/issues", #"{"title":"t"}"#)
      #expect(created.status == 410)
      #expect(
        created.json["message"] == .string("Issues has been disabled in this repository."))
      let edited = try await client.send("PATCH", "/issues/1", #"{"title":"t"}"#)
      #expect(edited.json["message"] == .string("Issues are disabled for this repo"))
    }
    try await withWritableGitHub {
      $0.permission = .read
    } perform: { github, client in
      github.changeIssue(1, of: github.configuration.repositories[0]) { $0.isLocked = true }
      let answer = try await client.send("POST", "/issues/1/comments", #"{"body":"b"}"#)
      #expect(answer.status == 403)
      #expect(
        answer.json["message"]
          == .string("Unable to create comment because issue is locked."))
    }
  }

  @Test(
    "a write to a renamed repository is redirected and not applied",
    arguments: [301, 307, 308])
  func renamed(status: Int) async throws {
    try await withWritableGitHub {
      $0.movedWriteStatus = status
    } perform: { github, client in
      var old = client
      old.base = "/repos/apple/swift"
      let answer = try await old.send("POST", "/issues", #"{"title":"t"}"#)
      #expect(answer.status == status)
      #expect(answer.headers["Location"]?.hasSuffix("/repositories/44838949/issues") == true)
      #expect(github.receipts.map(\.isCommitted) == [false])
      let there = try await old.send("POST", "//repositories/44838949/issues", #"{"title":"t"}"#)
      #expect(there.status == 201)
    }
  }
}
