import Foundation
import GitHubAPI
import HTTPTargets
import TestSupport
import Testing

@Suite(
  "Recorded responses",
  .enabled(if: RecordedExchanges.folder != nil, "the recorded fixtures are not here"))
struct RecordedEntitiesTests {
  private func everything() throws -> [RecordedExchanges.Exchange] {
    try RecordedExchanges.files().filter { !$0.hasPrefix("writes-") }.flatMap {
      try RecordedExchanges(file: $0).exchanges
    }
  }

  /// The path without its host, its API prefix and its query.
  private func path(of exchange: RecordedExchanges.Exchange) -> [Substring] {
    let path = exchange.url.split(separator: "?")[0].split(separator: "/").dropFirst(2)
    return Array(path.starts(with: ["api", "v1"]) ? path.dropFirst(2) : path)
  }

  /// Decodes a body, and what it is encoded as.
  private func decode<Entity: Codable & Equatable>(
    _ type: Entity.Type, _ exchange: RecordedExchanges.Exchange
  ) throws -> Entity {
    let entity = try GitHubJSON.decode(type, from: Data(exchange.body.utf8))
    let encoded = try GitHubJSON.encoder().encode(entity)
    #expect(try GitHubJSON.decode(type, from: encoded) == entity, "\(exchange.name)")
    return entity
  }

  /// Decodes an entity or a list of them.
  private func decodeAny<Entity: Codable & Equatable>(
    _ type: Entity.Type, _ exchange: RecordedExchanges.Exchange
  ) throws {
    if exchange.body.hasPrefix("[") {
      _ = try decode([Entity].self, exchange)
    } else {
      _ = try decode(type, exchange)
    }
  }

  @Test("every successful response of a known endpoint survives decoding and encoding")
  func everyAnswer() throws {
    var counts: [String: Int] = [:]
    for exchange in try everything() where exchange.status == 200 {
      let path = path(of: exchange)
      let kind: String
      switch (path.first, path.last) {
      case ("search", "issues"):
        kind = "issue search"
        let results = try decode(SearchResults<GitHub.Issue>.self, exchange)
        #expect(!results.items.isEmpty, "\(exchange.name)")
        #expect(results.totalCount >= results.items.count, "\(exchange.name)")
      case ("search", "repositories"):
        kind = "repository search"
        let found = try decode(SearchResults<GitHub.Repository>.self, exchange).items
        #expect(
          found.allSatisfy { RepositoryName($0.fullName)?.name == $0.name }, "\(exchange.name)")
      case ("users", _):
        kind = "user"
        let user = try decode(GitHub.User.self, exchange)
        #expect(Username(user.login) != nil, "\(exchange.name)")
      case ("repos", "issues"), ("repositories", "issues"):
        kind = "issue list"
        let issues = try decode([GitHub.Issue].self, exchange)
        #expect(!issues.isEmpty, "\(exchange.name)")
      case ("repos", _) where path.count == 5 && path[3] == "issues":
        kind = "issue"
        let issue = try decode(GitHub.Issue.self, exchange)
        #expect(path[4] == "\(issue.number)", "\(exchange.name)")
      case ("repos", "comments") where path.count == 6:
        kind = "comments"
        let comments = try decode([IssueComment].self, exchange)
        #expect(!comments.isEmpty, "\(exchange.name)")
      case ("repos", _) where path.count == 3, ("repositories", _) where path.count == 2:
        kind = "repository"
        let repository = try decode(GitHub.Repository.self, exchange)
        #expect(repository.owner?.login == RepositoryName(repository.fullName)?.owner)
      default:
        kind = "other"
      }
      counts[kind, default: 0] += 1
    }
    #expect(
      counts == [
        "issue search": 1, "repository search": 4, "user": 5, "issue list": 22, "issue": 2,
        "repository": 5, "comments": 1,
      ])
  }

  @Test("the sixteen recorded pages have 471 items, including 278 pull requests")
  func countsOfPages() throws {
    let pages = try RecordedExchanges(file: "issues-02-closed-16-pages-2019.json").exchanges
    let issues = try pages.flatMap {
      try GitHubJSON.decode([GitHub.Issue].self, from: Data($0.body.utf8))
    }
    #expect(pages.count == 16)
    #expect(issues.count == 471)
    #expect(issues.count(where: \.isPullRequest) == 278)
    #expect(Set(issues.map(\.number)).count == 471)
    #expect(issues.contains { $0.user?.login == "ghost" })
    #expect(issues.allSatisfy { $0.state == .closed && $0.closedAt != nil && $0.updatedAt != nil })
  }

  @Test("every response to a write survives decoding and encoding")
  func writes() throws {
    var counts: [String: Int] = [:]
    for file in try RecordedExchanges.files() where file.hasPrefix("writes-") {
      for exchange in try RecordedExchanges(file: file).exchanges {
        let path = path(of: exchange)
        guard (200...201).contains(exchange.status), path.first == "repos", path.count > 3 else {
          continue
        }
        switch (path[3], path.count) {
        case ("labels", _): try decodeAny(GitHub.Label.self, exchange)
        case ("milestones", 4...5): try decodeAny(GitHub.Milestone.self, exchange)
        case ("assignees", 4): try decodeAny(GitHub.User.self, exchange)
        case ("issues", 6) where path[5] == "labels": try decodeAny(GitHub.Label.self, exchange)
        case ("issues", 6) where path[4] == "comments" || path[5] == "comments":
          try decodeAny(IssueComment.self, exchange)
        case ("issues", 4...5): try decodeAny(GitHub.Issue.self, exchange)
        default: continue
        }
        counts[String(path[3]), default: 0] += 1
      }
    }
    #expect(counts.keys.sorted() == ["assignees", "issues", "labels", "milestones"])
  }

  @Test("the links lead through each list from its first page to its last")
  func links() throws {
    for (file, count) in [
      ("issues-01-paginated-5x3.json", 5), ("issues-02-closed-16-pages-2019.json", 16),
      ("search-repos-05-per_page-1-chain.json", 2),
    ] {
      let pages = try RecordedExchanges(file: file).exchanges
      let next = pages.map { LinkHeader($0.headers.values(of: "Link")).next }
      #expect(pages.count == count)
      for (index, target) in next.enumerated() {
        #expect((target == nil) == (index == count - 1), "\(file), page \(index + 1)")
        let origin = target.flatMap(Origin.init(url:))
        #expect(target == nil || origin == GitHubServer.github.origin)
        #expect(target.map { $0.contains("page=\(index + 2)") } ?? true)
      }
    }
  }

  @Test("every error has a one-line summary, except for the HTML page and the empty body")
  func errors() throws {
    var mute: [String] = []
    for exchange in try everything() where exchange.status >= 400 {
      guard let body = GitHubErrorBody(Data(exchange.body.utf8)) else {
        mute.append(exchange.name)
        continue
      }
      #expect(!body.summary.isEmpty)
      #expect(body.summary.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }
    #expect(mute == ["err-503-html-unicorn-2024", "err-403-primary-set#3"])
  }

  @Test("an issue response of 2019 has no state reason, and one of 2026 has it")
  func years() throws {
    let old = try RecordedExchanges(file: "issue-singles.json").exchanges
    #expect(
      try old.allSatisfy {
        try GitHubJSON.decode(GitHub.Issue.self, from: Data($0.body.utf8)).stateReason == nil
      })
    let search = try RecordedExchanges(file: "search-issues-01-2026.json").exchanges[0]
    let issues = try GitHubJSON.decode(
      SearchResults<GitHub.Issue>.self, from: Data(search.body.utf8)
    )
    .items
    #expect(issues.contains { $0.stateReason == .completed })
    #expect(issues.contains { $0.id > Int64(Int32.max) })
    #expect(!issues.contains { $0.isPullRequest })
  }
}
