import CurlTransport
import GRDB
import GitHubAPI
import HTTPTargets
import IssueTracker

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Compares a mirror of one repository with its server.
///
/// It reads the file, not the mirror's interface, and doesn't parse pages: the kept entries, put together again, must
/// be the page.
struct Comparison {
  private let database: DatabaseQueue
  private let provider: Provider<GitHub>

  init(file: String, apiURL: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    database = try DatabaseQueue(path: file, configuration: configuration)
    var gitHub = GitHub.Configuration(
      server: try GitHubServer(apiURL: apiURL),
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
    gitHub.rateLimits = nil
    provider = Provider.gitHub(gitHub)
  }

  /// Compares every page.
  ///
  /// - Parameter repository: `OWNER/REPO` on the server.
  /// - Returns: The number of items.
  /// - Throws: An error at the first page that differs.
  func run(_ repository: String) async throws -> Int {
    var filter = IssueFilter(state: .all)
    filter.direction = .ascending
    var next: GitHub? = .issues(
      repositoryFullName: repository, filter: filter, pageSize: 100)
    var count = 0
    while let target = next {
      let response = try await provider.request(target)
      let kept = try items(100, after: count)
      let page = Data("[".utf8) + Data(kept.joined(separator: Data(",".utf8))) + Data("]".utf8)
      guard page == response.body else {
        throw MirrorMeasure.Failure(
          description: "items \(count + 1) to \(count + 100) differ from the server's")
      }
      count += kept.count
      next = try PageLink.next(in: response.headers, of: response.request.url).map { .page($0) }
    }
    guard try items(1, after: count).isEmpty else {
      throw MirrorMeasure.Failure(description: "the mirror has more than the server's \(count)")
    }
    return count
  }

  private func items(_ limit: Int, after offset: Int) throws -> [Data] {
    try database.read { database in
      // Numbers from 1 without a gap.
      try Data.fetchAll(
        database, sql: "SELECT json FROM item WHERE number > ? ORDER BY number LIMIT ?",
        arguments: [offset, limit])
    }
  }
}
