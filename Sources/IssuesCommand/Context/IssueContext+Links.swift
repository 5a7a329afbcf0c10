internal import IssueMirror
internal import IssueTracker

extension IssueContext {
  /// The maximum number of links. The titles of further mentions aren't looked up.
  private static let mostLinks = 20
  /// The maximum number of lookups on the server. Each is a request.
  private static let mostAsked = 6

  /// Looks up the issues that the texts mention: in the mirror, and the first few missing ones on the server.
  mutating func link(_ place: MirroredPlace?, _ server: (Connection, RepositoryName)?) async {
    guard let reference = try? RepositoryReference(parsing: repository) else { return }
    let mentions = Self.mentions(
      of: reference, in: [issue.body ?? ""] + comments.map { $0.body ?? "" }, by: issue.number)
    var found: [Linked] = []
    var missing: [Int] = []
    for number in mentions.prefix(Self.mostLinks) {
      let issue =
        if let place { try? await place.mirror.issue(number, of: place.repository) } else {
          GitHub.Issue?.none
        }
      if issue == nil { missing.append(number) }
      found.append(
        Linked(number: number, title: issue?.title, state: issue?.stateName ?? ""))
    }
    furtherMentions = max(0, mentions.count - Self.mostLinks)
    if let (connection, repository) = server, !missing.isEmpty {
      let answers = await withTaskGroup(of: GitHub.Issue?.self) { group in
        for number in missing.prefix(Self.mostAsked) {
          group.addTask {
            let sent: Sent<GitHub.Issue>? = try? await connection.provider.entity(
              .issue(repositoryFullName: repository.description, number: number))
            return sent?.entity
          }
        }
        return await group.reduce(into: [GitHub.Issue]()) { if let issue = $1 { $0.append(issue) } }
      }
      for issue in answers {
        guard let index = found.firstIndex(where: { $0.number == issue.number }) else { continue }
        (found[index].title, found[index].state) = (issue.title, issue.stateName)
      }
    }
    linked = found
  }

  /// The numbers of other issues in the repository that an issue's texts mention, without duplicates.
  static func mentions(
    of repository: RepositoryReference, in texts: [String], by number: Int
  ) -> [Int] {
    let own = "\(repository.name)".lowercased()
    let host = repository.host ?? GitHubServer.github.host
    var seen: Set<Int> = [number]
    return texts.flatMap { IssueLinks(in: $0, host: host).links }
      .filter { $0.repository ?? own == own && seen.insert($0.number).inserted }
      .map(\.number)
  }
}
