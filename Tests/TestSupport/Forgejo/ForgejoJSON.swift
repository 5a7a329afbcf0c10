internal import PlatformModules

/// The JSON of the API of Forgejo and Gitea, with the fields of recorded answers in their order.
struct ForgejoJSON {
  let forge: LoopbackForge
  /// The root of web pages: `http://127.0.0.1:PORT`, with the sub-path of the installation.
  let root: String
  /// The distance of the server's time zone from UTC in seconds.
  let offset: Int
  /// The rights of the token's owner; nil without a token.
  let permission: LoopbackPermission?
  /// A repository's milestone, by number.
  let milestoneOf: (Int, LoopbackRepository) -> SyntheticMilestone?

  private static let noTime = "\"0001-01-01T00:00:00Z\""
  private static let firstMilestone = 7_000_000

  var isForgejo: Bool { forge == .forgejo }

  /// The root of the API's addresses.
  var api: String { root + forge.apiPath }

  func api(_ repository: LoopbackRepository) -> String { "\(api)/repos/\(repository.fullName)" }

  /// Milestones have ids, which differ from GitHub's numbers.
  static func milestoneID(_ number: Int) -> Int { firstMilestone + number }

  static func milestoneNumber(_ id: Int) -> Int { id - firstMilestone }

  static func userID(_ login: String) -> Int {
    isGhost(login) ? -1 : 1000 + Int(StableHash.of(login) % 90_000_000)
  }

  /// Whether it stands for the owner of a deleted account.
  private static func isGhost(_ login: String) -> Bool { login.lowercased() == "ghost" }

  func time(_ seconds: Int?) -> String {
    seconds.map { "\"\(ForgejoTime.text($0, offset: offset))\"" } ?? "null"
  }

  private func web(_ repository: LoopbackRepository) -> String { "\(root)/\(repository.fullName)" }

  /// The page of an issue or a pull request.
  func page(_ issue: SyntheticIssue, in repository: LoopbackRepository) -> String {
    "\(web(repository))/\(issue.isPullRequest ? "pulls" : "issues")/\(issue.number)"
  }

  // MARK: Users and repositories

  func user(_ login: String) -> String {
    let id = Self.userID(login)
    let login = Self.isGhost(login) ? "Ghost" : login
    let pronouns = isForgejo ? "\"pronouns\":\"\"," : ""
    let hash = String(StableHash.of(login), radix: 16)
    let avatar = id < 0 ? "assets/img/avatar_default.png" : "avatars/\(hash)"
    return """
      {"id":\(id),"login":\(JSONText.string(login)),"login_name":"","source_id":0,"full_name":"",\
      "email":\(JSONText.string("\(login)@noreply.example.com")),"avatar_url":"\(root)/\(avatar)",\
      "html_url":"\(root)/\(PercentCoding.encode(login))","language":"","is_admin":false,\
      "last_login":\(Self.noTime),"created":"2015-10-23T21:15:07Z","restricted":false,\
      "active":false,"prohibit_login":false,"location":"",\(pronouns)"website":"",\
      "description":"","visibility":"public","followers_count":0,"following_count":0,\
      "starred_repos_count":0,"username":\(JSONText.string(login))}
      """
  }

  /// A repository, as `/repos/OWNER/NAME` returns it.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - openIssues: The number of its open issues without pull requests.
  ///   - openPullRequests: The number of its open pull requests.
  /// - Returns: The JSON object.
  func repository(
    _ repository: LoopbackRepository, openIssues: Int, openPullRequests: Int
  ) -> String {
    let (web, api) = (web(repository), api(repository))
    let right = permission ?? .read
    let wiki =
      isForgejo
      ? """
      "has_wiki_contents":false,"wiki_branch":"main","wiki_ssh_url":"\(web).wiki.git",\
      "wiki_clone_url":"\(web).wiki.git","globally_editable_wiki":false,
      """ : ""
    let merges =
      isForgejo
      ? "\"allow_fast_forward_only_merge\":true,\"allow_rebase_update\":true,"
      : """
      "allow_fast_forward_only_merge":false,"allow_rebase_update":true,\
      "allow_manual_merge":false,"autodetect_manual_merge":false,
      """
    return """
      {"id":\(repository.id),"owner":\(user(repository.owner)),\
      "name":\(JSONText.string(repository.name)),\
      "full_name":\(JSONText.string(repository.fullName)),"description":"A repository",\
      "empty":false,"private":\(repository.isPrivate),"fork":false,"template":false,\
      \(isForgejo ? "\"parent\":null," : "")"mirror":false,"size":68,"language":"",\
      "languages_url":"\(api)/languages","html_url":"\(web)","url":"\(api)","link":"",\
      "ssh_url":"\(web).git","clone_url":"\(web).git","original_url":"","website":"",\
      "stars_count":1,"forks_count":2,"watchers_count":10,"open_issues_count":\(openIssues),\
      "open_pr_counter":\(openPullRequests),"release_counter":2,"default_branch":"main",\
      "archived":\(repository.isArchived),"created_at":"2020-09-01T00:12:27Z",\
      "updated_at":"2026-05-30T08:00:00Z","archived_at":"1970-01-01T00:00:00Z",\
      "permissions":{"admin":\(right >= .admin),"push":\(right >= .write),"pull":true},\
      \(isForgejo ? "" : "\"has_code\":true,")"has_issues":\(repository.hasIssues),\
      "internal_tracker":{"enable_time_tracker":true,\
      "allow_only_contributors_to_track_time":true,"enable_issue_dependencies":true},\
      "has_wiki":true,\(wiki)"has_pull_requests":true,"has_projects":true,\
      \(isForgejo ? "" : "\"projects_mode\":\"\",")"has_releases":true,"has_packages":false,\
      "has_actions":false,"ignore_whitespace_conflicts":false,"allow_merge_commits":true,\
      "allow_rebase":true,"allow_rebase_explicit":true,"allow_squash_merge":true,\(merges)\
      "default_delete_branch_after_merge":false,"default_merge_style":"merge",\
      "default_allow_maintainer_edit":false,\
      \(isForgejo ? "\"default_update_style\":\"merge\"," : "")"avatar_url":"",\
      "internal":false,"mirror_interval":"","object_format_name":"sha1",\
      "mirror_updated":\(Self.noTime),\(isForgejo ? "\"repo_transfer\":null," : "")"topics":[]\
      \(isForgejo ? "" : ",\"licenses\":[]")}
      """
  }

  // MARK: Issues

  /// An issue of a repository. Forgejo and Gitea never leave out a field.
  func issue(_ issue: SyntheticIssue, in repository: LoopbackRepository) -> String {
    let api = api(repository)
    let labels = issue.labels.map { label($0, api: api) }
    let milestone = issue.milestone.flatMap { milestoneOf($0, repository) }
    let assignees = issue.assignees.map(user)
    let list = assignees.isEmpty ? "null" : JSONText.array(assignees)
    return """
      {"id":\(GitHubJSON.issueID(issue)),"url":"\(api)/issues/\(issue.number)",\
      "html_url":"\(page(issue, in: repository))","number":\(issue.number),\
      "user":\(user(issue.author)),"original_author":"","original_author_id":0,\
      "title":\(JSONText.string(issue.title)),"body":\(JSONText.string(issue.body ?? "")),\
      "ref":"","assets":[],"labels":\(JSONText.array(labels)),\
      "milestone":\(milestone.map(self.milestone) ?? "null"),\
      "assignee":\(assignees.first ?? "null"),"assignees":\(list),\
      "state":"\(issue.isOpen ? "open" : "closed")","is_locked":\(issue.isLocked),\
      "comments":\(issue.comments),"created_at":\(time(issue.createdAt)),\
      "updated_at":\(time(issue.updatedAt)),"closed_at":\(time(issue.closedAt)),\
      "due_date":null,\(isForgejo ? "" : "\"time_estimate\":0,")\
      "pull_request":\(pullRequest(issue, in: repository)),\
      "repository":{"id":\(repository.id),"name":\(JSONText.string(repository.name)),\
      "owner":\(JSONText.string(repository.owner)),\
      "full_name":\(JSONText.string(repository.fullName))},"pin_order":\(issue.isPinned ? 1 : 0)}
      """
  }

  private func pullRequest(
    _ issue: SyntheticIssue, in repository: LoopbackRepository
  ) -> String {
    guard issue.isPullRequest else { return "null" }
    let isMerged = issue.isMerged && !issue.isOpen
    return """
      {"merged":\(isMerged),"merged_at":\(time(isMerged ? issue.closedAt : nil)),\
      "draft":\(issue.isDraft),"html_url":"\(page(issue, in: repository))"}
      """
  }

  func label(_ label: SyntheticIssue.Label, api: String) -> String {
    """
    {"id":\(label.id),"name":\(JSONText.string(label.name)),\
    "exclusive":false,"is_archived":\(label.isArchived),"color":"\(label.color)",\
    "description":\(JSONText.string(label.description ?? "")),"url":"\(api)/labels/\(label.id)"}
    """
  }

  func milestone(_ milestone: SyntheticMilestone) -> String {
    """
    {"id":\(Self.milestoneID(milestone.number)),"title":\(JSONText.string(milestone.title)),\
    "description":\(JSONText.string(milestone.description ?? "")),\
    "state":"\(milestone.isOpen ? "open" : "closed")","open_issues":\(milestone.openIssues),\
    "closed_issues":\(milestone.closedIssues),"created_at":\(time(milestone.createdAt)),\
    "updated_at":\(time(milestone.updatedAt)),"closed_at":\(time(milestone.closedAt)),\
    "due_on":\(time(milestone.dueOn))}
    """
  }

  /// A comment of an issue. Its addresses are web pages.
  func comment(
    _ comment: SyntheticComment, of issue: SyntheticIssue, in repository: LoopbackRepository
  ) -> String {
    let names = commentNames(
      GitHubJSON.commentID(comment.index, on: issue), of: issue, in: repository)
    return """
      {\(names),"user":\(user(comment.author)),"original_author":"","original_author_id":0,\
      "body":\(JSONText.string(comment.body)),"assets":[],"created_at":\(time(comment.createdAt)),\
      "updated_at":\(time(comment.updatedAt))}
      """
  }

  private func commentNames(
    _ id: Int, of issue: SyntheticIssue, in repository: LoopbackRepository
  ) -> String {
    let page = page(issue, in: repository)
    return """
      "id":\(id),"html_url":"\(page)#issuecomment-\(id)",\
      "pull_request_url":"\(issue.isPullRequest ? page : "")",\
      "issue_url":"\(issue.isPullRequest ? "" : page)"
      """
  }

  func reaction(_ reaction: SyntheticReaction) -> String {
    """
    {"user":\(user(reaction.user)),"content":\(JSONText.string(reaction.content)),\
    "created_at":\(time(reaction.createdAt))}
    """
  }

  // MARK: Timelines

  /// A comment as an event.
  func event(
    _ comment: SyntheticComment, of issue: SyntheticIssue, in repository: LoopbackRepository
  ) -> String {
    event(
      "comment", GitHubJSON.commentID(comment.index, on: issue), by: comment.author,
      body: comment.body, at: (comment.createdAt, comment.updatedAt), [:], of: issue,
      in: repository)
  }

  /// An event that Forgejo has too; nil for any other.
  func event(
    _ event: SyntheticEvent, _ index: Int, of issue: SyntheticIssue,
    in repository: LoopbackRepository
  ) -> String? {
    let members = JSONInput(Data("{\(event.members)}".utf8))
    var (kind, body, fields) = (event.kind, "", [String: String]())
    switch event.kind {
    case "closed": kind = "close"
    case "reopened": kind = "reopen"
    case "locked", "unlocked": kind = String(event.kind.dropLast(2))
    case "renamed":
      kind = "change_title"
      fields["old_title"] = JSONText.string(members?["rename"]?["from"]?.text ?? "")
      fields["new_title"] = JSONText.string(members?["rename"]?["to"]?.text ?? "")
    case "labeled", "unlabeled":
      (kind, body) = ("label", event.kind == "labeled" ? "1" : "")
      let given = members?["label"]
      fields["label"] = label(
        .init(given?["name"]?.text ?? "", color: given?["color"]?.text ?? "ededed"),
        api: api(repository))
    case "assigned", "unassigned":
      kind = "assignees"
      fields["assignee"] = user(members?["assignee"]?["login"]?.text ?? "Ghost")
      fields["removed_assignee"] = "\(event.kind == "unassigned")"
    case "milestoned", "demilestoned":
      kind = "milestone"
      let title = members?["milestone"]?["title"]?.text ?? ""
      let text = milestone(SyntheticMilestone(0, title: title))
      fields[event.kind == "milestoned" ? "milestone" : "old_milestone"] = text
    case "blocked_by_added": kind = "add_dependency"
    case "blocked_by_removed": kind = "remove_dependency"
    default: return nil
    }
    return self.event(
      kind, GitHubJSON.issueID(issue) * 10 + index, by: event.actor ?? "Ghost", body: body,
      at: (event.createdAt, event.createdAt), fields, of: issue, in: repository)
  }

  private func event(
    _ kind: String, _ id: Int, by actor: String, body: String,
    at times: (created: Int, updated: Int), _ fields: [String: String], of issue: SyntheticIssue,
    in repository: LoopbackRepository
  ) -> String {
    """
    {\(commentNames(id, of: issue, in: repository)),"user":\(user(actor)),\
    "body":\(JSONText.string(body)),"created_at":\(time(times.created)),\
    "updated_at":\(time(times.updated)),"type":"\(kind)","old_project_id":0,"project_id":0,\
    "old_milestone":\(fields["old_milestone"] ?? "null"),\
    "milestone":\(fields["milestone"] ?? "null"),"tracked_time":null,\
    "old_title":\(fields["old_title"] ?? "\"\""),"new_title":\(fields["new_title"] ?? "\"\""),\
    "old_ref":"","new_ref":"","ref_issue":null,"ref_comment":null,"ref_action":"none",\
    "ref_commit_sha":"","review_id":0,"label":\(fields["label"] ?? "null"),\
    "assignee":\(fields["assignee"] ?? "null"),"assignee_team":null,\
    "removed_assignee":\(fields["removed_assignee"] ?? "false"),"resolve_doer":null,\
    "dependent_issue":null}
    """
  }
}
