internal import ArgumentParser
internal import IssueTracker

/// `issues cache info`.
struct CacheInfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show where answers are kept, and how much they take.",
    usage: "issues cache info [<options>]",
    discussion: """
      In a pipe a line a field, with a tab after its name: the folder, the number of answers, their \
      length and the most that is kept, in bytes.
      """)

  @OptionGroup(title: "Output") var output: OutputOptions

  func validate() throws {
    _ = try output.fields(of: CacheReport.Field.self)
  }

  func run() async throws {
    let fields = try output.fields(of: CacheReport.Field.self)
    let status = await CommandSession.run(color: output.color) { session in
      try fields?.prepare()
      let store = try CacheCommand.store(session)
      let contents = try await store.contents()
      try await CacheReport(
        folder: store.folder, entries: contents.files, bytes: contents.bytes,
        capacity: store.capacity
      ).write(to: session, fields: fields)
    }
    throw ExitCode(status.rawValue)
  }
}
