package import IssueTracker

/// The addresses from which images and other attachments may be loaded: the server's own.
package struct ImageHosts: Sendable {
  private let server: GitHubServer

  package init(of server: GitHubServer) {
    self.server = server
  }

  /// Whether an image may be requested from a URL, or from the target of a redirect.
  ///
  /// github.com redirects to its storage of uploads. Its host is one of the image hosts in GitHub's own
  /// `Content-Security-Policy`.
  func has(_ url: String) -> Bool {
    guard let url = AbsoluteURL(url) else { return false }
    guard server == .github else { return url.origin == Origin(url: server.webURL) }
    guard url.origin.scheme == "https", url.origin.port == 443 else { return false }
    switch url.origin.host {
    case "github.com":
      let parts = url.rest.split(separator: "/", omittingEmptySubsequences: false)
      // Old uploads are below their repository.
      return parts.count > 2 && parts[1] == "user-attachments"
        || parts.count > 4 && parts[3] == "assets"
    case "github-production-user-asset-6210df.s3.amazonaws.com": return true
    case let host: return host.hasSuffix(".githubusercontent.com")
    }
  }
}

/// Rejects each request that would leave the server's own hosts, including redirects, which pass through this transport
/// one by one.
package struct OwnHostsTransport: Transport {
  let hosts: ImageHosts
  let base: any Transport

  package init(hosts: ImageHosts, base: any Transport) {
    (self.hosts, self.base) = (hosts, base)
  }

  package func send(
    _ request: TargetRequest, onSent: SentObserver?
  ) async throws(NetworkError) -> TransportReply {
    guard hosts.has(request.url) else {
      throw NetworkError(.requestMapping, "“\(request)” isn't hosted by the server itself")
    }
    return try await base.send(request, onSent: onSent)
  }
}
