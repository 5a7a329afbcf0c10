internal import IssueTracker

extension GitRemotes {
  /// A remote, and the repository that it is of.
  private struct Found {
    let remote: Remote
    let repository: RepositoryReference
    let kind: RemoteAddresses.Kind
  }

  /// The repository of the clone that the user stands in.
  ///
  /// Remotes on a server that is known to be GitHub's come first, whatever they are called: `github.com`, the
  /// host in `GH_HOST`, a subdomain of `ghe.com`. Hosts that are known to be another forge are passed over.
  /// All others may be Enterprise servers.
  ///
  /// - Throws: ``Failure``, and ``CommandFailure`` where no remote names a repository on a GitHub server.
  static func repository(environment: [String: String]) async throws -> RepositoryReference {
    var addresses = RemoteAddresses(environment: environment)
    var found: [Found] = []
    for remote in try await all(environment: environment) {
      guard let repository = try await addresses.repository(of: remote) else { continue }
      let kind = addresses.kind(of: repository.host)
      // What was chosen, or is the best that there can be.
      if remote.choice != nil || kind == .github && isUsual(remote) { return repository }
      found.append(Found(remote: remote, repository: repository, kind: kind))
    }
    for kind in [RemoteAddresses.Kind.github, .unknown] {
      let candidates = found.filter { $0.kind == kind }
      if let usual = candidates.first(where: { isUsual($0.remote) }) { return usual.repository }
      let names = Set(candidates.map { "\($0.repository)".lowercased() })
      guard names.count <= 1 else { throw Failure.ambiguous(candidates.map(\.remote.name)) }
      if let only = candidates.first { return only.repository }
    }
    let forge = found.first?.repository.host
    throw CommandFailure(
      .usage,
      (forge.map { "the remote of this clone is on \($0), which isn't a GitHub server\n" }
        ?? "the remote of this clone is not the address of a repository on a server\n")
        + "Name the repository: OWNER/REPO")
  }

  /// Whether a remote has one of the names that say by themselves that it is meant.
  private static func isUsual(_ remote: Remote) -> Bool {
    ["upstream", "github", "origin"].contains(remote.name.lowercased())
  }
}
