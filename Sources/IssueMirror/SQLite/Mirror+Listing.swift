internal import GRDB
package import GitHubAPI
internal import PlatformModules

extension Mirror {
  package func listing(
    _ selection: MirrorListing.Selection, of repository: MirroredRepository
  ) async throws(MirrorFailure) -> MirrorListing {
    try await reading { [database] db in
      switch selection {
      case .filter(let filter):
        let list = MirrorList(
          repository: repository, filter: filter, includesPullRequests: false)
        return MirrorListing(repository: repository, numbers: try list.numbers(db))
      case .search(let query):
        let searched = try MirroredRepository.named(query.repositories, among: [repository], db)
        if searched.isEmpty { return MirrorListing(repository: repository, numbers: []) }
        let found = try IssueSearch(query, in: [repository.id], pool: database).found(
          limit: .max, db)
        return MirrorListing(
          repository: repository, numbers: found.hits.map { Int($0.number) },
          isExhaustive: found.isExhaustive)
      }
    }
  }

  package func issues(
    _ rows: Range<Int>, of listing: MirrorListing
  ) async throws(MirrorFailure) -> [GitHub.Issue] {
    let numbers = listing.numbers[rows.clamped(to: listing.numbers.indices)]
    return try await reading { db in
      try numbers.compactMap { try Self.issue($0, of: listing.repository, db) }
    }
  }

  package func description(
    of repository: MirroredRepository
  ) async throws(MirrorFailure) -> GitHub.Repository? {
    try await reading { db in
      let json = try Data.fetchOne(
        db, sql: "SELECT json FROM repository WHERE key = ?", arguments: [repository.id])
      return try json.map {
        try GitHubJSON.decodeKept(GitHub.Repository.self, $0, repository.fullName)
      }
    }
  }

  private static func issue(
    _ number: Int, of repository: MirroredRepository, _ db: Database
  ) throws -> GitHub.Issue? {
    let statement = try db.cachedStatement(
      sql: "SELECT json FROM item WHERE repository = ? AND number = ?")
    let json = try Data.fetchOne(statement, arguments: [repository.id, number])
    return try json.map { try GitHubJSON.decodeKept(GitHub.Issue.self, $0, "issue \(number)") }
  }
}
