// Type the name of a repository, as OWNER/NAME, to see its issues. A newer name replaces the one before.
//
//   swift run IssuesOfName                     asks GitHub
//   swift run IssuesOfName --stub              answers from sample data, without a network
//   swift run IssuesOfName --api-url URL       asks another server

import CurlTransport
import HTTPTargets
import PortSupport
import Reactive

let arguments = Arguments.ofProcess()
let provider = Provider.tracker(
  apiURL: arguments.apiURL, isStubbed: arguments.isStubbed, transport: CurlTransport.shared)
let reachability = ProbingReachability { (try? await provider.request(.limits)) != nil }
let model = IssueTrackerModel(provider: provider, reachability: reachability)

let names = linesOfStandardInput().debounce(for: .milliseconds(500))
for await tracked in model.trackIssues(of: names) { show(tracked) }
