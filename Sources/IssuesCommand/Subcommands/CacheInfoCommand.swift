internal import ArgumentParser
internal import IssueTracker

/// `issues cache info`.
struct CacheInfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show where answers are kept, and how much they take.",
    discussion: """
      In a pipe a line a field, with a tab after its name: the folder, the number of answers, their \
      length and the most that is kept, in bytes.
      """)

  @Flag(help: "Write JSON.")
  var json = false

  @Option(help: "When to use colours.")
  var color = ColorChoice.automatic

  func run() async throws {
    let json = json
    let status = await CommandSession.run(color: color) { session in
      let store = try CacheCommand.store(session)
      let contents = try await store.contents()
      try await CacheReport(
        folder: store.folder, entries: contents.files, bytes: contents.bytes,
        capacity: store.capacity
      ).write(to: session, asJSON: json)
    }
    throw ExitCode(status.rawValue)
  }
}
