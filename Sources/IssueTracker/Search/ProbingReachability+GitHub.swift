public import GitHubAPI
public import HTTPTargets
public import Reactive

extension ProbingReachability {
  /// Creates a reachability for a server with GitHub's API.
  ///
  /// It requests ``/GitHubAPI/GitHub/rateLimit``, which counts against no quota. Any response, even an error, shows
  /// that the server can be reached.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token, if any.
  ///   - transport: Sends the requests.
  ///   - pauses: The pause before the first probe, and the longest pause.
  ///   - clock: Measures the pauses.
  public convenience init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    transport: any Transport = PlatformTransport.shared,
    pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    // No retries: it has its own pauses. No limits: its requests count against no quota.
    let provider = Provider.gitHub(
      .init(server: server, token: token, retries: nil, rateLimits: nil, transport: transport))
    self.init(pauses: pauses, clock: clock) {
      do throws(NetworkError) {
        _ = try await provider.request(.rateLimit)
        return true
      } catch {
        return error.response != nil
      }
    }
  }
}
