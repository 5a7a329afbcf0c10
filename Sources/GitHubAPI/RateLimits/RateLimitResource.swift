/// The quotas of GitHub's API
/// (<https://docs.github.com/en/rest/rate-limit/rate-limit#get-rate-limit-status-for-the-authenticated-user>).
package enum RateLimitResource {
  /// The parameter of a search that chooses its kind.
  static let searchKind = "search_type"

  /// Returns the quota that a request probably counts toward, before its response is known; nil for none.
  package static func name(of url: String) -> String? {
    guard let authority = url.firstRange(of: "://") else { return "core" }
    let path = url[authority.upperBound...].drop { $0 != "/" }.prefix { $0 != "?" && $0 != "#" }
    var segments = path.split(separator: "/")
    // Enterprise servers have the API below `/api/v3`, and GraphQL below `/api`.
    if segments.first == "api" { segments.removeFirst() }
    if segments.first == "v3" { segments.removeFirst() }
    switch segments.first {
    case "search" where segments.dropFirst().first == "code": return "code_search"
    // The quota of the other kinds has no documented name. A response's own name replaces this one.
    case "search" where url.contains("&\(searchKind)="): return "semantic_search"
    case "search": return "search"
    case "graphql": return "graphql"
    // A request for the limits doesn't count toward any quota.
    case "rate_limit": return nil
    default: return "core"
    }
  }
}
