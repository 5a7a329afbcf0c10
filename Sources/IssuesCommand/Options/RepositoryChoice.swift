internal import ArgumentParser
internal import IssueTracker

/// The repository that the user means: the one that an argument or `--repo` names, else the one in `GH_REPO`, else the
/// one of the clone in the current directory.
///
/// Every subcommand decides it here, by way of ``CommandSession/place(of:apiURL:)``.
struct RepositoryChoice: Sendable, Hashable {
  /// The variable that names the repository where the command line doesn't, as it does for gh.
  static let variable = "GH_REPO"

  /// The repository that the command line names, if any.
  let named: RepositoryReference?

  /// Combines an argument with `--repo`.
  ///
  /// - Parameters:
  ///   - argument: The repository that an argument names.
  ///   - option: The value of `--repo`.
  /// - Throws: ``InvalidInput``, saying what is accepted, and ``CommandFailure`` where the two differ.
  init(_ argument: RepositoryReference?, option: String?) throws {
    guard let option else {
      named = argument
      return
    }
    let chosen = try RepositoryReference(parsing: option)
    guard let argument else {
      named = chosen
      return
    }
    guard Self.isSame(argument, chosen) else {
      throw CommandFailure(
        .usage, "the argument names \(argument), and --repo \(chosen)\nLeave one of them out.")
    }
    named = argument.host == nil && chosen.host != nil ? chosen : argument
  }

  /// Reads an argument that names a repository, and combines it with `--repo`.
  ///
  /// - Throws: As ``init(_:option:)``.
  init(parsing argument: String?, option: String?) throws {
    try self.init(argument.map { try RepositoryReference(parsing: $0) }, option: option)
  }

  /// Finds the repository.
  ///
  /// - Parameter environment: The environment with `GH_REPO`, and with the `PATH` to git.
  /// - Returns: The repository.
  /// - Throws: ``CommandFailure`` and ``GitRemotes/Failure``.
  func reference(environment: [String: String]) async throws -> RepositoryReference {
    if let named { return named }
    if let preset = try Self.preset(in: environment) { return preset }
    return try await GitRemotes.repository(environment: environment)
  }

  /// The repository in `GH_REPO`; nil where the variable isn't set.
  ///
  /// - Throws: ``CommandFailure`` where the value isn't a repository.
  static func preset(
    in environment: [String: String]
  ) throws(CommandFailure) -> RepositoryReference? {
    guard let text = environment[variable], !text.isEmpty else { return nil }
    do throws(InvalidInput) {
      return try RepositoryReference(parsing: text)
    } catch {
      throw CommandFailure(.usage, "\(variable): \(error.message)")
    }
  }

  private static func isSame(_ first: RepositoryReference, _ second: RepositoryReference) -> Bool {
    guard "\(first.name)".lowercased() == "\(second.name)".lowercased() else { return false }
    // One without a host may be any host's.
    guard let one = first.host, let other = second.host else { return true }
    return one == other
  }
}

/// The repository and the issue that a subcommand's arguments name.
///
/// People type and paste all of `OWNER/REPO`, `12`, `OWNER/REPO 12`, `OWNER/REPO#12` and addresses.
struct PlaceArgument: Sendable, Hashable {
  let repository: RepositoryChoice
  /// The issue's number; nil where the arguments name only a repository.
  let issueNumber: Int?

  /// Reads the arguments.
  ///
  /// - Parameters:
  ///   - first: The first argument.
  ///   - second: The second argument: a number behind a repository.
  ///   - repo: The value of `--repo`.
  /// - Throws: ``InvalidInput``, saying what is accepted, or ``CommandFailure`` where they name two issues or two
  ///   repositories.
  init(_ first: String?, _ second: String? = nil, repo: String? = nil) throws {
    guard let first else {
      (repository, issueNumber) = (try RepositoryChoice(nil, option: repo), nil)
      return
    }
    guard let second else {
      let issue = try? IssueReference(parsing: first)
      let named =
        if let issue { issue.repository } else { try RepositoryReference(parsing: first) }
      repository = try RepositoryChoice(named, option: repo)
      issueNumber = issue?.number
      return
    }
    let reference = try RepositoryReference(parsing: first)
    guard reference.issueNumber == nil else {
      throw CommandFailure(.usage, "\(first) is the address of an issue: leave out the number")
    }
    let number = second.first == "#" ? second : "#\(second)"
    repository = try RepositoryChoice(reference, option: repo)
    issueNumber = try IssueReference(parsing: number).number
  }
}

/// `--repo`, which names the repository instead of an argument.
struct RepositoryOptions: ParsableArguments {
  @Option(
    name: [.customShort("R", allowingJoined: true), .customLong("repo")],
    help: ArgumentHelp(
      "The repository, instead of the argument: [HOST/]OWNER/REPO.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?
}
