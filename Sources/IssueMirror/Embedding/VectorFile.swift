internal import GRDB
internal import HTTPTargets
internal import PlatformModules
internal import PrivateDatabase

/// The vectors of issues' texts, in an SQLite file beside the mirror. They can always be computed again.
package struct VectorFile: Sendable {
  struct Entry: Sendable {
    var number: Int
    /// The time of the last change, in seconds since 1970, when its text was read.
    var updated: Int
    var vector: UnitVector
  }

  private let path: String
  private let database: DatabaseQueue

  /// The file beside the user's mirror; nil if no folder is known.
  package static func path(in environment: [String: String]) -> String? {
    UserDirectory.data.path(in: environment).map { "\($0)/issues/vectors.db" }
  }

  /// Opens a file, or creates it.
  package init(path: String) throws(MirrorFailure) {
    self.path = path
    do {
      try PrivateFile(path: path).prepare(isReadOnly: false)
      var configuration = Configuration()
      configuration.busyMode = .callback(BusyWait.waits)
      configuration.prepareDatabase { try $0.defend() }
      database = try DatabaseQueue(path: path, configuration: configuration)
      try database.write { db in
        try db.execute(
          sql: """
            CREATE TABLE IF NOT EXISTS vector(
              model TEXT NOT NULL, host TEXT NOT NULL, repository INTEGER NOT NULL, number INTEGER NOT NULL,
              updated INTEGER NOT NULL, vector BLOB NOT NULL,
              PRIMARY KEY(model, host, repository, number))
            """)
      }
    } catch {
      throw Self.failure(error, path)
    }
  }

  func entries(
    of repository: MirroredRepository, model: String
  ) async throws(MirrorFailure) -> [Int: Entry] {
    try await using { db in
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT number, updated, vector FROM vector WHERE model = ? AND host = ? AND repository = ?
          """, arguments: [model, repository.host, repository.serverID])
      var entries: [Int: Entry] = [:]
      while let row = try rows.next() {
        let number: Int = try row.value(0)
        entries[number] = Entry(
          number: number, updated: try row.value(1), vector: UnitVector(bytes: try row.value(2)))
      }
      return entries
    }
  }

  func store(
    _ entries: [Entry], of repository: MirroredRepository, model: String
  ) async throws(MirrorFailure) {
    try await using { db in
      for entry in entries {
        try db.cachedStatement(sql: "INSERT OR REPLACE INTO vector VALUES (?, ?, ?, ?, ?, ?)")
          .execute(arguments: [
            model, repository.host, repository.serverID, entry.number, entry.updated,
            entry.vector.bytes,
          ])
      }
    }
  }

  /// Removes the vectors of issues that no longer exist, for all models.
  package func removeAll(
    except numbers: Set<Int> = [], of repository: MirroredRepository
  ) async throws(MirrorFailure) {
    try await using { db in
      let stored = try Int.fetchAll(
        db, sql: "SELECT DISTINCT number FROM vector WHERE host = ? AND repository = ?",
        arguments: [repository.host, repository.serverID])
      for number in stored where !numbers.contains(number) {
        try db.cachedStatement(
          sql: "DELETE FROM vector WHERE host = ? AND repository = ? AND number = ?"
        ).execute(arguments: [repository.host, repository.serverID, number])
      }
    }
  }

  /// Throws if vectors can't be compared, because the model has changed.
  func check(_ vectors: [UnitVector]) throws(MirrorFailure) {
    guard Set(vectors.map(\.values.count)).count > 1 else { return }
    throw MirrorFailure(
      .database,
      "The vectors in \(path) have different lengths, so the model has changed. Remove the file: they are computed again."
    )
  }

  private func using<Value: Sendable>(
    _ work: @escaping @Sendable (Database) throws -> Value
  ) async throws(MirrorFailure) -> Value {
    do {
      return try await database.write(work)
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ error: any Error, _ path: String) -> MirrorFailure {
    let reason =
      switch error {
      case let error as DatabaseError: error.message ?? "\(error.resultCode)"
      case let error as PrivateFileFailure: error.reason
      default: "\(error)"
      }
    return MirrorFailure(
      error is CancellationError ? .cancelled : .database,
      "The vectors in \(path) can't be used: \(reason). The file can be removed: vectors are computed again."
    )
  }
}
