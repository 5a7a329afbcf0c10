/// A row of the table of faults that strike a list that goes on (`issues list --follow`), once the list is shown.
public struct FollowFault: Sendable, CustomStringConvertible {
  /// The outcome.
  public enum Outcome: Sendable {
    /// Words on standard error, in one line, before a change is reported.
    case goesOn([String])
    /// The exit status, and words on standard error.
    case ends(Int32, [String])
  }

  /// The fault.
  public var fault: String
  /// The promise.
  public var promise: String
  /// The outcome.
  public var outcome: Outcome
  /// Options of the command.
  public var options: [String]
  /// How many questions meet it.
  public var times: Int
  /// The server's response, by the time in seconds since 1970.
  public var response: @Sendable (Int) -> LoopbackResponse

  private init(
    _ fault: String, _ promise: String, _ outcome: Outcome, options: [String] = [], times: Int = 2,
    response: @escaping @Sendable (Int) -> LoopbackResponse
  ) {
    self.fault = fault
    self.promise = promise
    self.outcome = outcome
    self.options = options
    self.times = times
    self.response = response
  }

  /// The fault.
  public var description: String { fault }

  /// Every row.
  public static let all = [
    FollowFault("500 for a while", "said once; then what has changed is told", .goesOn(["500"])) {
      GitHubError.serverError.response(now: $0)
    },
    // A request whose connection is reset is sent again on another one: only lasting resets are reported.
    FollowFault("resets for a while", "as above", .goesOn(["Trying again."]), times: .max) { _ in
      LoopbackResponse().with { $0.interruption = .init(.beforeHead, .reset) }
    },
    FollowFault("a page of HTML for a while", "as above", .goesOn(["Trying again."])) { _ in
      .text("<html></html>", contentType: "text/html")
    },
    FollowFault(
      "a limit within `--wait`", "waited for; then what has changed is told",
      .goesOn(["rate limited"]), times: 1
    ) { GitHubError.secondaryRateLimit(status: 403, retryAfter: 1).response(now: $0) },
    FollowFault(
      "a limit that `--wait 0` doesn't allow", "an error that says when it ends",
      .ends(5, ["slow down", "until 20"]), options: ["--wait", "0"], times: 1
    ) { GitHubError.secondaryRateLimit(status: 403, retryAfter: 600).response(now: $0) },
    FollowFault("a token that isn't valid any more", "an error", .ends(4, ["401"])) {
      GitHubError.badCredentials.response(now: $0)
    },
    FollowFault("a repository that is gone", "an error", .ends(3, ["404"])) {
      GitHubError.notFound.response(now: $0)
    },
  ]
}
