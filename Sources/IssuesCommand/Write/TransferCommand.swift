internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

struct TransferCommand: IssueChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Move an issue to another repository of the same owner.",
    usage: "issues transfer [<options>] NUMBER OWNER/REPO",
    discussion: """
      The issue gets a new number there, which the command prints. You need write access to both \
      repositories. An issue can't go from a private repository to a public one. Labels that the other \
      repository doesn't have are lost, unless --create-labels creates them.

      \(WriteHelp.results)

      EXAMPLES:
        issues transfer 12 apple/swift-driver
        issues transfer apple/swift#12 apple/swift-driver --create-labels
      """)

  @OptionGroup var selection: IssueOptions

  @Argument(
    help: ArgumentHelp("The repository to move it to.", valueName: "repository"),
    completion: .custom(MirrorCompletion.repositoryOrName))
  var destination: String

  @Flag(help: "Create labels that the repository doesn't have.")
  var createLabels = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    let reference = try RepositoryReference(parsing: destination)
    if let host = reference.host {
      let server = try GitHubServer(host: host)
      guard server == issue.place.server else {
        throw CommandFailure(
          .usage, "\(issue.place) is on another server than \(reference): it can't be moved there")
      }
    }
    let name = try await presentName(of: reference.name, on: issue.place.server, writing)
    return [.transfer(issue.target, to: name, createsLabels: createLabels)]
  }

  /// The current name of a renamed repository, or without a network the name as typed.
  private func presentName(
    of name: RepositoryName, on server: GitHubServer, _ writing: WriteSession
  ) async throws(CommandFailure) -> RepositoryName {
    let found: GitHub.Repository
    do throws(CommandFailure) {
      found = try await writing.connection(to: server).explaining("\(name)") {
        (provider) async throws(NetworkError) in try await provider.repository(name)
      }
    } catch {
      guard goesOn(without: error) else { throw error }
      return name
    }
    guard let present = RepositoryName(found.fullName),
      "\(present)".lowercased() != "\(name)".lowercased()
    else { return name }
    writing.session.errors.write("\(name) is \(present) now.", style: .faint)
    return present
  }
}
