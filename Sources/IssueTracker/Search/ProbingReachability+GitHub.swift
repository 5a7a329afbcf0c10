public import CurlTransport
public import GitHubAPI
public import HTTPTargets
public import Reactive

extension ProbingReachability {
  /// Creates a reachability of a server that speaks GitHub's API.
  ///
  /// It requests ``GitHubAPI/GitHub/rateLimit``, which costs no quota. Any answer, even an error, shows that
  /// the server was reached.
  ///
  /// - Parameters:
  ///   - server: The server; github.com by default.
  ///   - token: The access token; nil to ask without one.
  ///   - transport: Sends the requests.
  ///   - pauses: The pause before the first probe, and the longest.
  ///   - clock: Measures the pauses.
  public convenience init(
    server: GitHubServer = .github, token: AccessToken? = nil,
    transport: any Transport = CurlTransport.shared,
    pauses: ClosedRange<Duration> = .seconds(1) ... .seconds(60),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    // It has its own pauses, and its requests count against no limit.
    let provider = Provider<GitHub>(
      server: server, token: token, retry: nil, rateLimits: nil, transport: transport)
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
