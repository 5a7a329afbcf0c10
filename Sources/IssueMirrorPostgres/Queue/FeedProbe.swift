internal import IssueMirror

/// Whether an organisation's list of changed issues has what the lists of its repositories have.
///
/// For which tokens it does isn't documented. So syncs compare: what is new in a repository must be in the
/// organisation's list already, where that has been read beyond it. Once twenty were in a row, repositories are left to
/// the list. From the first that wasn't they are not, until there are twenty again, and the repository that had it waits
/// until the list has something of its own.
package struct FeedProbe: Sendable {
  static let newsNeeded = 20
  /// In seconds. A change may be in the organisation's list a little later.
  private static let delay = 60

  /// The repository's key in the mirror.
  let repository: Int64
  /// The time between two syncs of a repository that is left to the list.
  let listedInterval: Duration
  /// The longest of one that isn't.
  let longestInterval: Duration

  /// What a sync has shown.
  struct Finding {
    /// The repository's newest change.
    var newest: Int?
    /// Whether the list lacked something of the repository, and has had nothing of it since.
    var isUnlisted = false
    /// Whether it is left to the list.
    var isListed = false
    /// Whether the list lacks what this sync has found.
    var isLacking = false
  }

  /// Nil if nobody asks for the organisation's list.
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
    let (isAlive, known): (Bool?, Int?) = (try row.value(3), try row.value(4))
    let listedTo: Int? = try row.value(5)
    var finding = Finding(newest: try row.value(7), isUnlisted: try row.value(6))
    // What the list has said of it since, even if that was before the first sync's end.
    if let newest = finding.newest, let known, let readTo, let readFrom,
      newest > max(known, readFrom)
    {
      if let listedTo, listedTo >= newest {
        finding.isUnlisted = false
        if confirmed < Self.newsNeeded { confirmed += try Self.confirm(claim, db) }
      } else if newest + Self.delay <= readTo {
        (finding.isUnlisted, finding.isLacking) = (true, true)
        confirmed = 0
        try Self.startAnew(claim, db)
      }
    }
    finding.isListed =
      isAlive == true && confirmed >= Self.newsNeeded && !finding.isUnlisted
    return finding
  }

  /// Brings forward what was left to the list, each at its own time, so that not all of it is due at once.
  func recall(_ claim: RepositoryClaim, _ db: PostgresSession) throws {
    try Self.recall(
      from: claim.host, owner: claim.owner, within: longestInterval, db)
  }

  static func recall(
    from host: String, owner: String, within longest: Duration, _ db: PostgresSession
  ) throws {
    let milliseconds = longest.milliseconds
    _ = try db.rows(
      """
      UPDATE queue SET due_at = now() + random() * \(milliseconds) * interval '1 millisecond'
      WHERE host = \(host) AND split_part(name_key, '/', 1) = \(owner) AND failures = 0
        AND due_at > now() + \(milliseconds) * interval '1 millisecond'
      """)
  }

  private static func confirm(_ claim: RepositoryClaim, _ db: PostgresSession) throws -> Int {
    try db.rows(
      """
      UPDATE feed SET news_confirmed = news_confirmed + 1
      WHERE host = \(claim.host) AND owner_key = \(claim.owner)
      """
    ).changes
  }

  private static func startAnew(_ claim: RepositoryClaim, _ db: PostgresSession) throws {
    _ = try db.rows(
      """
      UPDATE feed SET news_confirmed = 0
      WHERE host = \(claim.host) AND owner_key = \(claim.owner)
      """)
  }
}
