internal import ArgumentParser
internal import IssueBrowser
internal import IssueTracker
internal import TerminalScreen

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `issues browse`, which is also `issues` alone on a terminal outside a clone.
struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Search, list and read issues on a screen.",
    usage: "issues browse [<options>] [OWNER/REPO | <text> …]",
    discussion: """
      A search bar and a list that follows what is typed: with a slash it is the name of a repository, \
      whose issues are listed; without one, words that repositories are searched for. Without an \
      argument it begins with the repository of the clone that you stand in, or with nothing.

      Nothing is waited for: the status line tells when the server limits the rate of requests or \
      can't be reached, and what is missing is loaded by itself when that is over. Pages are opened \
      in the browser of $BROWSER or of the desktop, beside the screen.

      What 'issues sync' has mirrored is shown when the network is away: the status line says so \
      and how old it is, and the list comes from the server again when that is back. With --offline nobody \
      is asked: words find mirrored repositories, and r reads the mirror anew. Where the list is from the \
      mirror, it follows what is typed as its filter: that may be any search of 'issues search', such as \
      is:open label:bug crash; Esc gives back the list as it was.

      With --max-age DURATION the issues of a mirrored repository are the mirror's: as they are if it was synced \
      within that time, else what has changed is synced first, as by r. What isn't mirrored is asked of the \
      server.

      It needs a terminal that can move its cursor; elsewhere there is 'issues list'. Messages and \
      logs appear when the screen is left. By q and by Ctrl-C, a key like others there, the exit \
      status is 0.

      KEYS:
      \(KeyGuide.table.map { "  \($0)" }.joined(separator: "\n"))

      EXAMPLES:
        issues browse
        issues browse apple/swift            (or: -R apple/swift)
        issues browse swift http client
        issues browse apple/swift --stub     (sample data: no network, no token)
        issues browse --offline              (what is mirrored: no network, no token)
      """)

  @Argument(
    help: ArgumentHelp("A repository, or what to search for.", valueName: "text"),
    completion: .custom(NameCompletion.candidates))
  var words: [String] = []

  @OptionGroup var place: RepositoryOptions

  @Option(name: .customLong("color"), help: "When to use colours. (default: auto)")
  var chosenColor: ColorChoice?

  @Flag(help: "Show what the mirror has, and ask nobody: see 'issues sync'.")
  var offline = false

  @OptionGroup var age: AgeOptions

  @OptionGroup(title: "Connection") var request: RequestOptions

  func validate() throws {
    guard place.repo == nil || words.isEmpty else {
      throw ValidationError(
        "--repo names the repository to begin with: leave out what to search for.")
    }
    guard !offline || !request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --stub.")
    }
    try age.refuse(beside: request.stub, "--stub", "which is sample data")
    try age.refuse(beside: offline, "--offline", "which shows it however old it is, and says so")
  }

  func run() async throws {
    let (text, repo) = (words.joined(separator: " "), place.repo)
    let (request, isOffline) = (request.settings, offline)
    let (color, maximumAge) = (chosenColor ?? .automatic, age.maximumAge)
    let status = await CommandSession.run(color: color, showsScreen: true) { session in
      let source =
        isOffline
        ? Self.offlineSource(request, session) : Self.source(request, maximumAge, session)
      let choice = try RepositoryChoice(nil, option: repo)
      try await Self.show(text, choice, source, request, session)
    }
    throw ExitCode(status.rawValue)
  }

  /// Whether somebody who types `issues` alone wants the screen: on a terminal, and where there is no
  /// repository whose issues could be listed.
  static var isMeantByNothing: Bool {
    get async {
      let environment = Environment.ofProcess()
      guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
        !OutputStyle.isDumb(environment)
      else { return false }
      guard environment[RepositoryChoice.variable, default: ""].isEmpty else { return false }
      do throws(GitRemotes.Failure) {
        _ = try await GitRemotes.all(environment: environment)
        return false
      } catch {
        // What is wrong with a clone is for its owner to hear.
        return error == .notARepository || error == .gitUnavailable
      }
    }
  }

  // MARK: The screen

  @MainActor private static func show(
    _ text: String, _ choice: RepositoryChoice, _ source: BrowserSource,
    _ request: RequestSettings, _ session: CommandSession
  ) async throws {
    let server = try request.server(host: nil, environment: session.environment)
    var text = text
    if text.isEmpty {
      var reference = try choice.named ?? RepositoryChoice.preset(in: session.environment)
      if reference == nil, !request.stub {
        reference = try? await GitRemotes.repository(environment: session.environment)
      }
      text = reference.map { "\($0)" } ?? ""
    }
    let terminal = try openTerminal(session)
    if isatty(STDERR_FILENO) == 1 { session.errors.keepBack() }
    let browser = Browser(environment: session.environment)
    let reactor = BrowserReactor(
      source: source, host: server.host, size: terminal.size,
      initialText: text, isUnicode: terminal.isUTF8
    ) { url, server in
      await browser.openInBackground(url, of: server)
    }
    await BrowserView(screen: terminal, symbols: terminal.isUTF8 ? .unicode : .ascii).run(reactor)
    terminal.close()
    session.errors.release()
  }

  @MainActor private static func openTerminal(
    _ session: CommandSession
  ) throws(CommandFailure) -> Terminal {
    do throws(TerminalFailure) {
      return try Terminal(environment: session.environment, color: session.style.color)
    } catch {
      switch error {
      case .noDescriptor, .alreadyOpen: throw CommandFailure(.failed, "\(error)")
      case .notATerminal, .dumb, .unknown, .incapable:
        throw CommandFailure(.usage, "\(error)\nWithout one, use 'issues list OWNER/REPO'.")
      }
    }
  }

  /// Where the browser gets from what it shows, without asking anybody: no token is looked up.
  private static func offlineSource(
    _ request: RequestSettings, _ session: CommandSession
  ) -> BrowserSource {
    BrowserSource(offline: BrowserMirror { try session.existingMirror() }) { host in
      try request.server(host: host, environment: session.environment)
    }
  }

  /// Where the browser gets from what it shows. Limits are errors to it, because it shows how long they last.
  private static func source(
    _ request: RequestSettings, _ maximumAge: Duration?, _ session: CommandSession
  ) -> BrowserSource {
    var freshen: BrowserSource.Freshen?
    if let maximumAge {
      let fresh = FreshMirror(
        maximumAge: maximumAge, connection: ConnectionSettings(request: request), session: session,
        standsIn: false)
      freshen = { reference, isAnew in
        let server = try request.server(host: reference.host, environment: session.environment)
        return try await fresh.place(
          of: reference.name, on: server, withComments: false, syncsAnyway: isAnew) != nil
      }
    }
    return BrowserSource(
      history: request.stub ? nil : RepositoryHistory(environment: session.environment),
      mirror: request.stub ? nil : BrowserMirror { try session.existingMirror() },
      freshen: freshen
    ) { host in
      let server = try request.server(host: host, environment: session.environment)
      let connection = try await request.connection(
        to: server, session, rateLimits: RateLimitInterceptor())
      return BrowserConnection(
        server: server, provider: connection.provider,
        reachability: request.stub
          ? ProbingReachability { true } : ProbingReachability(server: server),
        hasToken: connection.tokenSource != nil
      ) { error, subject in
        connection.explanation(of: error, subject).sentences
      }
    }
  }
}
