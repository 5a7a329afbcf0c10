internal import ArgumentParser
internal import IssueTracker
internal import PlatformModules
internal import StyledText

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Show or clear the cache of server responses.",
    discussion: """
      Responses are kept in $XDG_CACHE_HOME/issues or ~/.cache/issues. The next run asks the \
      server whether they are still valid instead of loading them again, which is faster and, with \
      a token, doesn't count against the rate limit. Only confirmed responses are shown, except \
      for the names that 'issues complete' offers. --no-cache turns the cache off.

      EXAMPLES:
        issues cache info
        issues cache clear
        issues cache clear --limits
      """,
    subcommands: [CacheInfoCommand.self, CacheClearCommand.self])

  static func store(_ session: CommandSession) throws(CommandFailure) -> DiskResponseStore {
    guard let store = ResponseCache.store(environment: session.environment) else {
      throw CommandFailure(
        .failed, "there is no cache: neither XDG_CACHE_HOME nor HOME names a folder for it")
    }
    return store
  }
}

struct CacheInfoCommand: JSONCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Show the folder and the size of the cache.",
    usage: "issues cache info [<options>]",
    discussion: """
      In a pipe, there is one line per field, with a tab after its name: the folder, the number of \
      responses, their size and the maximum size of the cache, in bytes.

      EXAMPLES:
        issues cache info
        issues cache info --json bytes
      """)

  @OptionGroup(title: "Output") var output: OutputOptions

  static var jsonFields: JSONFields.Known { .all(of: CacheReport.Field.self) }

  func run(in session: CommandSession, fields: JSONFields?) async throws {
    let store = try CacheCommand.store(session)
    let contents = try await store.contents()
    try await CacheReport(
      folder: store.folder, entries: contents.files, bytes: contents.bytes,
      capacity: store.capacity
    ).write(to: session, fields: fields)
  }
}

struct CacheClearCommand: SessionCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove all responses from the cache.",
    discussion: """
      Removes only files that 'issues' has written, and nothing else in the folder.

      With --limits, forgets the rate limits instead: the waiting times and the remaining \
      requests, which all processes on this machine share. The next command asks the server again.

      EXAMPLES:
        issues cache clear
        issues cache clear --limits
      """)

  @Flag(help: "Forget the rate limits that processes share, not the responses.")
  var limits = false

  @Option(help: "When to use colors.")
  var color = ColorChoice.automatic

  func run(in session: CommandSession) async throws {
    if limits {
      guard let folder = SharedBudgetFolder(environment: session.environment) else {
        throw CommandFailure(
          .failed, "no limits are shared: neither XDG_STATE_HOME nor HOME names a folder for them")
      }
      try folder.removeAll()
      return try await session.output.write("Forgot the rate limits\n")
    }
    let store = try CacheCommand.store(session)
    let removed = try await store.removeAll()
    let files = "\(removed.files) \(removed.files == 1 ? "file" : "files")"
    try await session.output.write(
      "Removed \(files), \(ByteCount.text(removed.bytes)), from \(TerminalText(store.folder))\n")
  }
}

struct CacheReport: Encodable {
  enum Field: String, CodingKey, CaseIterable {
    case folder
    case entries
    case bytes
    case capacity
  }

  private typealias CodingKeys = Field

  let folder: String
  let entries: Int
  let bytes: Int
  let capacity: Int

  /// Writes aligned fields on a terminal, `name<TAB>value` in a pipe, or an object.
  func write(to session: CommandSession, fields: JSONFields?) async throws {
    if let fields {
      try await JSONSink.write(JSONObject(encoding: self), fields, to: session)
    } else {
      let isTable = session.style.layout == .table
      let text = { (count: Int) in isTable ? ByteCount.text(count) : "\(count)" }
      try await session.output.write(
        session.style.text(ofFields: [
          ("folder", folder), ("entries", "\(entries)"),
          (isTable ? "size" : "bytes", text(bytes)), ("capacity", text(capacity)),
        ]))
    }
  }
}
