public import GitHubAPI
public import HTTPTargets
internal import Locking
public import Reactive

/// Finds the names of repositories that somebody may be typing: from those they looked at, from their own,
/// and with GitHub's search.
///
/// ```swift
/// let completion = RepositoryCompletion(provider: Provider(token: token), asksForOwn: true)
/// let autocomplete = Autocomplete(texts) { try await completion.predictions(for: $0) }
/// ```
public struct RepositoryCompletion: Sendable {
  /// Candidates by where they come from.
  private typealias Found = [RepositoryCandidate.Source: [RepositoryCandidate]]

  private let provider: Provider<GitHub>?
  private let server: GitHubServer
  private let history: RepositoryHistory?
  private let asksForOwn: Bool
  private let pageSize: Int

  /// Creates a completion; nobody is asked before something is typed.
  ///
  /// - Parameters:
  ///   - provider: Where to ask; nil for nowhere.
  ///   - server: Whom the provider asks. Names on other servers are known with their hosts only.
  ///   - history: The repositories that the user looked at.
  ///   - asksForOwn: Whether requests carry a token, so that the user's own repositories can be asked for.
  ///   - pageSize: How many results of the search are wanted, from 1 to 100.
  public init(
    provider: Provider<GitHub>?, server: GitHubServer = .github,
    history: RepositoryHistory? = nil, asksForOwn: Bool = false, pageSize: Int = 30
  ) {
    self.provider = provider
    self.server = server
    self.history = history
    self.asksForOwn = asksForOwn
    self.pageSize = pageSize
  }

  /// Asks all sources, and ranks what they know (``RepositoryRanking``): a provider for
  /// ``Reactive/Autocomplete``.
  ///
  /// - Parameter text: What has been typed.
  /// - Returns: The names that fit, best first.
  /// - Throws: ``HTTPTargets/NetworkError`` when a source failed and no other knew anything, or when the task
  ///   is cancelled.
  public func predictions(for text: String) async throws(NetworkError) -> [Prediction] {
    let requests = requests(for: text)
    let answers = await withTaskGroup(of: Result<[RepositoryCandidate], NetworkError>.self) {
      group in
      for request in requests { group.addTask { await answer(to: request) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    guard !Task.isCancelled else { throw .cancelled }
    let known = await recent(for: text) + answers.flatMap { (try? $0.get()) ?? [] }
    let predictions = RepositoryRanking(for: text).predictions(of: known)
    if predictions.isEmpty {
      for answer in answers { _ = try answer.get() }
    }
    return predictions
  }

  /// Returns the repositories that the user looked at, the last first, whether they fit the text or not.
  ///
  /// What is on this machine, a test's server or a tunnel's, is left out where another server is meant: its
  /// host's name alone doesn't lead there.
  public func recent(for text: String) async -> [RepositoryCandidate] {
    let prefix = Typed(text, server).prefix
    return await (history?.entries() ?? []).compactMap { entry in
      if entry.host == server.host {
        return RepositoryCandidate(name: "\(prefix)\(entry.name)", source: .recent)
      }
      let name = "\(entry.host)/\(entry.name)"
      guard HostName(entry.host)?.isLoopback == false,
        (try? RepositoryReference(parsing: name)) != nil
      else { return nil }
      return RepositoryCandidate(name: name, source: .recent)
    }
  }

  /// Asks for the user's own repositories and for what GitHub's search finds, whether they fit the text or not.
  ///
  /// What a cache has of the answers counts until the server has answered
  /// (``HTTPTargets/CachingInterceptor``). Whatever fails is left out.
  ///
  /// - Parameters:
  ///   - text: What has been typed.
  ///   - patience: After this time it is done, with what has come by then. Requests under way are cancelled.
  ///   - clock: The clock of that.
  ///   - onLate: Is told when an answer hasn't come by then.
  /// - Returns: The names, each part in the server's order.
  public func found(
    for text: String, within patience: Duration, clock: any Clock<Duration> = ContinuousClock(),
    onLate: @Sendable () -> Void = {}
  ) async -> [RepositoryCandidate] {
    let found = Locked<Found>([:])
    let isAnswered = Locked(false)
    let (end, ending) = AsyncStream<Void>.makeStream()
    let works = requests(for: text).map { request in
      Task {
        let answer = await answer(to: request) { stored in
          found.withLock { $0[request.source] = stored }
        }
        if case .success(let answer) = answer {
          found.withLock { $0[request.source] = answer }
        }
      }
    }
    guard !works.isEmpty else { return [] }
    let all = Task {
      for work in works { await work.value }
      isAnswered.withLock { $0 = true }
      ending.finish()
    }
    let timer = Task {
      try? await clock.sleep(for: patience)
      ending.finish()
    }
    // Not a group, which would wait for its children even where they take their time to be cancelled.
    for await _ in end {}
    if !isAnswered.withLock({ $0 }) { onLate() }
    for task in works + [all, timer] { task.cancel() }
    return Self.flattened(found.withLock { $0 })
  }

  // MARK: Requests

  /// Something that is asked, and what the answer is taken for.
  private struct SourceRequest {
    let source: RepositoryCandidate.Source
    let target: GitHub
    /// What stands before each name.
    let prefix: String
  }

  private func requests(for text: String) -> [SourceRequest] {
    guard provider != nil, let typed = Typed(text, server).name else { return [] }
    let prefix = Typed(text, server).prefix
    var requests: [SourceRequest] = []
    if asksForOwn {
      requests.append(
        SourceRequest(source: .own, target: .ownRepositories(pageSize: 100), prefix: prefix))
    }
    if let query = Self.query(for: typed) {
      let target = GitHub.searchRepositories(query: query, pageSize: pageSize)
      requests.append(SourceRequest(source: .search, target: target, prefix: prefix))
    }
    return requests
  }

  private func answer(
    to request: SourceRequest,
    onStored: @escaping @Sendable ([RepositoryCandidate]) -> Void = { _ in }
  ) async -> Result<[RepositoryCandidate], NetworkError> {
    guard let provider else { return .success([]) }
    do throws(NetworkError) {
      let response = try await provider.request(request.target) { head in
        guard head.isFromCache, let stored = try? Self.candidates(in: head, request) else { return }
        onStored(stored)
      }
      return .success(try Self.candidates(in: response, request))
    } catch {
      return .failure(error)
    }
  }

  private static func candidates(
    in response: Response, _ request: SourceRequest
  ) throws(NetworkError) -> [RepositoryCandidate] {
    let repositories: [Repository]
    if request.source == .search {
      let results: SearchResults<Repository> = try response.decode(using: GitHubJSON.decoder())
      repositories = results.items
    } else {
      repositories = try response.decode(using: GitHubJSON.decoder())
    }
    return repositories.compactMap { repository in
      RepositoryName(repository.fullName).map {
        RepositoryCandidate(name: "\(request.prefix)\($0)", source: request.source)
      }
    }
  }

  private static func flattened(_ found: Found) -> [RepositoryCandidate] {
    (found[.own] ?? []) + (found[.search] ?? [])
  }

  /// What GitHub's search is asked for; nil where there is nothing to search for.
  ///
  /// Names are searched for, and with an owner only theirs
  /// (<https://docs.github.com/en/search-github/searching-on-github/searching-for-repositories>). A hyphen at
  /// the beginning of a word would exclude it.
  static func query(for name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let words = String((parts.last ?? "").drop { $0 == "-" })
    let inName = words.isEmpty ? "" : "\(words) in:name"
    guard parts.count > 1 else { return inName.isEmpty ? nil : inName }
    return inName.isEmpty ? "user:\(parts[0])" : "\(inName) user:\(parts[0])"
  }
}

/// What has been typed of a name.
private struct Typed {
  /// The host and its slash, where the server's own was typed; the names are to begin with it too.
  var prefix = ""
  /// The rest, where it can become a name on the server.
  var name: String?

  init(_ text: String, _ server: GitHubServer) {
    var rest = text[...]
    let host = "\(server.host)/"
    if text.count >= host.count, text.prefix(host.count).lowercased() == host {
      prefix = String(text.prefix(host.count))
      rest = text.dropFirst(host.count)
    }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    // With letters around it a part that could begin one is one.
    let isName =
      parts.count <= 2
      && parts.allSatisfy { $0.isEmpty || RepositoryName(owner: "a", name: "a\($0)a") != nil }
      && (parts.count < 2 || RepositoryName(owner: String(parts[0]), name: "a") != nil)
    name = isName ? String(rest) : nil
  }
}
