internal import IssueTracker
internal import StyledText

/// The user's web browser.
struct Browser: Sendable {
  /// Why a page was not opened.
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The address isn't that of a page of the server that is meant.
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

  /// The commands to try, in order, each with its arguments; none where nobody would see the page.
  let commands: [[String]]

  private let environment: [String: String]

  /// Finds the browser: `$GH_BROWSER`, else `$BROWSER`, and then the desktop's own, where there is a desktop.
  ///
  /// Either variable may name several, separated by colons: the first that is there opens the page. Each may
  /// have arguments, and `%s` in one of those stands for the address, which comes last without it
  /// (<http://www.catb.org/~esr/BROWSER/>).
  ///
  /// - Parameters:
  ///   - environment: Where the variables and the display are looked up; the browser gets it without the
  ///     tokens.
  ///   - defaults: The desktop's commands, those of Linux and macOS unless told otherwise.
  init(environment: [String: String], defaults: [[String]] = [["xdg-open"], ["open"]]) {
    self.environment = Environment.withoutSecrets(environment)
    let value = ["GH_BROWSER", "BROWSER"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let own = (value ?? "").split(separator: ":")
      .map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
    commands = own + (Self.hasDisplay(environment) ? defaults : [])
  }

  /// Opens a page, and waits until the browser, or what hands the page on to it, has exited.
  ///
  /// A browser in the terminal has the terminal meanwhile.
  ///
  /// - Parameters:
  ///   - url: The address. Servers may name it, so everything else (a file, a program's own scheme, another
  ///     host, blanks and control characters) is refused.
  ///   - server: Whose page it is.
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

  /// Starts one of the commands without any of the streams, in a process group of its own; nil where that can't
  /// be done.
  func start(_ command: [String], with url: String) -> ChildProcess? {
    guard let arguments = arguments(of: command, url) else { return nil }
    return try? ChildProcess(
      arguments, environment: environment, input: .null, output: .null, error: .null,
      hasOwnGroup: true)
  }

  /// The program and its arguments, with the address among them; nil where the program isn't there.
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
  /// Pages are served over https; over http on loopback only, as ``GitHubServer`` has it.
  static func isPage(_ text: String, of server: GitHubServer) -> Bool {
    text.utf8.allSatisfy { 0x21 <= $0 && $0 < 0x7F } && text.hasPrefix("\(server.webURL)/")
  }

  /// Whether there is a desktop that a page could appear on.
  private static func hasDisplay(_ environment: [String: String]) -> Bool {
    #if os(macOS)
      true
    #else
      ["DISPLAY", "WAYLAND_DISPLAY"].contains { !environment[$0, default: ""].isEmpty }
    #endif
  }

  /// Where a program is: a name alone is looked for in absolute folders of `PATH` only, because the user may
  /// stand in a clone with a program of that name in it.
  private func path(of program: String) -> String? {
    program.contains("/") ? program : ProgramSearch.path(of: program, in: environment)
  }
}

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
