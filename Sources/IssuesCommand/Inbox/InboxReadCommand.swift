internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules

struct InboxReadCommand: InboxActionCommand {
  static let configuration = CommandConfiguration(
    commandName: "read",
    abstract: "Mark notifications as read.",
    usage: usage(of: "read"),
    discussion: """
      Read notifications stay in the inbox: 'issues inbox --read' lists them.

      With --all, GitHub marks all notifications as read at once, without the outbox. If there are many, it \
      continues in the background.

      \(InboxSelection.discussion)

      \(WriteHelp.results)

      EXAMPLES:
        issues inbox read 523050578
        issues inbox read swiftlang/swift#85969
        issues inbox read --all -R swiftlang/swift
        issues inbox --reason ci_activity | cut -f1 | xargs issues inbox read
      """)

  static let action = GitHub.NotificationAction.read

  @OptionGroup var selection: InboxSelection
  @OptionGroup(title: "Output") var output: OutputOptions
  @OptionGroup var queueing: QueueOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  private var marksAll: Bool { selection.all && selection.query == nil }

  func validateOptions() throws {
    try selection.require()
    guard !marksAll || !queueing.queue && output.json == nil else {
      throw ValidationError(
        "--all marks all notifications with one request: leave out --queue and --json.")
    }
  }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    guard marksAll else { return try await act(in: session, fields: fields) }
    let choice = try InboxPlace(selection.repo, connection.request, session)
    let github = try await choice.connection(connection, session)
    let name = choice.name?.description
    do throws(NetworkError) {
      let response = try await github.provider.request(
        .markAllNotificationsRead(repositoryFullName: name, before: Date())
      ).filterSuccessfulStatusCodes()
      // Another status comes from a proxy, for example with its sign-in page.
      guard [.accepted, .resetContent].contains(response.status) else {
        throw NetworkError(
          .decoding,
          "\(response.request) was answered with status \(response.status.code), perhaps by a proxy",
          response: response)
      }
    } catch {
      throw InboxPlace.explained(
        github.explanation(of: error, "your notifications"), on: github.server)
    }
    session.errors.write("Marked all notifications\(name.map { " of \($0)" } ?? "") as read.")
  }
}
