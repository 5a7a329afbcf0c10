public import IssueMirror
package import PlatformModules

extension PostgresMirror {
  /// The events of an issue, oldest first; empty if timelines aren't synced. Comments have their text if comments are
  /// synced.
  public func timeline(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> [TimelineEvent] {
    try await sentTimeline(of: number, in: repository)?.events.map(\.entity) ?? []
  }

  package func sentTimeline(
    of number: Int, in repository: MirroredRepository
  ) async throws(MirrorFailure) -> KeptTimeline? {
    try await reading { db in
      let isCurrent: Bool? = try db.first(
        """
        SELECT covers >= updated_at FROM timeline JOIN item USING (repository, number)
        WHERE repository = \(repository.id) AND number = \(number)
        """)?.value(0)
      guard let isCurrent else { return nil }
      let rows = try db.rows(
        """
        SELECT event.json, event.kind = 'commented' AND event.id IS NOT NULL, comment.json
        FROM event LEFT JOIN comment ON event.kind = 'commented'
          AND comment.repository = event.repository AND comment.id = event.id
        WHERE event.repository = \(repository.id) AND event.number = \(number)
        ORDER BY event.position
        """)
      return try KeptTimeline(
        of: number, isCurrent: isCurrent,
        rows.map { (try $0.value(0), try $0.value(1), try $0.value(2)) })
    }
  }

  package func outdatedTimelines(
    of repository: MirroredRepository, includingCurrent includesCurrent: Bool
  ) async throws(MirrorFailure) -> [OutdatedTimeline] {
    try await reading { db in
      try db.rows(
        """
        SELECT item.number, item.updated_at FROM item LEFT JOIN timeline USING (repository, number)
        WHERE item.repository = \(repository.id) AND NOT item.is_pull_request
          AND (\(includesCurrent) OR timeline.covers IS NULL OR timeline.covers < item.updated_at)
        ORDER BY item.updated_at DESC, item.number DESC
        """
      ).map { OutdatedTimeline(number: try $0.value(0), updatedAt: try $0.value(1)) }
    }
  }

  @discardableResult
  package func store(
    _ timeline: IssueTimeline, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> Bool {
    try await writing(to: repository) { db in
      let place: PostgresSQL = "repository = \(repository.id) AND number = \(timeline.number)"
      guard try db.first("SELECT true FROM item WHERE \(place)") != nil else { return false }
      let asked: Int64? = try db.first("SELECT asked FROM timeline WHERE \(place)")?.value(0)
      guard asked ?? 0 <= timeline.asked.place else { return false }
      try db.rows(
        """
        INSERT INTO timeline (repository, number, covers, asked)
        VALUES (
          \(repository.id), \(timeline.number), \(timeline.covers), \(timeline.asked.place))
        ON CONFLICT (repository, number) DO UPDATE SET
          covers = excluded.covers, asked = excluded.asked
        """)
      let old: [Data] = try db.column("SELECT json FROM event WHERE \(place) ORDER BY position")
      let events = timeline.events
      guard old != events.map(\.json) else { return asked == nil }
      try db.rows("DELETE FROM event WHERE \(place)")
      try db.rows(
        """
        INSERT INTO event (
          repository, number, position, kind, id, actor, is_by_bot, association, created_at, json)
        SELECT \(repository.id), \(timeline.number), u.*
        FROM unnest(\(.integers(Array(events.indices))), \(.texts(events.map(\.kind))),
          \(.integers(events.map(\.id))), \(.texts(events.map(\.actor))),
          \(.booleans(events.map(\.isByBot))), \(.texts(events.map(\.association))),
          \(.integers(events.map(\.createdAt))), \(.blobs(events.map(\.json)))) AS u
        """)
      return true
    }
  }

  package func note(
    _ state: TimelinesState, of repository: MirroredRepository, at checked: Date
  ) async throws(MirrorFailure) -> MirroredRepository {
    try await writing(to: repository) { db in
      let change: PostgresSQL =
        switch state {
        case .complete:
          "timelines_checked_at = \(checked.seconds), timelines_missing_at = NULL"
        case .missing: "timelines_missing_at = \(checked.seconds)"
        }
      try db.rows("UPDATE repository SET \(change) WHERE key = \(repository.id)")
      return try Self.current(repository, db)
    }
  }
}
