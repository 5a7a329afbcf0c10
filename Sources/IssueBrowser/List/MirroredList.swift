package import IssueMirror
internal import IssueTracker
internal import PlatformModules

/// A list in the mirror: of one repository, or found in several.
package enum MirroredList: Sendable, Hashable {
  case repository(MirrorListing)
  case found(SearchListing)

  package var repositories: [MirroredRepository] {
    switch self {
    case .repository(let listing): [listing.repository]
    case .found(let listing): listing.repositories
    }
  }

  package var count: Int {
    switch self {
    case .repository(let listing): listing.numbers.count
    case .found(let listing): listing.hits.count
    }
  }

  /// False if only the newest matches were ranked.
  package var isExhaustive: Bool {
    switch self {
    case .repository(let listing): listing.isExhaustive
    case .found(let listing): listing.isExhaustive
    }
  }

  /// Whether every repository's first sync is complete.
  package var isComplete: Bool { repositories.allSatisfy(\.isComplete) }

  /// Whether the mirror has the comments of every repository.
  var hasComments: Bool { repositories.allSatisfy { $0.commentsSyncedTo != nil } }

  /// The time of the oldest repository's last sync; nil if one of them is unknown.
  func checkedAt(withComments: Bool) -> Date? {
    let times = repositories.map { $0.checkedAt(withComments: withComments) }
    return times.contains(nil) ? nil : times.compactMap(\.self).min()
  }

  func issues(
    _ rows: Range<Int>, from mirror: any IssueReader
  ) async throws(MirrorFailure) -> [GitHub.Issue] {
    switch self {
    case .repository(let listing): try await mirror.issues(rows, of: listing)
    case .found(let listing): try await mirror.results(rows, of: listing).map(\.issue)
    }
  }
}
