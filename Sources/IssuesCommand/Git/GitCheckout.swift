internal import IssueTracker
internal import StyledText

/// Checks out a branch of a repository in the clone of the current directory. git's messages go to standard error.
struct GitCheckout: Sendable {
  let place: Place
  let session: CommandSession

  /// Fetches the branch, and switches to it. A local branch of this name is kept as it is.
  ///
  /// - Throws: ``CommandFailure`` if the clone is another repository's, or git fails.
  func checkOut(_ branch: BranchName) async throws {
    let remote = try await remote()
    let tracking = "refs/remotes/\(remote)/\(branch)"
    guard
      try await run("fetch", "--end-of-options", remote, "+refs/heads/\(branch):\(tracking)")
    else {
      throw CommandFailure(.failed, "git can't fetch the branch from \(TerminalText(remote))")
    }
    let isLocal = try await run("show-ref", "--verify", "--quiet", "refs/heads/\(branch)")
    let target = isLocal ? ["\(branch)"] : ["--create", "\(branch)", "--track", tracking]
    guard try await run(["switch"] + target) else {
      throw CommandFailure(.failed, "git can't switch to the branch")
    }
  }

  /// The remote that is this repository.
  private func remote() async throws -> String {
    var addresses = RemoteAddresses(environment: session.environment)
    do throws(GitRemotes.Failure) {
      for var remote in try await GitRemotes.all(environment: session.environment) {
        // The choice of 'gh repo set-default' may be another repository than the one that git fetches from.
        remote.choice = nil
        guard let reference = try await addresses.repository(of: remote),
          "\(reference.name)".lowercased() == "\(place.name)".lowercased(),
          reference.host == place.server.host
        else { continue }
        return remote.name
      }
    } catch {
      throw CommandFailure(error == .cancelled ? .cancelled : .usage, "\(error)")
    }
    throw CommandFailure(.usage, "this directory isn't a clone of \(place)")
  }

  private func run(_ arguments: String...) async throws(CommandFailure) -> Bool {
    try await run(arguments)
  }

  private func run(_ arguments: [String]) async throws(CommandFailure) -> Bool {
    guard let git = ProgramSearch.path(of: "git", in: session.environment) else {
      throw CommandFailure(.failed, "git isn't installed")
    }
    let world = World.current
    let progress = world.giveWay()
    defer { progress?.resume() }
    do {
      // Standard output is for the result. git may ask for a passphrase.
      let child = try ChildProcess(
        [git] + arguments, environment: Environment.withoutSecrets(session.environment),
        output: .descriptor(world.errors.descriptor))
      return await child.wait() == .exited(0)
    } catch {
      throw CommandFailure(.failed, "\(error)")
    }
  }
}
