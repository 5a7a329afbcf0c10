import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport

/// A mirror in a folder of its own, with a repository in it.
struct TestMirror {
  let folder: ScratchFolder
  let mirror: Mirror
  var repository: MirroredRepository

  /// When things happen where it doesn't matter.
  static let now = Date(timeIntervalSince1970: 1_790_000_000)

  init(id: Int64 = 1, name: String = "swiftlang/swift") async throws {
    folder = try ScratchFolder()
    mirror = try Mirror(path: folder["mirror.db"])
    repository = try await Self.record(id: id, name: name, in: mirror)
  }

  static func record(
    id: Int64, name: String, openCount: Int? = nil, in mirror: Mirror, at seen: Date = now
  ) async throws -> MirroredRepository {
    let repository = GitHub.Repository(id: id, fullName: name, openIssuesCount: openCount)
    return try await mirror.record(
      repository, json: try GitHubJSON.encoder().encode(repository), on: "github.com", at: seen)
  }

  /// Another connection to the same file, as another process has it.
  func another() throws -> Mirror { try Mirror(path: mirror.path) }

  static func page(_ issues: [GitHub.Issue]) throws -> FeedPage {
    try FeedPage(GitHubJSON.encoder().encode(issues), of: .items)
  }

  static func comments(_ comments: [(number: Int, comment: IssueComment)]) throws -> FeedPage {
    let objects = try comments.map { number, comment in
      let json = String(decoding: try GitHubJSON.encoder().encode(comment), as: UTF8.self)
      return
        #"{"issue_url":"https://api.github.com/repos/a/b/issues/\#(number)",\#(json.dropFirst())"#
    }
    return try FeedPage(Data("[\(objects.joined(separator: ","))]".utf8), of: .comments)
  }

  @discardableResult
  func store(
    _ issues: [GitHub.Issue], sweep: Sweep? = nil, at seen: Date = now
  ) async throws -> SyncReport.Counts {
    try await mirror.store(Self.page(issues), of: repository, sweep: sweep, at: seen).counts
  }

  @discardableResult
  func store(
    _ comments: [(number: Int, comment: IssueComment)]
  ) async throws -> SyncReport.Counts {
    try await mirror.store(Self.comments(comments), of: repository, sweep: nil, at: Self.now).counts
  }

  /// All numbers that are kept, in order.
  func numbers() async throws -> [Int] {
    try await mirror.issues(
      of: repository, filter: IssueFilter(state: .all, direction: .ascending),
      includesPullRequests: true
    ).map(\.number).sorted()
  }
}

extension GitHub.Issue {
  /// An issue with a number, changed at a time.
  static func numbered(
    _ number: Int, _ title: String = "Title", updated: Int = 1_700_000_000
  ) -> GitHub.Issue {
    GitHub.Issue(
      id: Int64(number) + 4_300_000_000, number: number, title: title,
      user: GitHub.User(login: "octocat", serverID: 1),
      createdAt: Date(timeIntervalSince1970: 1_600_000_000),
      updatedAt: Date(timeIntervalSince1970: Double(updated)))
  }
}

extension IssueStore {
  /// The sweep that is under way.
  func sweep(_ feed: ChangeFeed, of repository: MirroredRepository) async throws -> Sweep? {
    try await state(of: repository)?.sweeps[feed]
  }

  /// Tickets, the earliest first.
  func tickets(_ count: Int, of repository: MirroredRepository) async throws -> [StoreTicket] {
    var tickets: [StoreTicket] = []
    for _ in 0..<count { tickets.append(try await ticket(of: repository)) }
    return tickets
  }

  /// Buries an item that was asked for just now.
  @discardableResult
  func bury(
    _ number: Int, _ fate: Tombstone.Fate, of repository: MirroredRepository, at found: Date
  ) async throws -> Bool {
    try await bury(
      number, fate, of: repository, at: found, asked: ticket(of: repository))
  }

  /// The entity tag for a conditional request of a feed's end.
  func entityTag(of feed: ChangeFeed, of repository: MirroredRepository) async throws -> String? {
    try await state(of: repository)?.entityTags[feed]
  }
}
