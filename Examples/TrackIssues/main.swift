// Type the name of a repository to see its issues. A new name replaces one that is still being looked up.
//
//   swift run TrackIssues            asks GitHub
//   swift run TrackIssues --stub     answers from sample data, without a network

import IssueTracker

let isStubbed = CommandLine.arguments.dropFirst().first == "--stub"
let provider = isStubbed ? Provider.gitHub(.stubbed()) : Provider.gitHub()
let model = IssueTrackerModel(provider: provider, repositoryNames: linesOfStandardInput())

for await issues in model.trackIssues() {
  for issue in issues {
    print("#\(issue.number) \(issue.title)")
  }
}
