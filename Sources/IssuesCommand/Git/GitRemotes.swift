internal import IssueTracker
internal import StyledText

/// The remotes of the clone in the current directory.
enum GitRemotes {
  /// The reason why the directory names no repository.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// `git` isn't installed, or can't be run.
    case gitUnavailable

    /// `git` took too long.
    case gitTimedOut

    /// The task that waited for `git` was cancelled.
    case cancelled

    /// The directory isn't inside a repository, or git refuses to read it.
    case notARepository

    /// The repository has no remote.
    case noRemote

    /// There are several remotes, and nothing distinguishes one.
    case ambiguous([String])

    var description: String {
      switch self {
      case .gitUnavailable: "git could not be run to find out which repository this directory is of"
      case .gitTimedOut:
        "git took too long to say which repository this directory is of"
      case .cancelled: "cancelled"
      case .notARepository: "this directory is not inside a git repository"
      case .noRemote: "the git repository of this directory has no remote"
      case .ambiguous(let names):
        "the git repository of this directory has several remotes, and none is called upstream, "
          + "github or origin: \(TerminalText(names.joined(separator: ", ")))"
      }
    }
  }

  /// A remote in the clone's configuration.
  struct Remote: Sendable, Hashable {
    let name: String

    /// Its address, as configured. `url.*.insteadOf` may turn it into a mirror's.
    var url: String

    /// The choice of `gh repo set-default`: `base`, or another `OWNER/REPO`.
    var choice: String?
  }

  /// How long git may take. A sleeping disk wakes up faster.
  static let patience = Duration.seconds(5)

  /// The remotes of the clone, best first: the one that `gh repo set-default` has chosen, `upstream`,
  /// `github`, `origin`, then the others in the order of the configuration.
  ///
  /// - Parameters:
  ///   - directory: The directory; nil for the current one.
  ///   - environment: The environment. git gets it without the tokens.
  ///   - git: The name of the program, in an absolute folder of `PATH`.
  ///   - clock: The clock that limits git's time.
  /// - Returns: At least one remote.
  /// - Throws: ``Failure`` where there is none.
  static func all(
    in directory: String? = nil, environment: [String: String], git: String = "git",
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(Failure) -> [Remote] {
    // Only a repository has a local configuration: git exits with 128 outside of one (some versions with 1), and with 1
    // where there is no remote.
    let result = try await configuration(
      #"^remote\..*\.(url|gh-resolved)$"#, ["--local", "--includes"], in: directory,
      environment: environment, git: git, clock: clock)
    switch result.termination {
    case .exited(0): return try remotes(in: result.text)
    case .exited(1): throw .noRemote
    // The status of a child if the C library learns too late that the program doesn't exist.
    case .exited(126), .exited(127): throw .gitUnavailable
    case .exited, .killed: throw .notARepository
    }
  }

  /// The user's rewriting of addresses (`url.BASE.insteadOf`), from wherever git is configured.
  ///
  /// - Returns: The prefixes of addresses, and their replacements.
  /// - Throws: ``Failure/cancelled``.
  static func rewriting(
    in directory: String? = nil, environment: [String: String], git: String = "git",
    clock: any Clock<Duration> = ContinuousClock()
  ) async throws(Failure) -> [(prefix: String, base: String)] {
    do throws(Failure) {
      let result = try await configuration(
        #"^url\..*\.insteadof$"#, [], in: directory, environment: environment, git: git,
        clock: clock)
      return entries(in: result.text).compactMap { key, value in
        // git writes the last part of a key in lower case.
        guard key.hasPrefix("url."), key.hasSuffix(".insteadof"), !value.isEmpty else { return nil }
        return (value, String(key.dropFirst("url.".count).dropLast(".insteadof".count)))
      }
    } catch {
      if error == .cancelled { throw error }
      return []
    }
  }

  /// Reads entries of git's configuration.
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

  /// Parses the output of `git config --null --get-regexp`: a key, a line feed, a value and a NUL for each entry.
  private static func entries(in text: String) -> [(key: String, value: String)] {
    text.unicodeScalars.split(separator: "\0").compactMap { entry in
      guard let end = entry.firstIndex(of: "\n") else { return nil }
      return (String(entry[..<end]), String(entry[entry.index(after: end)...]))
    }
  }

  /// Reads the remotes from git's output.
  ///
  /// - Parameter configuration: The output.
  /// - Returns: The remotes in the order of ``all(in:environment:git:clock:)``, at least one.
  /// - Throws: ``Failure/noRemote``.
  static func remotes(in configuration: String) throws(Failure) -> [Remote] {
    var remotes: [Remote] = []
    var choices: [String: String] = [:]
    for (key, value) in entries(in: configuration) where key.hasPrefix("remote.") {
      guard !value.isEmpty, let dot = key.lastIndex(of: ".") else { continue }
      let name = String(key[..<dot].dropFirst("remote.".count))
      switch key[dot...] {
      // Of several addresses git fetches from the first.
      case ".url" where !remotes.contains { $0.name == name }:
        remotes.append(Remote(name: name, url: value))
      // The last one counts, as for every variable with a single value.
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

  /// The repository of the clone in the current directory.
  ///
  /// Remotes on known GitHub servers come first, whatever their names: `github.com`, the host in `GH_HOST`, and
  /// subdomains of `ghe.com`. Other known forges are skipped. All other hosts may be Enterprise servers.
  ///
  /// - Throws: ``Failure``, and ``CommandFailure`` where no remote names a repository on a GitHub server.
  static func repository(environment: [String: String]) async throws -> RepositoryReference {
    var addresses = RemoteAddresses(environment: environment)
    var found: [Found] = []
    for remote in try await all(environment: environment) {
      guard let repository = try await addresses.repository(of: remote) else { continue }
      let kind = addresses.kind(of: repository.host)
      // The user's choice, or the best possible remote.
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

  /// Whether a remote has one of the names that distinguish it from others.
  private static func isUsual(_ remote: Remote) -> Bool {
    ["upstream", "github", "origin"].contains(remote.name.lowercased())
  }
}
