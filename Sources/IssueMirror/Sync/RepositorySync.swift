public import IssueTracker

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Brings what a mirror keeps of a repository up to date.
///
/// ```swift
/// let sync = RepositorySync(mirror: mirror, provider: provider, name: name)
/// let report = try await sync.run { progress in print(progress.stored, progress.total ?? 0) }
/// print(report.inserted, "new issues with", report.requests, "requests")
/// ```
///
/// The first time everything is fetched, by several streams of pages at once. After that, what changed: where
/// nothing did, that is one request. A sync that was cut off, however that happened, goes on where it was. What
/// was deleted or transferred shows in no list. It is looked for once in a week, and when something else has
/// changed and the server counts other numbers of open issues than are kept, and keeps to that.
///
/// Labels and milestones that were renamed, changed or deleted change no issue, so that their lists are asked for too,
/// with their entity tags and after a minute at the earliest: as long GitHub calls them fresh. The issues that have them
/// are kept as the server would send them now.
///
/// What was listed is not taken for all there is: each number up to the newest that didn't come is asked for.
///
/// A renamed repository stays the same. Another one that has got its name is kept for itself. A repository that
/// can't be seen any more is left as it is.
///
/// Give it a provider that doesn't store answers: what arrives is stored in the mirror.
public struct RepositorySync: Sendable {
  /// What is fetched, and how.
  public struct Options: Sendable, Hashable {
    /// How many requests are under way at once, at most: 1 to 100, which is as many as GitHub allows.
    public var jobs: Int
    /// Whether comments are kept too. Once they all are, every sync keeps them up to date.
    public var includesComments: Bool
    /// Whether everything is compared with the server now, from the beginning: not only what a sync that was cut off
    /// has left. What was deleted or transferred is found, what the server has in an older version than is kept, such
    /// as after a restored backup, becomes that version, and the search index is made anew where it isn't sound.
    public var verifies: Bool

    /// Makes options, by default for issues and pull requests alone.
    public init(jobs: Int = 8, includesComments: Bool = false, verifies: Bool = false) {
      self.jobs = jobs
      self.includesComments = includesComments
      self.verifies = verifies
    }
  }

  let mirror: Mirror
  let provider: Provider<GitHub>
  let server: GitHubServer
  let name: RepositoryName
  let options: Options
  let now: @Sendable () -> Date

  /// Makes a sync; nothing is asked before it runs.
  ///
  /// - Parameters:
  ///   - mirror: Where to.
  ///   - provider: Whom to ask.
  ///   - server: The server that the provider asks: repositories of different ones are different.
  ///   - name: The repository, also by a former name.
  ///   - options: What is fetched, and how.
  ///   - now: The local time, which tells how old the mirror is.
  public init(
    mirror: Mirror, provider: Provider<GitHub>, server: GitHubServer = .github,
    name: RepositoryName, options: Options = Options(),
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.mirror = mirror
    self.provider = provider
    self.server = server
    self.name = name
    var options = options
    options.jobs = min(max(options.jobs, 1), 100)
    self.options = options
    self.now = now
  }

  /// Brings the mirror up to date.
  ///
  /// Two may run at once, in one process or in several: both come to the same.
  ///
  /// - Parameter onProgress: Is told how far it is, after every page.
  /// - Returns: What was done.
  /// - Throws: ``HTTPTargets/NetworkError`` where the server can't be asked, ``MirrorFailure`` where the mirror
  ///   can't be written. What has come before is kept, and the next sync goes on from there.
  @discardableResult
  public func run(
    onProgress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
  ) async throws -> SyncReport {
    var run = SyncRun(self, onProgress)
    return try await run.perform()
  }
}
