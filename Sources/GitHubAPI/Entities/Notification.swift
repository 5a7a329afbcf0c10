public import PlatformModules

extension GitHub {
  /// A thread of notifications of the token's user
  /// (<https://docs.github.com/en/rest/activity/notifications>). All text is untrusted.
  public struct Notification: Identifiable, Hashable, Sendable {
    /// The ID of the thread, which GitHub sends as a string.
    public var id: String
    /// The reason for the notification, such as `mention`, `review_requested` or `subscribed`.
    public var reason: String?
    /// Whether the thread has changed since the user last read it.
    public var isUnread: Bool
    /// The time of the last event.
    public var updatedAt: Date?
    /// The time when the user last read the thread; nil if never.
    public var lastReadAt: Date?
    /// The title of the subject.
    public var title: String
    /// The kind of subject, such as `Issue`, `PullRequest` or `Release`.
    public var kind: String
    /// The URL of the subject in the API; nil for kinds without one.
    public var subjectURL: String?
    /// The repository.
    public var repository: GitHub.Repository?

    /// Creates a notification.
    public init(
      id: String, reason: String? = nil, isUnread: Bool = true, updatedAt: Date? = nil,
      lastReadAt: Date? = nil, title: String, kind: String, subjectURL: String? = nil,
      repository: GitHub.Repository? = nil
    ) {
      self.id = id
      self.reason = reason
      self.isUnread = isUnread
      self.updatedAt = updatedAt
      self.lastReadAt = lastReadAt
      self.title = title
      self.kind = kind
      self.subjectURL = subjectURL
      self.repository = repository
    }

    /// The number of the issue or pull request, from ``subjectURL``, because GitHub doesn't send it separately; nil for
    /// other kinds.
    public var number: Int? {
      let parts = (subjectURL ?? "").split(separator: "/").suffix(2)
      guard parts.count == 2, ["issues", "pulls"].contains(parts.first),
        let number = parts.last.flatMap({ Int($0) }), number > 0
      else { return nil }
      return number
    }
  }
}

extension GitHub.Notification: Codable, FieldSelectable {
  /// A field of a notification. Its raw value is the REST key.
  public enum Field: String, CodingKey, CaseIterable, Sendable {
    /// The ID of the thread.
    case id
    /// The reason for the notification, such as `mention`, `review_requested` or `subscribed`.
    case reason
    /// Whether the thread has changed since the user last read it.
    case unread
    /// The time of the last event.
    case updatedAt = "updated_at"
    /// The time when the user last read the thread.
    case lastReadAt = "last_read_at"
    /// The title, the kind and the URL of the subject.
    case subject
    /// The repository.
    case repository

    /// The REST key.
    public var description: String { rawValue }
  }

  private struct Subject: Codable {
    var title: String
    var url: String?
    var type: String
  }

  /// Decodes a notification. Only the ID, and the title and kind of the subject are required.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    // Forgejo and Gitea send a number.
    id =
      if let number = try? container.decode(Int64.self, forKey: .id) {
        "\(number)"
      } else {
        try container.decode(String.self, forKey: .id)
      }
    reason = try container.decodeIfPresent(String.self, forKey: .reason)
    isUnread = try container.decodeIfPresent(Bool.self, forKey: .unread) ?? true
    updatedAt = try container.decodeTimestampIfPresent(forKey: .updatedAt)
    lastReadAt = try container.decodeTimestampIfPresent(forKey: .lastReadAt)
    let subject = try container.decode(Subject.self, forKey: .subject)
    title = subject.title
    // Forgejo and Gitea send "Pull".
    kind = subject.type == "Pull" ? "PullRequest" : subject.type
    subjectURL = subject.url
    repository = try container.decodeIfPresent(GitHub.Repository.self, forKey: .repository)
  }

  /// Encodes the known fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  /// Returns an encodable selection of the notification's fields. Unknown values are encoded as null.
  public func selecting(_ fields: [Field]) -> some Encodable & Sendable {
    FieldSelection(entity: self, fields: fields)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .id: id
    case .reason: reason
    case .unread: isUnread
    case .updatedAt: updatedAt.map(Timestamp.string(from:))
    case .lastReadAt: lastReadAt.map(Timestamp.string(from:))
    case .subject: Subject(title: title, url: subjectURL, type: kind)
    case .repository: repository
    }
  }
}
