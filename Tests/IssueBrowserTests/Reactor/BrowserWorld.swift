import CurlTransport
import GitHubAPI
import HTTPTargets
import IssueTracker
import TerminalScreen
import TestSupport

@testable import IssueBrowser

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A made-up GitHub, the time and the network of a browser, and the browser.
struct BrowserWorld: Sendable {
  /// Tells which requests are answered when a gate is open.
  typealias Holding = @Sendable (LoopbackRequest) -> Gate?

  static let start = Date(timeIntervalSince1970: 1_800_000_000)
  static let size = ScreenSize(columns: 80, rows: 24)

  let clock = TestClock()
  let reachability = ManualReachability()
  let github: LoopbackGitHub
  /// What the issues of `swiftlang/swift` are made by.
  let issues: SyntheticIssues
  var size = Self.size
  var history: RepositoryHistory?
  /// The mirror, which is filled before the browser starts; nil for none.
  var mirror: MirrorFixture?
  /// What lets the mirror answer in the server's place; nil where it only stands in.
  var freshen: BrowserSource.Freshen?
  /// What isn't sent yet.
  var pending: BrowserSource.Pending = { _, _ in nil }
  /// What lays out what is read.
  var pageLayout = PageLayout()
  /// Whether the mirror is all that is shown.
  var isOffline = false
  /// Whether answers are ``lost`` from when the browser starts.
  var isAway = false
  /// What a lost answer is to the browser: that there is no connection, or that it broke.
  var loss = TransportFailure.Reason.connection

  /// - Parameters:
  ///   - issues: The issues of `swiftlang/swift`, which was `apple/swift`.
  ///   - others: Those of every other repository that is asked for; nil where there is none.
  ///   - latency: How long each answer takes.
  init(
    issues: SyntheticIssues = SyntheticIssues(count: 250), others: SyntheticIssues? = nil,
    latency: Duration = .zero
  ) {
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [.swift(issues: issues)]
    configuration.anyRepository = others
    configuration.latency = latency
    configuration.now = Self.now(by: clock)
    github = LoopbackGitHub(configuration)
    self.issues = issues
  }

  /// An answer that breaks off; after a byte of it, for else libcurl asks again by itself.
  static let lost = LoopbackResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{")

  private static func now(by clock: TestClock) -> @Sendable () -> Date {
    { start.addingTimeInterval(clock.now.offset / .seconds(1)) }
  }

  /// Starts a server of this GitHub and a browser of it.
  ///
  /// - Parameters:
  ///   - text: What the browser begins with.
  ///   - held: Answers a request that it gives a gate for when that is open.
  ///   - body: Uses them.
  /// - Throws: What `body` throws.
  func run(
    _ text: String? = nil,
    holding held: @escaping Holding = { _ in nil },
    _ body: (BrowserRun, LoopbackServer) async throws -> Void
  ) async throws {
    let github = github
    try await withLoopbackServer { request in
      await held(request)?.wait()
      return await github.handler(request)
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
        initialText: text, clock: clock, now: Self.now(by: clock), pageLayout: pageLayout
      ) { url, _ in
        opened.update { $0.append(url) }
        return true
      }
      await reactor.send(.start).applied
      try await body(
        BrowserRun(reactor: reactor, clock: clock, opened: opened, requestsBefore: requestsBefore),
        server)
    }
  }

  private func source(_ connection: BrowserConnection) -> BrowserSource {
    let mirror = mirror.map { fixture in BrowserMirror { fixture.mirror } }
    if isOffline, let mirror {
      return BrowserSource(offline: mirror, pending: pending) { _ in connection.server }
    }
    return BrowserSource(
      history: history, mirror: mirror, freshen: freshen, pending: pending
    ) { _ in connection }
  }

  /// Holds the answers to some requests.
  static func holding(
    _ gate: Gate, where isHeld: @escaping @Sendable (LoopbackRequest) -> Bool
  ) -> Holding {
    { isHeld($0) ? gate : nil }
  }

  /// Each request is sent once, and limits are kept by the browser alone.
  func connection(to server: LoopbackServer) throws -> BrowserConnection {
    let server = try GitHubServer(apiURL: server.url)
    let provider = Provider<GitHub>(
      server: server, plugins: [Loss(reason: loss)], retry: nil, rateLimits: nil,
      transport: CurlTransport(configuration: .init(certificates: CertificateStore())),
      now: Self.now(by: clock))
    return BrowserConnection(server: server, provider: provider, reachability: reachability)
  }
}

/// Tells of a connection that broke as another failure, so that a server can be away and log what it is asked.
private struct Loss: Plugin {
  let reason: TransportFailure.Reason

  func process(
    _ result: Result<Response, NetworkError>, target: any TargetType
  ) -> Result<Response, NetworkError> {
    result.mapError { error in
      var error = error
      if error.transportFailure?.reason == .interrupted { error.transportFailure?.reason = reason }
      return error
    }
  }
}

/// A browser, and whoever sits in front of it.
struct BrowserRun: Sendable {
  struct Ended: Error {}

  let reactor: BrowserReactor
  let clock: TestClock
  /// The pages that were opened in the web browser.
  let opened: Watched<[String]>
  /// How many requests were sent before the browser started.
  let requestsBefore: Int

  var state: BrowserState { reactor.currentState }

  /// Lets something come from the terminal, and returns when it has changed what it changes at once.
  func input(_ event: InputEvent) async {
    await reactor.send(.input(event)).applied
  }

  func press(_ keys: InputEvent.Key...) async {
    for key in keys { await input(.key(key)) }
  }

  /// Types a text letter by letter; no time goes by.
  func type(_ text: String) async {
    for character in text { await press(.character(character)) }
  }

  /// Waits for a state. No time goes by.
  @discardableResult
  func state(where condition: @Sendable (BrowserState) -> Bool) async throws -> BrowserState {
    for await state in reactor.state where condition(state) { return state }
    throw Ended()
  }

  /// Waits for a state, while time goes by.
  @discardableResult
  func eventualState(
    where condition: @Sendable (BrowserState) -> Bool
  ) async throws -> BrowserState {
    let passing = Task { [clock, reactor] in
      while true {
        try await clock.sleepers(atLeast: 1)
        clock.advance(by: .milliseconds(100))
        // Time goes no faster than the browser.
        await reactor.send(.input(.key(.control("l")))).applied
      }
    }
    defer { passing.cancel() }
    return try await state(where: condition)
  }
}

extension BrowserState {
  /// The issues that the list shows; none where it shows something else.
  var issues: [Issue] { sheet?.issues ?? [] }

  /// The repositories that the list shows.
  var repositories: [Repository] {
    if case .repositories(let found) = content { found.repositories } else { [] }
  }

  /// Whether the list shows a repository's issues and loads nothing.
  var isSettled: Bool { sheet?.isLoaded == true && !isLoading }
}

extension LoopbackServer {
  /// The requests so far, each as its path and what was searched for, and of those that somebody is about to
  /// send.
  ///
  /// Nothing tells that a request isn't sent. While others go back and forth, one that is sent in error
  /// gets here.
  var settledRequests: [String] {
    get async throws {
      let provider = Provider<GitHub>(
        server: try GitHubServer(apiURL: url), retry: nil,
        transport: CurlTransport(configuration: .init(certificates: CertificateStore())))
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
