internal import IssueTracker

/// The repository that is meant: that of an argument or of --repo, else that of GH_REPO, else that of the clone
/// that the user stands in.
///
/// The one place that decides it, for every subcommand.
struct RepositoryChoice: Sendable, Hashable {
  /// The variable that names the repository where the command line doesn't, as for gh.
  static let variable = "GH_REPO"

  /// What the command line names; nil for nothing.
  let named: RepositoryReference?

  /// Puts together what the command line says.
  ///
  /// - Parameters:
  ///   - argument: What an argument names.
  ///   - option: The value of --repo.
  /// - Throws: ``InvalidInput`` that says what is accepted, and ``CommandFailure`` where two are named.
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

  /// Reads an argument that names a repository, beside --repo.
  ///
  /// - Throws: As ``init(_:option:)``.
  init(parsing argument: String?, option: String?) throws {
    try self.init(argument.map { try RepositoryReference(parsing: $0) }, option: option)
  }

  /// Finds the repository.
  ///
  /// - Parameter environment: Where `GH_REPO` is looked up, and `git`.
  /// - Returns: The repository.
  /// - Throws: ``CommandFailure`` and ``GitRemotes/Failure``.
  func reference(environment: [String: String]) async throws -> RepositoryReference {
    if let named { return named }
    if let preset = try Self.preset(in: environment) { return preset }
    return try await GitRemotes.repository(environment: environment)
  }

  /// What GH_REPO names; nil where it isn't set.
  ///
  /// - Throws: ``CommandFailure`` for what is no repository.
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
