internal import ConcurrencyPrimitives
public import GitHubAPI
public import HTTPTargets
public import Reactive

/// Completes typed repository names from three sources: the user's history, the user's own repositories, and
/// GitHub's search.
///
/// ```swift
/// let completion = RepositoryCompletion(provider: Provider.gitHub(.init(token: token)), asksForOwn: true)
/// let autocomplete = Autocomplete(texts) { try await completion.predictions(for: $0) }
/// ```
public struct RepositoryCompletion: Sendable {
  private typealias Found = [RepositoryCandidate.Source: [RepositoryCandidate]]

  private let provider: Provider<GitHub>?
  private let server: GitHubServer
  private let history: RepositoryHistory?
  private let asksForOwn: Bool
  private let pageSize: Int

  /// Creates a completion. It doesn't send a request before text is typed.
  ///
  /// - Parameters:
  ///   - provider: The provider that sends the requests; nil for no requests.
  ///   - server: The provider's server. Names on other servers are shown with their hosts.
  ///   - history: The repositories that the user looked at.
  ///   - asksForOwn: Whether to request the user's own repositories, which requires a token.
  ///   - pageSize: The number of search results, from 1 to 100.
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

  /// Requests all sources and ranks their names (``RepositoryRanking``). This can be the provider of an
  /// ``/Reactive/Autocomplete``.
  ///
  /// - Parameter text: The typed text.
  /// - Returns: The matching names, best match first.
  /// - Throws: ``/HTTPTargets/NetworkError`` if a source failed and the others didn't find a name, or if the task was
  ///   canceled.
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

  /// Returns the repositories that the user looked at, most recent first, whether or not they match.
  ///
  /// Repositories on a loopback host, such as a test server or a tunnel, are omitted unless that host is the
  /// completion's server, because the host name alone doesn't identify them.
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

  /// Requests the user's own repositories and GitHub's search results, whether or not they match.
  ///
  /// Cached responses are used until the server has responded (``/HTTPTargets/CachingInterceptor``). Failures are
  /// ignored.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - patience: The longest wait. After it, the requests are canceled, and the names found so far are returned.
  ///   - clock: The clock that measures the wait.
  ///   - onLate: Called if responses are still missing after the wait.
  /// - Returns: The names from each source in the server's order.
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
    // This doesn't use a task group, which would wait for canceled children that are slow to end.
    for await _ in end {}
    if !isAnswered.withLock({ $0 }) { onLate() }
    for task in works + [all, timer] { task.cancel() }
    return Self.flattened(found.withLock { $0 })
  }

  // MARK: Requests

  private struct SourceRequest {
    let source: RepositoryCandidate.Source
    let target: GitHub
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
    in response: TargetResponse, _ request: SourceRequest
  ) throws(NetworkError) -> [RepositoryCandidate] {
    let repositories: [GitHub.Repository]
    if request.source == .search {
      let results: SearchResults<GitHub.Repository> = try response.decode(
        using: GitHubJSON.decoder())
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

  /// A query for GitHub's search of names. If an owner is given, it is limited to the owner's repositories
  /// (<https://docs.github.com/en/search-github/searching-on-github/searching-for-repositories>). A leading hyphen
  /// would exclude the word.
  static func query(for name: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let words = String((parts.last ?? "").drop { $0 == "-" })
    let inName = words.isEmpty ? "" : "\(words) in:name"
    guard parts.count > 1 else { return inName.isEmpty ? nil : inName }
    return inName.isEmpty ? "user:\(parts[0])" : "\(inName) user:\(parts[0])"
  }
}

private struct Typed {
  /// The server's host and a slash, if typed. The names must then begin with it as well.
  var prefix = ""
  var name: String?

  init(_ text: String, _ server: GitHubServer) {
    var rest = text[...]
    let host = "\(server.host)/"
    if text.count >= host.count, text.prefix(host.count).lowercased() == host {
      prefix = String(text.prefix(host.count))
      rest = text.dropFirst(host.count)
    }
    let parts = rest.split(separator: "/", omittingEmptySubsequences: false)
    let isName =
      parts.count <= 2
      && parts.allSatisfy { $0.isEmpty || RepositoryName(owner: "a", name: "a\($0)a") != nil }
      && (parts.count < 2 || RepositoryName(owner: String(parts[0]), name: "a") != nil)
    name = isName ? String(rest) : nil
  }
}
