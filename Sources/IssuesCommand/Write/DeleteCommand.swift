internal import ArgumentParser
internal import IssueOutbox
internal import IssueTracker

struct DeleteCommand: IssueChangeCommand, IssueSelecting {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete issues for good.",
    usage: "issues delete [<options>] [OWNER/REPO] NUMBER …",
    discussion: """
      An issue is deleted with all its comments, and can't be restored. On a terminal, you type its number to \
      confirm; elsewhere, pass --yes. It requires admin access.

      \(WriteHelp.results)

      EXAMPLES:
        issues delete 12
        issues delete apple/swift#12 --yes
      """)

  @OptionGroup var selection: IssuesOptions

  @Flag(name: .shortAndLong, help: "Don't ask.")
  var yes = false

  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  static var jsonFields: JSONFields.Known { .place }

  func changes(to issue: NamedIssue, _ writing: WriteSession) async throws -> [Change] {
    guard let number = issue.number else {
      throw CommandFailure(
        .usage, "\(issue.word) isn't on the server yet\nRemove it with 'issues outbox drop'."
      )
    }
    guard !yes else { return [.delete(issue.target)] }
    guard writing.session.canAsk else {
      throw CommandFailure(.usage, "there is no terminal to ask on: confirm with --yes")
    }
    let answer = await Question.line(
      after: "Delete \(issue.place)#\(number) for good? Type its number to confirm: ")
    return answer.flatMap { Int($0.filter { $0 != "#" && $0 != " " }) } == number
      ? [.delete(issue.target)] : []
  }
}
