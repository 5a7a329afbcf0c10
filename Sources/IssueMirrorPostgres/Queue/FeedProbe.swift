internal import IssueMirror

/// Checks whether an organization's list of changed issues is as complete as the lists of its repositories.
///
/// GitHub doesn't document which tokens receive a complete list. So syncs compare the two: a change in a repository must
/// be in the organization's list if the list was read at least a minute after the change. After twenty such changes in a
/// row, repositories rely on the list. After a missing change, none relies on it until twenty more changes in a row have
/// been found. The repository with the missing change doesn't rely on the list again until one of its changes appears
/// there.
package struct FeedProbe: Sendable {
  static let newsNeeded = 20
  /// The time in seconds by which a change may appear later in the organization's list.
  private static let delay = 60

  /// The repository's key in the mirror.
  let repository: Int64
  /// The time between two syncs of a repository that relies on the list.
  let listedInterval: Duration
  /// The longest time between two syncs of a repository that doesn't rely on the list.
  let longestInterval: Duration

  /// The findings of a sync.
  struct Finding {
    /// The repository's newest change.
    var newest: Int?
    /// Whether a change of the repository was missing from the list, and no later change has appeared there.
    var isUnlisted: Bool
    /// Whether the repository relies on the list.
    var isListed = false
    /// Whether a change found by this sync is missing from the list.
    var isLacking = false
  }

  /// Nil if no worker requests the organization's list.
  func finding(of claim: RepositoryClaim, _ db: PostgresSession) throws -> Finding? {
    let row = try db.first(
      """
      SELECT feed.since, feed.listed_from, feed.news_confirmed,
        feed.failure IS NULL AND feed.asked_at > now() - interval '10 minutes',
        queue.newest_change, queue.listed_to, queue.is_unlisted,
        (SELECT max(updated_at) FROM item WHERE repository = \(repository))
      FROM queue JOIN feed ON feed.host = queue.host
        AND feed.owner_key = split_part(queue.name_key, '/', 1)
      WHERE queue.host = \(claim.host) AND queue.name_key = \(claim.nameKey)
        AND queue.lease = \(claim.lease)
      """)
    guard let row else { return nil }
    let (readTo, readFrom): (Int?, Int?) = (try row.value(0), try row.value(1))
    var confirmed: Int = try row.value(2)
    let (isAlive, known, listedTo): (Bool?, Int?, Int?) = (
      try row.value(3), try row.value(4), try row.value(5)
    )
    var finding = Finding(newest: try row.value(7), isUnlisted: try row.value(6))
    if let newest = finding.newest, let known, let readTo, let readFrom,
      newest > max(known, readFrom)
    {
      if let listedTo, listedTo >= newest {
        finding.isUnlisted = false
        if confirmed < Self.newsNeeded {
          try Self.setConfirmed("news_confirmed + 1", claim, db)
          confirmed += 1
        }
      } else if newest + Self.delay <= readTo {
        (finding.isUnlisted, finding.isLacking) = (true, true)
        try Self.setConfirmed("0", claim, db)
        confirmed = 0
      }
    }
    finding.isListed =
      isAlive == true && confirmed >= Self.newsNeeded && !finding.isUnlisted
    return finding
  }

  private static func setConfirmed(
    _ count: PostgresSQL, _ claim: RepositoryClaim, _ db: PostgresSession
  ) throws {
    try db.rows(
      """
      UPDATE feed SET news_confirmed = \(count)
      WHERE host = \(claim.host) AND owner_key = \(claim.owner)
      """)
  }

  /// Makes repositories that relied on a list due earlier, each at a different time, so that they aren't all due at the
  /// same time.
  static func recall(
    from host: String, owner: String, within longest: Duration, _ db: PostgresSession
  ) throws {
    let milliseconds = longest.milliseconds
    try db.rows(
      """
      UPDATE queue SET due_at = now() + random() * \(milliseconds) * interval '1 millisecond'
      WHERE host = \(host) AND split_part(name_key, '/', 1) = \(owner) AND failures = 0
        AND due_at > now() + \(milliseconds) * interval '1 millisecond'
      """)
  }
}
