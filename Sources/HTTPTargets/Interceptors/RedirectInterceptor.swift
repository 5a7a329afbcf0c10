/// Follows redirects.
///
/// The rules ([RFC 9110, section 15.4](https://www.rfc-editor.org/rfc/rfc9110#section-15.4)):
/// 301 and 302 turn a `POST` into a `GET`, 303 turns everything but `HEAD` into a `GET`, 307 and 308
/// keep method and body. From https to http is refused, and so are circles and more redirects than
/// allowed. On the way to another origin all header fields that carry credentials are dropped, for
/// good, and `Host` with them. A 304 is not a redirect. The query of the new URL is taken as it is.
public struct RedirectInterceptor: Interceptor {
  let maximumRedirects: Int

  /// Creates the interceptor.
  ///
  /// - Parameter maximumRedirects: How many redirects of one call are followed.
  public init(maximumRedirects: Int = 10) {
    self.maximumRedirects = maximumRedirects
  }

  /// Sends a request and follows where the answers point.
  ///
  /// - Returns: The first answer that isn't a redirect, with the URLs that led to it.
  /// - Throws: ``NetworkError/Code/insecureRedirect``, ``NetworkError/Code/tooManyRedirects``, or
  ///   ``NetworkError/Code/decoding`` for a `Location` that isn't one http or https URL, each with the
  ///   response that redirects; and what `next` throws.
  public func intercept(
    _ request: Request, call: Call, next: Next
  ) async throws(NetworkError) -> Response {
    var chain = RedirectChain(start: request, maximumRedirects: maximumRedirects)
    while true {
      var response = try await next(chain.request)
      guard try chain.follow(response) else {
        response.redirects = chain.redirects
        return response
      }
    }
  }
}
