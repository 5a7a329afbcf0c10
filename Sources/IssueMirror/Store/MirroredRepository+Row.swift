internal import GRDB

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension MirroredRepository {
  /// Reads a row of `repository`.
  init(_ row: Row) {
    self.init(
      id: row["key"], host: row["host"], serverID: row["id"], fullName: row["full_name"],
      syncedTo: Date(seconds: row["synced_to"]),
      commentsSyncedTo: Date(seconds: row["comments_synced_to"]),
      checkedAt: Date(seconds: row["checked_at"]),
      commentsCheckedAt: Date(seconds: row["comments_checked_at"]),
      verifiedAt: Date(seconds: row["verified_at"]))
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
}
