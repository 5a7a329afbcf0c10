internal import GRDB
internal import GitHubAPI
internal import PlatformModules
internal import PrivateDatabase

struct OutboxRow {
  var id: OutboxEntry.ID
  var server: GitHubServer
  var repository: RepositoryName
  var change: Change
  var account: OutboxAccount?
  var state: OutboxState
  var reason: String?
  var created: Date
  var changed: Date
  var attempts = 0
  var requires: [OutboxEntry.ID] = []
  /// When the last attempt began; nil if nothing was sent, or if the server certainly didn't change anything.
  var began: Date?
  var hasLookedTwice = false
  /// The number of the created issue, or the id of the created comment.
  var item: Int64?
  var answer: OutboxAnswer?
  var conflict: OutboxConflict?
  var dropped: Date?
  /// The bulk that the entry belongs to, identified by its first entry. It is written only once, together with the
  /// entry.
  var bulk: OutboxEntry.ID?
  /// The program that proposed the change. It is written only once, together with the entry.
  var proposer: String?

  /// Whether to search for the change again before sending it, because the user has confirmed that it isn't on the
  /// server. The journal doesn't have a separate column for this.
  var looksFirst: Bool {
    get { state == .queued && hasLookedTwice }
    set { hasLookedTwice = newValue }
  }

  /// The number of the issue; for a creation, that of the new issue.
  var number: Int? {
    if case .number(let number) = change.target { return number }
    return change.makesIssue ? answer?.number : nil
  }

  /// The number by which the journal orders changes. A thread of notifications counts as an issue with a negative number,
  /// so that its changes keep their order.
  var orderNumber: Int? { change.thread.map { -Int($0.id) } ?? number }

  /// `limit` is the reason that nothing is sent for now.
  func entry(in order: OutboxOrder, limit: String? = nil) -> OutboxEntry {
    let isDue = dropped == nil && state == .queued
    let proposal = state == .proposed ? proposer.map { "proposed by \($0)" } : nil
    return OutboxEntry(
      id: id, server: server, repository: repository, change: change, account: account,
      state: state,
      reason: reason ?? proposal ?? (isDue ? order.reason(of: id) ?? limit : nil),
      created: created, changed: changed, attempts: attempts,
      dependencies: order.dependencies(of: id), answer: answer, conflict: conflict,
      dropped: dropped, lastSent: began, bulk: bulk, proposer: proposer)
  }
}

struct OutboxRowReader {
  private let decoder = JSONDecoder()
  /// The servers by address, because most rows have the same one.
  private var servers: [String: GitHubServer] = [:]

  static func ids(_ text: String) -> [OutboxEntry.ID] {
    text.isEmpty ? [] : text.split(separator: ",").compactMap { OutboxEntry.ID($0) }
  }

  mutating func row(_ row: Row) throws -> OutboxRow {
    func json<Value: Decodable>(_ column: String) throws -> Value? {
      guard let text: String = try row.value(column) else { return nil }
      return try decoder.decode(Value.self, from: Data(text.utf8))
    }
    func date(_ column: String) throws -> Date? {
      (try row.value(column) as Double?).map(Date.init(timeIntervalSince1970:))
    }
    guard let repository = RepositoryName(try row.value("repository")),
      let change: Change = try json("change"), let created = try date("created"),
      let changed = try date("changed"), let state = OutboxState(rawValue: try row.value("state"))
    else { throw OutboxFailure(.damaged, "a change can't be read") }
    let address: String = try row.value("server")
    let server = try servers[address] ?? GitHubServer(apiURL: address)
    servers[address] = server
    var result = OutboxRow(
      id: try row.value("id"),
      server: server,
      repository: repository, change: change, state: state, reason: try row.value("reason"),
      created: created, changed: changed)
    if let fingerprint: String = try row.value("fingerprint") {
      result.account = OutboxAccount(fingerprint: fingerprint, login: try row.value("login"))
    }
    result.attempts = try row.value("attempts")
    result.requires = Self.ids(try row.value("requires"))
    result.began = try date("began")
    result.hasLookedTwice = try row.value("looks")
    result.item = try row.value("item")
    result.answer = try (json("answer") as KeptAnswer?)?.answer(try row.value("json"))
    result.conflict = try json("conflict")
    result.dropped = try date("dropped")
    result.bulk = try row.value("leader")
    result.proposer = try row.value("proposer")
    return result
  }
}

extension OutboxRow {
  func arguments() throws -> StatementArguments {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    func json(_ value: (some Encodable)?) throws -> String? {
      try value.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    }
    return [
      "id": id, "repository": repository.description,
      "fingerprint": account?.fingerprint, "login": account?.login, "number": orderNumber,
      "pending": change.pending ?? (change.makesIssue ? id : nil),
      "change": try json(change), "state": state.rawValue, "reason": reason,
      "changed": changed.timeIntervalSince1970, "attempts": attempts,
      "requires": requires.map(String.init).joined(separator: ","),
      "began": began?.timeIntervalSince1970, "looks": hasLookedTwice, "item": item,
      "answer": try json(answer.map(KeptAnswer.init)), "json": answer?.json,
      "conflict": try json(conflict), "dropped": dropped?.timeIntervalSince1970,
    ]
  }
}

/// The JSON is stored in a separate column.
private struct KeptAnswer: Codable {
  var number: Int?
  var url: String?
  var dropped: [String]
  var wasFound: Bool

  init(_ answer: OutboxAnswer) {
    number = answer.number
    url = answer.url
    dropped = answer.dropped
    wasFound = answer.wasFound
  }

  func answer(_ json: Data?) -> OutboxAnswer {
    OutboxAnswer(number: number, url: url, json: json, dropped: dropped, wasFound: wasFound)
  }
}
