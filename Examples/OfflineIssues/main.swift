// Keeps the issues of repositories in a file, and searches them without a network.
//
//   swift run OfflineIssues issues.db --sync apple/swift            asks GitHub for changes
//   swift run OfflineIssues issues.db --sync apple/swift API-URL    asks another server
//   swift run OfflineIssues issues.db is:open crash parser          searches the file

import IssueMirror

/// Removes what a terminal would obey, and what would reorder the text around it: anybody can write a title.
func harmless(_ text: String) -> String {
  let unseen: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator,
  ]
  let scalars = text.unicodeScalars.filter { !unseen.contains($0.properties.generalCategory) }
  return String(String.UnicodeScalarView(scalars))
}

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count > 1 else {
  fatalError("usage: OfflineIssues FILE (--sync OWNER/REPO [API-URL] | WORDS…)")
}
let mirror = try Mirror(path: arguments[0])

if arguments[1] == "--sync" {
  guard arguments.count > 2, let name = RepositoryName(arguments[2]) else {
    fatalError("usage: OfflineIssues FILE --sync OWNER/REPO [API-URL]")
  }
  let server = arguments.count > 3 ? try GitHubServer(apiURL: arguments[3]) : .github
  let token = try AccessToken.environment(for: server)
  let provider = Provider.gitHub(.init(server: server, token: token))
  let report = try await RepositorySync(
    mirror: mirror, provider: provider, server: server, name: name
  ).run()
  print("\(report.inserted) new, \(report.updated) changed, \(report.requests) requests")
} else {
  let query = try SearchQuery(parsing: arguments[1...].joined(separator: " "))
  // A repository is incomplete until its first sync ends.
  let repositories = try await mirror.repositories().filter(\.isComplete)
  for repository in repositories {
    guard let time = repository.checkedAt(withComments: true) else { continue }
    print("\(repository.fullName), as of \(time)")
  }
  for result in try await mirror.search(query, in: repositories, limit: 10) {
    print("\(result.repository.fullName)#\(result.issue.number) \(harmless(result.issue.title))")
  }
}
