internal import GRDB

/// What couldn't be read.
extension Mirror {
  /// What the server sent of a repository and couldn't be read, by numbers. It is asked for again with every
  /// verification.
  ///
  /// - Throws: ``MirrorFailure``.
  public func setAside(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> [SetAsideEntry] {
    try await reading { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT * FROM set_aside WHERE repository = ? ORDER BY number, timeline DESC, id",
        arguments: [repository.id])
      return try rows.map { row in
        let timeline: String = try row.value("timeline")
        return SetAsideEntry(
          number: try row.value("number"),
          commentID: timeline == Timeline.comments.rawValue ? try row.value("id") : nil,
          reason: try row.value("reason"))
      }
    }
  }

  /// Forgets what was set aside before a verification began, and wasn't on any of its pages: it is gone.
  package func forgetSetAside(
    of repository: MirroredRepository, notSeenBy sweep: Sweep
  ) async throws(MirrorFailure) {
    try await writing { db in
      try db.execute(
        sql: """
          DELETE FROM set_aside WHERE repository = ? AND timeline = 'items'
            AND number NOT IN (SELECT number FROM sweep_seen WHERE sweep = ?)
          """, arguments: [repository.id, sweep.id])
    }
  }
}
