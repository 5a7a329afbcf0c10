public import HTTPTargets

/// The link to the next page of a list.
///
/// The URL isn't changed. On GitHub, it leads to `/repositories/{id}/issues` with a cursor
/// (<https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api>).
public struct PageLink: Sendable, Hashable {
  /// The absolute URL of the page.
  public let url: String

  /// The maximum length in bytes, which is the limit of servers.
  private static let maximumLength = 8192

  /// Finds the link to the page after a page.
  ///
  /// - Parameters:
  ///   - headers: The header fields of the page.
  ///   - url: The URL of the page.
  /// - Returns: The link; nil on the last page.
  /// - Throws: ``/HTTPTargets/NetworkError/Code/decoding`` if the link leads to another origin.
  public static func next(
    in headers: HTTPFields, of url: String
  ) throws(NetworkError) -> PageLink? {
    guard let link = LinkHeader(headers[values: .link]).next else { return nil }
    // A fragment is never sent. Scalars are compared, because a number sign with a combining mark is a different
    // character.
    let target = String(link.unicodeScalars.prefix { $0 != "#" })
    guard target.utf8.count <= maximumLength else {
      throw NetworkError(.decoding, "the link to the next page is too long")
    }
    guard let base = AbsoluteURL(url), let resolved = base.resolving(target) else {
      throw NetworkError(.decoding, "the link to the next page is not a URL")
    }
    guard Origin(url: resolved) == base.origin else {
      throw NetworkError(
        .decoding, "the link to the next page leads to another server: refused")
    }
    // An absolute URL is used byte for byte, because resolving it would change its spelling.
    return PageLink(url: Origin(url: target) == nil ? resolved : target)
  }
}
