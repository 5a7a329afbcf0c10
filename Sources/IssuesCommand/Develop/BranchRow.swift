internal import HTTPTargets
internal import IssueTracker
internal import PlatformModules
internal import StyledText

/// A branch that is linked to an issue.
struct BranchRow: ListItem {
  let branch: IssueDevelopment.Branch
  let server: GitHubServer

  enum Field: String, CaseIterable {
    case name, repository
    case htmlURL = "html_url"
  }

  /// The address of the branch's page. A name may contain any character, such as `#`.
  var url: String {
    let path = branch.name.split(separator: "/").map { PercentEncoding.encode(String($0)) }
    return "\(server.webURL(of: branch.repository))/tree/\(path.joined(separator: "/"))"
  }

  static let columns: [ItemColumn<BranchRow>] = [
    .init("BRANCH", .flexible(minimum: 20)) { row, _ in
      StyledLine(row.branch.name, style: .heading)
    },
    .init("ADDRESS", dropOrder: 0) { row, _ in StyledLine(row.url) },
  ]

  func object() throws -> JSONObject {
    try JSONObject(
      encoding: EncodedObject(Field.self) { field in
        switch field {
        case .name: branch.name
        case .repository: "\(branch.repository)"
        case .htmlURL: url
        }
      })
  }
}
