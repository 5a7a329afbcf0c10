public import Foundation
public import HTTPTargets
public import Reactive

/// GitHub's repository search.
public enum SearchAPI: TargetType {
  /// A page of results.
  case repositories(PageRequest)
  /// The limits, which no limit affects: to see whether the server is back.
  case limits

  /// GitHub, unless the arguments name another server.
  public var baseURL: String { "https://api.github.com" }
  /// The path of an endpoint.
  public var path: URLPath {
    switch self {
    case .repositories: "search/repositories"
    case .limits: "rate_limit"
    }
  }
  /// Every endpoint is read.
  public var method: HTTPRequest.Method { .get }
  /// The query of a page.
  public var task: HTTPTask {
    switch self {
    case .repositories(let page):
      .query([
        QueryItem("q", page.text), QueryItem("per_page", 5), QueryItem("page", page.number),
      ])
    case .limits: .plain
    }
  }
  /// GitHub wants to know who asks.
  public var headers: HTTPFields { [.userAgent: "ports"] }
  /// Nothing is special about a call.
  public var policy: TargetPolicy { .standard }
  /// What `--stub` answers.
  public var sampleData: Data {
    switch self {
    case .repositories: Data(#"{"items": [{"full_name": "swiftlang/swift"}]}"#.utf8)
    case .limits: Data("{}".utf8)
    }
  }
}

/// What a page is asked for by.
public struct PageRequest: Hashable, Sendable {
  /// What is searched for.
  public var text: String
  /// The number of the page, from 1.
  public var number = 1

  /// Asks for the first page.
  public init(_ text: String) { self.text = text }

  /// Asks for the page after this one.
  public var next: PageRequest {
    var next = self
    next.number += 1
    return next
  }
}

/// A page of results.
public struct Page: Hashable, Sendable {
  /// The full names, best first.
  public var names: [String]
  /// Asks for the next page; nil on the last.
  public var next: PageRequest?
}

/// Loads the pages of the search.
public struct RepositoryPages: Sendable {
  private struct Found: Decodable {
    struct Repository: Decodable {
      var fullName: String
      enum CodingKeys: String, CodingKey { case fullName = "full_name" }
    }
    var items: [Repository]
  }

  /// Sends the requests.
  public let provider: Provider<SearchAPI>
  /// Tells when the server is back.
  public let reachability: any Reachability

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - arguments: Name the server.
  ///   - transport: Sends the requests.
  ///   - reachability: Makes what tells whether the server is back, from a probe.
  public init(
    _ arguments: Arguments, transport: any Transport,
    reachability: (@escaping @Sendable () async -> Bool) -> ProbingReachability = {
      ProbingReachability(probe: $0)
    }
  ) {
    let (isStubbed, apiURL) = (arguments.isStubbed, arguments.apiURL)
    let provider = Provider<SearchAPI>(
      endpointClosure: { try Endpoint($0, baseURL: apiURL) },
      stubClosure: { _ in isStubbed ? .immediate : .never },
      plugins: [.limits], transport: transport)
    self.provider = provider
    self.reachability = reachability { (try? await provider.request(.limits)) != nil }
  }

  /// Loads a page, and reports it or the problem. See ``Reactive/Reachability/persist(_:report:)``.
  public func load(_ request: PageRequest, report: (Reply<Page>) async -> Void) async {
    await reachability.persist {
      () throws(NetworkError) in
      let response = try await provider.request(.repositories(request))
      let hasNext = response.header("link")?.contains(#"rel="next""#) == true
      return Page(
        names: try response.decode(Found.self).items.map(\.fullName),
        next: hasNext ? request.next : nil)
    } report: {
      await report($0)
    }
  }
}
