internal import GRDB
internal import GitHubAPI

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MirroredRepository {
  /// The key of the repository that has a name, or else had it when it was synced, as SQL: the host is argument 1,
  /// the name 2. A name may be two repositories' in turn: that which was seen last has it.
  static let keyByName = """
    ifnull(
      (SELECT key FROM repository WHERE host = ?1 AND full_name = ?2
       ORDER BY seen_at DESC, key DESC LIMIT 1),
      (SELECT repository FROM former_name WHERE host = ?1 AND name = ?2))
    """

  /// Those of some repositories that a search names, under their names of now or before.
  static func named(
    _ names: [RepositoryName], among repositories: [MirroredRepository], _ db: Database
  ) throws -> [MirroredRepository] {
    guard !names.isEmpty else { return repositories }
    var keys: Set<Int64> = []
    for host in Set(repositories.map(\.host)) {
      for name in names {
        let key = try Int64.fetchOne(
          db, sql: "SELECT \(keyByName)", arguments: [host, name.description])
        if let key { keys.insert(key) }
      }
    }
    return repositories.filter { keys.contains($0.id) }
  }

  /// Reads a row of `repository`.
  ///
  /// - Throws: `RowDecodingError`.
  init(_ row: Row) throws {
    try self.init(
      id: row.value("key"), host: row.value("host"), serverID: row.value("id"),
      fullName: row.value("full_name"), syncedTo: Date(seconds: row.value("synced_to")),
      commentsSyncedTo: Date(seconds: row.value("comments_synced_to")),
      checkedAt: Date(seconds: row.value("checked_at")),
      commentsCheckedAt: Date(seconds: row.value("comments_checked_at")),
      verifiedAt: Date(seconds: row.value("verified_at")))
  }
}

extension Date {
  /// Reads a column of seconds since 1970, or null.
  init?(seconds: Int?) {
    guard let seconds else { return nil }
    self.init(timeIntervalSince1970: Double(seconds))
  }

  /// Whole seconds since 1970, rounded down.
  var seconds: Int { Int(timeIntervalSince1970.rounded(.down)) }

  /// Microseconds since 1970.
  var microseconds: Int64 { Int64(timeIntervalSince1970 * 1_000_000) }
}
