public import HTTPTargets

/// The link to the next page of a list.
///
/// The URL isn't changed: GitHub's leads to `/repositories/{id}/issues` with a cursor
/// (<https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api>).
public struct PageLink: Sendable, Hashable {
  /// The absolute URL of the page.
  public let url: String

  /// As many bytes as servers accept in a request.
  private static let maximumLength = 8192

  /// Finds the link to the page after another.
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
    // A fragment is never sent. By scalars: a number sign with a combining mark is another character.
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
    // Resolving changes the spelling; an absolute URL is used byte for byte.
    return PageLink(url: Origin(url: target) == nil ? resolved : target)
  }
}
