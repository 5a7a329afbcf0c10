import Foundation
import HTTPTargets
import PortSupport

/// The endpoints that the program needs.
enum Tracker: TargetType {
  case repository(owner: String, name: String)
  case issues(owner: String, name: String)
  case limits

  var baseURL: String { "https://api.github.com" }
  var path: URLPath {
    switch self {
    case .repository(let owner, let name): "repos/\(owner)/\(name)"
    case .issues(let owner, let name): "repos/\(owner)/\(name)/issues"
    case .limits: "rate_limit"
    }
  }
  var method: HTTPRequest.Method { .get }
  var task: HTTPTask {
    switch self {
    case .issues: .query([QueryItem("state", "open"), QueryItem("per_page", 20)])
    case .repository, .limits: .plain
    }
  }
  var headers: HTTPFields { [.userAgent: "issues-of-name"] }
  var policy: TargetPolicy { .standard }
  var sampleData: Data {
    switch self {
    case .repository(let owner, let name): Data(#"{"full_name": "\#(owner)/\#(name)"}"#.utf8)
    case .issues: Data(#"[{"number": 7, "title": "It works on my machine"}]"#.utf8)
    case .limits: Data("{}".utf8)
    }
  }
}

/// A repository, under the name that the server uses.
struct Repository: Decodable, Equatable {
  var fullName: String

  enum CodingKeys: String, CodingKey { case fullName = "full_name" }
}

/// An issue.
struct Issue: Decodable, Equatable {
  var number: Int
  var title: String
}

extension Provider where Target == Tracker {
  /// The provider of a server.
  static func tracker(
    apiURL: String, isStubbed: Bool = false, transport: any Transport
  ) -> Provider {
    Provider(
      endpointClosure: { try Endpoint($0, baseURL: apiURL) },
      stubClosure: { _ in isStubbed ? .immediate : .never },
      plugins: [.limits], transport: transport)
  }
}
