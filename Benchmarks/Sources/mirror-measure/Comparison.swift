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

/// A mirror of one repository beside its server.
///
/// It reads the file and not the mirror's own interface, and takes no page apart: what the mirror keeps, put
/// together again, has to be the page.
struct Comparison {
  private let database: DatabaseQueue
  private let provider: Provider<GitHub>

  init(file: String, apiURL: String) throws {
    var configuration = Configuration()
    configuration.readonly = true
    database = try DatabaseQueue(path: file, configuration: configuration)
    provider = Provider<GitHub>(
      server: try GitHubServer(apiURL: apiURL), rateLimits: nil,
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
  }

  /// Compares everything.
  ///
  /// - Parameter repository: `OWNER/REPO` on the server.
  /// - Returns: How many items there are.
  /// - Throws: At the first page that is another.
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
          description: "items \(count + 1) to \(count + 100) aren't what the server has")
      }
      count += kept.count
      next = try PageLink(nextIn: response.headers, of: response.request.url).map { .page($0) }
    }
    guard try items(1, after: count).isEmpty else {
      throw MirrorMeasure.Failure(description: "there are more than the \(count) of the server")
    }
    return count
  }

  private func items(_ limit: Int, after offset: Int) throws -> [Data] {
    try database.read { database in
      // Numbered without a gap, from 1.
      try Data.fetchAll(
        database, sql: "SELECT json FROM item WHERE number > ? ORDER BY number LIMIT ?",
        arguments: [offset, limit])
    }
  }
}
