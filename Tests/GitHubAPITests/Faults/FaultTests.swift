import ConcurrencyPrimitives
import CurlTransport
import GitHubAPI
import HTTPTargets
import Logging
import TestSupport
import TestTraits
import Testing

// The limit counts the time in line too, which under a sanitizer is most of it.
@Suite("Faults in the library", .tags(.heavy), .timeLimit(.minutes(5)))
struct FaultTests {
  private static let runs = AllCases(FaultCase.runnable, width: 8) { row in
    var problems: [String] = []
    for run in row.runs {
      problems += try await row.withWorld(of: run) { world in
        await observe(row, run, in: world).problems(with: row, run, in: world)
      }
    }
    return problems
  }

  @Test("the library handles each fault as documented in the table", arguments: FaultCase.runnable)
  func library(row: FaultCase) async throws {
    let problems = try await Self.runs.result(of: row)
    #expect(problems.isEmpty, "\(problems.joined(separator: "\n"))")
  }

  @Test(
    "the table includes TLS faults on this machine",
    .enabled(if: FaultCase.tlsProblem == nil, "\(FaultCase.tlsProblem ?? "")"))
  func tls() {
    #expect(FaultCase.runnable.contains { $0.needsTLS })
  }

  /// Lists the issues as a program would, with everything logged.
  private static func observe(
    _ row: FaultCase, _ run: FaultCase.Run, in world: FaultWorld
  ) async -> FaultObservation {
    let lines = Locked<[String]>([])
    var logger = Logger(label: "faults") { _ in LineLog(lines: lines) }
    logger.logLevel = .trace
    var numbers: [Int] = []
    var code: String?
    var message = ""
    do {
      let name = try RepositoryReference(parsing: row.repository).name
      let configuration = GitHub.Configuration(
        server: try world.url.map { url throws(InvalidInput) in try GitHubServer(apiURL: url) }
          ?? .github,
        token: try AccessToken(row.token),
        // Also what nobody should try again could be.
        retries: run.isPassing || row.attempts != nil
          ? RetryPolicy(baseDelay: .zero) : nil,
        rateLimits: RateLimitInterceptor(
          maximumWait: run.isPassing ? .upTo(.seconds(60)) : .never),
        plugins: [.logger(logger)],
        timeouts: row.idle.map { Timeouts(scaledTo: $0) },
        transport: CurlTransport(
          configuration: .init(
            certificates: CertificateStore(file: world.authority),
            proxy: world.proxy.flatMap { CurlTransport.ProxyServer($0) }.map { .server($0) }
              ?? .environment)))
      let provider = Provider.gitHub(configuration)
      let repository = try await provider.repository(name)
      let pages = PagedListing<GitHub.Issue>(
        provider: provider,
        first: .issues(
          repositoryFullName: repository.fullName, filter: IssueFilter(), pageSize: 100))
      for try await page in pages {
        numbers += page.items.map(\.number)
        if let limit = row.limit, numbers.count >= limit { break }
      }
    } catch let error as NetworkError {
      code = name(of: error)
      message = error.message
    } catch let error as InvalidInput {
      code = "InvalidInput"
      message = error.message
    } catch {
      code = "\(error)"
    }
    return FaultObservation(
      numbers: numbers, code: code, message: message,
      printed: ([message] + lines.withLock { $0 }).joined(separator: "\n"))
  }

  /// The code of an error, and what tells its kinds apart.
  private static func name(of error: NetworkError) -> String {
    var details: [String] = []
    if let failure = error.transportFailure {
      details.append(failure.reason.rawValue)
      if let problem = failure.certificateProblem { details.append(problem.rawValue) }
    }
    if let phase = error.timedOutPhase { details.append(phase.rawValue) }
    let name = error.code.rawValue
    return details.isEmpty ? name : "\(name) (\(details.joined(separator: ": ")))"
  }
}

/// Keeps log lines.
private struct LineLog: LogHandler {
  let lines: Locked<[String]>
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(lines: Locked<[String]>) {
    self.lines = lines
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.withLock { $0.append("\(event.message)") }
  }
}
