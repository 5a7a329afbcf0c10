/// An issue to create: the body of ``GitHub/createIssue(repositoryFullName:issue:)``.
///
/// Every user who can read the repository may create issues. Without push access, GitHub silently drops the labels,
/// assignees, milestone and type (<https://docs.github.com/en/rest/issues/issues#create-an-issue>).
public struct NewIssue: Hashable, Sendable {
  /// The title, at most 256 characters.
  public var title: String
  /// The text in Markdown, at most 65,536 characters; nil for none.
  public var body: String?
  /// The names of labels. GitHub creates missing ones.
  public var labels: [String]
  /// The IDs of ``labels``, in the same order. Forgejo and Gitea require them, and ``IssueWriter`` looks them up; they
  /// aren't sent to GitHub.
  package var labelIDs: [Int64]?
  /// The logins of at most ten users. GitHub rejects the issue if one of them is unknown.
  public var assignees: [String]
  /// The number of the milestone, not its title.
  public var milestone: Int?
  /// The name of one of the organization's issue types.
  public var type: String?
  /// The ``GitHub/Issue/id`` (not the number) of the parent issue. Triage access to both repositories is required.
  public var parentIssueID: Int64?
  /// The name of an issue template. The server adds its labels and assignees even without push access. The REST API
  /// doesn't support templates; use ``IssueMutation/create(repositoryID:title:body:template:)``.
  public var template: String?

  /// Creates a request for an issue.
  public init(
    title: String, body: String? = nil, labels: [String] = [], assignees: [String] = [],
    milestone: Int? = nil, type: String? = nil, parentIssueID: Int64? = nil,
    template: String? = nil
  ) {
    self.title = title
    self.body = body
    self.labels = labels
    self.assignees = assignees
    self.milestone = milestone
    self.type = type
    self.parentIssueID = parentIssueID
    self.template = template
  }
}

extension NewIssue {
  /// The issue in the form that REST accepts.
  var withoutTemplate: NewIssue {
    var issue = self
    issue.template = nil
    return issue
  }
}

extension NewIssue: FieldSelectable {
  enum Field: String, CodingKey, CaseIterable, Sendable {
    case title
    case body
    case labels
    case assignees
    case milestone
    case type
    case parentIssueID = "parent_issue_id"
    case template
  }

  /// Encodes the given fields.
  public func encode(to encoder: any Encoder) throws {
    try encodeFields(to: encoder)
  }

  func value(of field: Field) -> (any Encodable)? {
    switch field {
    case .title: title
    case .body: body
    case .labels: labels.isEmpty ? nil : labels
    case .assignees: assignees.isEmpty ? nil : assignees
    case .milestone: milestone
    case .type: type
    case .parentIssueID: parentIssueID
    case .template: template
    }
  }
}

extension NewIssue: Decodable {
  /// Decodes the output of ``encode(to:)``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Field.self)
    self.init(
      title: try container.decode(String.self, forKey: .title),
      body: try container.decodeIfPresent(String.self, forKey: .body),
      labels: try container.decodeIfPresent([String].self, forKey: .labels) ?? [],
      assignees: try container.decodeIfPresent([String].self, forKey: .assignees) ?? [],
      milestone: try container.decodeIfPresent(Int.self, forKey: .milestone),
      type: try container.decodeIfPresent(String.self, forKey: .type),
      parentIssueID: try container.decodeIfPresent(Int64.self, forKey: .parentIssueID),
      template: try container.decodeIfPresent(String.self, forKey: .template))
  }
}
