internal import ArgumentParser
internal import IssueTracker

/// A command, or a group of options, that has the connection options.
///
/// The groups aren't nested: in a debug build, the parser validates each level of groups again for the level above it.
protocol ConnectingOptions: ParsableArguments {
  var asking: RequestOptions { get }
  var waiting: WaitOptions { get }
}

extension ConnectingOptions {
  var connection: ConnectionOptions { ConnectionOptions(request: asking, wait: waiting.wait) }
}

struct WaitOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      The longest wait when the server limits the rate of requests. It is such as 90s, 5m or 'forever'; 0 stops instead. (default: 60s)
      """, valueName: "duration"),
    transform: ValueReader.wait)
  var wait = WaitArgument.standard
}

/// The server, the connection to it, and the time to wait for its rate limits.
struct ConnectionOptions: Sendable {
  let request: RequestOptions
  let wait: WaitArgument

  /// A given option that makes sense only if requests are sent to a server; nil if there is none.
  var wayOfAsking: String? {
    if request.stub { return "--stub" }
    if wait != .standard { return "--wait" }
    if request.timeout != nil { return "--timeout" }
    if request.retries != RetryPolicy().maximumRetries { return "--retries" }
    return request.noCache ? "--no-cache" : nil
  }
}

struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The URL of the API. It replaces the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  @Option(
    help: ArgumentHelp(
      "What the server is: github, forgejo or gitea. It is asked by default.",
      valueName: "name"))
  var forge: Forge?

  @Option(
    help: ArgumentHelp(
      "How long the server may stay silent, such as 10s; a whole response may take ten times that. "
        + "(default: 30s)",
      valueName: "duration"),
    transform: ValueReader.timeout)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "How often to retry a failed request; 0 for never. (default: \(RetryPolicy().maximumRetries))",
      valueName: "number"),
    transform: ValueReader.retries)
  var retries = RetryPolicy().maximumRetries

  @Flag(help: "Don't use the cache: see 'issues cache'.")
  var noCache = false

  @Flag(help: "Use sample data: no network, no token.")
  var stub = false

  @Option(
    help: ArgumentHelp(
      "With --stub: the delay of each response, such as 300ms or 2s.", valueName: "duration"),
    transform: ValueReader.duration)
  var stubDelay: DurationArgument?

  @Flag(
    name: .shortAndLong,
    help: "Log requests and responses on standard error; twice, with their header fields.")
  var verbose: Int

  func validate() throws {
    guard stubDelay == nil || stub else {
      throw ValidationError("--stub-delay only makes sense with --stub.")
    }
  }
}
