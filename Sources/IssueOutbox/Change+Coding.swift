internal import GitHubAPI

/// A change in the journal: a `kind` and its members. The names in the journal stay the same when those in the code
/// change.
extension Change: Codable {
  private enum Kind: String, Codable {
    case create
    case comment
    case edit
    case relate
    case close
    case reopen
    case lock
    case unlock
    case react
    case unreact
    case pin
    case unpin
    case transfer
    case delete
    case editComment = "edit-comment"
    case deleteComment = "delete-comment"
    case reactToComment = "react-to-comment"
    case unreactToComment = "unreact-to-comment"
    case subscribe
    case unsubscribe
    case notification
  }

  private enum Member: String, CodingKey {
    case kind
    case number
    case pending
    case issue
    case createsLabels = "creates_labels"
    case body
    case change
    case relation
    case reason
    case original
    case reaction
    case destination
    case comment
    case thread
    case action
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    func member<Value: Decodable>(_ name: Member) throws -> Value {
      try container.decode(Value.self, forKey: name)
    }
    func optional<Value: Decodable>(_ name: Member) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: name)
    }
    func target() throws -> IssueTarget {
      if let id: OutboxEntry.ID = try optional(.pending) { return .pending(id) }
      return .number(try member(.number))
    }
    func reaction() throws -> Reactions.Kind {
      let name: String = try member(.reaction)
      guard let kind = Reactions.Kind(rawValue: name) else {
        throw DecodingError.dataCorruptedError(
          forKey: .reaction, in: container, debugDescription: "This reaction doesn't exist.")
      }
      return kind
    }
    switch try member(.kind) as Kind {
    case .create:
      self = .createIssue(try member(.issue), createsLabels: try member(.createsLabels))
    case .comment: self = .comment(on: try target(), body: try member(.body))
    case .edit: self = .edit(try target(), try member(.change))
    case .relate: self = .relate(try target(), try member(.relation))
    case .close:
      self = .close(try target(), try member(.reason), duplicateOf: try optional(.original))
    case .reopen: self = .reopen(try target())
    case .lock: self = .lock(try target(), try optional(.reason))
    case .unlock: self = .unlock(try target())
    case .react: self = .react(try target(), try reaction())
    case .unreact: self = .unreact(try target(), try reaction())
    case .pin: self = .pin(try target())
    case .unpin: self = .unpin(try target())
    case .transfer:
      guard let destination = RepositoryName(try member(.destination)) else {
        throw DecodingError.dataCorruptedError(
          forKey: .destination, in: container, debugDescription: "This isn't a repository.")
      }
      self = .transfer(
        try target(), to: destination, createsLabels: try member(.createsLabels))
    case .delete: self = .delete(try target())
    case .editComment:
      self = .editComment(
        id: try member(.comment), on: try optional(.number), body: try member(.change))
    case .deleteComment:
      self = .deleteComment(id: try member(.comment), on: try optional(.number))
    case .reactToComment:
      self = .reactToComment(
        id: try member(.comment), on: try optional(.number), try reaction())
    case .unreactToComment:
      self = .unreactToComment(
        id: try member(.comment), on: try optional(.number), try reaction())
    case .subscribe: self = .subscribe(try target())
    case .unsubscribe: self = .unsubscribe(try target())
    case .notification:
      self = .notification(
        NotificationThread(id: try member(.thread), issue: try optional(.number)),
        try member(.action))
    }
  }

  /// Encodes the change for the journal.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    func encode(_ kind: Kind, _ target: IssueTarget? = nil) throws {
      try container.encode(kind, forKey: .kind)
      switch target {
      case .number(let number): try container.encode(number, forKey: .number)
      case .pending(let id): try container.encode(id, forKey: .pending)
      case nil: break
      }
    }
    switch self {
    case .createIssue(let issue, let createsLabels):
      try encode(.create)
      try container.encode(issue, forKey: .issue)
      try container.encode(createsLabels, forKey: .createsLabels)
    case .comment(let target, let body):
      try encode(.comment, target)
      try container.encode(body, forKey: .body)
    case .edit(let target, let change):
      try encode(.edit, target)
      try container.encode(change, forKey: .change)
    case .relate(let target, let relation):
      try encode(.relate, target)
      try container.encode(relation, forKey: .relation)
    case .close(let target, let reason, let original):
      try encode(.close, target)
      try container.encode(reason, forKey: .reason)
      try container.encodeIfPresent(original, forKey: .original)
    case .reopen(let target): try encode(.reopen, target)
    case .lock(let target, let reason):
      try encode(.lock, target)
      try container.encodeIfPresent(reason, forKey: .reason)
    case .unlock(let target): try encode(.unlock, target)
    case .react(let target, let kind):
      try encode(.react, target)
      try container.encode(kind.rawValue, forKey: .reaction)
    case .unreact(let target, let kind):
      try encode(.unreact, target)
      try container.encode(kind.rawValue, forKey: .reaction)
    case .pin(let target): try encode(.pin, target)
    case .unpin(let target): try encode(.unpin, target)
    case .transfer(let target, let destination, let createsLabels):
      try encode(.transfer, target)
      try container.encode(destination.description, forKey: .destination)
      try container.encode(createsLabels, forKey: .createsLabels)
    case .delete(let target): try encode(.delete, target)
    case .editComment(let id, let number, let body):
      try encode(.editComment, number.map { .number($0) })
      try container.encode(id, forKey: .comment)
      try container.encode(body, forKey: .change)
    case .deleteComment(let id, let number):
      try encode(.deleteComment, number.map { .number($0) })
      try container.encode(id, forKey: .comment)
    case .reactToComment(let id, let number, let kind):
      try encode(.reactToComment, number.map { .number($0) })
      try container.encode(id, forKey: .comment)
      try container.encode(kind.rawValue, forKey: .reaction)
    case .unreactToComment(let id, let number, let kind):
      try encode(.unreactToComment, number.map { .number($0) })
      try container.encode(id, forKey: .comment)
      try container.encode(kind.rawValue, forKey: .reaction)
    case .subscribe(let target): try encode(.subscribe, target)
    case .unsubscribe(let target): try encode(.unsubscribe, target)
    case .notification(let thread, let action):
      try encode(.notification, thread.issue.map { .number($0) })
      try container.encode(thread.id, forKey: .thread)
      try container.encode(action, forKey: .action)
    }
  }
}

extension IssueChange: Codable {
  private enum Member: String, CodingKey {
    case title
    case body
    case milestone
    case type
    case addedLabels = "added_labels"
    case removedLabels = "removed_labels"
    case addedAssignees = "added_assignees"
    case removedAssignees = "removed_assignees"
    case fields
    case clearedFields = "cleared_fields"
    case addedProjects = "added_projects"
    case createsLabels = "creates_labels"
  }

  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Member.self)
    func names(_ name: Member) throws -> [String] {
      try container.decodeIfPresent([String].self, forKey: name) ?? []
    }
    self.init(
      title: try container.decodeIfPresent(TextChange.self, forKey: .title),
      body: try container.decodeIfPresent(TextChange.self, forKey: .body),
      milestone: try container.decodeChangeIfPresent(forKey: .milestone),
      type: try container.decodeChangeIfPresent(forKey: .type),
      addedLabels: try names(.addedLabels), removedLabels: try names(.removedLabels),
      addedAssignees: try names(.addedAssignees), removedAssignees: try names(.removedAssignees),
      fields: try container.decodeIfPresent([String: String].self, forKey: .fields) ?? [:],
      clearedFields: try names(.clearedFields),
      addedProjects: try container.decodeIfPresent([ProjectPlacement].self, forKey: .addedProjects)
        ?? [],
      createsLabels: try container.decodeIfPresent(Bool.self, forKey: .createsLabels) ?? false)
  }

  /// Encodes the fields to change.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Member.self)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(body, forKey: .body)
    try container.encodeIfPresent(milestone, forKey: .milestone)
    try container.encodeIfPresent(type, forKey: .type)
    for (names, member) in [
      (addedLabels, Member.addedLabels), (removedLabels, .removedLabels),
      (addedAssignees, .addedAssignees), (removedAssignees, .removedAssignees),
      (clearedFields, .clearedFields),
    ] where !names.isEmpty {
      try container.encode(names, forKey: member)
    }
    if !fields.isEmpty { try container.encode(fields, forKey: .fields) }
    if !addedProjects.isEmpty { try container.encode(addedProjects, forKey: .addedProjects) }
    if createsLabels { try container.encode(true, forKey: .createsLabels) }
  }
}
