internal import GRDB
package import GitHubAPI

#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What lists show, without decoding what the server sent.
extension Mirror {
  /// Goes through the issues that a filter lists, one at a time, with what a list shows of each: number, title, state
  /// and its reason, labels' names and colours, page, time of the last change in whole seconds, and whether it is a
  /// pull request, a draft or merged. The rest isn't read.
  ///
  /// - Parameters:
  ///   - repository: Whose issues.
  ///   - filter: Which of them, and in which order.
  ///   - limit: How many at most; nil: all.
  ///   - includesPullRequests: Whether pull requests are among them.
  ///   - withAssignees: Whether the assignees' logins are read too.
  ///   - body: Is given each; it runs on a thread that may wait.
  /// - Throws: What `body` throws; ``MirrorFailure``, also where it throws `CancellationError`.
  package func forEachListed(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int? = nil,
    includesPullRequests: Bool, withAssignees: Bool,
    _ body: @escaping @Sendable (Issue) throws -> Void
  ) async throws {
    try await readingThrough { db in
      var reader = try ListedIssueReader(db, withAssignees: withAssignees)
      let keys = try Self.keys(
        of: repository, filter, limit: limit, includesPullRequests: includesPullRequests, db)
      for key in keys {
        if let issue = try reader.issue(key) { try body(issue) }
      }
    }
  }

  /// Goes through the documents of the issues that a filter lists, one at a time, as the server sent them.
  ///
  /// - Parameters:
  ///   - repository: Whose issues.
  ///   - filter: Which of them, and in which order.
  ///   - limit: How many at most; nil: all.
  ///   - includesPullRequests: Whether pull requests are among them.
  ///   - body: Is given each, an object of JSON; it runs on a thread that may wait.
  /// - Throws: What `body` throws; ``MirrorFailure``, also where it throws `CancellationError`.
  package func forEachDocument(
    of repository: MirroredRepository, filter: IssueFilter, limit: Int? = nil,
    includesPullRequests: Bool, _ body: @escaping @Sendable (Data) throws -> Void
  ) async throws {
    try await readingThrough { db in
      let statement = try BoundStatement(db, sql: "SELECT number, json FROM item WHERE key = ?")
      let keys = try Self.keys(
        of: repository, filter, limit: limit, includesPullRequests: includesPullRequests, db)
      for key in keys {
        try statement.forEachRow(of: key) { row in
          let (number, json) = (try row.integer(0), try row.bytes(1))
          do {
            try Self.checkObject(json)
          } catch {
            throw MirrorFailure(
              .damaged, "What the mirror has of issue \(number) can't be read: \(error)")
          }
          try body(json)
        }
      }
    }
  }

  /// Whether it is the JSON of an object: what a damaged file has may be anything.
  private static func checkObject(_ json: Data) throws {
    try json.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      try reader.beginObject()
      while try reader.nextName() != nil { try reader.skip() }
      try reader.end()
    }
  }
}
