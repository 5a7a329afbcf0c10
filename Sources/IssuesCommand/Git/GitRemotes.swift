internal import IssueTracker
internal import StyledText

/// The remotes of the clone in the current directory.
enum GitRemotes {
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case gitUnavailable

    case gitTimedOut

    case cancelled

    /// The directory isn't in a repository, or git refuses to read it.
    case notARepository

    case noRemote

    case ambiguous([String])

    var description: String {
      switch self {
      case .gitUnavailable: "git could not be run to find this directory's repository"
      case .gitTimedOut:
        "git took too long to find this directory's repository"
      case .cancelled: "cancelled"
      case .notARepository: "this directory is not inside a git repository"
      case .noRemote: "this directory's git repository has no remote"
      case .ambiguous(let names):
        "this directory's git repository has several remotes, and none is called upstream, "
          + "github or origin: \(TerminalText(names.joined(separator: ", ")))"
      }
    }
  }

  struct Remote: Sendable, Hashable {
    let name: String

    /// The URL in the configuration. `url.*.insteadOf` may replace it with the URL of a mirror.
    var url: String

    /// The value from `gh repo set-default`: `base`, or another `OWNER/REPO`.
    var choice: String?
  }

  /// The time limit, longer than a sleeping disk takes to wake up.
  static let patience = Duration.seconds(5)

  /// Finds at least one remote, best first: the choice of `gh repo set-default`, `upstream`, `github`, `origin`, and
  /// then the others as configured. git doesn't receive tokens in its environment.
  static func all(
    in directory: String? = nil, environment: [String: String], git: String = "git",
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(Failure) -> [Remote] {
    // Only a repository has a local configuration. git exits with 128 outside of a repository (some versions with 1),
    // and with 1 if there are no remotes.
    let result = try await configuration(
      #"^remote\..*\.(url|gh-resolved)$"#, ["--local", "--includes"], in: directory,
      environment: environment, git: git, clock: clock)
    switch result.termination {
    case .exited(0): return try remotes(in: result.text)
    case .exited(1): throw .noRemote
    // These are the child's statuses if the C library detects a missing program too late.
    case .exited(126), .exited(127): throw .gitUnavailable
    case .exited, .killed: throw .notARepository
    }
  }

  /// The user's `url.BASE.insteadOf`, from all of git's configuration files.
  static func rewriting(
    in directory: String? = nil, environment: [String: String], git: String = "git",
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(Failure) -> [(prefix: String, base: String)] {
    do throws(Failure) {
      let result = try await configuration(
        #"^url\..*\.insteadof$"#, [], in: directory, environment: environment, git: git,
        clock: clock)
      return entries(in: result.text).compactMap { key, value in
        // git writes the last part of a key in lowercase.
        guard key.hasPrefix("url."), key.hasSuffix(".insteadof"), !value.isEmpty else { return nil }
        return (value, String(key.dropFirst("url.".count).dropLast(".insteadof".count)))
      }
    } catch {
      if error == .cancelled { throw error }
      return []
    }
  }

  private static func configuration(
    _ pattern: String, _ scope: [String], in directory: String?, environment: [String: String],
    git: String, clock: any Clock<Duration>
  ) async throws(Failure) -> (termination: ChildProcess.Termination, text: String) {
    guard let git = ProgramSearch.path(of: git, in: environment) else { throw .gitUnavailable }
    let arguments =
      [git] + (directory.map { ["-C", $0] } ?? []) + ["config"] + scope
      + ["--null", "--get-regexp", pattern]
    let output: ChildProcess.BoundedOutput
    do {
      output = try await ChildProcess.output(
        of: arguments, environment: Environment.withoutSecrets(environment), limit: 1 << 20,
        timeout: patience, clock: clock)
    } catch {
      throw .gitUnavailable
    }
    switch output {
    case .finished(let termination, let bytes):
      return (termination, String(decoding: bytes, as: UTF8.self))
    case .tooLong: throw .notARepository
    case .timedOut: throw .gitTimedOut
    case .cancelled: throw .cancelled
    }
  }

  /// Parses `git config --null --get-regexp`: key, line feed, value and NUL for each entry.
  private static func entries(in text: String) -> [(key: String, value: String)] {
    text.unicodeScalars.split(separator: "\0").compactMap { entry in
      guard let end = entry.firstIndex(of: "\n") else { return nil }
      return (String(entry[..<end]), String(entry[entry.index(after: end)...]))
    }
  }

  /// The remotes in the order of ``all(in:environment:git:clock:)``.
  static func remotes(in configuration: String) throws(Failure) -> [Remote] {
    var remotes: [Remote] = []
    var choices: [String: String] = [:]
    for (key, value) in entries(in: configuration) where key.hasPrefix("remote.") {
      guard !value.isEmpty, let dot = key.lastIndex(of: ".") else { continue }
      let name = String(key[..<dot].dropFirst("remote.".count))
      switch key[dot...] {
      // git fetches from the first of several URLs.
      case ".url" where !remotes.contains { $0.name == name }:
        remotes.append(Remote(name: name, url: value))
      // The last value is used, as for every single-valued setting.
      case ".gh-resolved": choices[name] = value
      default: break
      }
    }
    for index in remotes.indices { remotes[index].choice = choices[remotes[index].name] }
    guard !remotes.isEmpty else { throw .noRemote }
    let order = ["upstream", "github", "origin"]
    let rank = { (remote: Remote) in
      remote.choice != nil ? -1 : order.firstIndex(of: remote.name.lowercased()) ?? order.count
    }
    return remotes.enumerated()
      .sorted { (rank($0.element), $0.offset) < (rank($1.element), $1.offset) }
      .map(\.element)
  }
}

extension GitRemotes {
  private struct Found {
    let remote: Remote
    let repository: RepositoryReference
    let kind: RemoteAddresses.Kind
  }

  /// Chooses the repository of a remote. Prefers known servers to other hosts, which may have GitHub, Forgejo or Gitea,
  /// and skips other known forges.
  static func repository(environment: [String: String]) async throws -> RepositoryReference {
    var addresses = RemoteAddresses(environment: environment)
    var found: [Found] = []
    for remote in try await all(environment: environment) {
      guard let repository = try await addresses.repository(of: remote) else { continue }
      let kind = addresses.kind(of: repository.host)
      // This is the user's choice, or the best possible remote.
      if remote.choice != nil || kind == .known && isUsual(remote) { return repository }
      found.append(Found(remote: remote, repository: repository, kind: kind))
    }
    for kind in [RemoteAddresses.Kind.known, .unknown] {
      let candidates = found.filter { $0.kind == kind }
      if let usual = candidates.first(where: { isUsual($0.remote) }) { return usual.repository }
      let names = Set(candidates.map { "\($0.repository)".lowercased() })
      guard names.count <= 1 else { throw Failure.ambiguous(candidates.map(\.remote.name)) }
      if let only = candidates.first { return only.repository }
    }
    let forge = found.first?.repository.host
    throw CommandFailure(
      .usage,
      (forge.map {
        "the remote of this clone is on \($0), which has neither GitHub nor Forgejo nor Gitea\n"
      }
        ?? "the remote of this clone does not name a repository on a server\n")
        + "Name the repository: OWNER/REPO")
  }

  private static func isUsual(_ remote: Remote) -> Bool {
    ["upstream", "github", "origin"].contains(remote.name.lowercased())
  }
}
