internal import IssueTracker
internal import StyledText

/// The user's web browser.
struct Browser: Sendable {
  /// The reason why a page was not opened.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address isn't that of a page of the server.
    case notItsPage(String, host: String)

    /// No browser could be started.
    case noBrowser(url: String)

    var description: String {
      switch self {
      case .notItsPage(let text, let host):
        "not the address of a page of \(TerminalText(host)): \(TerminalText(text))"
      case .noBrowser(let url):
        "no web browser could be started; set BROWSER, or open \(TerminalText(url)) yourself"
      }
    }
  }

  /// The commands to try, in order, each with its arguments; none if nobody would see the page.
  let commands: [[String]]

  private let environment: [String: String]

  /// Finds the browser: `$GH_BROWSER`, else `$BROWSER`, then the desktop's own if there is a desktop.
  ///
  /// Either variable may name several commands, separated by colons; the first that exists opens the page. A command may
  /// have arguments. `%s` in one of them stands for the address, which otherwise comes last
  /// (<http://www.catb.org/~esr/BROWSER/>).
  ///
  /// - Parameters:
  ///   - environment: The environment. The browser gets it without the tokens.
  ///   - defaults: The desktop's commands; by default those of Linux and macOS.
  init(environment: [String: String], defaults: [[String]] = [["xdg-open"], ["open"]]) {
    self.environment = Environment.withoutSecrets(environment)
    let value = ["GH_BROWSER", "BROWSER"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let own = (value ?? "").split(separator: ":")
      .map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
    commands = own + (Self.hasDisplay(environment) ? defaults : [])
  }

  /// Opens a page, and waits until the command has exited.
  ///
  /// A browser that runs in the terminal has the terminal meanwhile.
  ///
  /// - Parameters:
  ///   - url: The address of a page of the server. It may come from a server, so anything else is refused: files,
  ///     other schemes and hosts, blanks and control characters.
  ///   - server: The server of the page.
  /// - Throws: ``Failure``.
  func open(_ url: String, of server: GitHubServer) async throws(Failure) {
    guard Self.isPage(url, of: server) else { throw .notItsPage(url, host: server.host) }
    for command in commands {
      guard let arguments = arguments(of: command, url),
        let child = try? ChildProcess(arguments, environment: environment)
      else { continue }
      if await child.wait() == .exited(0) { return }
    }
    throw .noBrowser(url: url)
  }

  /// Starts one of the commands without standard streams, in a process group of its own; nil if that fails.
  func start(_ command: [String], with url: String) -> ChildProcess? {
    guard let arguments = arguments(of: command, url) else { return nil }
    return try? ChildProcess(
      arguments, environment: environment, input: .null, output: .null, error: .null,
      hasOwnGroup: true)
  }

  /// The program and its arguments, with the address; nil if the program doesn't exist.
  private func arguments(of command: [String], _ url: String) -> [String]? {
    guard let program = path(of: command[0]) else { return nil }
    let arguments = command.dropFirst()
    guard arguments.contains(where: { $0.contains("%s") }) else {
      return [program] + arguments + [url]
    }
    return [program] + arguments.map { $0.replacing("%s", with: url) }
  }

  /// Whether `text` is the address of a page of the server, in printable ASCII.
  ///
  /// Pages are served over https, and over http on loopback only.
  static func isPage(_ text: String, of server: GitHubServer) -> Bool {
    text.utf8.allSatisfy { 0x21 <= $0 && $0 < 0x7F } && text.hasPrefix("\(server.webURL)/")
  }

  private static func hasDisplay(_ environment: [String: String]) -> Bool {
    #if os(macOS)
      true
    #else
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { !environment[$0, default: ""].isEmpty }
    #endif
  }

  /// The path of a program. A name without a slash is only looked for in absolute folders of `PATH`: the current
  /// directory may be a clone that contains a program of that name.
  private func path(of program: String) -> String? {
    program.contains("/") ? program : ProgramSearch.path(of: program, in: environment)
  }
}

extension Browser {
  /// Opens a page while a screen has the terminal, which the browser gets nothing of.
  ///
  /// A browser that needs a terminal exits or shows nothing.
  ///
  /// - Parameters:
  ///   - url: The address of a page of the server; any other is refused.
  ///   - server: The server of the page.
  ///   - patience: The time after which a browser that still runs has opened the page. Not all of them exit at once.
  ///   - clock: The clock that measures this time.
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

  /// Whether a child exits with 0, or still runs after a time.
  private static func isContent(
    _ child: ChildProcess, within patience: Duration, _ clock: any Clock<Duration>
  ) async -> Bool {
    let (answers, answer) = AsyncStream<Bool>.makeStream()
    // This task lives as long as the child, to reap it.
    Task { answer.yield(await child.wait() == .exited(0)) }
    let timer = Task {
      if (try? await clock.sleep(for: patience)) != nil { answer.yield(true) }
    }
    defer { timer.cancel() }
    for await isContent in answers { return isContent }
    return false
  }
}
