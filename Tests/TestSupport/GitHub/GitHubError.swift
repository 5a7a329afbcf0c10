/// The errors of GitHub's API, as it sends them today.
///
/// Rate limits: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api
public enum GitHubError: Sendable, Equatable {
  /// 401: the token is unknown.
  case badCredentials
  /// 401: a token is required.
  case requiresAuthentication
  /// 403: the token may not do this. It isn't about a limit.
  case forbidden
  /// 403 or 429 with nothing remaining until `reset`, in seconds from now.
  case primaryRateLimit(status: Int, reset: Int)
  /// 403 or 429 with a `Retry-After` in seconds.
  case secondaryRateLimit(status: Int, retryAfter: Int)
  /// 403 or 429 with a date as `Retry-After`, in seconds from now.
  case secondaryRateLimitUntilDate(status: Int, retryAfter: Int)
  /// 403 or 429 that only the text and the documentation URL distinguish from a permission error.
  case secondaryRateLimitWithoutTime(status: Int)
  /// 403: too many issues and comments were written. `Retry-After` is in seconds, or absent.
  case contentLimit(retryAfter: Int?)
  /// 404: absent or private.
  case notFound
  /// 410: issues are disabled.
  case gone
  /// 410: the issue was deleted.
  case deleted
  /// 422 with one error object for a field.
  case validationFailed(field: String)
  /// 422 with only a message.
  case unprocessable(String)
  /// 451: blocked for legal reasons.
  case blocked
  /// 500 with a JSON message.
  case serverError
  /// 502 with a JSON message.
  case badGateway
  /// 503 with a page of HTML.
  case unavailable
  /// 504 with a JSON message.
  case gatewayTimeout

  /// The answer to a request.
  ///
  /// - Parameter now: The time that limits are counted from, in seconds since 1970.
  /// - Returns: The answer, without the headers common to all answers.
  public func response(now: Int) -> LoopbackResponse {
    let docs = "https://docs.github.com"
    switch self {
    case .badCredentials:
      return Self.json(401, "Bad credentials", "\(docs)/rest")
    case .requiresAuthentication:
      return Self.json(
        401, "Requires authentication",
        "\(docs)/rest/users/users#get-the-authenticated-user")
    case .forbidden:
      return Self.json(
        403, "Resource not accessible by personal access token",
        "\(docs)/rest/issues/issues#list-repository-issues")
    case .primaryRateLimit(let status, let reset):
      let about = "/rest/overview/rate-limits-for-the-rest-api"
      var response = Self.json(
        status,
        "API rate limit exceeded for 127.0.0.1. (But here's the good news: Authenticated "
          + "requests get a higher rate limit. Check out the documentation for more details.)",
        "\(docs)\(about)")
      response.headers["x-ratelimit-limit"] = "60"
      response.headers["x-ratelimit-remaining"] = "0"
      response.headers["x-ratelimit-used"] = "60"
      response.headers["x-ratelimit-reset"] = "\(now + reset)"
      response.headers["x-ratelimit-resource"] = "core"
      return response
    case .secondaryRateLimit(let status, let retryAfter):
      return Self.secondary(status).with { $0.headers["Retry-After"] = "\(retryAfter)" }
    case .secondaryRateLimitUntilDate(let status, let retryAfter):
      return Self.secondary(status).with {
        $0.headers["Retry-After"] = Timestamp.httpDate(now + retryAfter)
      }
    case .secondaryRateLimitWithoutTime(let status):
      return Self.secondary(status)
    case .contentLimit(let retryAfter):
      let text =
        "You have exceeded a secondary rate limit and have been temporarily blocked from content "
        + "creation. Please retry your request again later."
      guard let retryAfter else {
        let page = "\(docs)/rest/overview/resources-in-the-rest-api#secondary-rate-limits"
        return .json(
          """
          {"message":\(JSONText.string(text)),"documentation_url":\(JSONText.string(page))}
          """, status: 403)
      }
      return Self.json(
        403, text,
        "\(docs)/free-pro-team@latest/rest/overview/rate-limits-for-the-rest-api"
          + "#about-secondary-rate-limits"
      ).with { $0.headers["Retry-After"] = "\(retryAfter)" }
    case .notFound:
      return Self.json(404, "Not Found", "\(docs)/rest/repos/repos#get-a-repository")
    case .gone:
      return Self.json(410, "Issues are disabled for this repo", "\(docs)/v3/issues/")
    case .deleted:
      return Self.json(410, "This issue was deleted", "\(docs)/v3/issues/")
    case .validationFailed(let field):
      return LoopbackResponse.json(
        """
        {"message":"Validation Failed","errors":[{"resource":"Issue","code":"invalid",\
        "field":\(JSONText.string(field))}],"documentation_url":"\(docs)/rest",\
        "status":"422"}
        """, status: 422)
    case .unprocessable(let message):
      return Self.json(422, message, "\(docs)/rest/issues/issues#list-repository-issues")
    case .blocked:
      return LoopbackResponse.json(
        """
        {"message":"Repository access blocked","block":{"reason":"dmca",\
        "created_at":"2026-01-01T00:00:00Z",\
        "html_url":"https://github.com/github/dmca/blob/master/2026/01/2026-01-01-x.md"}}
        """, status: 451)
    case .serverError:
      return Self.json(500, "Server Error", "\(docs)/rest")
    case .badGateway:
      return Self.json(502, "Server Error", "\(docs)/rest")
    case .unavailable:
      return .text(
        """
        <!DOCTYPE html>
        <html><head><title>Unicorn! &middot; GitHub</title></head>
        <body><p><strong>No server is currently available to service your request.</strong></p>
        <p>Sorry about that. Please try refreshing.</p></body></html>
        """, status: 503, contentType: "text/html; charset=utf-8")
    case .gatewayTimeout:
      return Self.json(504, "We couldn't respond to your request in time.", "\(docs)/rest")
    }
  }

  private static func json(_ status: Int, _ message: String, _ url: String) -> LoopbackResponse {
    .json(
      """
      {"message":\(JSONText.string(message)),"documentation_url":\(JSONText.string(url)),\
      "status":"\(status)"}
      """, status: status)
  }

  private static func secondary(_ status: Int) -> LoopbackResponse {
    json(
      status,
      "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
      "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api"
        + "#about-secondary-rate-limits")
  }
}
