internal import StyledText

/// The remotes of the git repository that the user stands in.
enum GitRemotes {
  /// Why there is no repository to be read off the directory.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// `git` isn't installed, or can't be run.
    case gitUnavailable

    /// The directory isn't inside a repository, or in one that git refuses to read.
    case notARepository

    /// The repository has no remote.
    case noRemote

    /// There are several remotes, and none is called `upstream` or `origin`.
    case ambiguous([String])

    var description: String {
      switch self {
      case .gitUnavailable: "git could not be run to find out which repository this directory is of"
      case .notARepository: "this directory is not inside a git repository"
      case .noRemote: "the git repository of this directory has no remote"
      case .ambiguous(let names):
        "the git repository of this directory has several remotes, and none is called upstream or "
          + "origin: \(TerminalText(names.joined(separator: ", ")))"
      }
    }
  }

  /// The addresses that a clone may be of, best first: `upstream`, then `origin`; a sole remote of
  /// another name where neither is there.
  ///
  /// They are the addresses as configured. `git remote get-url` would apply `url.*.insteadOf`, and
  /// give a mirror's or an ssh alias's address instead of the one that names the repository.
  ///
  /// - Parameters:
  ///   - directory: Where to look; `nil` for the current directory.
  ///   - environment: The environment; git gets it without the tokens.
  ///   - git: The program. It is looked for in absolute folders of `PATH` only: the directory may be a clone
  ///     with a program of that name in it.
  /// - Returns: At least one address.
  /// - Throws: ``Failure`` where there is none.
  static func urls(
    in directory: String? = nil, environment: [String: String], git: String = "git"
  ) async throws(Failure) -> [String] {
    guard let git = ProgramSearch.path(of: git, in: environment) else { throw .gitUnavailable }
    // Only a repository has a local configuration: git's status tells apart where there is none
    // (128, or 1 for a version that doesn't mind) from one without remotes (1).
    let arguments =
      [git] + (directory.map { ["-C", $0] } ?? [])
      + ["config", "--local", "--includes", "--null", "--get-regexp", #"^remote\..*\.url$"#]
    let result: (termination: ChildProcess.Termination, bytes: [UInt8])
    do {
      result = try await ChildProcess.output(
        of: arguments, environment: Environment.withoutSecrets(environment))
    } catch {
      throw .gitUnavailable
    }
    switch result.termination {
    case .exited(0): return try candidates(in: String(decoding: result.bytes, as: UTF8.self))
    case .exited(1): throw .noRemote
    // What a child exits with where the C library learns too late that the program isn't there.
    case .exited(126), .exited(127): throw .gitUnavailable
    case .exited, .killed: throw .notARepository
    }
  }

  /// Reads what `git config --null --get-regexp` prints: `remote.NAME.url`, a line feed, the
  /// address and a NUL for each.
  ///
  /// - Parameter configuration: The output.
  /// - Returns: The addresses in the order of ``urls(in:environment:git:)``, at least one.
  /// - Throws: ``Failure/noRemote`` or ``Failure/ambiguous(_:)``.
  static func candidates(in configuration: String) throws(Failure) -> [String] {
    var remotes: [(name: String, url: String)] = []
    for entry in configuration.unicodeScalars.split(separator: "\0") {
      guard let end = entry.firstIndex(of: "\n") else { continue }
      let key = String(entry[..<end])
      let url = String(entry[entry.index(after: end)...])
      guard key.hasPrefix("remote."), key.hasSuffix(".url"), !url.isEmpty else { continue }
      let name = String(key.dropFirst("remote.".count).dropLast(".url".count))
      // A remote may have several addresses; the first is the one that git fetches from.
      if !remotes.contains(where: { $0.name == name }) { remotes.append((name, url)) }
    }
    let preferred = ["upstream", "origin"].compactMap { name in
      remotes.first { $0.name == name }?.url
    }
    if !preferred.isEmpty { return preferred }
    if remotes.count > 1 { throw .ambiguous(remotes.map(\.name)) }
    guard let only = remotes.first else { throw .noRemote }
    return [only.url]
  }
}
