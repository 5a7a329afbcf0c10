internal import HTTPTargets
internal import PlatformModules
internal import SampleData

/// The response to a write. Changes aren't kept. Unknown labels, assignees and logins are accepted, but unknown
/// milestones aren't.
struct SampleWrite {
  private let target: GitHub

  init(_ target: GitHub) {
    self.target = target
  }

  func answer() throws -> SampleAnswer {
    switch target {
    case .createIssue(let name, let new): try create(new, in: name)
    case .editIssue(let name, let number, let edit):
      try withIssue(number, of: name) { issue, issues in
        guard let edited = try apply(edit, to: issue, among: issues) else {
          return Self.invalidMilestone
        }
        return try SampleAnswer(encoding: SamplePage.object(edited))
      }
    case .addLabels(let name, let number, let labels):
      try withIssue(number, of: name) { issue, issues in
        let known = Set(issue.labels.map { $0.name.lowercased() })
        let added = labels.filter { !known.contains($0.lowercased()) }
        return try SampleAnswer(encoding: issue.labels + added.map { Self.label($0, issues) })
      }
    case .removeLabel(let name, let number, let label):
      try withIssue(number, of: name) { issue, _ in
        let rest = issue.labels.filter { $0.name.lowercased() != label.lowercased() }
        guard rest.count < issue.labels.count else {
          return .refusal(.notFound, "Label does not exist")
        }
        return try SampleAnswer(encoding: rest)
      }
    case .addAssignees(let name, let number, let logins):
      try withIssue(number, of: name) { issue, _ in
        var issue = issue
        let known = issue.assignees.map(\.login)
        issue.assignees += logins.filter { !known.contains($0) }.map { GitHub.User(login: $0) }
        return try .created(SamplePage.object(issue))
      }
    case .removeAssignees(let name, let number, let logins):
      try withIssue(number, of: name) { issue, _ in
        var issue = issue
        issue.assignees.removeAll { logins.contains($0.login) }
        return try SampleAnswer(encoding: SamplePage.object(issue))
      }
    case .addSubIssue(let name, let number, _, _), .addBlockedBy(let name, let number, _):
      try withIssue(number, of: name) { issue, _ in try .created(SamplePage.object(issue)) }
    case .removeSubIssue(let name, let number, _), .moveSubIssue(let name, let number, _, _),
      .removeBlockedBy(let name, let number, _):
      try withIssue(number, of: name) { issue, _ in
        try SampleAnswer(encoding: SamplePage.object(issue))
      }
    case .setFields(let name, let number, let values):
      try withIssue(number, of: name) { _, _ in
        try SampleAnswer(
          encoding: values.map { value in
            let field = SampleRelations.fields.first { $0.id == value.fieldID }
            return GitHub.IssueFieldValue(
              fieldID: value.fieldID, name: field?.name, kind: field?.kind ?? .text,
              content: value.content)
          })
      }
    case .clearField(let name, let number, _):
      try withIssue(number, of: name) { _, _ in .notFound }
    case .createComment(let name, let number, let body):
      try withIssue(number, of: name) { issue, issues in
        try .created(Self.comment(body, id: issue.id * 1_000 + 999, on: issue, issues))
      }
    case .editComment(let name, let id, let body):
      try withIssue(of: name, comment: id) { issue, issues in
        try SampleAnswer(encoding: Self.comment(body, id: id, on: issue, issues))
      }
    case .react(let name, let number, let kind):
      try withIssue(number, of: name) { _, _ in try Self.reaction(kind) }
    case .reactToComment(let name, let id, let kind):
      try withIssue(of: name, comment: id) { _, _ in try Self.reaction(kind) }
    case .lockIssue(let name, let number, _), .unlockIssue(let name, let number),
      .removeReaction(let name, let number, _, _):
      try withIssue(number, of: name) { _, _ in .noContent }
    case .deleteComment(let name, let id), .removeCommentReaction(let name, let id, _, _):
      try withIssue(of: name, comment: id) { _, _ in .noContent }
    case .uploadAttachment:
      try .created(
        UploadedAttachment(
          url: "https://github.com/user-attachments/assets/00000000-0000-4000-8000-000000000001"))
    case .markNotificationRead(let id): try withNotification(id, SampleAnswer(.resetContent))
    case .markNotificationDone(let id), .unsubscribeFromNotification(let id):
      try withNotification(id, .noContent)
    case .muteNotification(let id):
      try withNotification(id, SampleAnswer(encoding: ["ignored": true]))
    case .markAllNotificationsRead: SampleAnswer(.resetContent)
    case .nodeIDs(let name, let number): try nodeIDs(name, number)
    case .mutate(let mutation): try mutationAnswer(mutation)
    case .createLabel, .editLabel, .deleteLabel: try labelAnswer()
    case .createMilestone, .editMilestone, .deleteMilestone: try milestoneAnswer()
    default: .notFound
    }
  }

  private func withIssues(
    of name: String, _ answer: ([GitHub.Issue]) throws -> SampleAnswer
  ) throws -> SampleAnswer {
    try SamplePage(of: target).of(name, answer)
  }

  private func withIssue(
    _ number: Int, of name: String, _ answer: (GitHub.Issue, [GitHub.Issue]) throws -> SampleAnswer
  ) throws -> SampleAnswer {
    try withIssues(of: name) { issues in
      guard let issue = issues.first(where: { $0.number == number }) else { return .notFound }
      return try answer(issue.named(in: name), issues)
    }
  }

  /// Calls a closure with the issue of a comment and all issues of its repository.
  private func withIssue(
    of name: String, comment id: Int64,
    _ answer: (GitHub.Issue, [GitHub.Issue]) throws -> SampleAnswer
  ) throws -> SampleAnswer {
    try withIssues(of: name) { issues in
      let issue = issues.first { issue in
        GeneratedComments(on: issue).all().contains { $0.id == id }
      }
      guard let issue else { return .notFound }
      return try answer(issue.named(in: name), issues)
    }
  }

  private func withNotification(_ id: String, _ answer: SampleAnswer) throws -> SampleAnswer {
    try SampleNotifications.of(nil).contains { $0.id == id } ? answer : .notFound
  }

  private func create(_ new: NewIssue, in name: String) throws -> SampleAnswer {
    try withIssues(of: name) { issues in
      let number = (issues.map(\.number).max() ?? 0) + 1
      var issue = GitHub.Issue(
        id: (issues.map(\.id).max() ?? 0) + 1, number: number, title: new.title, body: new.body,
        user: try Self.writer(), labels: new.labels.map { Self.label($0, issues) },
        assignees: new.assignees.map { GitHub.User(login: $0) }, createdAt: Self.now(issues),
        updatedAt: Self.now(issues), authorAssociation: "OWNER", reactions: Reactions())
      if let number = new.milestone {
        guard let milestone = Self.milestone(number, issues) else { return Self.invalidMilestone }
        issue.milestone = milestone
      }
      return try .created(SamplePage.object(issue.named(in: name)))
    }
  }

  private func apply(
    _ edit: IssueEdit, to issue: GitHub.Issue, among issues: [GitHub.Issue]
  ) throws -> GitHub.Issue? {
    var issue = issue
    issue.title = edit.title ?? issue.title
    issue.body = edit.body ?? issue.body
    if let state = edit.state, state != issue.state {
      issue.state = state
      issue.stateReason = edit.stateReason ?? (state == .closed ? .completed : .reopened)
      issue.closedAt = state == .closed ? Self.now(issues) : nil
    }
    switch edit.milestone {
    case .set(let number)?:
      guard let milestone = Self.milestone(number, issues) else { return nil }
      issue.milestone = milestone
    case .clear?: issue.milestone = nil
    case nil: break
    }
    switch edit.type {
    case .set(let name)?: issue.type = SampleRelations.type(named: name)
    case .clear?: issue.type = nil
    case nil: break
    }
    issue.updatedAt = Self.now(issues)
    return issue
  }

  private static func comment(
    _ body: String, id: Int64, on issue: GitHub.Issue, _ issues: [GitHub.Issue]
  ) throws -> some Encodable {
    IssueComment(
      id: id, body: body, user: try writer(), authorAssociation: "OWNER", createdAt: now(issues),
      updatedAt: now(issues), htmlURL: issue.htmlURL.map { "\($0)#issuecomment-\(id)" },
      issueURL: issue.url, reactions: Reactions()
    ).selecting(IssueComment.Field.allCases)
  }

  private static func reaction(_ kind: Reactions.Kind) throws -> SampleAnswer {
    struct Sample: Encodable {
      var id = 1
      var content: String
    }
    return try .created(Sample(content: kind.rawValue))
  }

  /// Returns the IDs of a repository and an issue. In the samples, these are names, which identify the object of a
  /// mutation.
  private func nodeIDs(_ name: String, _ number: Int?) throws -> SampleAnswer {
    guard let name = RepositoryName(name).map({ "\($0)" }) else { return .notFound }
    return try withIssues(of: name) { issues in
      var issue = "null"
      if let number {
        // The number that a created issue gets is also known.
        let next = (issues.map(\.number).max() ?? 0) + 1
        guard number == next || issues.contains(where: { $0.number == number }) else {
          return Self.graphQL(
            #"{"repository":null},"errors":[{"type":"NOT_FOUND","message":"Could not resolve to an Issue"}]"#
          )
        }
        issue =
          #"{"id":"I_\#(number)","number":\#(number),"url":"https://github.com/\#(name)/issues/\#(number)"}"#
      }
      return Self.graphQL(
        #"{"repository":{"id":"R_\#(name)","url":"https://github.com/\#(name)","issue":\#(issue)}}"#
      )
    }
  }

  private func mutationAnswer(_ mutation: IssueMutation) throws -> SampleAnswer {
    let repository: String
    switch mutation {
    case .transfer(_, let id, _), .create(let id, _, _, _): repository = id
    case .delete, .pin, .unpin, .subscribe, .unsubscribe:
      return Self.graphQL(#"{"\#(mutation.name)":{"clientMutationId":null}}"#)
    case .addToProject: return Self.graphQL(#"{"\#(mutation.name)":{"item":{"id":"PVTI_1"}}}"#)
    case .chooseOption:
      return Self.graphQL(#"{"\#(mutation.name)":{"projectV2Item":{"id":"PVTI_1"}}}"#)
    case .linkBranch(_, let repository, let name, _):
      let branch = SampleDevelopment.Branch(name, in: String(repository.dropFirst(2)))
      let json = try GitHubJSON.encoder().encode([mutation.name: ["linkedBranch": branch]])
      return Self.graphQL(String(decoding: json, as: UTF8.self))
    }
    guard let name = RepositoryName(String(repository.dropFirst(2))).map({ "\($0)" }) else {
      return .notFound
    }
    return try withIssues(of: name) { issues in
      let number = (issues.map(\.number).max() ?? 0) + 1
      let url = "https://github.com/\(name)/issues/\(number)"
      guard case .create(_, let title, let body, let template) = mutation else {
        return Self.graphQL(
          #"{"transferIssue":{"issue":{"number":\#(number),"url":"\#(url)"}}}"#)
      }
      let issue = SampleTemplates.Created(
        databaseId: (issues.map(\.id).max() ?? 0) + 1, number: number, title: title, body: body,
        url: url, labels: SampleTemplates.labels(ofTemplate: template),
        login: try Self.writer().login)
      let json = try GitHubJSON.encoder().encode(["createIssue": ["issue": issue]])
      return Self.graphQL(String(decoding: json, as: UTF8.self))
    }
  }

  static func graphQL(_ data: String) -> SampleAnswer {
    SampleAnswer(Data(#"{"data":\#(data)}"#.utf8))
  }

  private func labelAnswer() throws -> SampleAnswer {
    switch target {
    case .createLabel(let name, let label):
      try withIssues(of: name) { issues in
        guard Self.known(label.name, issues) == nil else { return Self.exists("Label", "name") }
        return try .created(
          GitHub.Label(
            serverID: 1, name: label.name, color: label.color.map(GitHub.Label.digits) ?? "ededed",
            description: label.description))
      }
    case .editLabel(let name, let label, let edit):
      try withIssues(of: name) { issues in
        guard var label = Self.known(label, issues) else { return .notFound }
        label.name = edit.newName ?? label.name
        label.color = edit.color.map(GitHub.Label.digits) ?? label.color
        label.description = edit.description ?? label.description
        return try SampleAnswer(encoding: label)
      }
    case .deleteLabel(let name, let label):
      try withIssues(of: name) { Self.known(label, $0) == nil ? .notFound : .noContent }
    default: .notFound
    }
  }

  private func milestoneAnswer() throws -> SampleAnswer {
    switch target {
    case .createMilestone(let name, let new):
      try withIssues(of: name) { issues in
        let milestones = issues.compactMap(\.milestone)
        guard !milestones.contains(where: { $0.title == new.title }) else {
          return Self.exists("Milestone", "title")
        }
        return try .created(
          GitHub.Milestone(
            serverID: 1, number: (milestones.compactMap(\.number).max() ?? 0) + 1, title: new.title,
            description: new.description, state: .open, openIssuesCount: 0, closedIssuesCount: 0,
            dueOn: new.dueOn))
      }
    case .editMilestone(let name, let number, let edit):
      try withIssues(of: name) { issues in
        guard var milestone = Self.milestone(number, issues) else { return .notFound }
        milestone.title = edit.title ?? milestone.title
        milestone.description = edit.description ?? milestone.description
        milestone.state = edit.state ?? milestone.state
        if let dueOn = edit.dueOn { milestone.dueOn = dueOn.value }
        return try SampleAnswer(encoding: milestone)
      }
    case .deleteMilestone(let name, let number):
      try withIssues(of: name) { Self.milestone(number, $0) == nil ? .notFound : .noContent }
    default: .notFound
    }
  }

  private static func known(_ name: String, _ issues: [GitHub.Issue]) -> GitHub.Label? {
    issues.lazy.flatMap(\.labels).first { $0.name.lowercased() == name.lowercased() }
  }

  /// Returns a label of the samples, or else the label that GitHub would create.
  private static func label(_ name: String, _ issues: [GitHub.Issue]) -> GitHub.Label {
    known(name, issues) ?? GitHub.Label(name: name, color: "ededed")
  }

  private static func milestone(_ number: Int, _ issues: [GitHub.Issue]) -> GitHub.Milestone? {
    issues.lazy.compactMap(\.milestone).first { $0.number == number }
  }

  private static let invalidMilestone = SampleAnswer.invalid("Issue", "milestone", "invalid")

  private static func exists(_ resource: String, _ field: String) -> SampleAnswer {
    .invalid(resource, field, "already_exists")
  }

  private static func writer() throws -> GitHub.User {
    let user = try GitHubJSON.decode(GitHub.User.self, from: Data(SampleData.user))
    return GitHub.User(
      login: user.login, serverID: user.serverID, type: user.type, htmlURL: user.htmlURL)
  }

  /// Returns the current time of the samples, which is that of their last change.
  private static func now(_ issues: [GitHub.Issue]) -> Date? {
    issues.compactMap(\.updatedAt).max()
  }
}

extension GitHub.Issue {
  /// Returns the issue with the requested name of its repository.
  fileprivate func named(in repository: String) -> GitHub.Issue {
    var issue = self
    let kind = isPullRequest ? "pull" : "issues"
    let name = RepositoryName(repository).map { "\($0)" } ?? repository
    issue.htmlURL = "https://github.com/\(name)/\(kind)/\(number)"
    issue.url = "https://api.github.com/repos/\(name)/issues/\(number)"
    return issue
  }
}

extension SampleAnswer {
  /// An answer without a body.
  fileprivate init(_ status: HTTPResponse.Status) {
    self.init(Data())
    self.status = status
    headers = [:]
  }

  fileprivate static var noContent: SampleAnswer { SampleAnswer(.noContent) }

  fileprivate static func created(_ value: some Encodable) throws -> SampleAnswer {
    var answer = try SampleAnswer(encoding: value)
    answer.status = .created
    return answer
  }

  fileprivate static func invalid(
    _ resource: String, _ field: String, _ code: String
  ) -> SampleAnswer {
    var answer = SampleAnswer(
      Data(
        """
        {"message":"Validation Failed","errors":[{"resource":"\(resource)","code":"\(code)",\
        "field":"\(field)"}],"documentation_url":"https://docs.github.com/rest"}
        """.utf8))
    answer.status = .unprocessableContent
    return answer
  }
}
