internal import GRDB
public import GitHubAPI
package import PlatformModules
internal import PrivateDatabase

extension Mirror {
  /// The events of an issue, oldest first; empty if timelines aren't synced
  /// (``RepositorySync/Options/includesTimelines``). Comments have their text if comments are synced.
  public func timeline(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> [TimelineEvent] {
    try await sentTimeline(of: number, in: repository)?.events.map(\.entity) ?? []
  }

  package func sentTimeline(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> KeptTimeline? {
    try await reading { db in
      let isCurrent = try Bool.fetchOne(
        db,
        sql: """
          SELECT covers >= updated_at
          FROM timeline JOIN item USING (repository, number) WHERE repository = ? AND number = ?
          """, arguments: [repository.id, number])
      guard let isCurrent else { return nil }
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT event.json, event.kind = 'commented' AND event.id IS NOT NULL, comment.json
          FROM event LEFT JOIN comment ON event.kind = 'commented'
            AND comment.repository = event.repository AND comment.id = event.id
          WHERE event.repository = ? AND event.number = ? ORDER BY event.position
          """, arguments: [repository.id, number])
      return try KeptTimeline(
        of: number, isCurrent: isCurrent,
        rows.map { (try $0.value(0), try $0.value(1), try $0.value(2)) })
    }
  }

  package func outdatedTimelines(
    of repository: MirroredRepository, includingCurrent includesCurrent: Bool
  ) async throws(MirrorFailure) -> [OutdatedTimeline] {
    try await reading { db in
      // Reads only the indexed columns of items, because texts keep the rows far apart in the file.
      try Row.fetchAll(
        db,
        sql: """
          SELECT item.number, item.updated_at FROM item INDEXED BY item_summary
            LEFT JOIN timeline
              ON timeline.repository = item.repository AND timeline.number = item.number
          WHERE item.repository = ? AND item.is_pull_request = 0
            AND (? OR timeline.covers IS NULL OR timeline.covers < item.updated_at)
          ORDER BY item.updated_at DESC, item.number DESC
          """, arguments: [repository.id, includesCurrent]
      ).map { OutdatedTimeline(number: try $0.value(0), updatedAt: try $0.value(1)) }
    }
  }

  @discardableResult
  package func store(
    _ timeline: IssueTimeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool {
    try await writing { db in
      _ = try Self.current(repository, db)
      let place: StatementArguments = [repository.id, timeline.number]
      let isHere = try Bool.fetchOne(
        db.cachedStatement(
          sql: "SELECT EXISTS (SELECT 1 FROM item WHERE repository = ? AND number = ?)"),
        arguments: place)
      guard isHere == true else { return false }
      let asked = try Int64.fetchOne(
        db.cachedStatement(sql: "SELECT asked FROM timeline WHERE repository = ? AND number = ?"),
        arguments: place)
      guard asked ?? 0 <= timeline.asked.place else { return false }
      try db.cachedStatement(
        sql: """
          INSERT OR REPLACE INTO timeline (repository, number, covers, asked) VALUES (?, ?, ?, ?)
          """
      ).execute(arguments: place + [timeline.covers, timeline.asked.place])
      let old = try Data.fetchAll(
        db.cachedStatement(
          sql: "SELECT json FROM event WHERE repository = ? AND number = ? ORDER BY position"),
        arguments: place)
      guard old != timeline.events.map(\.json) else { return asked == nil }
      try Self.replaceEvents(timeline, of: repository, db)
      return true
    }
  }

  private static func replaceEvents(
    _ timeline: IssueTimeline, of repository: MirroredRepository, _ db: Database
  ) throws {
    try db.cachedStatement(sql: "DELETE FROM event WHERE repository = ? AND number = ?")
      .execute(arguments: [repository.id, timeline.number])
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO event (
          repository, number, position, kind, id, actor, is_by_bot, association, created_at, json)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
    for (position, event) in timeline.events.enumerated() {
      try insert.execute(
        arguments: [
          repository.id, timeline.number, position, event.kind, event.id, event.actor,
          event.isByBot, event.association, event.createdAt, event.json,
        ])
    }
  }

  package func note(
    _ state: TimelinesState, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing { db in
      let (complete, missing) =
        switch state {
        case .complete: (":now", "NULL")
        case .missing: ("timelines_checked_at", ":now")
        }
      try db.execute(
        sql: """
          UPDATE repository SET timelines_checked_at = \(complete), timelines_missing_at = \(missing)
          WHERE key = :key
          """, arguments: ["now": checked.seconds, "key": repository.id])
      return try Self.current(repository, db)
    }
  }
}
