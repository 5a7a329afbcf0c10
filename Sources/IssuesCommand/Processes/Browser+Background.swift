internal import IssueTracker

extension Browser {
  /// Opens a page beside a screen that has the terminal: the browser gets nothing of it.
  ///
  /// A browser that lives in a terminal can't be shown there, and ends or shows nothing.
  ///
  /// - Parameters:
  ///   - url: The address, refused unless it is that of a page of the server.
  ///   - server: Whose page it is.
  ///   - patience: A browser that still runs after this time has opened the page: not all of them hand it on and
  ///     exit.
  ///   - clock: The clock of that.
  /// - Returns: Whether a browser took the page.
  func openInBackground(
    _ url: String, of server: GitHubServer, patience: Duration = .seconds(2),
    clock: any Clock<Duration> = ContinuousClock()
  ) async -> Bool {
    guard Self.isPage(url, of: server) else { return false }
    for command in commands {
      guard let child = start(command, with: url) else { continue }
      if await Self.isContent(child, within: patience, clock) { return true }
    }
    return false
  }

  /// Whether a child ends well, or not at all for so long.
  private static func isContent(
    _ child: ChildProcess, within patience: Duration, _ clock: any Clock<Duration>
  ) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    // It goes on for as long as the child does, which is to be reaped whenever it ends.
    Task { answer.yield(await child.wait() == .exited(0)) }
    let timer = Task {
      if (try? await clock.sleep(for: patience)) != nil { answer.yield(true) }
    }
    defer { timer.cancel() }
    for await isContent in answers { return isContent }
    return false
  }
}
