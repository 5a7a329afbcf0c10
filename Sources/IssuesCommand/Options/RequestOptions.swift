internal import ArgumentParser
internal import IssueTracker

/// Which server to ask, or none, and how.
struct RequestOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The URL of the API to ask, instead of the host's own: https, or http on this machine.",
      valueName: "url"))
  var apiURL: String?

  @Option(
    help: ArgumentHelp(
      "How long the server may be silent, such as 10s; a whole answer may take ten times that. "
        + "(default: 30s)",
      valueName: "duration"),
    transform: ValueReader.timeout)
  var timeout: DurationArgument?

  @Option(
    help: ArgumentHelp(
      "How often a request that failed is sent again; 0 for never. (default: 3)",
      valueName: "number"),
    transform: ValueReader.retries)
  var retries = RequestSettings().retries

  @Flag(help: "Keep no answers, and use none that were kept: see 'issues cache'.")
  var noCache = false

  @Flag(help: "Answer from sample data: no network, no token.")
  var stub = false

  @Option(
    help: ArgumentHelp(
      "With --stub: how long each answer takes, such as 300ms or 2s.", valueName: "duration"),
    transform: ValueReader.duration)
  var stubDelay: DurationArgument?

  @Flag(
    name: .shortAndLong,
    help: "Tell on standard error what is asked and answered; twice: with the header fields.")
  var verbose: Int

  func validate() throws {
    guard stubDelay == nil || stub else {
      throw ValidationError("--stub-delay only makes sense with --stub.")
    }
  }

  /// What the options say.
  var settings: RequestSettings {
    RequestSettings(
      apiURL: apiURL, timeout: timeout?.duration, retries: retries, usesCache: !noCache, stub: stub,
      stubDelay: stubDelay?.duration, verbosity: verbose)
  }
}
