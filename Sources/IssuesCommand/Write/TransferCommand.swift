internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker
internal import StyledText

struct TransferCommand: IssueChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "transfer",
    abstract: "Move issues to another repository of the same owner.",
    usage: "issues transfer [<options>] [OWNER/REPO] NUMBER … DESTINATION",
    discussion: """
      An issue gets a new number there, which the command prints. You need write access to both \
      repositories. An issue can't go from a private repository to a public one. Labels that the other \
      repository doesn't have are lost, unless --create-labels creates them.

      \(WriteHelp.results)

      EXAMPLES:
        issues transfer 12 apple/swift-driver
        issues transfer apple/swift#12 apple/swift-driver --create-labels
      """)

  // The parser doesn't support an argument after a repeated one.
  @Argument(
    help: ArgumentHelp(
      "The issue, in one of these forms: 12, '#12', OWNER/REPO#12 or its address; then the repository to move it to.",
      valueName: "number"),
    completion: .custom(MirrorCompletion.numberOrName))
  var words: [String] = []

  @OptionGroup var repository: RepositoryOptions

  @Flag(help: "Create labels that the repository doesn't have.")
  var createLabels = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  var issues: [String] { words.dropLast() }
  var repo: String? { repository.repo }

  mutating func takeArgument(_ word: String) -> Bool {
    guard IssueArguments.isPossible(word) else { return false }
    words.append(word)
    return true
  }

  func validateOptions() throws {
    guard let destination = words.last, (try? IssueReference(parsing: destination)) == nil else {
      throw ValidationError("Specify the destination after the issue: OWNER/REPO.")
    }
    try requireIssues()
  }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    let reference = try RepositoryReference(parsing: words[words.count - 1])
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

  /// The current name of a renamed repository; without a network, the name as typed.
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
