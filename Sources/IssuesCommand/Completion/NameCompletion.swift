internal import IssueTracker

/// Completes names of repositories at a prompt, where nobody waits for a slow network.
///
/// Another process waits for an answer that takes too long, and keeps it for the next time.
struct NameCompletion: Sendable {
  /// How long the network may take in all: half of what feels like a wait.
  static let patience = Duration.milliseconds(150)

  /// How long the other process waits for answers.
  private static let backgroundPatience = Duration.seconds(5)

  private let environment: [String: String]
  private let apiURL: String?
  private let completion: RepositoryCompletion
  private let store: DiskResponseStore?

  /// Creates a completion.
  ///
  /// A token is only taken from a variable. Asking `gh` would take a third of the time, and `gh` may have to ask the
  /// user for a password in the middle of a command line. With an invalid token nobody is asked: the command that is
  /// being typed will say why.
  ///
  /// - Parameters:
  ///   - environment: The environment of the process.
  ///   - apiURL: The URL of the API to ask, instead of the host's own.
  ///   - isStub: Whether only sample data answers.
  /// - Throws: ``InvalidInput`` for an invalid URL or host.
  init(environment: [String: String], apiURL: String? = nil, isStub: Bool = false) throws {
    self.environment = environment
    self.apiURL = apiURL
    let server = try GitHubServer(apiURL: apiURL, host: nil, environment: environment)
    store = isStub ? nil : ResponseCache.store(environment: environment)
    if isStub {
      completion = RepositoryCompletion(
        provider: Provider<GitHub>(stubClosure: { _ in .immediate }), server: server,
        asksForOwn: true)
      return
    }
    let lookup = TokenLookup(
      server: server, isNamedByURL: apiURL != nil, environment: environment)
    let finding = Result { () throws(CommandFailure) in try lookup.variable() }
    let cache = store.map { CachingInterceptor(store: $0, keepsWithoutValidator: true) }
    completion = RepositoryCompletion(
      provider: (try? finding.get()).map { found in
        Provider<GitHub>(
          server: server, token: found.token, interceptors: cache.map { [$0] } ?? [], retry: nil)
      },
      server: server, history: RepositoryHistory(environment: environment),
      asksForOwn: (try? finding.get())?.token != nil)
  }

  /// The names in the history, best first.
  func known(for text: String) async -> [String] {
    Self.names(await completion.recent(for: text), text)
  }

  /// The names that the server finds beside known ones, best first. Where it is too slow, they are those of its last
  /// answer.
  func found(for text: String, without known: [String]) async -> [String] {
    let known = Set(known.map { $0.lowercased() })
    let found = await completion.found(for: text, within: Self.patience) { askInBackground(text) }
    return Self.names(found, text).filter { !known.contains($0.lowercased()) }
  }

  /// Waits until the answers are kept for the next time.
  func finish() async {
    await store?.flush()
  }

  /// Lets another process ask, without waiting for it.
  private func askInBackground(_ text: String) {
    guard store != nil else { return }
    OwnProcess.startAlone(
      ["complete", "--background"] + (apiURL.map { ["--api-url", $0] } ?? []) + ["--", text],
      environment: environment)
  }

  /// Asks, and keeps the answers for the next time: the work of that other process.
  func keepAnswers(for text: String) async {
    _ = await completion.found(for: text, within: Self.backgroundPatience)
    await finish()
  }

  private static func names(_ candidates: [RepositoryCandidate], _ text: String) -> [String] {
    RepositoryRanking(for: text).predictions(of: candidates).map(\.text)
  }

  /// The candidates for the argument of `issues list`.
  ///
  /// - Parameters:
  ///   - words: The words of the command line.
  ///   - index: The index of the word to complete.
  ///   - prefix: The part of it before the cursor.
  /// - Returns: The names, best first.
  @Sendable static func candidates(words: [String], index: Int, prefix: String) async -> [String] {
    // Shells split URLs in ways of their own: only the usual server is asked, never a wrong one.
    let isElsewhere = words.contains { $0 == "--stub" || $0.hasPrefix("--api-url") }
    let environment = Environment.ofProcess()
    guard let names = try? NameCompletion(environment: environment) else { return [] }
    var candidates = await names.known(for: prefix)
    if !isElsewhere {
      candidates += await names.found(for: prefix, without: candidates)
      await names.finish()
    }
    // Servers choose names, but not the options that the command is run with.
    return words.contains("--") ? candidates : candidates.filter { !$0.hasPrefix("-") }
  }
}
