internal import IssueTracker
internal import PlatformModules

extension RequestOptions {
  /// How long a server may be silent when it is asked for its forge.
  private static var patience: Duration { .seconds(10) }

  /// Decides which forge a server is, before a token is sent to it: `--forge`, the configuration, the address, an
  /// earlier answer, or else a question to the server without a token. A host whose address says nothing gets that of
  /// its forge's API.
  func recognizing(
    _ server: GitHubServer, _ session: CommandSession, _ transport: any Transport
  ) async throws(CommandFailure) -> (server: GitHubServer, forge: Forge) {
    // An address that the user wrote is GitHub's, unless it ends in the version of Forgejo's and Gitea's API.
    let isByHost =
      apiURL == nil
      && [Forge.gitHub, .gitea].contains {
        (try? GitHubServer(host: server.host, forge: $0)) == server
      }
    func located(_ forge: Forge) throws(CommandFailure) -> (server: GitHubServer, forge: Forge) {
      do throws(InvalidInput) {
        return (isByHost ? try GitHubServer(host: server.host, forge: forge) : server, forge)
      } catch {
        throw CommandFailure(.usage, error.message)
      }
    }
    if let forge = try named(server, isByHost) { return try located(forge) }
    let memory = ForgeMemory(environment: session.environment)
    if isByHost || server.isGitea, server.knownForge == nil,
      let forge = try session.configuredForge(of: server)
    {
      // A place, which is known before its server is asked, has the remembered address.
      if memory?.forge(of: server, now: session.world.now()) != forge {
        memory?.note(forge, of: server, now: session.world.now())
      }
      return try located(forge)
    }
    if let known = server.knownForge { return (server, known) }
    guard server.isGitea || isByHost else { return (server, .gitHub) }
    if let known = memory?.forge(of: server, now: session.world.now()) {
      return try located(known)
    }
    session.progress.update("Asking \(server) what it is…")
    let patience = timeout?.duration ?? Self.patience
    let found: Forge?
    do throws(NetworkError) {
      found = try await Forge.asking(
        server, transport: transport,
        timeouts: Timeouts(connect: patience, idle: patience, total: patience))
    } catch {
      guard error.code != .cancelled else { throw CommandFailure(.cancelled, "") }
      // The next request fails too, and explains why.
      return (server, server.likelyForge)
    }
    // An Enterprise server that doesn't show itself is noticed later, as before.
    guard let found else {
      guard server.isGitea else { return (server, .gitHub) }
      throw CommandFailure(
        .usage,
        "\(server) doesn't say whether it is Forgejo or Gitea\nName it: --forge forgejo, or --forge gitea."
      )
    }
    memory?.note(found, of: server, now: session.world.now())
    return try located(found)
  }

  /// The forge in `--forge`. Throws if the address belongs to another one.
  private func named(
    _ server: GitHubServer, _ isByHost: Bool
  ) throws(CommandFailure) -> Forge? {
    guard let forge else { return nil }
    let fits =
      isByHost && server.isEnterpriseServer && server.knownForge == nil
      || server.isGitea == (forge != .gitHub)
    guard fits else {
      throw CommandFailure(
        .usage,
        "\(server.apiURL) isn't the address of \(forge.name)'s API"
          + (forge == .gitHub ? "" : "\nIt ends in /api/v1."))
    }
    return forge
  }
}
