internal import HTTPTypes

/// Follows redirects.
///
/// As in [RFC 9110, section 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4), 301 and 302 change a `POST` to
/// a `GET`, 303 changes every method except `HEAD` to `GET`, and 307 and 308 keep the method and the body. The
/// interceptor refuses redirects from https to http, loops, and too many redirects. A redirect to another origin
/// permanently drops `Host` and all header fields with credentials. The query of the new URL is used unchanged.
public struct RedirectInterceptor: Interceptor {
  let maximumRedirects: Int
  let followsWrites: Bool

  /// Creates the interceptor.
  ///
  /// - Parameters:
  ///   - maximumRedirects: The maximum number of redirects to follow in one call.
  ///   - followsWrites: Whether to redirect requests that aren't ``Idempotency/safe``. RFC 9110, section 15.4, advises
  ///     care, because the user may not want that. If it is false, the redirect is returned as the response.
  public init(maximumRedirects: Int = 10, followsWrites: Bool = true) {
    self.maximumRedirects = maximumRedirects
    self.followsWrites = followsWrites
  }

  /// Sends a request and follows its redirects.
  ///
  /// - Returns: The first response that isn't a redirect, with the URLs that led to it.
  /// - Throws: ``NetworkError/Code/insecureRedirect``, ``NetworkError/Code/tooManyRedirects``, or
  ///   ``NetworkError/Code/decoding`` for a `Location` that isn't a single http or https URL. These errors contain the
  ///   redirecting response. The errors of `next` are passed on.
  public func intercept(
    _ request: TargetRequest, call: TargetCall, next: Next
  ) async throws(NetworkError) -> TargetResponse {
    try await intercept(request, next: next)
  }

  func intercept(_ request: TargetRequest, next: Next) async throws(NetworkError) -> TargetResponse
  {
    let response = try await next(request)
    guard response.isRedirect, followsWrites || request.idempotency == .safe else {
      return response
    }
    return try await follow(response, to: request, next)
  }

  @inline(never)
  private func follow(
    _ redirect: TargetResponse, to request: TargetRequest, _ next: Next
  ) async throws(NetworkError) -> TargetResponse {
    var chain = RedirectChain(start: request, maximumRedirects: maximumRedirects)
    var response = redirect
    while try chain.follow(response) { response = try await next(chain.request) }
    response.redirects = chain.redirects
    return response
  }
}

struct RedirectChain {
  private(set) var request: TargetRequest
  private(set) var redirects: [String] = []
  private let maximumRedirects: Int
  /// The methods and URLs so far. They include the method, because a `POST` that becomes a `GET` of the same URL isn't
  /// a loop.
  private var visited: Set<String>

  init(start request: TargetRequest, maximumRedirects: Int) {
    self.request = request
    self.maximumRedirects = maximumRedirects
    visited = [Self.key(request)]
  }

  mutating func follow(_ response: TargetResponse) throws(NetworkError) -> Bool {
    guard response.isRedirect else { return false }
    var target = request
    target.url = try location(of: response)

    let isRewritten =
      switch response.status.code {
      case 301, 302: request.method == .post
      case 303: request.method != .get && request.method != .head
      default: false
      }
    if isRewritten {
      target.method = .get
      target.body = nil
      // The fields that describe the body are removed with it (RFC 9110, section 15.4).
      target.headers = target.headers.filtered { !$0.name.canonicalName.hasPrefix("content-") }
    }
    if target.origin != request.origin {
      target.headers = target.headers.filtered { !Redaction.isSecret($0.name) }
    }

    guard redirects.count < maximumRedirects else {
      throw NetworkError(
        .tooManyRedirects, "\(response.request) redirects more than \(maximumRedirects) times",
        response: response)
    }
    guard visited.insert(Self.key(target)).inserted else {
      throw NetworkError(
        .tooManyRedirects, "\(response.request) redirects in a loop", response: response)
    }
    redirects.append(request.url)
    request = target
    return true
  }

  private static func key(_ request: TargetRequest) -> String {
    "\(request.method.rawValue) \(request.url)"
  }

  private func location(of response: TargetResponse) throws(NetworkError) -> String {
    // `HTTPFields` would join two values with a comma, and the result could look like a single URL.
    let locations = response.headers[values: .location]
    guard locations.count == 1 else {
      throw NetworkError(
        .decoding, "\(response.request) redirects to \(locations.count) addresses at once",
        response: response)
    }
    guard let resolved = AbsoluteURL(request.url)?.resolving(locations[0]),
      let origin = Origin(url: resolved)
    else {
      throw NetworkError(
        .decoding, "\(response.request) redirects to an address that isn't an http or https URL",
        response: response)
    }
    if request.origin?.scheme == "https", origin.scheme != "https" {
      throw NetworkError(
        .insecureRedirect, "\(response.request) redirects from https to http: refused",
        response: response)
    }
    return resolved
  }
}

extension TargetResponse {
  var isRedirect: Bool {
    [301, 302, 303, 307, 308].contains(status.code) && headers.contains(.location)
  }
}

extension HTTPFields {
  func filtered(_ isIncluded: (HTTPField) -> Bool) -> HTTPFields {
    var fields = HTTPFields()
    for field in self where isIncluded(field) { fields.append(field) }
    return fields
  }
}
