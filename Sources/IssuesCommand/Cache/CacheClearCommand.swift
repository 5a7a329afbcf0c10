internal import ArgumentParser
internal import IssueTracker
internal import StyledText

/// `issues cache clear`.
struct CacheClearCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear",
    abstract: "Remove the answers that are kept.",
    discussion: """
      Removes the files that this command has written, and nothing else that may be in the folder.
      """)

  @Option(help: "When to use colours.")
  var color = ColorChoice.automatic

  func run() async throws {
    let status = await CommandSession.run(color: color) { session in
      let store = try CacheCommand.store(session)
      let removed = try await store.removeAll()
      let files = "\(removed.files) \(removed.files == 1 ? "file" : "files")"
      try await session.output.write(
        "Removed \(files), \(ByteCount.text(removed.bytes)), from \(TerminalText(store.folder))\n")
    }
    throw ExitCode(status.rawValue)
  }
}

extension CacheCommand {
  /// The store of this user.
  ///
  /// - Throws: ``CommandFailure`` when no variable names a folder for it.
  static func store(_ session: CommandSession) throws(CommandFailure) -> DiskResponseStore {
    guard let store = ResponseCache.store(environment: session.environment) else {
      throw CommandFailure(
        .failed, "there is no cache: neither XDG_CACHE_HOME nor HOME names a folder for it")
    }
    return store
  }
}
