public import HTTPTargets
internal import SampleData

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension GitHub {
  /// What GitHub could answer: the sample file of the endpoint, for issues what the filter leaves of it,
  /// and for a search what the query finds in it.
  ///
  /// The samples fit on one page whatever its size, so the page after it is empty.
  public var sampleData: Data {
    switch self {
    case .userProfile: Data(SampleData.user)
    case .repos, .ownRepositories: Data(SampleData.repositories)
    case .repo: Data(SampleData.repository)
    case .issues(_, let filter, _): (try? SampleIssues.answer(filter: filter)) ?? Data()
    case .issue, .issueComments: Data("[]".utf8)
    case .searchRepositories(let query, _):
      (try? SampleRepositories.answer(query: query)) ?? Data()
    case .rateLimit: Data(SampleData.rateLimit)
    case .page: Data("[]".utf8)
    }
  }

  /// The sample data as JSON. The answer that has times in it has the server's time too, against which
  /// they are measured.
  public var sampleResponse: SampleResponse {
    var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    if self == .rateLimit { headers[.date] = "Thu, 01 Jan 2026 00:00:00 GMT" }
    return .response(headers: headers, body: sampleData)
  }
}
