import GitHubAPI
import HTTPTargets
import IssueMirror
import PlatformModules
import TestSupport

@testable import IssueBrowser

/// A mirror in its own folder.
struct MirrorFixture: Sendable {
  /// When it was filled.
  static let syncedAt = BrowserWorld.start.addingTimeInterval(-3 * 3_600)

  let mirror: Mirror
  private let folder: ScratchFolder
  /// Whether comments are kept.
  var hasComments = false
  /// Whether the first sync of the comments is done.
  var hasAllComments = true
  /// Whether the first sync is done.
  var isComplete = true

  init() throws {
    folder = try ScratchFolder()
    mirror = try Mirror(path: folder["mirror.db"])
  }

  /// Fills it with a server's `swiftlang/swift`.
  func fill(from connection: BrowserConnection) async throws {
    let name = "swiftlang/swift"
    let response = try await connection.provider.request(.repo(fullName: name))
    let repository = try await mirror.record(
      response.decode(using: GitHubJSON.decoder()), json: response.body,
      on: connection.server.host, at: Self.syncedAt)
    let everything = IssueFilter(state: .all, sort: .updated, direction: .ascending)
    try await store(
      .issues(repositoryFullName: name, filter: everything, pageSize: 100), .items, of: repository,
      from: connection)
    if hasComments {
      try await store(
        .repositoryComments(repositoryFullName: name, pageSize: 100), .comments, of: repository,
        from: connection)
    }
    guard isComplete else { return }
    for feed in ChangeFeed.allCases where feed == .items || hasComments && hasAllComments {
      try await mirror.finish(
        feed, of: repository, syncedTo: Int(Self.syncedAt.timeIntervalSince1970),
        entityTag: nil, at: Self.syncedAt)
    }
  }

  private func store(
    _ first: GitHub, _ feed: ChangeFeed, of repository: MirroredRepository,
    from connection: BrowserConnection
  ) async throws {
    var target: GitHub? = first
    while let page = target {
      let response = try await connection.provider.request(page)
      try await mirror.store(
        FeedPage(response.body, of: feed), of: repository, sweep: nil, at: Self.syncedAt)
      target = try PageLink.next(in: response.headers, of: response.request.url).map { .page($0) }
    }
  }
}
