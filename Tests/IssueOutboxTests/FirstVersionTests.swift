import Foundation
import GRDB
import GitHubAPI
import IssueTracker
import TestSupport
import Testing

@testable import IssueOutbox

/// A journal as 0.1.0 made it, statement by statement. Whatever later versions make of the tables and of the JSON of a
/// change, they read this: in it are changes that somebody made and that no server has yet.
@Suite("An outbox from version 0.1.0", .timeLimit(.minutes(5)))
struct FirstVersionTests {
  private let folder: ScratchFolder
  private var path: String { "\(folder.path)/issues/outbox.db" }

  init() throws {
    folder = try ScratchFolder()
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/issues", withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    let database = try DatabaseQueue(path: path)
    try database.write { db in
      try db.execute(sql: Self.tables)
      try db.execute(sql: Self.rows)
      try db.execute(sql: "PRAGMA application_id = 0x49534F42; PRAGMA user_version = 1")
    }
    try database.close()
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
  }

  @Test("an outbox from 0.1.0 opens with all its changes")
  func changes() async throws {
    let entries = try await Outbox(path: path).entries()
    #expect(entries.map(\.id) == [1, 2, 3, 4])
    #expect(entries.map(\.state) == [.queued, .queued, .queued, .refused])
    #expect(entries.allSatisfy { $0.repository.description == "a/b" && $0.server == .github })
    let edit = IssueChange(title: TextChange("Crash in the linker"), addedLabels: ["bug"])
    #expect(
      entries.map(\.change) == [
        .createIssue(NewIssue(title: "A crash", body: "Steps")),
        .close(.number(12), .completed),
        .comment(on: .number(12), body: "Fixed on main."),
        .edit(.number(12), edit),
      ])
    #expect(entries.map(\.dependencies) == [[], [], [2], []])
    #expect(entries.last?.reason == "not found")
    #expect(entries.map(\.attempts) == [0, 0, 0, 2])
  }

  @Test("an outbox from 0.1.0 accepts another change")
  func more() async throws {
    let name = try #require(RepositoryName("a/b"))
    try await Outbox(path: path).add([Intention(.reopen(.number(1)), in: name, on: .github)])
    #expect(try await Outbox(path: path).entries().map(\.id) == [1, 2, 3, 4, 5])
  }

  @Test("an outbox from 0.1.0 accepts bulk changes and is upgraded to the current version")
  func bulk() async throws {
    let name = try #require(RepositoryName("a/b"))
    let changes = [Change.reopen(.number(1)), .reopen(.number(2))]
    try await Outbox(path: path).add(
      changes.map { Intention($0, in: name, on: .github) }, asBulk: true)
    #expect(try await Outbox(path: path).entries().map(\.bulk) == [nil, nil, nil, nil, 5, 5])
  }

  @Test("the changes in a damaged outbox from 0.1.0 are recovered")
  func damaged() async throws {
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE other(x)") }
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(failure?.message.contains("4 changes of it can be read") == true)
    let states = try await Outbox(path: path).entries().map(\.state)
    #expect(states == [.unknown, .unknown, .unknown, .refused])
  }

  @Test("an outbox from a later version is left alone, and the error advises about its changes")
  func downgrade() async throws {
    try await DatabaseQueue(path: path).write { try $0.execute(sql: "PRAGMA user_version = 9") }
    let failure = #expect(throws: OutboxFailure.self) { try Outbox(path: path) }
    #expect(failure?.code == .laterVersion)
    #expect(failure?.message.contains("Send or drop its changes with that version") == true)
    #expect(failure?.message.contains(path) == true)
  }

  private static let rows = """
    INSERT INTO setting VALUES ('key', randomblob(32));
    INSERT INTO entry VALUES (
      1, 'https://api.github.com', 'a/b', NULL, 1, NULL, NULL, 'queued', '', NULL, 1795690096.5,
      1795690096.5, 0, NULL, 0, NULL, 0, NULL,
      '{"creates_labels":false,"issue":{"body":"Steps","title":"A crash"},"kind":"create"}',
      NULL, NULL, NULL);
    INSERT INTO entry VALUES (
      2, 'https://api.github.com', 'a/b', 12, NULL, NULL, NULL, 'queued', '', NULL, 1795690097.5,
      1795690097.5, 0, NULL, 0, NULL, 0, NULL,
      '{"kind":"close","number":12,"reason":"completed"}', NULL, NULL, NULL);
    INSERT INTO entry VALUES (
      3, 'https://api.github.com', 'a/b', 12, NULL, NULL, NULL, 'queued', '2', NULL, 1795690098.5,
      1795690098.5, 0, NULL, 0, NULL, 0, NULL,
      '{"body":"Fixed on main.","kind":"comment","number":12}', NULL, NULL, NULL);
    INSERT INTO entry VALUES (
      4, 'https://api.github.com', 'a/b', 12, NULL, NULL, NULL, 'refused', '', NULL, 1795690099.5,
      1795690199.5, 2, NULL, 0, NULL, 0, 'not found',
      '{"change":{"added_labels":["bug"],"title":{"text":"Crash in the linker"}},"kind":"edit","number":12}',
      NULL, NULL, NULL);
    """

  private static let tables = """
    CREATE TABLE entry(
      id INTEGER PRIMARY KEY AUTOINCREMENT, server TEXT NOT NULL, repository TEXT NOT NULL,
      number INTEGER, pending INTEGER, fingerprint TEXT, login TEXT,
      state TEXT NOT NULL, requires TEXT NOT NULL DEFAULT '', dropped REAL, created REAL NOT NULL,
      changed REAL NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, began REAL,
      looks INTEGER NOT NULL DEFAULT 0, item INTEGER, delivered INTEGER NOT NULL DEFAULT 0,
      reason TEXT, change TEXT NOT NULL, answer TEXT, conflict TEXT, json BLOB);
    CREATE INDEX entry_by_state ON entry(state);
    CREATE TABLE setting(name TEXT PRIMARY KEY, value BLOB NOT NULL);
    CREATE TABLE lease(
      id INTEGER PRIMARY KEY CHECK (id = 1), holder TEXT NOT NULL, until REAL NOT NULL,
      locked INTEGER NOT NULL);
    CREATE TABLE login(
      server TEXT NOT NULL, fingerprint TEXT NOT NULL, login TEXT NOT NULL,
      PRIMARY KEY(server, fingerprint));
    CREATE TABLE written(server TEXT NOT NULL, account TEXT NOT NULL, time REAL NOT NULL);
    CREATE INDEX written_by_account ON written(server, account, time);
    CREATE TABLE pause(
      server TEXT NOT NULL, account TEXT NOT NULL, until REAL NOT NULL, count INTEGER NOT NULL,
      PRIMARY KEY(server, account));
    """
}
