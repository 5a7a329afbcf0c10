public import HTTPTargets

/// Where the next page of a list is, as the server gave it.
///
/// The URL is taken as it is, not put together: GitHub's points to `/repositories/{id}/issues` with a
/// cursor (<https://docs.github.com/en/rest/using-the-rest-api/using-pagination-in-the-rest-api>).
public struct PageLink: Sendable, Hashable {
  /// The absolute URL of the page.
  public let url: String

  /// The most bytes of a link, as many as servers take in a request.
  private static let maximumLength = 8192

  /// Reads the link to the next page out of an answer's header fields; nil on the last page.
  ///
  /// - Parameters:
  ///   - headers: The header fields of the page before.
  ///   - url: The URL that the page before was answered from.
  /// - Throws: ``HTTPTargets/NetworkError/Code/decoding`` when the link leads to another origin: a list
  ///   doesn't move to another server half way.
  public init?(nextIn headers: HTTPFields, of url: String) throws(NetworkError) {
    guard let link = LinkHeader(headers[values: .link]).next else { return nil }
    // A fragment is for whoever reads the page: it is never sent. By scalars: with a combining mark
    // after it the number sign is another character.
    let target = String(link.unicodeScalars.prefix { $0 != "#" })
    guard target.utf8.count <= Self.maximumLength else {
      throw NetworkError(.decoding, "the link to the next page is too long")
    }
    guard let base = AbsoluteURL(url), let resolved = base.resolving(target) else {
      throw NetworkError(.decoding, "the link to the next page is not a URL")
    }
    guard Origin(url: resolved) == base.origin else {
      throw NetworkError(
        .decoding, "the link to the next page leads to another server: refused")
    }
    // Resolving respells: an absolute URL is taken byte for byte.
    self.url = Origin(url: target) == nil ? resolved : target
  }
}
