internal import ConcurrencyPrimitives
internal import CurlTransport
internal import IssueOutbox
public import IssueTracker
public import PlatformModules

/// The external resources of a run: its environment, standard streams, children, signals, network and clock. Files are
/// still real, in the folders that the environment specifies.
///
/// ``process()`` is the world of a program. A test creates its own world, and runs the command like a function.
public struct World: Sendable {
  /// A standard stream: bytes, and possibly a terminal.
  public struct Stream: Sendable {
    /// An open descriptor. A run never closes it.
    public var descriptor: CInt

    var terminal: TerminalCapabilities

    /// Creates a stream. `isTerminal` specifies whether to treat it as a terminal; nil uses the system's information.
    public init(descriptor: CInt, isTerminal: Bool? = nil) {
      self.descriptor = descriptor
      terminal = TerminalCapabilities(descriptor: descriptor)
      if let isTerminal { terminal.isTerminal = isTerminal }
    }
  }

  /// The variables, by name.
  public var environment: [String: String]
  /// The folder in which children start; nil for the process's folder.
  public var directory: String?
  /// Standard input.
  public var input: Stream
  /// Standard output.
  public var output: Stream
  /// Standard error.
  public var errors: Stream
  /// Creates the transport for requests, with a maximum number of connections to a host; nil for the default number.
  public var transport: @Sendable (_ connections: Int?) -> any Transport
  /// The clock that measures how long requests wait for limits.
  public var clock: any Clock<Duration> = ContinuousClock()
  /// The local time.
  public var now: @Sendable () -> Date = { Date() }
  /// The rate at which changes are sent. Tests don't wait between changes.
  var sending = OutboxSending()
  /// Whether this run owns the process. It may then handle its signals, end it, and start it again for work that
  /// outlives it.
  var isProcess = false
  /// The index of an argument that isn't UTF-8, which the runtime repaired into different text.
  var unreadableArgument: Int?

  var arguments: [String] = []
  /// The status line on standard error; nil before a subcommand runs.
  let progress = Locked<Progress?>(nil)

  /// Creates a world in memory. A run in it doesn't affect the process.
  public init(
    environment: [String: String], directory: String? = nil, input: Stream, output: Stream,
    errors: Stream
  ) {
    self.environment = environment
    self.directory = directory
    (self.input, self.output, self.errors) = (input, output, errors)
    transport = { connections in
      var configuration = CurlTransport.Configuration(
        certificates: .environment(environment), proxy: .direct)
      let proxy = ["https_proxy", "all_proxy"].lazy.compactMap { environment[$0] }.first
      if let server = proxy.flatMap(CurlTransport.ProxyServer.init) {
        configuration.proxy = .server(server)
      }
      if let connections { configuration.maximumConnectionsPerHost = connections }
      return CurlTransport(configuration: configuration)
    }
  }

  /// The world of the current task's run, for code that can't receive a parameter: the argument parser's closures, and
  /// code that starts a child or asks a question.
  @TaskLocal static var current = World.process()

  var errorForm: ErrorForm { ErrorForm(in: arguments) }

  /// Releases the terminal for a question or a program, until ``Progress/resume()``. It first ends the current status.
  func giveWay() -> Progress? {
    let progress = progress.withLock { $0 }
    progress?.update("")
    progress?.suspend()
    return progress
  }
}
