internal import ArgumentParser
internal import IssueTracker

/// Which server to ask, or none, and what to do when it limits the rate of requests.
struct ConnectionOptions: ParsableArguments {
  @OptionGroup var request: RequestOptions

  @Option(
    help: ArgumentHelp(
      """
      How long to wait at most when the server limits the rate of requests, such as 90s, 5m or \
      'forever'; 0 stops instead. (default: 60s)
      """, valueName: "duration"),
    transform: ValueReader.wait)
  var wait = ConnectionSettings().wait

  /// An option that says how a server is to be asked; nil where none was given.
  var wayOfAsking: String? {
    let (given, standard) = (settings, ConnectionSettings())
    if given.request.stub { return "--stub" }
    if given.wait != standard.wait { return "--wait" }
    if given.request.timeout != nil { return "--timeout" }
    if given.request.retries != standard.request.retries { return "--retries" }
    return given.request.usesCache ? nil : "--no-cache"
  }

  /// What the options say.
  var settings: ConnectionSettings {
    ConnectionSettings(request: request.settings, wait: wait)
  }
}
