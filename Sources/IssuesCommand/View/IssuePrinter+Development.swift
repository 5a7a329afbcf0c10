internal import IssueBrowser
internal import IssueTracker
internal import PlatformModules
internal import StyledText
internal import TerminalMarkdown

/// The branches, closing pull requests and projects of an issue: as details, as fields for programs, or as JSON.
extension IssuePrinter {
  private static let branchesField = "linked_branches"
  private static let pullRequestsField = "closing_pull_requests"
  static let projectsField = "projects"
  static let developmentFields = [branchesField, pullRequestsField, projectsField]

  static func lines(of development: IssueDevelopment, on page: IssuePage) -> [StyledLine] {
    let pullRequests = development.pullRequests.map { pullRequest in
      StyledLine.Run(
        "\(name(of: pullRequest, in: development)) \(pullRequest.title), \(state(of: pullRequest))",
        link: page.links == .hyperlinks ? WebLink(pullRequest.url) : nil)
    }
    return [
      page.detail(
        "Branches",
        development.branches.map { StyledLine.Run(name(of: $0, in: development)) }),
      page.detail("Closed by merging", pullRequests),
      page.detail("Projects", (development.projects ?? []).map { StyledLine.Run(words(of: $0)) }),
    ].compactMap(\.self)
  }

  /// The fields for programs. They include only existing branches, pull requests and projects.
  static func plainFields(
    of development: IssueDevelopment?
  ) -> [(name: String, value: StyledLine)] {
    guard let development else { return [] }
    let fields = [
      ("branches", development.branches.map { name(of: $0, in: development) }),
      ("closing-pull-requests", development.pullRequests.map { "\($0.repository)#\($0.number)" }),
      ("projects", (development.projects ?? []).map(words)),
    ]
    return fields.compactMap { name, values in
      values.isEmpty ? nil : (name, StyledLine(values.joined(separator: ", ")))
    }
  }

  /// The additions. The projects are null if the token may not see them.
  static func additions(of development: IssueDevelopment) throws -> [JSONObject.Addition] {
    func addition(_ name: String, _ values: [EncodedObject]?) throws -> JSONObject.Addition {
      .init(name: name, value: try GitHubJSON.encoder().encode(values))
    }
    return [
      try addition(
        branchesField,
        development.branches.map { ["name": $0.name, "repository": "\($0.repository)"] }),
      try addition(
        pullRequestsField,
        development.pullRequests.map {
          [
            "repository": "\($0.repository)", "number": $0.number, "title": $0.title,
            "state": $0.state, "draft": $0.isDraft, "html_url": $0.url,
          ]
        }),
      try addition(
        projectsField,
        development.projects?.map {
          [
            "project": "\($0.project)", "title": $0.title, "status": $0.status,
            "html_url": $0.url,
          ]
        }),
    ]
  }

  private static func name(
    of branch: IssueDevelopment.Branch, in issue: IssueDevelopment
  ) -> String {
    branch.repository == issue.repository ? branch.name : "\(branch.repository):\(branch.name)"
  }

  private static func name(
    of pullRequest: IssueDevelopment.PullRequest, in issue: IssueDevelopment
  ) -> String {
    (pullRequest.repository == issue.repository ? "" : "\(pullRequest.repository)")
      + "#\(pullRequest.number)"
  }

  private static func state(of pullRequest: IssueDevelopment.PullRequest) -> String {
    pullRequest.isDraft && pullRequest.state == "open" ? "draft" : pullRequest.state
  }

  private static func words(of item: IssueDevelopment.ProjectItem) -> String {
    "\(item.title) (\([item.project.description, item.status].compactMap(\.self).joined(separator: ", ")))"
  }
}
