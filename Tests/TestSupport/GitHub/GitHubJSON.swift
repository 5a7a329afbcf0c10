internal import PlatformModules

/// The JSON of GitHub's REST API, version 2022-11-28, for made-up things.
///
/// It has every field that GitHub sends, so that sizes and decoding costs are real. Links into the API lead to the
/// loopback server; web pages stay on github.com.
struct GitHubJSON {
  /// The root of the API's links: `http://127.0.0.1:PORT`, with `/api/v3` for Enterprise paths.
  var root: String
  /// Whether `assignee` is sent besides `assignees`. Version 2026-03-10 removed it.
  var hasSingleAssignee = true
  /// The rights of the token's owner that repositories report; nil for no report.
  var permission: LoopbackPermission?
  /// A repository's milestone, by number.
  var milestone: (Int, LoopbackRepository) -> SyntheticMilestone?

  /// Another issue of a repository, by number.
  var relative: (Int, LoopbackRepository) -> SyntheticIssue? = { _, _ in nil }
  /// Whether the server knows types, sub-issues and dependencies.
  var hasRelations = true
  var fields: [SyntheticIssueField] = []

  /// A user's short form, inside other objects.
  func user(_ login: String) -> String {
    "{\(userFields(login))}"
  }

  func isBot(_ login: String) -> Bool { login.hasSuffix("[bot]") || login == "Copilot" }

  private func userFields(_ login: String) -> String {
    let id = 1000 + Int(StableHash.of(login) % 90_000_000)
    let name = PercentCoding.encode(login)
    let api = "\(root)/users/\(name)"
    let type = isBot(login) ? "Bot" : "User"
    return """
      "login":\(JSONText.string(login)),"id":\(id),"node_id":"MDQ6VXNlcj\(id)",\
      "avatar_url":"https://avatars.githubusercontent.com/u/\(id)?v=4","gravatar_id":"",\
      "url":"\(api)","html_url":"https://github.com/\(name)",\
      "followers_url":"\(api)/followers","following_url":"\(api)/following{/other_user}",\
      "gists_url":"\(api)/gists{/gist_id}","starred_url":"\(api)/starred{/owner}{/repo}",\
      "subscriptions_url":"\(api)/subscriptions","organizations_url":"\(api)/orgs",\
      "repos_url":"\(api)/repos","events_url":"\(api)/events{/privacy}",\
      "received_events_url":"\(api)/received_events","type":"\(type)",\
      "user_view_type":"public","site_admin":false
      """
  }

  /// A user's full form, as `/users/NAME` returns it.
  func fullUser(_ login: String, repositories: Int) -> String {
    """
    {\(userFields(login)),"name":\(JSONText.string(login)),"company":null,"blog":"",\
    "location":null,"email":null,"hireable":null,"bio":null,"twitter_username":null,\
    "public_repos":\(repositories),"public_gists":0,"followers":12,"following":3,\
    "created_at":"2015-10-23T21:15:07Z","updated_at":"2026-05-30T08:00:00Z"}
    """
  }

  /// An issue of a repository.
  func issue(_ issue: SyntheticIssue, in repository: LoopbackRepository) -> String {
    let api = "\(root)/repos/\(repository.fullName)"
    let url = "\(api)/issues/\(issue.number)"
    let kind = issue.isPullRequest ? "pull" : "issues"
    let html = "https://github.com/\(repository.fullName)/\(kind)/\(issue.number)"
    let assignees = issue.assignees.map(user)
    let assignee = hasSingleAssignee ? "\"assignee\":\(assignees.first ?? "null")," : ""
    return """
      {"url":"\(url)","repository_url":"\(api)","labels_url":"\(url)/labels{/name}",\
      "comments_url":"\(url)/comments","events_url":"\(url)/events","html_url":"\(html)",\
      "id":\(Self.issueID(issue)),\
      "node_id":"\(Self.nodeID(issue.number, in: repository))",\
      "number":\(issue.number),"title":\(JSONText.string(issue.title)),\
      "user":\(user(issue.author)),\
      "labels":\(JSONText.array(issue.labels.map { label($0, api: api) })),\
      "state":"\(issue.isOpen ? "open" : "closed")","locked":\(issue.isLocked),\
      \(assignee)"assignees":\(JSONText.array(assignees)),\
      "milestone":\(milestone(of: issue, in: repository, api: api)),"comments":\(issue.comments),\
      "created_at":\(JSONText.time(issue.createdAt)),\
      "updated_at":\(JSONText.time(issue.updatedAt)),\
      "closed_at":\(JSONText.time(issue.closedAt)),"author_association":"CONTRIBUTOR",\
      \(relations(issue, in: repository, api: api))"active_lock_reason":\(JSONText.string(issue.lockReason)),\(pullRequest(issue, api: api, html: html))\
      "body":\(JSONText.string(issue.body)),\
      "closed_by":\(issue.closedBy.map(user) ?? "null"),\
      "reactions":\(reactions(issue.isWritten ? nil : issue.number, issue.reactions, at: url)),\
      "timeline_url":"\(url)/timeline","performed_via_github_app":null,\
      "state_reason":\(JSONText.string(issue.stateReason))}
      """
  }

  private func relations(
    _ issue: SyntheticIssue, in repository: LoopbackRepository, api: String
  ) -> String {
    guard hasRelations else { return "" }
    func open(_ numbers: [Int]) -> Int {
      numbers.count { relative($0, repository)?.isOpen ?? false }
    }
    let values = fields.filter { issue.fields[$0.id] != nil }.map {
      fieldValue($0, issue.fields[$0.id] ?? "null")
    }
    let list = values.isEmpty ? "" : "\"issue_field_values\":\(JSONText.array(values)),"
    let parent = issue.parent.map { "\"parent_issue_url\":\"\(api)/issues/\($0)\"," } ?? ""
    let total = issue.subIssues.count
    let done = total - open(issue.subIssues)
    return """
      "type":\(type(issue.type)),\(list)\(parent)"sub_issues_summary":{"total":\(total),"completed":\(done),\
      "percent_completed":\(total > 0 ? done * 100 / total : 0)},\
      "issue_dependencies_summary":{"blocked_by":\(open(issue.blockedBy)),\
      "total_blocked_by":\(issue.blockedBy.count),"blocking":\(open(issue.blocking)),\
      "total_blocking":\(issue.blocking.count)},
      """
  }

  /// An event of an issue's timeline. A reference from elsewhere has no id.
  func event(
    _ event: SyntheticEvent, _ index: Int, of issue: SyntheticIssue,
    in repository: LoopbackRepository
  ) -> String {
    let id = Self.issueID(issue) * 10 + index
    let time = JSONText.time(event.createdAt)
    let actor = event.actor.map { "\"actor\":\(user($0))," } ?? ""
    let members = event.members.isEmpty ? "" : ",\(event.members)"
    // A duplicate key has its first value.
    let commit = event.members.contains("\"commit_id\"") ? "" : "\"commit_id\":null,"
    guard event.kind != "cross-referenced" else {
      return """
        {"event":"cross-referenced",\(actor)"created_at":\(time),"updated_at":\(time)\(members)}
        """
    }
    return """
      {"id":\(id),"node_id":"EV_\(id)",\
      "url":"\(root)/repos/\(repository.fullName)/issues/events/\(id)",\(actor)"event":"\(event.kind)",\
      \(commit)"commit_url":null,"created_at":\(time),"performed_via_github_app":null\(members)}
      """
  }

  func type(_ name: String?) -> String {
    guard let name else { return "null" }
    let id = 24_000 + Int(StableHash.of(name) % 9000)
    return """
      {"id":\(id),"node_id":"IT_kwDO\(id)","name":\(JSONText.string(name)),"description":null,\
      "color":"blue","created_at":"2024-01-25T12:49:24Z","updated_at":"2024-07-26T07:45:14Z",\
      "is_enabled":true}
      """
  }

  /// The count of each reaction: a few for every third made-up thing, and those added by requests.
  private func reactions(
    _ number: Int?, _ written: [SyntheticReaction], at url: String
  ) -> String {
    var counts = Dictionary(grouping: written, by: \.content).mapValues(\.count)
    for (content, count) in SyntheticReaction.madeUp(for: number) {
      counts[content, default: 0] += count
    }
    let list = SyntheticReaction.contents.map { "\"\($0)\":\(counts[$0] ?? 0)" }
    return """
      {"url":"\(url)/reactions","total_count":\(counts.values.reduce(0, +)),\
      \(list.joined(separator: ","))}
      """
  }

  /// A reaction, as lists and the requests that add one return it.
  func reaction(_ reaction: SyntheticReaction) -> String {
    """
    {"id":\(reaction.id),"node_id":"REA_lAHO\(reaction.id)","user":\(user(reaction.user)),\
    "content":"\(reaction.content)","created_at":\(JSONText.time(reaction.createdAt))}
    """
  }

  /// A comment of an issue.
  func comment(
    _ comment: SyntheticComment, of issue: SyntheticIssue, in repository: LoopbackRepository
  ) -> String {
    let api = "\(root)/repos/\(repository.fullName)/issues"
    let id = Self.commentID(comment.index, on: issue)
    let kind = issue.isPullRequest ? "pull" : "issues"
    let page = "https://github.com/\(repository.fullName)/\(kind)/\(issue.number)"
    return """
      {"url":"\(api)/comments/\(id)","html_url":"\(page)#issuecomment-\(id)",\
      "issue_url":"\(api)/\(issue.number)","id":\(id),"node_id":"IC_kwDO\(id)",\
      "user":\(user(comment.author)),"created_at":\(JSONText.time(comment.createdAt)),\
      "updated_at":\(JSONText.time(comment.updatedAt)),"author_association":"CONTRIBUTOR",\
      "body":\(JSONText.string(comment.body)),\
      "reactions":\(reactions(comment.isWritten ? nil : id, comment.reactions, at: "\(api)/comments/\(id)")),\
      "performed_via_github_app":null}
      """
  }

  /// GitHub's ids of issues no longer fit into 32 bits.
  static func issueID(_ issue: SyntheticIssue) -> Int { issueID(issue.number) }

  static func issueID(_ number: Int) -> Int { 4_300_000_000 + number * 7 }

  /// The id of a comment by its place on its issue.
  static func commentID(_ index: Int, on issue: SyntheticIssue) -> Int {
    issueID(issue) * 100 + index
  }

  /// The comment with an id. Up to 700 on each issue have their own.
  static func commentName(_ id: Int) -> CommentBook.Name? {
    let place = id - 430_000_000_000
    return place < 700 ? nil : CommentBook.Name(issue: place / 700, index: place % 700)
  }

  /// An issue's id for GraphQL, which contains its repository. `swiftlang/swift` has always had this one.
  static func nodeID(_ number: Int, in repository: LoopbackRepository) -> String {
    "I_kwDO\(repository.id == LoopbackRepository.swift().id ? "AqwuZc" : "\(repository.id)Zc")\(number)"
  }

  /// A repository's id for GraphQL.
  static func nodeID(of repository: LoopbackRepository) -> String {
    "MDEwOlJlcG9zaXRvcnk\(repository.id)"
  }

  private func pullRequest(_ issue: SyntheticIssue, api: String, html: String) -> String {
    guard issue.isPullRequest else { return "" }
    return """
      "draft":\(issue.isDraft),"pull_request":{"url":"\(api)/pulls/\(issue.number)","html_url":"\(html)",\
      "diff_url":"\(html).diff","patch_url":"\(html).patch",\
      "merged_at":\(JSONText.time(issue.isMerged ? issue.closedAt : nil))},
      """
  }

  func label(_ label: SyntheticIssue.Label, api: String) -> String {
    """
    {"id":\(label.id),"node_id":"MDU6TGFiZWw\(label.id)",\
    "url":"\(api)/labels/\(PercentCoding.encode(label.name))",\
    "name":\(JSONText.string(label.name)),"color":"\(label.color)","default":false,\
    "description":\(JSONText.string(label.description))}
    """
  }

  private func milestone(
    of issue: SyntheticIssue, in repository: LoopbackRepository, api: String
  ) -> String {
    issue.milestone.flatMap { milestone($0, repository) }.map { milestone($0, api: api) } ?? "null"
  }

  func milestone(_ milestone: SyntheticMilestone, api: String) -> String {
    let url = "\(api)/milestones/\(milestone.number)"
    let repository = api.dropFirst(root.count + "/repos/".count)
    return """
      {"url":"\(url)",\
      "html_url":"https://github.com/\(repository)/milestone/\(milestone.number)",\
      "labels_url":"\(url)/labels","id":\(7_000_000 + milestone.number),\
      "node_id":"MI_kwDO\(milestone.number)","number":\(milestone.number),\
      "title":\(JSONText.string(milestone.title)),\
      "description":\(JSONText.string(milestone.description)),"creator":\(user(milestone.creator)),\
      "open_issues":\(milestone.openIssues),"closed_issues":\(milestone.closedIssues),\
      "state":"\(milestone.isOpen ? "open" : "closed")",\
      "created_at":\(JSONText.time(milestone.createdAt)),\
      "updated_at":\(JSONText.time(milestone.updatedAt)),"due_on":\(JSONText.time(milestone.dueOn)),\
      "closed_at":\(JSONText.time(milestone.closedAt))}
      """
  }
}

/// FNV-1a, over bytes or words of eight: the same in every process, unlike `Hasher`.
enum StableHash {
  static func of(_ text: String) -> UInt64 {
    of(text.utf8)
  }

  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(start) { adding(UInt64($1), to: $0) }
  }

  /// Of a whole answer, eight bytes at a time.
  static func of(_ answer: Data) -> UInt64 {
    answer.withUnsafeBytes { bytes in
      let words = bytes.count / 8
      var hash = of(bytes[(words * 8)...])
      for word in 0..<words {
        hash = adding(bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self), to: hash)
      }
      return hash
    }
  }

  /// Extends a hash by a number.
  static func adding(_ number: Int, to hash: UInt64) -> UInt64 {
    adding(UInt64(bitPattern: Int64(number)), to: hash)
  }

  private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func adding(_ word: UInt64, to hash: UInt64) -> UInt64 {
    (hash ^ word) &* 0x100_0000_01B3
  }
}
