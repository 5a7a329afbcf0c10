internal import HTTPTargets

/// What a request costs, and what it counts against.
///
/// <https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#calculating-points-for-the-secondary-rate-limit>
struct RateLimitedRequest: Sendable, Hashable {
  /// Whether it changes something: such requests are sent at least a second apart.
  var isWrite: Bool
  /// The quota that it counts against; nil for none.
  var resource: String?
  /// How long it may still wait; nil for any time.
  var allowance: Duration?

  /// One point for reading, five for writing.
  var points: Int { isWrite ? 5 : 1 }

  /// Puts a description together.
  init(isWrite: Bool = false, resource: String? = "core", allowance: Duration? = .zero) {
    self.isWrite = isWrite
    self.resource = resource
    self.allowance = allowance
  }

  /// Describes a request.
  init(_ request: Request, allowance: Duration?) {
    let resource = Self.resource(of: request.url)
    // GraphQL is asked by POST, and nothing but queries is sent there.
    let isWrite = ![.get, .head, .options].contains(request.method) && resource != "graphql"
    self.init(isWrite: isWrite, resource: resource, allowance: allowance)
  }

  /// The quota of a URL. The server says it with each answer; this is for the time before the first.
  private static func resource(of url: String) -> String? {
    guard let authority = url.firstRange(of: "://") else { return "core" }
    let path = url[authority.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
    var segments = path.split(separator: "/")
    // Enterprise servers have the API below `/api/v3`, and GraphQL below `/api`.
    if segments.first == "api" { segments.removeFirst() }
    if segments.first == "v3" { segments.removeFirst() }
    switch segments.first {
    case "search": return segments.dropFirst().first == "code" ? "code_search" : "search"
    case "graphql": return "graphql"
    // Asking for the limits counts against none.
    case "rate_limit": return nil
    default: return "core"
    }
  }
}
