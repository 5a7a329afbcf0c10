internal import ArgumentParser
internal import CurlTransport
internal import IssueBrowser
internal import IssueTracker
internal import PlatformModules
internal import TerminalScreen

struct BrowseCommand: DatabaseCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Search, list and read issues on a screen.",
    usage: "issues browse [<options>] [OWNER/REPO | @VIEW | <text> …]",
    discussion: """
      Shows a search bar, and a list that updates as you type. Text with a slash is a \
      repository name and lists its issues; other text searches for repositories. The screen starts with \
      the clone in the current directory; outside a clone, with the start screen.

      The screen never blocks. The status line says when the server limits the rate of requests or \
      can't be reached, and the screen loads the missing data as soon as it can. Pages open in \
      $BROWSER or the desktop's browser while the screen stays.

      CONFIGURATION:
      The configuration ('issues config') sets the screen's keys, and views: lists with a name, \
      which 'issues browse @triage' and the keys 1 to 9 open. The key 0 shows the start screen.

      THE MIRROR:
      When the network is unreachable, the screen shows the mirror ('issues sync'), and the status \
      line gives its age. Once the server is back, the list comes from there again. With \
      --offline, no server is contacted: text finds mirrored repositories, and r reloads the \
      mirror.

      FILTER AND REFRESH:
      The filter of a list accepts any query of 'issues search', such as label:bug crash \
      author:@me. A mirrored repository shows the mirror's issues at once, and then the server's. \
      Esc restores the list, also after Enter.

      With an access token, the screen checks every few minutes, while you are idle, whether the list has \
      changed. A dot marks new and changed issues until you read them.

      With --max-age DURATION, the issues of a mirrored repository come from the mirror if it was \
      synced within that time; otherwise the screen syncs changes first, as the key r does. \
      Repositories that aren't mirrored come from the server.

      CHANGES:
      Changes go through the outbox ('issues outbox'). They show at once, and are sent after five \
      seconds; until then, u undoes the newest. Without a network, and with --offline, they stay in \
      the outbox. Waiting changes are sent when you leave the screen.

      SCREEN READERS:
      With --plain, words replace boxes, glyphs and colors. Text comes in the order in which a \
      screen reader should speak it, the row that the keys act on begins with "> current", and \
      the terminal's cursor follows it. An issue covers the list instead of appearing beside it. 'plain = \
      true' in the configuration does the same, unless you pass --no-plain.

      TERMINAL AND EXIT STATUS:
      The screen needs a terminal that can move its cursor; elsewhere, use 'issues list'. Messages \
      and logs appear when you leave it. The exit status is 0, whether you leave with q or with \
      Ctrl-C, unless the server rejects a change that is sent then: see 'issues outbox send'.

      KEYS:
      \(KeyTable.lines.map { "  \($0)" }.joined(separator: "\n"))

      EXAMPLES:
        issues browse
        issues browse apple/swift            (or: -R apple/swift)
        issues browse @triage
        issues browse swift http client
        issues browse apple/swift --stub     (sample data: no network, no token)
        issues browse --offline              (the mirror: no network, no token)
      """)

  @Argument(
    help: ArgumentHelp("A repository, a view, or words to search for.", valueName: "text"),
    completion: .custom(ViewCompletion.candidatesOrNames))
  var words: [String] = []

  @OptionGroup var option: RepositoryOptions

  @Option(name: .customLong("color"), help: "When to use colors. (default: auto)")
  var chosenColor: ColorChoice?

  @Flag(help: "Show the mirror, not the server; see 'issues sync'.")
  var offline = false

  @Flag(
    inversion: .prefixedNo,
    help: "Write words in one column, for screen readers. They replace boxes and glyphs.")
  var plain: Bool?

  @OptionGroup(title: "Mirror") var age: AgeOptions
  @OptionGroup(title: "Mirror") var database: DatabaseOptions

  @OptionGroup(title: "Connection") var request: RequestOptions

  func validate() throws {
    guard option.repo == nil || words.isEmpty else {
      throw ValidationError(
        "--repo names the repository to start with: leave out the search text.")
    }
    guard !offline || !request.stub else {
      throw ValidationError("--offline shows the mirror: leave out --stub.")
    }
    try age.refuse(beside: request.stub, "--stub", "which is sample data")
    try age.refuse(beside: offline, "--offline", "which shows the mirror at any age")
  }

  static let terminalUse = TerminalUse.fullScreen

  var color: ColorChoice { chosenColor ?? .automatic }

  func run(in session: CommandSession) async throws {
    let configuration = try session.configuration()
    let view = try Self.view(words, configuration)
    let connections = Connections { [request] (server) async throws(CommandFailure) in
      try await request.connection(to: server, session, rateLimits: RateLimitInterceptor())
    }
    let outbox = ScreenOutbox(session, request, isOffline: offline, connections: connections)
    var source =
      offline
      ? try offlineSource(session, outbox) : try source(session, outbox, connections)
    source.unsent = { await outbox.unsent() }
    if !request.stub { source.start = start(session) }
    let text = try await initialText(session, isView: view != nil)
    try await show(text, view, configuration, source, outbox, session)
    try await outbox.finish()
  }

  private static func view(
    _ words: [String], _ configuration: Configuration
  ) throws(CommandFailure) -> SavedView? {
    guard let word = words.first, word.first == "@" else { return nil }
    guard words.count == 1 else {
      throw CommandFailure(
        .usage, "the screen opens a view as it is: leave out the words after \(word)")
    }
    return try configuration.view(named: String(word.dropFirst()))
  }

  private func start(_ session: CommandSession) -> StartSource {
    StartSource(
      version: PackageVersion.current,
      clone: { try? await GitRemotes.repository(environment: session.environment) })
  }

  private func initialText(_ session: CommandSession, isView: Bool) async throws -> String {
    // The view may refer to the current clone.
    let text = isView ? "" : words.joined(separator: " ")
    // A number refers to an issue of the current repository.
    let isNumber = ListQuery.isNumber(text)
    guard text.isEmpty || isNumber else { return text }
    let choice = try RepositoryChoice(nil, option: option.repo)
    var reference = try choice.named ?? RepositoryChoice.preset(in: session.environment)
    if reference == nil, !request.stub {
      reference = try? await GitRemotes.repository(environment: session.environment)
    }
    guard let reference else { return text }
    return isNumber ? "\(reference)#\(text.dropFirst())" : "\(reference)"
  }

  /// Whether `issues` alone opens the screen: on a terminal, outside of a clone, and without `GH_REPO`.
  static var isMeantByNothing: Bool {
    get async {
      let world = World.current
      let environment = world.environment
      guard world.input.terminal.isTerminal, world.output.terminal.isTerminal,
        !OutputStyle.isDumb(environment)
      else { return false }
      guard environment[RepositoryChoice.variable, default: ""].isEmpty else { return false }
      do throws(GitRemotes.Failure) {
        _ = try await GitRemotes.all(environment: environment)
        return false
      } catch {
        // Inside a clone, the user should see the problem instead.
        return error == .notARepository || error == .gitUnavailable
      }
    }
  }

  // MARK: The screen

  @MainActor private func show(
    _ text: String, _ view: SavedView?, _ configuration: Configuration, _ source: BrowserSource,
    _ outbox: ScreenOutbox, _ session: CommandSession
  ) async throws {
    let server = try session.server(apiURL: request.apiURL)
    let isPlain = plain ?? configuration.plain
    let tmuxRefuses = await TmuxClipboard.refuses(environment: session.environment)
    let terminal = try openTerminal(
      session, hasImages: configuration.images && !isPlain, tmuxRefuses: tmuxRefuses)
    outbox.use(terminal)
    defer { outbox.use(nil) }
    if session.world.errors.terminal.isTerminal { session.errors.keepBack() }
    let browser = Browser(environment: session.environment)
    let reactor = BrowserReactor(
      source: source, host: server.host, size: terminal.size,
      initialText: text,
      look: Look(
        symbols: isPlain ? .plain : terminal.isUTF8 ? .unicode : .ascii,
        theme: configuration.screenTheme, colors: terminal.colorMode,
        background: Terminal.likelyBackground(in: session.environment),
        strikesThrough: terminal.strikesThrough && !isPlain),
      columns: configuration.columns, keys: configuration.keys,
      commands: configuration.commands, views: configuration.views,
      initialView: view?.name,
      message: terminal.substituteEntry.map {
        "The terminal '\(session.environment["TERM", default: ""])' is unknown here: using '\($0)'"
      },
      refreshInterval: configuration.refresh ?? Configuration.usualRefresh,
      openLink: { await browser.openInBackground($0) },
      open: { await browser.openInBackground($0, of: $1) })
    await BrowserView(screen: terminal).run(reactor)
    terminal.close()
    session.errors.release()
  }

  @MainActor private func openTerminal(
    _ session: CommandSession, hasImages: Bool, tmuxRefuses: Bool
  ) throws(CommandFailure) -> Terminal {
    do throws(TerminalFailure) {
      return try Terminal(
        environment: session.environment, color: session.style.color,
        hasLinks: Hyperlinks.areShown(
          style: session.style, hasPager: false, environment: session.environment),
        hasImages: hasImages, tmuxRefusesCopies: tmuxRefuses)
    } catch {
      switch error {
      case .noDescriptor, .alreadyOpen: throw CommandFailure(.failed, "\(error)")
      case .notATerminal, .dumb, .unknown, .incapable:
        throw CommandFailure(.usage, "\(error)\nWithout one, use 'issues list OWNER/REPO'.")
      }
    }
  }

  private func mirror(_ session: CommandSession) throws(CommandFailure) -> BrowserMirror {
    guard let team = try session.teamMirror() else {
      return BrowserMirror { try session.existingFile() }
    }
    return BrowserMirror(waiting: { try await team.existing() })
  }

  private func offlineSource(
    _ session: CommandSession, _ outbox: ScreenOutbox
  ) throws(CommandFailure) -> BrowserSource {
    let pending: BrowserSource.Pending = { await outbox.pending(of: $0, on: $1) }
    return BrowserSource(
      offline: try mirror(session), pending: pending, outbox: outbox
    ) { [apiURL = request.apiURL] host in
      try session.server(host: host, apiURL: apiURL)
    }
  }

  /// Creates the source of the screen. Its connections report rate limits as errors, because the screen shows how long
  /// they last.
  private func source(
    _ session: CommandSession, _ outbox: ScreenOutbox, _ connections: Connections
  ) throws(CommandFailure) -> BrowserSource {
    let request = request
    var freshen: BrowserSource.Freshen?
    if let maximumAge = age.maximumAge {
      let fresh = FreshMirror(
        maximumAge: maximumAge, session, request: request, standsIn: false)
      freshen = { reference, isAnew in
        let place = try Place(
          reference, apiURL: request.apiURL, environment: session.environment)
        return try await fresh.mirrored(place, withComments: false, syncsAnyway: isAnew) != nil
      }
    }
    let pending: BrowserSource.Pending = { await outbox.pending(of: $0, on: $1) }
    return BrowserSource(
      history: request.stub ? nil : RepositoryHistory(environment: session.environment),
      mirror: request.stub ? nil : try mirror(session),
      freshen: freshen, pending: pending, outbox: outbox
    ) { host in
      let server = try session.server(host: host, apiURL: request.apiURL)
      let connection = try await connections.connection(to: server)
      return BrowserConnection(
        server: connection.server, provider: connection.provider,
        reachability: request.stub
          ? ProbingReachability { true } : ProbingReachability(server: connection.server),
        hasToken: connection.tokenSource != nil, tokenSource: connection.tokenSource?.name,
        images: request.stub ? nil : session.world.transport(nil)
      ) { error, subject in
        connection.explanation(of: error, subject).message
      }
    }
  }
}
