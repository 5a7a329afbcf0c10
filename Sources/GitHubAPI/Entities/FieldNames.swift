// The fields in GitHub's API description (2022-11-28), with the most useful ones first. Other fields also work.

extension GitHub.Issue {
  /// The names of an issue's fields.
  public static let fieldNames = names(
    """
    id number title body state state_reason user labels assignees milestone comments locked \
    created_at updated_at closed_at html_url url pull_request author_association reactions \
    node_id repository_url labels_url comments_url events_url assignee active_lock_reason \
    draft closed_by body_html body_text timeline_url type repository \
    performed_via_github_app sub_issues_summary parent_issue_url pinned_comment \
    issue_dependencies_summary issue_field_values text_matches score
    """)
}

extension IssueComment {
  /// The names of a comment's fields.
  public static let fieldNames = names(
    """
    id body user author_association created_at updated_at html_url issue_url reactions \
    node_id url body_text body_html performed_via_github_app pin minimized
    """)
}

extension GitHub.Repository {
  /// The names of a repository's fields.
  public static let fieldNames = names(
    """
    id name full_name owner description private fork language stargazers_count \
    open_issues_count topics archived html_url created_at updated_at pushed_at node_id url \
    archive_url assignees_url blobs_url branches_url collaborators_url comments_url \
    commits_url compare_url contents_url contributors_url deployments_url downloads_url \
    events_url forks_url git_commits_url git_refs_url git_tags_url git_url issue_comment_url \
    issue_events_url issues_url keys_url labels_url languages_url merges_url milestones_url \
    notifications_url pulls_url releases_url ssh_url stargazers_url statuses_url \
    subscribers_url subscription_url tags_url teams_url trees_url clone_url mirror_url \
    hooks_url svn_url homepage forks_count watchers_count size default_branch is_template \
    has_issues has_projects has_wiki has_pages has_downloads has_discussions \
    has_pull_requests pull_request_creation_policy disabled visibility permissions \
    allow_rebase_merge template_repository temp_clone_token allow_squash_merge \
    allow_auto_merge delete_branch_on_merge allow_merge_commit allow_update_branch \
    use_squash_pr_title_as_default squash_merge_commit_title squash_merge_commit_message \
    merge_commit_title merge_commit_message allow_forking web_commit_signoff_required \
    subscribers_count network_count license organization parent source forks master_branch \
    open_issues watchers anonymous_access_enabled code_of_conduct security_and_analysis \
    custom_properties role_name score text_matches starred_at code_search_index_status
    """)
}

extension GitHub.User {
  /// The names of a user's fields.
  public static let fieldNames = names(
    """
    login id type name company blog location email bio public_repos followers following \
    html_url created_at updated_at user_view_type node_id avatar_url gravatar_id url \
    followers_url following_url gists_url starred_url subscriptions_url organizations_url \
    repos_url events_url received_events_url site_admin notification_email hireable \
    twitter_username public_gists plan private_gists total_private_repos owned_private_repos \
    disk_usage collaborators two_factor_authentication business_plus ldap_dn
    """)
}

extension GitHub.Label {
  /// The names of a label's fields.
  public static let fieldNames = names(
    "name color description default id url node_id archived_at archived_by")
}

extension GitHub.Milestone {
  /// The names of a milestone's fields.
  public static let fieldNames = names(
    """
    number title state description due_on open_issues closed_issues html_url created_at updated_at \
    closed_at creator id url labels_url node_id
    """)
}

/// Splits the text into names. An array literal would make the compiler lay out each element.
private func names(_ text: String) -> [String] {
  text.split(separator: " ").map(String.init)
}
