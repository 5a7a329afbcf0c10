internal import HTTPTargets

extension CurlTransport {
  /// Where to connect for the requests of an origin, instead of its host. The requests themselves don't change: their
  /// `Host` field and the server's certificate are still those of the origin. They don't use a proxy.
  public enum Route: Sendable, Hashable {
    /// Another host, as a name or an address, and its port
    /// ([libcurl's manual](https://curl.se/libcurl/c/CURLOPT_CONNECT_TO.html)).
    case host(String, port: Int)
    /// The Unix domain socket at a path
    /// ([libcurl's manual](https://curl.se/libcurl/c/CURLOPT_UNIX_SOCKET_PATH.html)).
    case unixSocket(path: String)
  }

  /// The proxy for other machines. Requests to this machine never use a proxy.
  public enum Proxy: Sendable, Hashable {
    /// The proxy that the environment names, as in the `curl` command: `https_proxy`, `http_proxy`, or `all_proxy`,
    /// except for the hosts in `no_proxy`.
    case environment
    /// No proxy.
    case direct
    /// This proxy for all hosts.
    case server(ProxyServer)
  }

  /// A proxy's address.
  public struct ProxyServer: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    let url: String
    private let origin: String

    /// Reads an address such as `http://proxy.example:8080` or `socks5h://user:password@127.0.0.1`.
    ///
    /// The scheme is `http` (the default), `https`, `socks4`, `socks4a`, `socks5` or `socks5h`. With `socks5h` the
    /// proxy resolves host names. The user name and the password are percent-encoded. The default port is libcurl's:
    /// 443 for `https`, and 1080 otherwise.
    ///
    /// The result is nil for anything else, including an address with a path or a query.
    ///
    /// - Parameter url: The address.
    public init?(_ url: String) {
      guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }) else {
        return nil
      }
      let end = url.firstRange(of: "://")
      let scheme = end.map { url[..<$0.lowerBound].lowercased() } ?? "http"
      var authority = end.map { url[$0.upperBound...] } ?? url[...]
      if authority.last == "/" { authority.removeLast() }
      let at = authority.lastIndex(of: "@")
      let host = at.map { authority[authority.index(after: $0)...] } ?? authority
      guard ["http", "https", "socks4", "socks4a", "socks5", "socks5h"].contains(scheme),
        HostName(host) != nil, at.map({ Self.isUserInfo(authority[..<$0]) }) != false
      else { return nil }
      self.url = "\(scheme)://\(authority)"
      origin = "\(scheme)://\(at == nil ? "" : "…@")\(host)"
    }

    private static func isUserInfo(_ text: Substring) -> Bool {
      !text.isEmpty && !text.utf8.contains { "/?#@".utf8.contains($0) }
    }

    /// The address without its password.
    public var description: String { origin }

    /// Shows only ``description``, because the password is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
  }
}
