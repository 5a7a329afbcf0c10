internal import ArgumentParser
internal import IssueMirror
internal import PlatformModules
internal import StyledText

struct MirrorListCommand: JSONCommand, DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the repositories that are mirrored.",
    usage: "issues mirror list [<options>]",
    discussion: """
      On a terminal, the list is a table. In a pipe, each repository is a line of tab-separated \
      values: its name, the numbers of open issues, all issues, pull requests and comments, and \
      the time of the last sync, which is empty until the first sync is complete; then the names \
      on the list of 'issues mirror add' that stand for it.

      EXAMPLES:
        issues mirror list
        issues mirror list --json full_name,synced_at,reasons
      """)

  @OptionGroup(title: "Mirror") var database: DatabaseOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  static var jsonFields: JSONFields.Known { .all(of: MirrorEntry.Field.self) }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    var writer = try ListWriter<MirrorEntry>(session, fields: fields)
    var entries: [MirrorEntry] = []
    var size: Int? = 0
    var sources: [MirrorSource] = []
    do throws(CommandFailure) {
      sources = try session.mirrorSources()
    } catch {
      session.errors.write("\(error.message)\nThe reasons are left out.")
    }
    let reasons = MirrorReasons(of: sources, environment: session.environment)
    if let mirror = try await session.existingMirror() {
      for repository in try await mirror.repositories() {
        var entry = MirrorEntry(
          repository: repository, counts: try await mirror.counts(of: repository))
        if let name = RepositoryName(repository.fullName),
          let server = try? GitHubServer(host: repository.host),
          let present = try await mirror.repository(named: name, on: server)
        {
          entry.isReplaced = present.id != repository.id
        }
        entry.setAside = try await mirror.setAside(of: repository)
        entry.reasons = reasons.of(repository)
        entries.append(entry)
      }
      size = (mirror as? Mirror)?.size()
    }
    let noun = entries.count == 1 ? "repository" : "repositories"
    let place = size.map { ", \(ByteCount.text($0))" } ?? " \(session.mirrorPlace)"
    try await writer.write(entries, heading: "Mirror of \(entries.count) \(noun)\(place)")
    try await writer.finish()
    for entry in entries where writer.isTable {
      for item in entry.setAside {
        session.errors.write(
          "\(entry.repository.typedName) lacks \(item.name), which can't be read: \(item.reason)")
      }
    }
    let waiting = sources.filter { source in !entries.contains { $0.reasons.contains(source) } }
    if !waiting.isEmpty, writer.isTable {
      session.errors.write(
        "On the list, but not mirrored: \(waiting.map(\.word).joined(separator: ", ")). "
          + "'issues sync --all' mirrors them.")
    } else if entries.isEmpty, writer.isTable {
      session.errors.write("Nothing is mirrored yet. Start with 'issues sync OWNER/REPO'.")
    }
  }
}

/// A repository in the list of mirrors.
struct MirrorEntry: ListItem {
  enum Field: String, CaseIterable, Sendable {
    case fullName = "full_name"
    case host
    /// The ID, which distinguishes two repositories with the same name.
    case id
    case open
    case issues
    case pullRequests = "pull_requests"
    case comments
    /// Whether the repository is known to have been deleted or transferred.
    case removed
    /// The time of the last sync; null before the first sync is completed.
    case syncedAt = "synced_at"
    /// The time of the last search for deleted and transferred issues; null for never.
    case verifiedAt = "verified_at"
    /// The time of the last sync of all timelines; null for never.
    case timelinesSyncedAt = "timelines_synced_at"
    /// The number of items that couldn't be read, and aren't stored.
    case setAside = "set_aside"
    /// The entries on the list of mirrors that include the repository.
    case reasons
  }

  let repository: MirroredRepository
  let counts: MirrorCounts
  var setAside: [SetAsideEntry] = []
  var reasons: [MirrorSource] = []
  var isReplaced = false

  private var issues: Int { counts.open + counts.closed }

  private var syncedAt: Date? { repository.isComplete ? repository.checkedAt : nil }

  static let columns: [ItemColumn<MirrorEntry>] = [
    .init("REPOSITORY", .flexible(minimum: 20)) { entry, _ in
      StyledLine(entry.repository.typedName, style: .heading)
    },
    .init("OPEN", alignment: .trailing) { entry, _ in StyledLine("\(entry.counts.open)") },
    .init("ISSUES", alignment: .trailing) { entry, _ in StyledLine("\(entry.issues)") },
    .init("PULLS", alignment: .trailing, dropOrder: 1) { entry, _ in
      StyledLine("\(entry.counts.pullRequests)")
    },
    .init("COMMENTS", alignment: .trailing, dropOrder: 0) { entry, now in
      StyledLine(now != nil && entry.counts.comments == 0 ? "" : "\(entry.counts.comments)")
    },
    .init("AGE", .limited(percent: 40), dropOrder: 3) { entry, now in
      let time = entry.syncedAt.map(Timestamp.string(from:)) ?? ""
      let age = now.map { (entry.isReplaced ? "replaced, " : "") + entry.repository.age(now: $0) }
      return StyledLine(age ?? time, style: .faint)
    },
    .init("BY", .limited(percent: 30), dropOrder: 2) { entry, _ in
      StyledLine(entry.reasons.map(\.word).joined(separator: " "), style: .faint)
    },
  ]

  func object() throws -> JSONObject {
    try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .fullName: repository.fullName
        case .host: repository.host
        case .id: repository.serverID
        case .open: counts.open
        case .issues: issues
        case .pullRequests: counts.pullRequests
        case .comments: counts.comments
        case .removed: counts.tombstones
        case .syncedAt: syncedAt.map(Timestamp.string(from:))
        case .verifiedAt: repository.verifiedAt.map(Timestamp.string(from:))
        case .timelinesSyncedAt: repository.timelinesCheckedAt.map(Timestamp.string(from:))
        case .setAside:
          setAside.map { entry -> EncodedObject in
            ["number": entry.number, "comment": entry.commentID, "reason": entry.reason]
          }
        case .reasons: reasons.map(\.word)
        }
      })
  }
}
