public import GitHubAPI
public import HTTPTargets

/// What became of one name: the issues, or why there are none.
public struct TrackingOutcome: Sendable {
  /// The name as it came in.
  public var name: String
  /// The repository; nil when it could not be found.
  public var repository: Repository?
  /// The issues; empty on every failure.
  public var issues: [Issue]
  /// Why there is no answer; nil when there is one.
  public var failure: NetworkError?

  /// Creates an outcome.
  public init(
    name: String, repository: Repository? = nil, issues: [Issue] = [],
    failure: NetworkError? = nil
  ) {
    self.name = name
    self.repository = repository
    self.issues = issues
    self.failure = failure
  }
}
