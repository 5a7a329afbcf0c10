internal import PlatformModules

/// The branches and projects of the samples. Every twentieth issue has a linked branch, and is in a project.
enum SampleDevelopment {
  struct Branch: Encodable {
    struct Reference: Encodable {
      var name: String
      var repository: [String: String]
    }

    var ref: Reference

    init(_ name: String, in fullName: String) {
      ref = Reference(name: name, repository: ["nameWithOwner": fullName])
    }
  }

  private struct Nodes<Node: Encodable>: Encodable {
    var nodes: [Node] = []
  }

  private struct Issue: Encodable {
    var id: String
    var number: Int
    var title: String
    var url: String
    var linkedBranches = Nodes<Branch>()
    var closedByPullRequestsReferences = Nodes<Branch>()
    var projectItems: Nodes<ProjectItem>?
  }

  private struct ProjectItem: Encodable {
    struct Project: Encodable {
      var number = 1
      var title = "Roadmap"
      var url: String
      var owner: [String: String]
    }

    var project: Project
    var fieldValueByName = ["name": "In Progress"]
  }

  static func answer(
    _ issue: GitHub.Issue?, in fullName: String, includesProjects: Bool
  ) throws -> SampleAnswer {
    guard let issue else {
      return SampleAnswer(
        Data(
          #"{"errors":[{"type":"NOT_FOUND","message":"Could not resolve to an Issue"}]}"#.utf8))
    }
    let url = "https://github.com/\(fullName)/issues/\(issue.number)"
    var node = Issue(id: "I_\(issue.number)", number: issue.number, title: issue.title, url: url)
    let isInProgress = issue.number % 20 == 16
    if isInProgress {
      node.linkedBranches.nodes = [Branch("\(issue.number)-sample", in: fullName)]
    }
    if includesProjects {
      let owner = RepositoryName(fullName)?.owner ?? ""
      let project = ProjectItem.Project(
        url: "https://github.com/orgs/\(owner)/projects/1", owner: ["login": owner])
      node.projectItems = Nodes(nodes: isInProgress ? [ProjectItem(project: project)] : [])
    }
    return try SampleAnswer(encoding: ["data": ["repository": ["issue": node]]])
  }

  static func branch(in fullName: String) throws -> SampleAnswer {
    let name = RepositoryName(fullName).map { "\($0)" } ?? ""
    let target = #"{"target":{"oid":"\#(String(repeating: "0", count: 40))"}}"#
    return SampleWrite.graphQL(
      #"{"repository":{"id":"R_\#(name)","nameWithOwner":"\#(name)","defaultBranchRef":\#(target),"base":\#(target)}}"#
    )
  }

  static var project: SampleAnswer {
    let options = ["Todo", "In Progress", "Done"].map { #"{"id":"\#($0)","name":"\#($0)"}"# }
    return SampleWrite.graphQL(
      """
      {"repositoryOwner":{"projectV2":{"id":"PVT_1","title":"Roadmap","viewerCanUpdate":true,\
      "field":{"id":"PVTSSF_1","options":[\(options.joined(separator: ","))]}},\
      "projectsV2":{"nodes":[{"number":1,"title":"Roadmap"}]}}}
      """)
  }
}
