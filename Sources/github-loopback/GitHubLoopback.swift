public import ArgumentParser
internal import Dispatch
internal import PlatformModules
internal import TestSupport

@main
struct GitHubLoopback: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "github-loopback",
    abstract: "Serves a made-up GitHub on 127.0.0.1.",
    usage: "github-loopback [<options>]",
    discussion: """
      Answers for every OWNER/REPO with invented issues, always the same ones, like GitHub's REST \
      API today (cursors, no last page) and like its GraphQL API for 'gh issue list'. apple/swift \
      redirects to swiftlang/swift. The first line on standard output is the URL. The server runs \
      until it receives SIGINT (Ctrl-C) or SIGTERM.

      EXAMPLES:
        A list of 10,000 items, with each page delayed by 100 ms:
          github-loopback --issues 10000 --latency 100ms --port 8080
          curl 'http://127.0.0.1:8080/repos/apple/swift/issues?per_page=100' -L

        gh, which uses plain HTTP for one host only (with the server as HTTP proxy):
          HTTP_PROXY=http://127.0.0.1:8080 GH_HOST=github.localhost GH_TOKEN=any \\
            gh issue list -R github.localhost/swiftlang/swift --limit 1000

        A limit that the fifth request hits, and that ends two seconds later:
          github-loopback --issues 1234 --limit-at 5 --retry-after 2

        A server to mirror, so old that it has only page numbers, where issues keep changing and one
        response in fifty fails:
          github-loopback --issues 10000 --pages-by-number --activity 0.5 --faults 0.02

        A server to write to without permission to label, where every third write fails so that nobody \
      knows whether it was carried out; and requests that show the outcome:
          github-loopback --permission read --write-faults 0.3 --search-lag 5 --port 8080
          curl 'http://127.0.0.1:8080/_loopback/state?changed=1'
          curl http://127.0.0.1:8080/_loopback/requests
          curl -X POST 'http://127.0.0.1:8080/_loopback/strike?fault=answer-lost&times=1&after=2'
          curl -X POST http://127.0.0.1:8080/_loopback/settle

        An organization of 200 repositories with 30 issues each, for a token of one of the authors:
          github-loopback --organization acme --repositories 200 --issues 30 --token-owner ada
          curl -H 'Authorization: Bearer any' 'http://127.0.0.1:8080/orgs/acme/issues?filter=all'

        Titles and texts that try to take over the terminal, and a log of the requests:
          github-loopback --hostile --log -
      """
  )

  @Option(help: "The server to imitate: github, forgejo or gitea.")
  var forge = LoopbackForge.gitHub

  @Option(help: "The number of issues and pull requests in each repository.")
  var issues = 250

  @Option(help: ArgumentHelp("The share of pull requests among them.", valueName: "0...1"))
  var pullRequests = 0.3

  @Option(help: ArgumentHelp("The share of closed issues and pull requests.", valueName: "0...1"))
  var closed = 0.4

  @Option(
    help: ArgumentHelp("The average number of comments on each.", valueName: "number"))
  var comments: Int?

  @Option(help: ArgumentHelp("The number of unread notifications.", valueName: "number"))
  var notifications = 0

  @Option(
    help: ArgumentHelp(
      "An organization that has repositories of its own, listed by /orgs/NAME/repos.",
      valueName: "name"))
  var organization = "example"

  @Option(
    help: ArgumentHelp("The number of its repositories, repo-1 and so on.", valueName: "number"))
  var repositories = 0

  @Option(
    help: ArgumentHelp("The login of every token's owner.", valueName: "login"))
  var tokenOwner = "octocat"

  @Flag(
    help: """
      Withhold the organization from every token, as single sign-on does: short lists say so in \
      X-GitHub-SSO.
      """)
  var singleSignOn = false

  @Flag(help: "Number the pages of lists of issues, as older servers do, instead of cursors.")
  var pagesByNumber = false

  @Option(
    help: ArgumentHelp(
      """
      The changes per request for a list: issues and comments are opened, edited, closed, deleted \
      and transferred.
      """, valueName: "number"))
  var activity = 0.0

  @Option(
    help: ArgumentHelp(
      """
      The share of responses that fail in ways that a retry fixes: broken connections, damaged \
      bodies, errors, limits.
      """, valueName: "0...1"))
  var faults = 0.0

  @Option(
    help: ArgumentHelp(
      "The share of writes that fail: see --write-fault.",
      valueName: "0...1"))
  var writeFaults = 0.0

  @Option(
    help: ArgumentHelp(
      """
      With --write-faults: a fault to choose from, instead of any accident; may be repeated.
      """, valueName: "name"))
  var writeFault: [LoopbackWriteFault] = []

  @Option(
    help: ArgumentHelp(
      "The number of requests before a delayed commit.", valueName: "number"))
  var commitDelay = 3

  @Option(
    help: ArgumentHelp(
      "The number of seconds before it, instead of --commit-delay.", valueName: "seconds"))
  var commitDelaySeconds: Int?

  @Option(
    help: ArgumentHelp(
      "Answer every write from this one on, counted from 1, with 401.", valueName: "number"))
  var unauthorizedFrom: Int?

  @Option(
    help: ArgumentHelp(
      "The number of issues and comments that a token may write in a minute.", valueName: "number"))
  var contentPerMinute: Int?

  @Option(
    help: ArgumentHelp(
      "The number of requests until the search for issues shows a change.", valueName: "number"))
  var searchLag = 0

  @Option(
    help: "The permission of every token.")
  var permission = LoopbackPermission.admin

  @Flag(help: "Include the token's permissions in each repository.")
  var tellPermissions = false

  @Option(
    help: "How the server changes line ends in texts.")
  var lineEnds = LoopbackLineEnds.kept

  @Option(
    help: ArgumentHelp(
      "The response status to writes to a renamed repository.",
      valueName: "301|307|308"))
  var movedStatus = 307

  @Flag(help: "Announce with each write that the version of the API is deprecated.")
  var deprecation = false

  @Flag(help: "List reads in /_loopback/requests too.")
  var keepReads = false

  @Option(
    help: "The seed of --activity, --faults and --write-faults.")
  var seed: UInt64 = 0

  @Flag(
    help: """
      Write titles and texts with many different words, for searches; some pull requests are \
      drafts, and some issues are locked.
      """)
  var prose = false

  @Option(help: ArgumentHelp("The delay of each response.", valueName: "100ms|1.5s"))
  var latency = Latency(duration: .zero)

  @Option(
    help: ArgumentHelp(
      "Answer this request, counted from 1, with a secondary rate limit.", valueName: "number"))
  var limitAt: Int?

  @Option(
    help: ArgumentHelp(
      "With --limit-at and content-limit-with-time: the duration of the limit.",
      valueName: "seconds"))
  var retryAfter = 60

  @Option(
    help: ArgumentHelp(
      "The number of requests in a window before the primary rate limit.",
      valueName: "number"))
  var rateLimit: Int?

  @Option(help: ArgumentHelp("With --rate-limit: the length of the window.", valueName: "seconds"))
  var rateWindow = 3600

  @Option(help: "The port; the system chooses if it is 0.")
  var port: UInt16 = 0

  @Flag(
    help:
      "Put control and bidirectional characters into titles, texts, comments, labels and logins.")
  var hostile = false

  @Option(
    help: ArgumentHelp(
      """
      Log each request, and at the end the number of concurrent requests: "-" for standard error. \
      Of Authorization, the log says only whether it was sent.
      """,
      valueName: "file"))
  var log: String?

  @Option(
    help: ArgumentHelp(
      """
      Serve https://HOST too. The second line on standard output is the URL of an HTTP proxy that \
      reaches it, the third is the file of the authority to trust. This needs the openssl command.
      """, valueName: "host"))
  var tlsHost: String?

  @Option(
    help: ArgumentHelp(
      "Accept only the token in this environment variable; answer any other with 401.",
      valueName: "variable"))
  var acceptTokenFromEnv: String?

  func validate() throws {
    let numbers = [
      ("issues", issues, 0), ("limit-at", limitAt ?? 1, 1), ("retry-after", retryAfter, 0),
      ("rate-limit", rateLimit ?? 1, 1), ("rate-window", rateWindow, 1),
      ("comments", comments ?? 0, 0), ("commit-delay", commitDelay, 1),
      ("commit-delay-seconds", commitDelaySeconds ?? 0, 0),
      ("unauthorized-from", unauthorizedFrom ?? 1, 1),
      ("repositories", repositories, 0),
      ("content-per-minute", contentPerMinute ?? 0, 0), ("search-lag", searchLag, 0),
      ("notifications", notifications, 0),
    ]
    for (name, number, least) in numbers where number < least {
      throw ValidationError("--\(name) takes a number from \(least).")
    }
    guard activity >= 0, activity.isFinite else {
      throw ValidationError("--activity must be 0 or greater.")
    }
    guard [301, 307, 308].contains(movedStatus) else {
      throw ValidationError("--moved-status takes 301, 307 or 308.")
    }
    let shares = [
      ("pull-requests", pullRequests), ("closed", closed), ("faults", faults),
      ("write-faults", writeFaults),
    ]
    for (name, share) in shares where !(0...1).contains(share) {
      throw ValidationError("--\(name) must be from 0 to 1.")
    }
  }

  func run() async throws {
    let github = try makeGitHub()
    if let limitAt {
      let limit = GitHubError.secondaryRateLimit(status: 403, retryAfter: retryAfter)
      github.intercept(
        where: { $0.number == limitAt }, response: { _, now in limit.response(now: now) })
    }
    let answer = github.handler
    let record = try log.map(RequestRecorder.init)
    let stopping = Gate()
    // Opened before the URL is printed, because a program that reads the URL may send a signal immediately.
    let sources = [SIGINT, SIGTERM].map { Self.open(stopping, on: $0) }
    let server: LoopbackServer
    do {
      server = try await LoopbackServer.start(port: port, keepsLog: false) { request in
        record?.record(request)
        return await answer(request)
      }
    } catch {
      throw ValidationError("Cannot listen on port \(port): \(error)")
    }
    let tls = try await TLSFront.start(for: tlsHost, port: server.port)
    print(server.url)
    if let tls { print(tls.proxyURL, tls.authority.file, separator: "\n") }
    fflush(nil)
    await stopping.wait()
    await tls?.stop()
    await server.stop()
    record?.record(end: server.log)
    for source in sources { source.cancel() }
  }

  private func makeGitHub() throws -> LoopbackGitHub {
    var recipe = SyntheticIssues(
      count: issues, pullRequests: pullRequests, closed: closed, isHostile: hostile,
      hasProse: prose)
    if let comments { recipe.mostComments = 2 * comments }
    var configuration = LoopbackGitHub.Configuration()
    configuration.forge = forge
    configuration.repositories =
      [.swift(issues: recipe)]
      + LoopbackRepository.organization(
        organization, repositories: repositories, issues: recipe)
    configuration.tokenOwner = tokenOwner
    if singleSignOn { configuration.singleSignOn[organization.lowercased()] = 21_955_855 }
    configuration.anyRepository = recipe
    configuration.pagesByNumber = pagesByNumber
    if activity > 0 {
      configuration.activity = LoopbackActivity(changesPerRequest: activity, seed: seed)
    }
    if faults > 0 { configuration.faults = LoopbackFaults(share: faults, seed: seed) }
    configureWrites(&configuration)
    configuration.latency = latency.duration
    configuration.rateLimit = rateLimit
    configuration.rateLimitWindow = rateWindow
    if let tlsHost { configuration.secureHosts = [tlsHost] }
    if let variable = acceptTokenFromEnv {
      guard let token = ProcessInfo.processInfo.environment[variable], !token.isEmpty else {
        throw ValidationError("The environment variable \(variable) holds no token.")
      }
      configuration.acceptedTokens = [token]
    }
    return LoopbackGitHub(configuration)
  }

  private func configureWrites(_ configuration: inout LoopbackGitHub.Configuration) {
    var faults = LoopbackWriteFaults(
      share: writeFaults, kinds: writeFault.isEmpty ? LoopbackWriteFault.accidents : writeFault,
      seed: seed)
    faults.delay = commitDelay
    faults.delayInSeconds = commitDelaySeconds
    faults.retryAfter = retryAfter
    faults.unauthorizedFrom = unauthorizedFrom
    configuration.writeFaults = faults
    configuration.notifications = (0..<notifications).map {
      SyntheticNotification(id: $0 + 1, number: $0 + 1, title: "Notification \($0 + 1)")
    }
    configuration.contentPerMinute = contentPerMinute
    configuration.searchLag = searchLag
    configuration.permission = permission
    configuration.tellsPermissions = tellPermissions
    configuration.lineEnds = lineEnds
    configuration.movedWriteStatus = movedStatus
    configuration.announcesDeprecation = deprecation
    configuration.keepsReads = keepReads
  }

  private static func open(_ gate: Gate, on number: Int32) -> any DispatchSourceSignal {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
    source.setEventHandler { gate.open() }
    source.resume()
    return source
  }
}

extension LoopbackWriteFault: ExpressibleByArgument {}

extension LoopbackPermission: ExpressibleByArgument {}

extension LoopbackLineEnds: ExpressibleByArgument {}

extension LoopbackForge: ExpressibleByArgument {}
