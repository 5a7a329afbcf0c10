public import GitHubAPI
public import HTTPTargets
public import Reactive

extension ProbingReachability {
  /// Creates a reachability for a server with GitHub's API.
  ///
  /// It requests ``/GitHubAPI/GitHub/rateLimit``, which doesn't count against a quota, or the user's profile on Forgejo
  /// and Gitea. Any response, even an error, shows that the server can be reached.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token; nil for anonymous access.
  ///   - transport: The transport that sends the requests.
  ///   - pauses: The pause before the first probe, and the longest pause.
  ///   - clock: The clock that measures the pauses.
  public convenience init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    transport: any Transport = PlatformTransport.shared,
    pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    // It doesn't retry, because it has its own pauses, and doesn't need limits, because its requests don't count
    // against a quota.
    let provider = Provider.gitHub(
      .init(server: server, token: token, retries: nil, rateLimits: nil, transport: transport))
    self.init(pauses: pauses, clock: clock) {
      do throws(NetworkError) {
        _ = try await provider.request(provider.forge == .gitHub ? .rateLimit : .ownProfile)
        return true
      } catch {
        return error.response != nil
      }
    }
  }
}
