import GitHubAPI
import IssueMirror
import PlatformModules
import TestSupport

/// A mirror in a folder of its own, to be searched.
struct SearchFixture {
  /// An issue as a server sends it.
  struct Item: Encodable, Hashable {
    var number = 1
    var title = ""
    var body: String?
    var state = "open"
    var isPullRequest = false
    var mergedAt: Int?
    var isDraft = false
    var isLocked = false
    var author: String? = "ada"
    var labels: [String] = []
    var assignees: [String] = []
    var milestone: String?
    var comments = 0
    var reactions = 0
    var createdAt = 1_700_000_000
    var updatedAt = 1_700_000_000
    var closedAt: Int?

    private enum Key: String, CodingKey {
      case id, number, title, body, state, draft, locked, user, labels, assignees, milestone,
        comments, login, reactions
      case name, url
      case pullRequest = "pull_request"
      case mergedAt = "merged_at"
      case createdAt = "created_at"
      case updatedAt = "updated_at"
      case closedAt = "closed_at"
    }

    func encode(to encoder: any Encoder) throws {
      var item = encoder.container(keyedBy: Key.self)
      try item.encode(1_000_000 + number, forKey: .id)
      try item.encode(number, forKey: .number)
      try item.encode(title, forKey: .title)
      try item.encode(body, forKey: .body)
      try item.encode(state, forKey: .state)
      try item.encode(isDraft, forKey: .draft)
      try item.encode(isLocked, forKey: .locked)
      try item.encode(author.map { ["login": $0] }, forKey: .user)
      try item.encode(labels.map { ["name": $0, "color": "ededed"] }, forKey: .labels)
      try item.encode(assignees.map { ["login": $0] }, forKey: .assignees)
      try item.encode(comments, forKey: .comments)
      // GitHub's order of keys isn't this encoder's: of a nested count, only the value matters.
      try item.encode(["total_count": reactions, "+1": reactions], forKey: .reactions)
      try item.encode(Self.time(createdAt), forKey: .createdAt)
      try item.encode(Self.time(updatedAt), forKey: .updatedAt)
      try item.encode(closedAt.map(Self.time), forKey: .closedAt)
      if let milestone {
        var container = item.nestedContainer(keyedBy: Milestone.self, forKey: .milestone)
        try container.encode(abs(milestone.utf8.reduce(0) { $0 * 31 + Int($1) }), forKey: .number)
        try container.encode(milestone, forKey: .title)
        try container.encode("open", forKey: .state)
      }
      if isPullRequest {
        var link = item.nestedContainer(keyedBy: Key.self, forKey: .pullRequest)
        try link.encode("https://api.github.com/repos/a/b/pulls/\(number)", forKey: .url)
        try link.encode(mergedAt.map(Self.time), forKey: .mergedAt)
      }
    }

    private enum Milestone: String, CodingKey { case number, title, state }

    static func time(_ seconds: Int) -> String {
      Timestamp.string(from: Date(timeIntervalSince1970: Double(seconds)))
    }
  }

  /// A comment as a server sends it.
  struct Comment: Encodable, Hashable {
    var id: Int64
    var number: Int
    var author: String
    var body: String
    var updatedAt = 1_700_000_000

    private enum Key: String, CodingKey {
      case id, body, user
      case issueURL = "issue_url"
      case createdAt = "created_at"
      case updatedAt = "updated_at"
    }

    func encode(to encoder: any Encoder) throws {
      var comment = encoder.container(keyedBy: Key.self)
      try comment.encode(id, forKey: .id)
      try comment.encode(body, forKey: .body)
      try comment.encode(["login": author], forKey: .user)
      try comment.encode("https://api.github.com/repos/a/b/issues/\(number)", forKey: .issueURL)
      try comment.encode(Item.time(1_600_000_000), forKey: .createdAt)
      try comment.encode(Item.time(updatedAt), forKey: .updatedAt)
    }
  }

  private let folder: ScratchFolder
  let mirror: Mirror
  let repository: MirroredRepository

  init(_ items: [Item] = [], _ comments: [Comment] = []) async throws {
    folder = try ScratchFolder()
    mirror = try Mirror(path: "\(folder.path)/mirror.db")
    repository = try await Self.repository("a/b", id: 7, in: mirror)
    try await store(items)
    try await store(comments)
  }

  /// Makes a repository known.
  static func repository(
    _ name: String, id: Int64, in mirror: Mirror
  ) async throws -> MirroredRepository {
    let json = Data(#"{"id":\#(id),"full_name":"\#(name)","name":"b","owner":{"login":"a"}}"#.utf8)
    let repository = try GitHubJSON.decode(GitHub.Repository.self, from: json)
    return try await mirror.record(repository, json: json, on: "github.com", at: Date())
  }

  /// Stores issues as a page of them.
  func store(_ items: [Item], of other: MirroredRepository? = nil) async throws {
    guard !items.isEmpty else { return }
    let page = try FeedPage(JSONEncoder().encode(items), of: .items)
    try await mirror.store(page, of: other ?? repository, sweep: nil, at: Date())
  }

  /// Stores issues as a server may send them.
  func store(json: String) async throws {
    let page = try FeedPage(Data(json.utf8), of: .items)
    try await mirror.store(page, of: repository, sweep: nil, at: Date())
  }

  /// Stores comments as a page of them.
  func store(_ comments: [Comment]) async throws {
    guard !comments.isEmpty else { return }
    let page = try FeedPage(JSONEncoder().encode(comments), of: .comments)
    try await mirror.store(page, of: repository, sweep: nil, at: Date())
  }

  /// The results of a search.
  func results(_ text: String, limit: Int = 1_000) async throws -> [SearchResult] {
    try await mirror.search(SearchQuery(parsing: text), in: [repository], limit: limit)
  }

  /// The numbers that a search finds, in its order.
  func numbers(_ text: String, limit: Int = 1_000) async throws -> [Int] {
    try await results(text, limit: limit).map(\.issue.number)
  }
}
