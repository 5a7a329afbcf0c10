/// A project of the loopback GitHub.
public struct LoopbackProject: Sendable, Equatable {
  /// The login of the user or the organization.
  public var owner: String
  /// The number in its address.
  public var number: Int
  /// The title.
  public var title: String
  /// The options of its field “Status”; empty for a project without the field.
  public var statuses: [String]
  /// Whether the token may not see it, although issues are in it.
  public var isHidden = false
  /// Whether the token may change it.
  public var isWritable = true

  /// Creates a project.
  public init(
    owner: String = "swiftlang", number: Int, title: String,
    statuses: [String] = ["Todo", "In Progress", "Done"]
  ) {
    (self.owner, self.number, self.title, self.statuses) = (owner, number, title, statuses)
  }

  var id: String { "PVT_\(owner)_\(number)" }
}

/// The branches and the projects of issues, which only GraphQL has.
struct LoopbackDevelopment: Sendable {
  struct Link: Sendable, Equatable {
    var issue: String
    var branch: String
    var repository: String
  }

  struct Item: Sendable, Equatable {
    var project: String
    var issue: String
    var status: String?
  }

  /// The branches besides the default one, each as `OWNER/NAME:BRANCH`.
  var branches: Set<String> = []
  var links: [Link] = []
  var items: [Item] = []
}

extension LoopbackGitHub {
  /// Adds an issue to a project.
  public func addIssue(
    _ number: Int, of repository: LoopbackRepository, to project: LoopbackProject, status: String?
  ) {
    let issue = GitHubJSON.nodeID(number, in: repository)
    development.update {
      $0.items.append(.init(project: project.id, issue: issue, status: status))
    }
  }

  /// Adds a branch that isn't linked to any issue.
  public func addBranch(_ name: String, to repository: LoopbackRepository) {
    development.update { _ = $0.branches.insert("\(repository.fullName):\(name)") }
  }

  /// Links a branch to an issue, and creates it if it doesn't exist.
  public func linkBranch(_ name: String, to number: Int, of repository: LoopbackRepository) {
    addBranch(name, to: repository)
    development.update {
      $0.links.append(
        .init(
          issue: GitHubJSON.nodeID(number, in: repository), branch: name,
          repository: repository.fullName))
    }
  }

  /// The names of the branches that are linked to an issue.
  public func linkedBranches(of number: Int, in repository: LoopbackRepository) -> [String] {
    let id = GitHubJSON.nodeID(number, in: repository)
    return development.read { $0.links.filter { $0.issue == id }.map(\.branch) }
  }

  /// The projects of an issue with its status in each: `swiftlang/5 Todo`.
  public func projects(of number: Int, in repository: LoopbackRepository) -> [String] {
    let id = GitHubJSON.nodeID(number, in: repository)
    let items = development.read { $0.items.filter { $0.issue == id } }
    return items.compactMap { item in
      let project = configuration.projects.first { $0.id == item.project }
      return project.map { "\($0.owner)/\($0.number)\(item.status.map { " \($0)" } ?? "")" }
    }
  }
}
