public import GitHubAPI
public import HTTPTargets
internal import Reactive

/// Tracks the issues of the most recently given repository.
///
/// It looks up each name as a repository, and lists the issues under the name from the server. A newer name cancels the
/// work for the previous one.
///
/// ```swift
/// let model = IssueTrackerModel(provider: Provider.gitHub(), repositoryNames: names)
/// for await issues in model.trackIssues() {
///   show(issues)
/// }
/// ```
///
/// Names are used as they arrive. For typed text, apply `debounce(for: .seconds(0.5))` and `removeDuplicates()` first.
public struct IssueTrackerModel<Names: AsyncSequence & Sendable>: Sendable
where Names.Element == String, Names.Failure == Never {
  private let provider: Provider<GitHub>
  private let repositoryNames: Names

  /// Creates a model. It doesn't do anything until its issues are requested.
  ///
  /// - Parameters:
  ///   - provider: The provider that sends the requests.
  ///   - repositoryNames: The names, each in the form `owner/name`. Each run iterates over them from the start.
  public init(provider: Provider<GitHub>, repositoryNames: Names) {
    self.provider = provider
    self.repositoryNames = repositoryNames
  }

  /// Returns one list for each name that wasn't superseded.
  ///
  /// After any failure (an invalid name, a missing repository, no network, a rate limit, an invalid response), the list
  /// is empty, and the sequence continues. Each call is a separate run.
  public func trackIssues() -> some AsyncSequence<[GitHub.Issue], Never> & Sendable {
    repositoryNames.mapLatest { name in await outcome(of: name).issues }
  }

  /// Returns the results of ``trackIssues()`` along with the repository or the error.
  public func outcomes() -> some AsyncSequence<TrackingOutcome, Never> & Sendable {
    repositoryNames.mapLatest { name in await outcome(of: name) }
  }

  /// Looks up a repository.
  ///
  /// - Parameter name: A name in the form `owner/name`; any other text fails without a request.
  /// - Returns: The repository, or nil on any failure.
  public func findRepository(name: String) async -> GitHub.Repository? {
    try? await repository(named: name)
  }

  /// Lists the newest hundred open issues of a repository, without pull requests; nil on any failure.
  public func findIssues(repository: GitHub.Repository) async -> [GitHub.Issue]? {
    try? await issues(of: repository)
  }

  private func outcome(of name: String) async -> TrackingOutcome {
    var outcome = TrackingOutcome(name: name)
    do throws(NetworkError) {
      let repository = try await repository(named: name)
      outcome.repository = repository
      outcome.issues = try await issues(of: repository)
    } catch {
      outcome.failure = error
    }
    return outcome
  }

  private func repository(named name: String) async throws(NetworkError) -> GitHub.Repository {
    guard let name = RepositoryName(name) else {
      throw NetworkError(.requestMapping, "that isn't the name of a repository: use OWNER/NAME")
    }
    return try await provider.repository(name)
  }

  private func issues(of repository: GitHub.Repository) async throws(NetworkError) -> [GitHub.Issue]
  {
    guard let name = RepositoryName(repository.fullName) else {
      throw NetworkError(
        .requestMapping, "“\(repository.fullName)” isn't the name of a repository: use OWNER/NAME")
    }
    var issues: [GitHub.Issue] = []
    for try await page in IssueListing(provider: provider, repository: name, limit: 100) {
      issues += page.issues
    }
    return issues
  }
}

/// The outcome for a name: its issues, or the reason for a failure.
public struct TrackingOutcome: Sendable {
  /// The given name.
  public var name: String
  /// The repository; nil if it couldn't be found.
  public var repository: GitHub.Repository?
  /// The issues; empty on any failure.
  public var issues: [GitHub.Issue] = []
  /// The error; nil on success.
  public var failure: NetworkError?
}
