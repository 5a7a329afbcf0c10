import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueTracker
import PlatformModules
import StyledText
import TerminalScreen
import TestSupport

@testable import IssueBrowser

/// A browser with its made-up GitHub, time and network.
struct BrowserWorld: Sendable {
  /// Selects requests whose answers a gate holds.
  typealias Holding = @Sendable (LoopbackRequest) -> Gate?

  static let start = Date(timeIntervalSince1970: 1_800_000_000)
  static let size = ScreenSize(columns: 80, rows: 24)

  let clock = TestClock()
  let reachability = ManualReachability()
  let github: LoopbackGitHub
  /// The recipe for the issues of `swiftlang/swift`.
  let issues: SyntheticIssues
  var size = Self.size
  var history: RepositoryHistory?
  /// The mirror, filled before the browser starts; nil for none.
  var mirror: MirrorFixture?
  /// Lets the mirror answer in the server's place; nil if it only stands in.
  var freshen: BrowserSource.Freshen?
  /// Finds unsent changes.
  var pending: BrowserSource.Pending = { _, _ in nil }
  /// The pending changes of all repositories, unless there is an outbox.
  var unsent = UnsentChanges()
  /// nil for no start screen.
  var start: StartSource?
  var views: [SavedView] = []
  var initialView: String?
  /// Takes changes; nil where nothing can be changed.
  var outbox: OutboxFixture?
  /// Lays out the reader's page.
  var pageLayout = PageLayout()
  /// Whether the browser has a token, and so may refresh its list.
  var hasToken = false
  /// Whether responses are stored and asked for by their entity tags.
  var isCaching = false
  var refreshInterval: Duration?
  /// Whether only the mirror is shown.
  var isOffline = false
  /// Whether answers are ``lost`` from the browser's start on.
  var isAway = false
  /// Whether the connection knows the limits of earlier answers, as the command's does.
  let keepsToLimits: Bool
  /// The token of its requests.
  var token: AccessToken?
  /// Selects requests that are answered from what GitHub had when they came, but only once a gate opens.
  var late: Holding = { _ in nil }
  /// How the browser sees a lost answer: no connection, or a broken one.
  var loss = TransportFailure.Reason.connection

  /// - Parameters:
  ///   - issues: The issues of `swiftlang/swift`, formerly `apple/swift`.
  ///   - others: Those of every other requested repository; nil if there is none.
  ///   - latency: The delay of each answer.
  ///   - searchRateLimit: The searches a minute, to which the browser's connection keeps; nil for no limit.
  ///   - cutsSearchesShort: Whether searches say that they have run out of time.
  ///   - permission: What the browser's token may do.
  ///   - notifications: The notifications of the token's owner.
  init(
    issues: SyntheticIssues = SyntheticIssues(count: 250), others: SyntheticIssues? = nil,
    latency: Duration = .zero, searchRateLimit: Int? = nil, cutsSearchesShort: Bool = false,
    permission: LoopbackPermission = .write, notifications: [SyntheticNotification] = []
  ) {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [.swift(issues: issues)]
    configuration.anyRepository = others
    configuration.latency = latency
    configuration.searchRateLimit = searchRateLimit
    configuration.cutsSearchesShort = cutsSearchesShort
    configuration.permission = permission
    configuration.notifications = notifications
    keepsToLimits = searchRateLimit != nil
    configuration.now = Self.now(by: clock)
    github = LoopbackGitHub(configuration)
    self.issues = issues
  }

  /// An answer that breaks off after a byte of its body. Without that byte, libcurl itself would ask again.
  static let lost = LoopbackResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")

  private static func now(by clock: TestClock) -> @Sendable () -> Date {
    { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
  }

  /// Starts a server of this GitHub, and a browser.
  ///
  /// - Parameters:
  ///   - text: The browser's initial text.
  ///   - held: Selects requests whose answers a gate holds.
  ///   - body: Uses them.
  /// - Throws: The error of `body`.
  func run(
    _ text: String? = nil,
    holding held: @escaping Holding = { _ in nil },
    _ body: (BrowserRun, LoopbackServer) async throws -> Void
  ) async throws {
    let (github, late) = (github, late)
    try await withLoopbackServer { request in
      await held(request)?.wait()
      let response = await github.handler(request)
      await late(request)?.wait()
      return response
    } perform: { server in
      let connection = try connection(to: server)
      try await mirror?.fill(from: connection)
      if isAway {
        github.intercept(where: { $0.path != "/rate_limit" }, response: { _, _ in Self.lost })
      }
      let requestsBefore = server.requests.count
      let opened = Watched<[String]>([])
      let reactor = BrowserReactor(
        source: source(connection), host: "github.com", size: size,
        initialText: text, views: views, initialView: initialView, clock: clock,
        now: Self.now(by: clock), pageLayout: pageLayout, refreshInterval: refreshInterval,
        openLink: { link in
          opened.update { $0.append(link.url) }
          return true
        },
        open: { url, _ in
          opened.update { $0.append(url) }
          return true
        })
      await reactor.send(.start).applied
      try await body(
        BrowserRun(reactor: reactor, clock: clock, opened: opened, requestsBefore: requestsBefore),
        server)
    }
  }

  private func source(_ connection: BrowserConnection) -> BrowserSource {
    var source = sourceWithoutStart(connection)
    source.start = start
    source.unsent = { [unsent, outbox] in await outbox?.unsent() ?? unsent }
    return source
  }

  private func sourceWithoutStart(_ connection: BrowserConnection) -> BrowserSource {
    outbox?.connect(connection)
    let mirror = mirror.map { fixture in BrowserMirror { fixture.mirror } }
    var pending = pending
    if let outbox { pending = { await outbox.pending($0, $1) } }
    if isOffline, let mirror {
      return BrowserSource(offline: mirror, pending: pending, outbox: outbox) { _ in
        connection.server
      }
    }
    return BrowserSource(
      history: history, mirror: mirror, freshen: freshen, pending: pending, outbox: outbox
    ) { _ in connection }
  }

  /// A handler that holds the answers to some requests.
  static func holding(
    _ gate: Gate, where isHeld: @escaping @Sendable (LoopbackRequest) -> Bool
  ) -> Holding {
    { isHeld($0) ? gate : nil }
  }

  /// A connection without retries, on which the browser alone handles limits.
  func connection(to server: LoopbackServer) throws -> BrowserConnection {
    let server = try GitHubServer(apiURL: server.url)
    let transport = CurlTransport(configuration: .init(certificates: CertificateStore()))
    let provider = Provider.gitHub(
      .init(
        server: server, token: outbox == nil ? token : try AccessToken("token"),
        interceptors: isCaching ? [CachingInterceptor(store: MemoryResponseStore())] : [],
        retries: nil,
        rateLimits: keepsToLimits ? RateLimitInterceptor(now: Self.now(by: clock)) : nil,
        plugins: [.reportingLoss(as: loss)], transport: transport, clock: clock,
        now: Self.now(by: clock)))
    return BrowserConnection(
      server: server, provider: provider, reachability: reachability,
      hasToken: hasToken || token != nil || outbox != nil, images: transport)
  }
}

extension Plugin {
  /// Reports a broken connection as another failure, so that a server that is “away” can log its requests.
  fileprivate static func reportingLoss(as reason: TransportFailure.Reason) -> Plugin {
    Plugin(process: { result, _ in
      result.mapError { error in
        var error = error
        if error.transportFailure?.reason == .interrupted {
          error.transportFailure?.reason = reason
        }
        return error
      }
    })
  }
}

/// A browser and its user.
struct BrowserRun: Sendable {
  struct Ended: Error {}

  let reactor: BrowserReactor
  let clock: TestClock
  /// The pages opened in the web browser.
  let opened: Watched<[String]>
  /// How many requests were sent before the browser started.
  let requestsBefore: Int

  var state: BrowserState { reactor.currentState }

  /// Sends an event of the terminal, and returns once its immediate changes are made.
  func input(_ event: InputEvent) async {
    await reactor.send(.input(event)).applied
  }

  func press(_ keys: InputEvent.Key...) async {
    for key in keys { await input(.key(key)) }
  }

  /// Replaces the filter by a text, as if it were pasted.
  func filter(_ text: String) async {
    await press(.character("f"), .control("u"))
    await input(.paste(text))
  }

  /// Chooses an order in the menu.
  func sort(_ order: ListOrder) async {
    await press(.character("s"))
    while let menu = state.filter.orders, menu.orders[menu.selection] != order {
      await press(.down)
    }
    await press(.enter)
  }

  /// Types a text letter by letter. No time passes.
  func type(_ text: String) async {
    for character in text { await press(.character(character)) }
  }

  /// Waits for a state. No time passes.
  @discardableResult
  func state(where condition: @Sendable (BrowserState) -> Bool) async throws -> BrowserState {
    for await state in reactor.allStates where condition(state) { return state }
    throw Ended()
  }

  /// Waits for a state while time passes.
  @discardableResult
  func eventualState(
    where condition: @Sendable (BrowserState) -> Bool
  ) async throws -> BrowserState {
    let passing = Task { [clock, reactor] in
      while true {
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(100))
        // Time passes no faster than the browser.
        await reactor.send(.input(.key(.control("l")))).applied
      }
    }
    defer { passing.cancel() }
    return try await state(where: condition)
  }
}

extension BrowserState {
  /// The issues in the list; empty if it shows something else.
  var issues: [GitHub.Issue] { sheet?.issues ?? [] }

  /// The repositories in the list.
  var repositories: [GitHub.Repository] {
    if case .repositories(let found) = list.content { found.repositories } else { [] }
  }

  /// Whether the list shows a repository's issues and loads nothing.
  var isSettled: Bool { sheet?.isLoaded == true && !list.isLoading && sheet?.isSettling == false }
}

extension LoopbackServer {
  /// The requests so far and those about to be sent, each as its path and its search.
  ///
  /// Nothing reports that a request isn't sent. While others go back and forth, one sent in error arrives.
  var settledRequests: [String] {
    get async throws {
      let provider = Provider.gitHub(
        .init(
          server: try GitHubServer(apiURL: url), retries: nil,
          transport: CurlTransport(configuration: .init(certificates: CertificateStore()))))
      for _ in 1...5 { _ = try await provider.request(.rateLimit) }
      return requests
    }
  }

  var requests: [String] {
    log.requests.filter { $0.path != "/rate_limit" }
      .map { $0.path + ($0.queryValue("q").map { "?\($0)" } ?? "") }
  }

  /// The requests for pages of issues.
  var issueRequests: [LoopbackRequest] {
    log.requests.filter { $0.path.hasSuffix("/issues") }
  }
}
