internal import ArgumentParser
internal import Dispatch
internal import TestSupport

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Serves a made-up GitHub on 127.0.0.1, for trying things out and for benchmarks.
@main
struct GitHubLoopback: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "github-loopback",
    abstract: "Serves a made-up GitHub on 127.0.0.1.",
    usage: "github-loopback [<options>]",
    discussion: """
      Answers for every OWNER/REPO with issues that nobody wrote, always the same ones, as GitHub's \
      REST API does today (cursors, no last page), and the GraphQL of 'gh issue list'. apple/swift \
      redirects to swiftlang/swift. The first line on standard output is the URL. It runs until it \
      gets SIGINT (Ctrl-C) or SIGTERM.

      EXAMPLES:
        A list of 10,000 items, each page a tenth of a second late:
          github-loopback --issues 10000 --latency 100ms --port 8080
          curl 'http://127.0.0.1:8080/repos/apple/swift/issues?per_page=100' -L

        gh, which speaks plain HTTP to one host only (as an HTTP proxy):
          HTTP_PROXY=http://127.0.0.1:8080 GH_HOST=github.localhost GH_TOKEN=any \\
            gh issue list -R github.localhost/swiftlang/swift --limit 1000

        A limit that is met on the fifth request, and ends two seconds later:
          github-loopback --issues 1234 --limit-at 5 --retry-after 2

        Titles and texts that try to take over the terminal, and a log of what is asked:
          github-loopback --hostile --log -
      """
  )

  @Option(help: "How many issues and pull requests each repository has, together.")
  var issues = 250

  @Option(help: ArgumentHelp("The share of pull requests among them.", valueName: "0...1"))
  var pullRequests = 0.3

  @Option(help: ArgumentHelp("The share of closed ones.", valueName: "0...1"))
  var closed = 0.4

  @Option(help: ArgumentHelp("How long each answer is held.", valueName: "100ms|1.5s"))
  var latency = Latency(duration: .zero)

  @Option(
    help: ArgumentHelp(
      "Answer this request, counted from 1, with a secondary rate limit.", valueName: "number"))
  var limitAt: Int?

  @Option(
    help: ArgumentHelp("With --limit-at: how long the limit lasts.", valueName: "seconds"))
  var retryAfter = 60

  @Option(
    help: ArgumentHelp(
      "How many requests are answered in a window before the primary rate limit sets in.",
      valueName: "number"))
  var rateLimit: Int?

  @Option(help: ArgumentHelp("With --rate-limit: the window.", valueName: "seconds"))
  var rateWindow = 3600

  @Option(help: "The port; 0 lets the system choose.")
  var port: UInt16 = 0

  @Flag(
    help:
      "Put control and bidirectional characters into titles, texts, comments, labels and logins.")
  var hostile = false

  @Option(
    help: ArgumentHelp(
      "Log each request: \"-\" for standard error. Of Authorization, only whether it was sent.",
      valueName: "file"))
  var log: String?

  @Option(
    help: ArgumentHelp(
      "Answer 401 to every token but the one in this environment variable.",
      valueName: "variable"))
  var acceptTokenFromEnv: String?

  func validate() throws {
    let numbers = [
      ("issues", issues, 0), ("limit-at", limitAt ?? 1, 1), ("retry-after", retryAfter, 0),
      ("rate-limit", rateLimit ?? 1, 1), ("rate-window", rateWindow, 1),
    ]
    for (name, number, least) in numbers where number < least {
      throw ValidationError("--\(name) takes a number from \(least).")
    }
    let shares = [("pull-requests", pullRequests), ("closed", closed)]
    for (name, share) in shares where !(0...1).contains(share) {
      throw ValidationError("--\(name) takes a number from 0 to 1.")
    }
  }

  func run() async throws {
    let recipe = SyntheticIssues(
      count: issues, pullRequests: pullRequests, closed: closed, isHostile: hostile)
    var configuration = LoopbackGitHub.Configuration()
    configuration.repositories = [.swift(issues: recipe)]
    configuration.anyRepository = recipe
    configuration.latency = latency.duration
    configuration.rateLimit = rateLimit
    configuration.rateLimitWindow = rateWindow
    if let variable = acceptTokenFromEnv {
      guard let token = ProcessInfo.processInfo.environment[variable], !token.isEmpty else {
        throw ValidationError("The environment variable \(variable) holds no token.")
      }
      configuration.acceptedTokens = [token]
    }
    let github = LoopbackGitHub(configuration)
    if let limitAt {
      let limit = GitHubError.secondaryRateLimit(status: 403, retryAfter: retryAfter)
      github.intercept(
        where: { $0.number == limitAt }, response: { _, now in limit.response(now: now) })
    }
    let answer = github.handler
    let record = try log.map(RequestRecorder.init)
    let stopping = Gate()
    // Before the URL is printed: who reads it may send a signal at once.
    let sources = [SIGINT, SIGTERM].map { Self.open(stopping, on: $0) }
    let server: LoopbackServer
    do {
      server = try await LoopbackServer.start(port: port, keepsLog: false) { request in
        record?.record(request)
        return await answer(request)
      }
    } catch {
      throw ValidationError("Port \(port) can't be listened on: \(error)")
    }
    print(server.url)
    fflush(nil)
    await stopping.wait()
    await server.stop()
    for source in sources { source.cancel() }
  }

  private static func open(_ gate: Gate, on number: Int32) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { gate.open() }
    source.resume()
    return source
  }
}
