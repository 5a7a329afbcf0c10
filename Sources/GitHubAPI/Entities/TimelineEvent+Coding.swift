internal import PlatformModules

extension TimelineEvent: Codable {
  private enum Key: String, CodingKey {
    case event
    case id
    case actor
    case user
    case createdAt = "created_at"
    case submittedAt = "submitted_at"
    case updatedAt = "updated_at"
    case commitID = "commit_id"
    case sha
    case stateReason = "state_reason"
    case label
    case assignee
    case reviewer = "requested_reviewer"
    case milestone
    case rename
    case lockReason = "lock_reason"
    case type = "issue_type"
    case previousType = "prev_issue_type"
    case subIssue = "sub_issue"
    case parent = "parent_issue"
    case blockedBy = "blocked_by"
    case blocking
    case source
    case state
    case body
    case message
    case comments
    case author
    case authorAssociation = "author_association"
    case htmlURL = "html_url"
  }

  private struct Titled: Codable {
    var title: String?
  }

  private struct Rename: Codable {
    var from: String?
    var to: String?
  }

  private struct Author: Codable {
    var name: String?
    var date: String?
  }

  private struct Source: Codable {
    var issue: MentionedIssue?
  }

  /// The key of the other issue in an event of this kind.
  private static func otherKey(of kind: Kind) -> Key? {
    switch kind {
    case .subIssueAdded, .subIssueRemoved: .subIssue
    case .parentAdded, .parentRemoved: .parent
    case .blockedByAdded, .blockedByRemoved: .blockedBy
    case .blockingAdded, .blockingRemoved: .blocking
    default: nil
    }
  }

  /// Decodes an event. Only the kind is required. A member with an unexpected format is ignored: kinds change more
  /// often than clients, and a whole discussion shouldn't be lost because of a single member.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    func member<Value: Decodable>(_ key: Key, _ type: Value.Type = Value.self) -> Value? {
      (try? container.decodeIfPresent(type, forKey: key)) ?? nil
    }
    func time(_ key: Key) -> Date? {
      member(key, String.self).flatMap(Timestamp.date(from:))
    }
    if !container.contains(.event), let event = try? GiteaTimelineEvent(from: decoder) {
      self = event.entity
      return
    }
    self.init(
      kind: Kind(rawValue: try container.decode(String.self, forKey: .event)),
      serverID: member(.id), actor: member(.actor) ?? member(.user),
      createdAt: time(.createdAt) ?? time(.submittedAt))
    updatedAt = time(.updatedAt)
    commitID = member(.commitID) ?? member(.sha)
    stateReason = member(.stateReason, String.self).map(StateReason.init(rawValue:))
    label = member(.label)
    assignee = member(.assignee)
    reviewer = member(.reviewer)
    milestone = member(.milestone, Titled.self)?.title
    if let rename = member(.rename, Rename.self) { (oldTitle, newTitle) = (rename.from, rename.to) }
    lockReason = member(.lockReason)
    type = member(.type)
    previousType = member(.previousType)
    if kind == .crossReferenced {
      other = member(.source, Source.self)?.issue
    } else if let key = Self.otherKey(of: kind) {
      other = member(key)
    }
    reviewState = kind == .reviewed ? member(.state) : nil
    body = member(.body) ?? member(.message)
    if kind == .committed, let author = member(.author, Author.self) {
      authorName = author.name
      createdAt = createdAt ?? author.date.flatMap(Timestamp.date(from:))
    }
    authorAssociation = member(.authorAssociation)
    htmlURL = member(.htmlURL)
    // Comments on code are a list, and such an event has no other members.
    if [.lineCommented, .commitCommented].contains(kind),
      let comments = member(.comments, [IssueComment].self), let first = comments.first
    {
      (serverID, actor, authorAssociation) = (first.id, first.user, first.authorAssociation)
      (createdAt, updatedAt, htmlURL) = (first.createdAt, first.updatedAt, first.htmlURL)
      body = comments.compactMap(\.body).joined(separator: "\n\n")
    }
  }

  /// Encodes the known members in GitHub's format.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    func text(_ date: Date?) -> String? { date.map(Timestamp.string(from:)) }
    let isCommit = kind == .committed
    try container.encode(kind.rawValue, forKey: .event)
    try container.encodeIfPresent(serverID, forKey: .id)
    try container.encodeIfPresent(actor, forKey: .actor)
    try container.encodeIfPresent(
      text(createdAt), forKey: kind == .reviewed ? .submittedAt : .createdAt)
    try container.encodeIfPresent(text(updatedAt), forKey: .updatedAt)
    try container.encodeIfPresent(commitID, forKey: isCommit ? .sha : .commitID)
    try container.encodeIfPresent(stateReason, forKey: .stateReason)
    try container.encodeIfPresent(label, forKey: .label)
    try container.encodeIfPresent(assignee, forKey: .assignee)
    try container.encodeIfPresent(reviewer, forKey: .reviewer)
    try container.encodeIfPresent(milestone.map(Titled.init(title:)), forKey: .milestone)
    if oldTitle != nil || newTitle != nil {
      try container.encode(Rename(from: oldTitle, to: newTitle), forKey: .rename)
    }
    try container.encodeIfPresent(lockReason, forKey: .lockReason)
    try container.encodeIfPresent(type, forKey: .type)
    try container.encodeIfPresent(previousType, forKey: .previousType)
    if kind == .crossReferenced {
      try container.encodeIfPresent(other.map { Source(issue: $0) }, forKey: .source)
    } else if let key = Self.otherKey(of: kind) {
      try container.encodeIfPresent(other, forKey: key)
    }
    if kind == .reviewed { try container.encodeIfPresent(reviewState, forKey: .state) }
    try container.encodeIfPresent(body, forKey: isCommit ? .message : .body)
    if isCommit, authorName != nil {
      try container.encode(Author(name: authorName), forKey: .author)
    }
    try container.encodeIfPresent(authorAssociation, forKey: .authorAssociation)
    try container.encodeIfPresent(htmlURL, forKey: .htmlURL)
  }
}

extension MentionedIssue: Codable {
  private enum Key: String, CodingKey {
    case number
    case title
    case state
    case repository
    case repositoryURL = "repository_url"
    case pullRequest = "pull_request"
  }

  private struct Repository: Codable {
    var fullName: String?

    private enum CodingKeys: String, CodingKey {
      case fullName = "full_name"
    }
  }

  /// Decodes a mention from an issue or from GitHub's shorter format. Only the number is required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    number = try container.decode(Int.self, forKey: .number)
    guard number > 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .number, in: container, debugDescription: "the number of an issue is positive")
    }
    title = try container.decodeIfPresent(String.self, forKey: .title)
    state = try container.decodeIfPresent(IssueState.self, forKey: .state)
    let named = (try? container.decodeIfPresent(Repository.self, forKey: .repository)) ?? nil
    let url = (try? container.decodeIfPresent(String.self, forKey: .repositoryURL)) ?? nil
    let name = named?.fullName ?? url?.split(separator: "/").suffix(2).joined(separator: "/")
    repository = name.flatMap { RepositoryName($0) }
    let link = (try? container.decodeIfPresent(PullRequestLink.self, forKey: .pullRequest)) ?? nil
    isPullRequest = link?.url != nil || link?.htmlURL != nil
  }

  /// Encodes the known members, including the link of a pull request.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(number, forKey: .number)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(state, forKey: .state)
    try container.encodeIfPresent(
      repository.map { Repository(fullName: "\($0)") }, forKey: .repository)
    if isPullRequest {
      let path = repository.map { "repos/\($0)/pulls/\(number)" } ?? "pulls/\(number)"
      try container.encode(
        PullRequestLink(url: "https://api.github.com/\(path)"), forKey: .pullRequest)
    }
  }
}
