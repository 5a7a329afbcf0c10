internal import GitHubAPI
package import IssueMirror
package import PlatformModules

/// A delivery of a webhook: a hint that a repository has changed, and mostly the present version of an issue or a
/// comment (<https://docs.github.com/en/webhooks/webhook-events-and-payloads>).
package struct WebhookDelivery: Sendable {
  /// The effect of a delivery.
  package enum Outcome: Sendable, Hashable {
    /// It was stored, and the repository is due.
    case stored
    /// The repository is due.
    case noted
    /// The repository isn't in the queue.
    case ignored
  }

  enum Content: Sendable {
    case page(FeedPage)
    case deletedIssue(Int)
    case transferredIssue(Int, to: String)
    case deletedComment(Int64, issue: Int)
  }

  private struct Payload: Decodable {
    struct Entry: Decodable {
      var id: Int64
      var number: Int?
    }
    struct Changes: Decodable {
      struct Repository: Decodable {
        var fullName: String

        private enum CodingKeys: String, CodingKey { case fullName = "full_name" }
      }
      var newIssue: Entry?
      var newRepository: Repository?

      private enum CodingKeys: String, CodingKey {
        case newIssue = "new_issue"
        case newRepository = "new_repository"
      }
    }
    var action: String?
    var issue: Entry?
    var comment: Entry?
    var changes: Changes?
    var repository: GitHub.Repository
  }

  let repository: GitHub.Repository
  let contents: [Content]
  /// Whether such deliveries come with each change of an issue.
  let tellsOfIssues: Bool

  /// Reads a delivery; nil for an event that doesn't concern issues, and for a payload without a repository.
  package init?(event: String, body: Data) {
    guard ["issues", "issue_comment", "label", "milestone", "repository"].contains(event),
      let payload = try? GitHubJSON.decode(Payload.self, from: body)
    else { return nil }
    repository = payload.repository
    tellsOfIssues = event == "issues" || event == "issue_comment"
    var contents: [Content] = []
    switch (event, payload.action) {
    case ("issues", "deleted"):
      if let number = payload.issue?.number { contents = [.deletedIssue(number)] }
    case ("issues", "transferred"):
      if let number = payload.issue?.number, let changes = payload.changes,
        let place = changes.newRepository.flatMap({ RepositoryName($0.fullName) }),
        let newNumber = changes.newIssue?.number
      {
        contents = [.transferredIssue(number, to: "\(place)#\(newNumber)")]
      }
    case ("issue_comment", "deleted"):
      if let comment = payload.comment?.id, let number = payload.issue?.number {
        contents = [.deletedComment(comment, issue: number)]
      }
    case ("issues", _), ("issue_comment", _):
      for (name, feed) in [("issue", .items), ("comment", .comments)]
        as [(StaticString, ChangeFeed)]
      {
        guard let json = Self.member(name, of: body),
          // As old as possible: a list's version of the same second, a deletion, and what was asked for since win.
          var page = try? FeedPage(Data("[".utf8) + json + Data("]".utf8), of: feed)
        else { continue }
        page.note(FeedPage.Asked(ticket: StoreTicket(place: 0)))
        contents.append(.page(page))
      }
    default: break
    }
    self.contents = contents
  }

  /// The bytes of a member of an object. The server's bytes are stored, not another encoding of them.
  private static func member(_ name: StaticString, of body: Data) -> Data? {
    unsafe body.withUnsafeBytes { bytes in
      var reader = unsafe JSONReader(bytes)
      do throws(JSONReader.Problem) {
        try reader.beginObject()
        while let found = try reader.nextName() {
          let start = try reader.start()
          try reader.skip()
          if name ~= found {
            return Data(body[(body.startIndex + start)..<(body.startIndex + reader.position)])
          }
        }
        return nil
      } catch {
        return nil
      }
    }
  }
}

extension PostgresMirror {
  /// Makes the repository of a delivery due, and stores the delivery's content by the rules of a sync. The sync that
  /// follows completes it.
  package func receive(
    _ delivery: WebhookDelivery, from server: GitHubServer, at now: Date = Date()
  ) async throws(MirrorFailure) -> WebhookDelivery.Outcome {
    let (host, id) = (server.host, delivery.repository.id)
    let repository = try await reading { db in
      try db.first(
        """
        SELECT \(MirroredRepository.columns) FROM repository WHERE host = \(host) AND id = \(id)
        """
      ).map { try MirroredRepository($0) }
    }
    // After a renaming, the queue has the old name, which the sync replaces.
    let names = [delivery.repository.fullName, repository?.fullName].compactMap { $0?.lowercased() }
    let tellsOfIssues = delivery.tellsOfIssues
    let isQueued = try await writing { db in
      // Tables of version 6 lack the column, and their owner may add it while this program runs.
      let hasTime =
        try db.first(
          """
          SELECT FROM pg_attribute
          WHERE attrelid = 'queue'::regclass AND attname = 'delivered_at'
          """) != nil
      let delivered: PostgresSQL = tellsOfIssues && hasTime ? "delivered_at = now()," : ""
      return try db.rows(
        """
        UPDATE queue SET has_news = true, \(delivered)
          due_at = CASE WHEN failures = 0 THEN least(due_at, now()) ELSE due_at END
        WHERE host = \(host) AND name_key = ANY (\(names))
        """
      ).changes > 0
    }
    guard isQueued else { return .ignored }
    guard let repository else { return .noted }
    var isStored = false
    for content in delivery.contents {
      switch content {
      case .page(let page):
        // A single comment would look like the complete discussion.
        if page.feed == .comments, repository.commentsSyncedTo == nil { continue }
        try await store(page, of: repository, sweep: nil, at: now)
        if page.feed == .comments { try await recount(page.entries.map(\.number), of: repository) }
      case .deletedIssue(let number):
        _ = try await bury(
          number, .deleted, of: repository, at: now, asked: try await ticket(of: repository))
      case .transferredIssue(let number, let place):
        _ = try await bury(
          number, .transferred(to: place), of: repository, at: now,
          asked: try await ticket(of: repository))
      case .deletedComment(let id, let number):
        try await writing(to: repository) { db in
          for table in ["comment", "comment_text"] {
            try db.rows(
              "DELETE FROM \(sql: table) WHERE repository = \(repository.id) AND id = \(id)")
          }
        }
        try await recount([number], of: repository)
      }
      isStored = true
    }
    return isStored ? .stored : .noted
  }

  /// Lets the next sync compare the comments of items with the server's. A repeated delivery may have brought back a
  /// deleted comment.
  private func recount(
    _ numbers: [Int], of repository: MirroredRepository
  ) async throws(MirrorFailure) {
    try await writing { db in
      let ticket = try Self.nextTicket(of: repository, db).place
      try db.rows(
        """
        UPDATE item SET stored = \(ticket)
        WHERE repository = \(repository.id) AND number = ANY (\(numbers))
        """)
    }
  }

  /// Checks that the database responds.
  package func checkConnection() async throws(MirrorFailure) {
    try await reading { db in _ = try db.first("SELECT 1") }
  }
}
