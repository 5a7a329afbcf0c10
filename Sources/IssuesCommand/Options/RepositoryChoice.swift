internal import ArgumentParser
internal import IssueTracker

/// The repository in an argument or `--repo`, or else in `GH_REPO`, or else of the clone in the current directory.
///
/// Every subcommand uses this type, through ``CommandSession/place(of:apiURL:)``.
struct RepositoryChoice: Sendable, Hashable {
  /// The variable that specifies the repository if the command line doesn't, as in gh.
  static let variable = "GH_REPO"

  /// The repository on the command line.
  let named: RepositoryReference?

  /// Creates a choice. Throws if an argument and `--repo` differ.
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
        .usage, "the argument names \(argument), but --repo names \(chosen)\nLeave one of them out."
      )
    }
    named = argument.host == nil && chosen.host != nil ? chosen : argument
  }

  init(parsing argument: String?, option: String?) throws {
    try self.init(argument.map { try RepositoryReference(parsing: $0) }, option: option)
  }

  func reference(environment: [String: String]) async throws -> RepositoryReference {
    if let named { return named }
    if let preset = try Self.preset(in: environment) { return preset }
    return try await GitRemotes.repository(environment: environment)
  }

  /// The repository in the variable; nil if the variable isn't set.
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
    // A name without a host matches any host.
    guard let one = first.host, let other = second.host else { return true }
    return one == other
  }
}

/// The repository and issue in `OWNER/REPO`, `12`, `OWNER/REPO 12`, `OWNER/REPO#12` or a URL.
struct PlaceArgument: Sendable, Hashable {
  let repository: RepositoryChoice
  let issueNumber: Int?

  /// Parses arguments. `second` is a number after a repository.
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
    if (try? IssueReference(parsing: first)) != nil, second.contains("/"),
      (try? RepositoryReference(parsing: second)) != nil
    {
      throw CommandFailure(.usage, "the repository comes before the number: \(second) \(first)")
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

extension ArgumentHelp {
  static let repositoryOrClone = ArgumentHelp(
    "The repository; by default, the current clone's.", valueName: "repository")
}

struct RepositoryOptions: ParsableArguments {
  @Option(
    name: [.customShort("R", allowingJoined: true), .customLong("repo")],
    help: ArgumentHelp(
      "The repository: [HOST/]OWNER/REPO. It overrides the argument.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?
}
