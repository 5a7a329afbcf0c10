internal import IssueTracker
internal import StyledText

struct Browser: Sendable {
  enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    case notItsPage(String, host: String)

    case noBrowser(url: String)

    var description: String {
      switch self {
      case .notItsPage(let text, let host):
        "not the address of a page on \(TerminalText(host)): \(TerminalText(text))"
      case .noBrowser(let url):
        "no web browser could be started; set BROWSER, or open \(TerminalText(url)) yourself"
      }
    }
  }

  /// The commands in the order in which they are tried; empty if no user would see the page.
  let commands: [[String]]

  private let environment: [String: String]

  /// Finds the browser: `$GH_BROWSER` or else `$BROWSER`, and then the desktop's own if there is a desktop.
  ///
  /// A variable may contain several commands, separated by colons, with arguments. `%s` is replaced by the URL, which
  /// is otherwise the last argument (<http://www.catb.org/~esr/BROWSER/>). The browser doesn't receive tokens.
  init(environment: [String: String], defaults: [[String]] = [["xdg-open"], ["open"]]) {
    self.environment = Environment.withoutSecrets(environment)
    let value = ["GH_BROWSER", "BROWSER"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
    let own = (value ?? "").split(separator: ":")
      .map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
    commands = own + (Self.hasDisplay(environment) ? defaults : [])
  }

  /// Opens a page, and waits for the command: a browser in the terminal uses the terminal until it ends.
  ///
  /// The URL may come from a server. Files, other schemes and hosts, spaces and control characters are refused.
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

  /// Starts a command without standard streams, in its own process group.
  func start(_ command: [String], with url: String) -> ChildProcess? {
    guard let arguments = arguments(of: command, url) else { return nil }
    return try? ChildProcess(
      arguments, environment: environment, input: .null, output: .null, error: .null,
      hasOwnGroup: true)
  }

  /// The arguments of the command; nil if the program doesn't exist.
  private func arguments(of command: [String], _ url: String) -> [String]? {
    guard let program = path(of: command[0]) else { return nil }
    let arguments = command.dropFirst()
    guard arguments.contains(where: { $0.contains("%s") }) else {
      return [program] + arguments + [url]
    }
    return [program] + arguments.map { $0.replacing("%s", with: url) }
  }

  /// Whether text is a page's URL in printable ASCII: https, or http on loopback only.
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

  /// The path of a program. Plain names are looked up only in absolute folders of `PATH`, because the current directory
  /// may be a clone that contains such a program.
  private func path(of program: String) -> String? {
    program.contains("/") ? program : ProgramSearch.path(of: program, in: environment)
  }
}

extension Browser {
  /// Opens a page without the terminal, which the screen uses. Browsers that need a terminal exit or don't show the
  /// page.
  ///
  /// A browser that is still running after `patience` is assumed to have opened the page, because not all browsers exit
  /// at once.
  func openInBackground(
    _ url: String, of server: GitHubServer, patience: Duration = .seconds(2),
    clock: any Clock<Duration> = ContinuousClock()
  ) async -> Bool {
    guard Self.isPage(url, of: server) else { return false }
    return await open(url, patience, clock)
  }

  /// Opens a link from text, without the terminal. It may be on any host, because the user has chosen it.
  func openInBackground(
    _ link: WebLink, patience: Duration = .seconds(2),
    clock: any Clock<Duration> = ContinuousClock()
  ) async -> Bool {
    await open(link.url, patience, clock)
  }

  private func open(_ url: String, _ patience: Duration, _ clock: any Clock<Duration>) async -> Bool
  {
    for command in commands {
      guard let child = start(command, with: url) else { continue }
      if await Self.isContent(child, within: patience, clock) { return true }
    }
    return false
  }

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
