extension GitHubJSON {
  /// The fields of a repository that are links into the API: name and path below the repository.
  private static let links = [
    ("forks_url", "/forks"), ("keys_url", "/keys{/key_id}"),
    ("collaborators_url", "/collaborators{/collaborator}"), ("teams_url", "/teams"),
    ("hooks_url", "/hooks"), ("issue_events_url", "/issues/events{/number}"),
    ("events_url", "/events"), ("assignees_url", "/assignees{/user}"),
    ("branches_url", "/branches{/branch}"), ("tags_url", "/tags"),
    ("blobs_url", "/git/blobs{/sha}"), ("git_tags_url", "/git/tags{/sha}"),
    ("git_refs_url", "/git/refs{/sha}"), ("trees_url", "/git/trees{/sha}"),
    ("statuses_url", "/statuses/{sha}"), ("languages_url", "/languages"),
    ("stargazers_url", "/stargazers"), ("contributors_url", "/contributors"),
    ("subscribers_url", "/subscribers"), ("subscription_url", "/subscription"),
    ("commits_url", "/commits{/sha}"), ("git_commits_url", "/git/commits{/sha}"),
    ("comments_url", "/comments{/number}"),
    ("issue_comment_url", "/issues/comments{/number}"), ("contents_url", "/contents/{+path}"),
    ("compare_url", "/compare/{base}...{head}"), ("merges_url", "/merges"),
    ("archive_url", "/{archive_format}{/ref}"), ("downloads_url", "/downloads"),
    ("issues_url", "/issues{/number}"), ("pulls_url", "/pulls{/number}"),
    ("milestones_url", "/milestones{/number}"),
    ("notifications_url", "/notifications{?since,all,participating}"),
    ("labels_url", "/labels{/name}"), ("releases_url", "/releases{/id}"),
    ("deployments_url", "/deployments"),
  ]

  /// A repository, as `/repos/OWNER/NAME` returns it.
  ///
  /// - Parameters:
  ///   - repository: The repository.
  ///   - openIssues: The number of open issues and pull requests, which GitHub counts together.
  /// - Returns: The JSON object.
  func repository(_ repository: LoopbackRepository, openIssues: Int) -> String {
    let api = "\(root)/repos/\(repository.fullName)"
    let page = "github.com/\(repository.fullName)"
    let links = Self.links.map { "\"\($0.0)\":\"\(api)\($0.1)\"" }.joined(separator: ",")
    return """
      {"id":\(repository.id),"node_id":"\(Self.nodeID(of: repository))",\
      "name":\(JSONText.string(repository.name)),\
      "full_name":\(JSONText.string(repository.fullName)),"private":\(repository.isPrivate),\
      "owner":\(user(repository.owner)),"html_url":"https://\(page)",\
      "description":"A repository of the loopback GitHub","fork":false,"url":"\(api)",\(links),\
      "created_at":"2015-10-23T21:15:07Z","updated_at":"2026-06-01T11:59:00Z",\
      "pushed_at":"2026-06-01T11:58:00Z","git_url":"git://\(page).git",\
      "ssh_url":"git@github.com:\(repository.fullName).git","clone_url":"https://\(page).git",\
      "svn_url":"https://\(page)","homepage":"https://swift.org","size":1258001,\
      "stargazers_count":69000,"watchers_count":69000,"language":"C++",\
      "has_issues":\(repository.hasIssues),"has_projects":true,"has_downloads":true,\
      "has_wiki":false,"has_pages":false,"has_discussions":false,"forks_count":10600,\
      "mirror_url":null,"archived":\(repository.isArchived),"disabled":false,"open_issues_count":\(openIssues),\
      "license":{"key":"apache-2.0","name":"Apache License 2.0","spdx_id":"Apache-2.0",\
      "url":"\(root)/licenses/apache-2.0","node_id":"MDc6TGljZW5zZTI="},\
      "allow_forking":true,"is_template":false,"web_commit_signoff_required":false,"topics":[],\
      "visibility":"\(repository.isPrivate ? "private" : "public")","forks":10600,\
      "open_issues":\(openIssues),"watchers":69000,"default_branch":"main",\
      \(permissions)"temp_clone_token":null,"network_count":10600,"subscribers_count":2400}
      """
  }

  private var permissions: String {
    guard let permission else { return "" }
    return """
      "permissions":{"admin":\(permission >= .admin),"maintain":\(permission >= .admin),\
      "push":\(permission >= .write),"triage":\(permission >= .triage),"pull":true},
      """
  }
}
