internal import HTTPTargets

/// A reference to a repository that a user types or pastes.
///
/// | form | example |
/// |---|---|
/// | the name | `swiftlang/swift` |
/// | with its host | `github.example.com/swiftlang/swift` |
/// | a page's URL | `https://github.com/swiftlang/swift/issues/12` |
/// | a clone's URL | `git@github.com:swiftlang/swift.git`, `ssh://git@github.com:22/swiftlang/swift.git` |
///
/// The query and the fragment of a page's URL are dropped. Other URLs with a query or a fragment are rejected.
public struct RepositoryReference: Hashable, Sendable, Codable {
  /// The host in lowercase, with the port if a page's URL has one; nil for the user's default server.
  public let host: String?
  /// The repository.
  public let name: RepositoryName
  /// The number of the issue or pull request in the URL.
  public let issueNumber: Int?

  /// Creates a reference.
  public init(host: String? = nil, name: RepositoryName, issueNumber: Int? = nil) {
    self.host = host
    self.name = name
    self.issueNumber = issueNumber
  }

  /// Parses typed text.
  ///
  /// A URL with a password or a token is rejected, because it was pasted by mistake, and would stay in the shell
  /// history.
  ///
  /// - Throws: ``InvalidInput`` with the code `repository` and with the accepted forms.
  public init(parsing text: String) throws(InvalidInput) {
    try self.init(text, allowsCredentials: false)
  }

  /// Parses the URL of a Git remote. User information is dropped, because CI systems store tokens there.
  ///
  /// - Throws: ``InvalidInput`` with the code `repository` and with the accepted forms.
  public init(remoteURL text: String) throws(InvalidInput) {
    try self.init(text, allowsCredentials: true)
  }

  private init(_ text: String, allowsCredentials: Bool) throws(InvalidInput) {
    // Browsers treat a backslash as a slash, other programs as part of a name.
    guard text.utf8.count <= 2_048,
      text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
    else {
      throw Self.refusal(of: text)
    }
    if let scheme = text.firstRange(of: "://") {
      try self.init(
        scheme: text[..<scheme.lowerBound].lowercased(), rest: text[scheme.upperBound...],
        of: text, allowsCredentials: allowsCredentials)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    switch parts.count {
    case 2 where !text.contains(":"):
      guard let name = RepositoryName(text) else { throw Self.refusal(of: text) }
      self.init(name: name)
    case 3 where !text.contains("@") && Self.namesHost(parts[0]):
      guard
        let host = HostName(parts[0]),
        let name = RepositoryName(owner: String(parts[1]), name: String(parts[2]))
      else { throw Self.refusal(of: text) }
      self.init(host: Self.webHost(host, keepsPort: host.port != 443), name: name)
    default:
      try self.init(scpLike: text)
    }
  }

  /// Parses `user@host:owner/name.git`, Git's short form of an SSH address.
  private init(scpLike text: String) throws(InvalidInput) {
    guard let colon = text.firstIndex(of: ":") else { throw Self.refusal(of: text) }
    let authority = text[..<colon]
    var path = text[text.index(after: colon)...]
    if path.first == "/" { path = path.dropFirst() }
    let at = authority.firstIndex(of: "@")
    let host = at.map { authority[authority.index(after: $0)...] } ?? authority
    guard
      at.map({ Self.isAccount(authority[..<$0]) }) ?? true,
      let host = HostName(host),
      let name = RepositoryName(String(path))
    else { throw Self.refusal(of: text) }
    self.init(host: Self.webHost(host, keepsPort: false), name: name)
  }

  private init(
    scheme: String, rest: Substring, of text: String, allowsCredentials: Bool
  ) throws(InvalidInput) {
    let isPage = scheme == "https" || scheme == "http"
    guard isPage || ["ssh", "git", "git+ssh", "git+https", "git+http"].contains(scheme) else {
      throw Self.refusal(of: text)
    }
    var rest = rest
    if isPage, let tail = rest.firstIndex(where: { $0 == "?" || $0 == "#" }) {
      rest = rest[..<tail]
    }
    var segments = rest.split(separator: "/", omittingEmptySubsequences: false)
    var authority = segments.removeFirst()
    if let at = authority.lastIndex(of: "@") {
      let isSSH = scheme == "ssh" || scheme == "git+ssh"
      guard allowsCredentials || isSSH && Self.isAccount(authority[..<at]) else {
        throw InvalidInput(
          .repository,
          "The address contains a user name or a token: remove the part before the @.")
      }
      authority = authority[authority.index(after: at)...]
    }
    if segments.last == "" { segments.removeLast() }
    guard
      let host = HostName(authority), segments.count >= 2,
      let name = RepositoryName(owner: String(segments[0]), name: String(segments[1])),
      let page = RepositoryPage(segments.dropFirst(2))
    else { throw Self.refusal(of: text) }
    let defaultPort = scheme == "http" ? 80 : 443
    self.init(
      host: Self.webHost(host, keepsPort: isPage && host.port != defaultPort), name: name,
      issueNumber: page.issueNumber)
  }

  /// Whether the first part of an address is a host. `swift/issues/12` doesn't start with a host. Except in a URL, a
  /// host must contain a dot.
  private static func namesHost(_ part: Substring) -> Bool {
    part.contains(".") || part.contains(":") || part.lowercased() == "localhost"
  }

  private static func isAccount(_ text: Substring) -> Bool {
    // A colon isn't allowed, because a password would follow it.
    !text.isEmpty
      && text.utf8.allSatisfy {
        $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
          || $0 == UInt8(ascii: ".")
      }
  }

  private static func webHost(_ host: HostName, keepsPort: Bool) -> String {
    // https://docs.github.com/en/authentication/troubleshooting-ssh/using-ssh-over-the-https-port
    let name = ["www.github.com", "ssh.github.com"].contains(host.host) ? "github.com" : host.host
    guard keepsPort, let port = host.port else { return name }
    return "\(name):\(port)"
  }

  private static func refusal(of text: String) -> InvalidInput {
    let refused = InvalidInput.naming(text, otherwise: text.isEmpty ? "Empty text" : "The text")
    return InvalidInput(
      .repository,
      """
      \(refused) is not a repository: use OWNER/REPO, HOST/OWNER/REPO, or the address of a \
      repository or an issue. Names consist of A-Z a-z 0-9 . _ -
      """)
  }
}

extension RepositoryReference: CustomStringConvertible {
  /// The reference as `host/owner/name`, or as `owner/name` without a host.
  public var description: String { host.map { "\($0)/\(name)" } ?? "\(name)" }
}

private struct RepositoryPage {
  var issueNumber: Int?

  /// Parses the path after the repository's name; nil for other pages: `settings/actions/runs` isn't a page of the
  /// repository `settings/actions`.
  init?(_ segments: ArraySlice<Substring>) {
    guard let kind = segments.first else { return }
    let rest = segments.dropFirst()
    switch kind {
    case "issues" where rest.count <= 1, "pulls" where rest.isEmpty: break
    // A pull request has more pages, such as `files` and `commits/{sha}`. Forgejo and Gitea write `pulls`.
    case "pull" where !rest.isEmpty: break
    case "pulls" where rest.first.flatMap(IssueReference.number) != nil: break
    default: return nil
    }
    guard let digits = rest.first else { return }
    guard let number = IssueReference.number(digits) else { return nil }
    issueNumber = number
  }
}
