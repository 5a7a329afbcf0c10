internal import IssueTracker

/// Completes names of repositories at a prompt, without waiting for a slow network.
///
/// Another process waits for a late response, and saves it for the next completion.
struct NameCompletion: Sendable {
  /// The time limit for all requests: half of the time that feels like a wait.
  static let patience = Duration.milliseconds(150)

  private static let backgroundPatience = Duration.seconds(5)

  private let environment: [String: String]
  private let apiURL: String?
  private let completion: RepositoryCompletion
  private let store: DiskResponseStore?

  /// Reads a token only from a variable: `gh` would use a third of the time, and may ask for a password while the user
  /// types. With an invalid token no request is sent: the command being typed will report the problem.
  init(environment: [String: String], apiURL: String? = nil, isStub: Bool = false) throws {
    self.environment = environment
    self.apiURL = apiURL
    let server = try GitHubServer(apiURL: apiURL, host: nil, environment: environment)
    store = isStub ? nil : ResponseCache.store(environment: environment)
    if isStub {
      completion = RepositoryCompletion(
        provider: Provider.gitHub(.stubbed()), server: server,
        asksForOwn: true)
      return
    }
    let lookup = TokenLookup(
      server: server, isNamedByURL: apiURL != nil, environment: environment)
    let finding = Result { () throws(CommandFailure) in try lookup.variable() }
    let cache = store.map { CachingInterceptor(store: $0, keepsWithoutValidator: true) }
    completion = RepositoryCompletion(
      provider: (try? finding.get()).map { found in
        var configuration = GitHub.Configuration(server: server, token: found.token)
        configuration.cache = cache
        configuration.retries = nil
        return Provider.gitHub(configuration)
      },
      server: server, history: RepositoryHistory(environment: environment),
      asksForOwn: (try? finding.get())?.token != nil)
  }

  func known(for text: String) async -> [String] {
    Self.names(await completion.recent(for: text), text)
  }

  /// Finds more names, best first. If the server is too slow, its last response is used.
  func found(for text: String, without known: [String]) async -> [String] {
    let known = Set(known.map { $0.lowercased() })
    let found = await completion.found(for: text, within: Self.patience) { askInBackground(text) }
    return Self.names(found, text).filter { !known.contains($0.lowercased()) }
  }

  func finish() async {
    await store?.flush()
  }

  private func askInBackground(_ text: String) {
    guard store != nil else { return }
    OwnProcess.startAlone(
      ["complete", "--background"] + (apiURL.map { ["--api-url", $0] } ?? []) + ["--", text],
      environment: environment)
  }

  /// Does the work of the background process.
  func keepAnswers(for text: String) async {
    _ = await completion.found(for: text, within: Self.backgroundPatience)
    await finish()
  }

  private static func names(_ candidates: [RepositoryCandidate], _ text: String) -> [String] {
    RepositoryRanking(for: text).predictions(of: candidates).map(\.text)
  }

  /// The candidates for the argument of `issues list`.
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    if let scope = ["org:", "user:"].first(where: prefix.hasPrefix) {
      return await MirrorCompletion.owners(String(prefix.dropFirst(scope.count))).map { scope + $0 }
    }
    // Shells split URLs in different ways. Only the default server is used, so that a request is never sent to a wrong
    // one.
    let isElsewhere = words.contains { $0 == "--stub" || $0.hasPrefix("--api-url") }
    let environment = World.current.environment
    guard let names = try? NameCompletion(environment: environment) else { return [] }
    var candidates = await names.known(for: prefix)
    if !isElsewhere {
      candidates += await names.found(for: prefix, without: candidates)
      await names.finish()
    }
    // Servers choose names, and must not be able to choose options for the command.
    return words.contains("--") ? candidates : candidates.filter { !$0.hasPrefix("-") }
  }
}
