internal import IssueTracker

/// Finds the repository of a remote's URL, even if the configuration of git or ssh abbreviates the host.
///
/// Only for an unknown host, it queries git for `url.*.insteadOf`, and then ssh for its aliases.
struct RemoteAddresses {
  enum Kind: Sendable, Hashable {
    /// A host of GitHub, Forgejo or Gitea.
    case known
    case otherForge
    /// A host that may be a server of one of them.
    case unknown
  }

  private static let otherForges: Set<String> = [
    "gitlab.com", "bitbucket.org", "git.sr.ht", "sr.ht", "gitee.com", "dev.azure.com",
    "ssh.dev.azure.com", "git.code.sf.net", "sourceforge.net", "git.launchpad.net",
    "salsa.debian.org", "gitlab.gnome.org", "gitlab.freedesktop.org", "invent.kde.org",
    "git.kernel.org", "git.savannah.gnu.org", "pagure.io", "framagit.org", "hf.co",
    "huggingface.co",
  ]

  /// The time limit. ssh doesn't use the network to resolve an alias, but the user's configuration may run programs.
  private static let patience = Duration.seconds(2)

  private let environment: [String: String]
  private let directory: String?
  private let clock: any Clock<Duration>
  private var knownRewriting: [(prefix: String, base: String)]?
  private var knownAliases: [String: String] = [:]

  init(
    environment: [String: String], directory: String? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.environment = environment
    self.directory = directory
    self.clock = clock
  }

  /// The kind of a host; nil means the user's default server.
  func kind(of host: String?) -> Kind {
    guard let host = host?.lowercased(), host != "github.com", !host.hasSuffix(".ghe.com"),
      host != environment["GH_HOST", default: ""].lowercased(),
      (try? GitHubServer(host: host))?.isGitea != true
    else { return .known }
    return Self.otherForges.contains(host) ? .otherForge : .unknown
  }

  /// The repository of a remote; nil if the URL doesn't refer to a repository on a server.
  mutating func repository(
    of remote: GitRemotes.Remote
  ) async throws(GitRemotes.Failure) -> RepositoryReference? {
    let repository = try await repository(at: remote.url)
    // `gh repo set-default` writes a name if no remote is the repository itself.
    if let choice = remote.choice, choice != "base", let name = RepositoryName(choice) {
      return RepositoryReference(host: repository?.host, name: name)
    }
    return repository
  }

  private mutating func repository(
    at url: String
  ) async throws(GitRemotes.Failure) -> RepositoryReference? {
    var url = url
    var repository = Self.remoteRepository(url)
    guard kind(of: repository) == .unknown else { return repository }
    let rewritten = try await rewritten(url)
    if rewritten != url, let other = Self.remoteRepository(rewritten) {
      // If the host contains a dot, it may be the repository's own, and the rewritten host may be a mirror.
      let isShortForm = repository?.host?.contains(".") != true
      if isShortForm || kind(of: other) == .known { (url, repository) = (rewritten, other) }
    }
    guard kind(of: repository) == .unknown, let known = repository, let alias = Self.sshHost(url)
    else { return repository }
    let name = try await hostName(of: alias)
    // The URL initializer recognizes GitHub's hosts that support only ssh.
    return Self.remoteRepository("ssh://\(name)/\(known.name)") ?? repository
  }

  /// The repository of a URL; nil for a URL without a host (`../other`), which is a folder on this machine.
  private static func remoteRepository(_ url: String) -> RepositoryReference? {
    guard let repository = try? RepositoryReference(remoteURL: url), repository.host != nil else {
      return nil
    }
    return repository
  }

  private func kind(of repository: RepositoryReference?) -> Kind {
    repository.map { kind(of: $0.host) } ?? .unknown
  }

  // MARK: git

  /// Rewrites a URL. git replaces the longest matching prefix.
  private mutating func rewritten(_ url: String) async throws(GitRemotes.Failure) -> String {
    let rules: [(prefix: String, base: String)]
    if let knownRewriting {
      rules = knownRewriting
    } else {
      rules = try await GitRemotes.rewriting(
        in: directory, environment: environment, clock: clock)
      knownRewriting = rules
    }
    let rule = rules.filter { url.hasPrefix($0.prefix) }
      .max { $0.prefix.utf8.count < $1.prefix.utf8.count }
    return rule.map { $0.base + url.dropFirst($0.prefix.count) } ?? url
  }

  // MARK: ssh

  /// The host of `ssh://…` or `user@host:path` as written, because ssh distinguishes `Work` from `work`.
  private static func sshHost(_ url: String) -> String? {
    var rest = url[...]
    if let scheme = url.firstRange(of: "://") {
      guard ["ssh", "git+ssh"].contains(url[..<scheme.lowerBound].lowercased()) else { return nil }
      rest = url[scheme.upperBound...]
    } else if !url.contains(":") {
      return nil
    }
    let authority = rest.prefix { $0 != "/" }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
    return String((host ?? authority).prefix { $0 != ":" })
  }

  /// The host that ssh connects to, or else the alias.
  ///
  /// A clone's configuration may be untrusted. Neither an option nor code for the shell of a `Match exec` may reach
  /// ssh.
  private mutating func hostName(of alias: String) async throws(GitRemotes.Failure) -> String {
    if let known = knownAliases[alias] { return known }
    guard Self.isPlain(alias), let ssh = ProgramSearch.path(of: "ssh", in: environment) else {
      return alias
    }
    let output = try? await ChildProcess.output(
      of: [ssh, "-G", alias], environment: Environment.withoutSecrets(environment),
      limit: 1 << 16, timeout: Self.patience, clock: clock)
    if output == .cancelled { throw .cancelled }
    var name = alias
    if case .finished(.exited(0), let bytes) = output {
      let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
      let line = lines.first { $0.lowercased().hasPrefix("hostname ") }
      if let told = line?.dropFirst("hostname ".count), Self.isPlain(told) { name = String(told) }
    }
    knownAliases[alias] = name
    return name
  }

  private static func isPlain(_ name: some StringProtocol) -> Bool {
    guard name.utf8.count <= 253, let first = name.utf8.first else { return false }
    let isWord = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    return isWord(first)
      && name.utf8.allSatisfy { isWord($0) || ".-_".utf8.contains($0) }
  }
}
