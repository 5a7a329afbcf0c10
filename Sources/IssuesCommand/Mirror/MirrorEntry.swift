internal import IssueMirror
internal import StyledText

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A repository in the list of what is mirrored.
struct MirrorEntry: ListItem {
  /// A field of the entry, by its name in JSON.
  enum Field: String, CodingKey, CaseIterable, Sendable {
    /// `owner/name`.
    case fullName = "full_name"
    /// The host of its server.
    case host
    /// Its id on its server, which tells two of the same name apart.
    case id
    /// How many issues are open.
    case open
    /// How many issues there are, open and closed.
    case issues
    /// How many pull requests there are, open and closed.
    case pullRequests = "pull_requests"
    /// How many comments are kept.
    case comments
    /// How many issues are known to have been deleted or transferred.
    case removed
    /// When the last sync was done; null before the first is completed.
    case syncedAt = "synced_at"
    /// When issues that were deleted or transferred were last looked for; null for never.
    case verifiedAt = "verified_at"
    /// What couldn't be read, and isn't kept for that: the numbers, and why.
    case setAside = "set_aside"
  }

  let repository: MirroredRepository
  let counts: MirrorCounts
  /// What couldn't be read.
  var setAside: [SetAsideEntry] = []
  /// Whether another repository has its name by now.
  var isReplaced = false

  private var issues: Int { counts.open + counts.closed }

  /// When the last sync was done, of what is complete.
  private var syncedAt: Date? { repository.isComplete ? repository.checkedAt : nil }

  static var columns: [Column] {
    [
      Column(title: "REPOSITORY", sizing: .flexible(minimum: 20)),
      Column(title: "OPEN", alignment: .trailing),
      Column(title: "ISSUES", alignment: .trailing),
      Column(title: "PULLS", alignment: .trailing, dropOrder: 1),
      Column(title: "COMMENTS", alignment: .trailing, dropOrder: 0),
      Column(title: "AGE", sizing: .limited(percent: 40), dropOrder: 2),
    ]
  }

  func tableCells(now: Date) -> [StyledLine] {
    [
      StyledLine(repository.typedName, style: .heading),
      StyledLine("\(counts.open)"),
      StyledLine("\(issues)"),
      StyledLine("\(counts.pullRequests)"),
      StyledLine(counts.comments == 0 ? "" : "\(counts.comments)"),
      StyledLine((isReplaced ? "replaced, " : "") + repository.age(now: now), style: .faint),
    ]
  }

  func plainCells() -> [StyledLine] {
    [
      StyledLine(repository.typedName, style: .heading), StyledLine("\(counts.open)"),
      StyledLine("\(issues)"),
      StyledLine("\(counts.pullRequests)"), StyledLine("\(counts.comments)"),
      StyledLine(syncedAt.map(Timestamp.string(from:)) ?? "", style: .faint),
    ]
  }

  func object() throws -> JSONObject { try JSONObject(encoding: Whole(entry: self)) }

  /// What couldn't be read, as JSON has it.
  private struct Unreadable: Encodable {
    let number: Int
    let comment: Int64?
    let reason: String

    init(_ entry: SetAsideEntry) {
      (number, comment, reason) = (entry.number, entry.commentID, entry.reason)
    }
  }

  /// All fields of the entry, with null for what isn't known.
  private struct Whole: Encodable {
    let entry: MirrorEntry

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Field.self)
      for field in Field.allCases {
        switch field {
        case .fullName: try container.encode(entry.repository.fullName, forKey: field)
        case .host: try container.encode(entry.repository.host, forKey: field)
        case .id: try container.encode(entry.repository.serverID, forKey: field)
        case .open: try container.encode(entry.counts.open, forKey: field)
        case .issues: try container.encode(entry.issues, forKey: field)
        case .pullRequests: try container.encode(entry.counts.pullRequests, forKey: field)
        case .comments: try container.encode(entry.counts.comments, forKey: field)
        case .removed: try container.encode(entry.counts.tombstones, forKey: field)
        case .syncedAt:
          try container.encode(entry.syncedAt.map(Timestamp.string(from:)), forKey: field)
        case .verifiedAt:
          let date = entry.repository.verifiedAt
          try container.encode(date.map(Timestamp.string(from:)), forKey: field)
        case .setAside:
          try container.encode(entry.setAside.map(Unreadable.init), forKey: field)
        }
      }
    }
  }
}
