internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct PropertyOptions: ParsableArguments {
  static let discussion = """
    The change is sent at once, not kept in the outbox. The command prints a sentence on a terminal, \
    the address in a pipe, and the server's response with --json.
    """

  @Option(
    name: [.customShort("R", allowingJoined: true), .customLong("repo")],
    help: .repositoryOrClone,
    completion: .custom(MirrorCompletion.repositoryOrName))
  var repo: String?

  func writing(
    in session: CommandSession, _ connection: ConnectionOptions
  ) async throws -> PropertyWriting {
    let place = try await session.place(
      of: RepositoryChoice(nil, option: repo), apiURL: connection.request.apiURL)
    return PropertyWriting(
      place: place, connection: try await connection.connection(to: place.server, session),
      session: session)
  }
}

/// A command that makes a change and doesn't print JSON.
protocol PropertyCommand: SessionCommand {
  var change: PropertyChangeOptions { get }
}

extension PropertyCommand {
  static var terminalUse: TerminalUse { .unpaged }
  var color: ColorChoice { change.color }
}

struct PropertyChangeOptions: ConnectingOptions {
  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  @OptionGroup var property: PropertyOptions
  @OptionGroup(title: "Connection") var asking: RequestOptions
  @OptionGroup(title: "Connection") var waiting: WaitOptions

  func writing(in session: CommandSession) async throws -> PropertyWriting {
    try await property.writing(in: session, connection)
  }
}

/// Changes labels or milestones, and reports the change.
struct PropertyWriting: Sendable {
  let place: Place
  let connection: Connection
  let session: CommandSession

  /// Sends a change, and explains its failure. `name` is the new name if the change sets one.
  func sending<Value: Sendable>(
    _ subject: Property, naming name: String? = nil,
    _ change: (IssueWriter) async throws(NetworkError) -> Value
  ) async throws(CommandFailure) -> Value {
    session.progress.update("Sending a change of \(subject) to \(place)…")
    defer { session.progress.finish() }
    do throws(NetworkError) {
      return try await change(IssueWriter(provider: connection.provider, repository: place.name))
    } catch {
      throw subject.explanation(of: error, in: place, naming: name)
        ?? connection.explanation(of: error, "\(place)")
    }
  }

  func tell(_ json: Data, _ fields: JSONFields?, _ deed: String, address: String) async throws {
    if let fields { return try await JSONSink.write(JSONObject(json), fields, to: session) }
    try await session.write(deed: deed, address)
  }

  func confirm(_ question: String, isConfirmed: Bool) async throws(CommandFailure) {
    if isConfirmed { return }
    guard try await Question.ask("\(question)?") else { throw CommandFailure(.cancelled, "") }
  }

  func labelPage(_ name: String) -> String {
    "\(place.server.webURL(of: place.name))/labels/\(PercentEncoding.encode(name))"
  }
}
