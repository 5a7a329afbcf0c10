internal import IssueMirror
internal import Logging
internal import StyledText

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a subcommand works with: the environment, and the places where it writes.
struct CommandSession: Sendable {
  /// The environment of the process.
  let environment: [String: String]
  /// How rows are written.
  let style: OutputStyle
  /// Standard output, or the pager before it.
  let output: Output
  /// Standard error.
  let errors: ErrorOutput
  /// The status line.
  let progress: Progress
  /// Whether a pager has the screen: the user's own, or, as far as can be told, one that the output is
  /// piped into.
  var hasPager = false
  /// Whether standard output is no terminal, whatever it is treated as.
  var isPiped = false
  /// What is to be waited for before the process ends.
  let end = EndOfSession()

  /// Whether the terminal shows hyperlinks.
  var showsHyperlinks: Bool {
    Hyperlinks.areShown(style: style, hasPager: hasPager || isPiped, environment: environment)
  }

  /// Makes a logger that writes to standard error.
  func logger(level: Logger.Level) -> Logger {
    var logger = Logger(label: "issues") { _ in ErrorLogHandler(errors: errors) }
    logger.logLevel = level
    return logger
  }

  /// Makes what tells of waits for the limits of a server.
  func waitNotice(for server: GitHubServer) -> WaitNotice {
    let form: WaitNotice.Form = progress.isEnabled ? .countdown : hasPager ? .none : .line
    return WaitNotice(server: server, form: form, progress: progress, errors: errors)
  }

  /// Runs a subcommand from its first byte of output to its exit status.
  ///
  /// What was written stays, whatever happens after; a failure is told on standard error when the
  /// pager is gone.
  ///
  /// - Parameters:
  ///   - color: When to use colours.
  ///   - showsScreen: Whether the subcommand takes the whole terminal, so that nothing else may write to it.
  ///   - isPaged: Whether there is something to be read page by page: what only reports what it does, or asks,
  ///     wants no pager.
  ///   - body: The subcommand.
  /// - Returns: What to exit with.
  static func run(
    color: ColorChoice, showsScreen: Bool = false, isPaged: Bool = true,
    _ body: @escaping @Sendable (CommandSession) async throws -> Void
  ) async -> ExitStatus {
    let environment = Environment.ofProcess()
    let descriptor = TerminalCapabilities(descriptor: STDOUT_FILENO)
    let terminal = descriptor.forced(
      by: environment, window: TerminalCapabilities.columnsOfWindow)
    let errorTerminal = TerminalCapabilities(descriptor: STDERR_FILENO)
    let errorStyle = OutputStyle(
      terminal: errorTerminal, environment: environment, color: color)
    let style = OutputStyle(terminal: terminal, environment: environment, color: color)
    let pager = await Pager.start(
      environment: environment, isTerminal: descriptor.isTerminal && !showsScreen && isPaged)
    // A pipe with what only a person wants in it leads to 'less -R', which has the screen from then on.
    let isPassedOn =
      !descriptor.isTerminal && errorTerminal.isTerminal
      && (style.layout == .table || style.color > .none)
    let hasPager = pager != nil || isPassedOn
    let progress = Progress(
      isEnabled: !hasPager && !showsScreen
        && Progress.isPossible(on: errorTerminal, environment: environment))
    let session = CommandSession(
      environment: environment, style: style,
      output: Output(
        descriptor: pager?.descriptor ?? STDOUT_FILENO, progress: progress,
        sharesScreen: !hasPager),
      errors: ErrorOutput(
        color: errorStyle.color, progress: progress, secrets: Environment.secrets(in: environment)),
      progress: progress, hasPager: hasPager, isPiped: !descriptor.isTerminal)

    // What is said meanwhile would be written across the pager's screen.
    if pager != nil, errorTerminal.isTerminal { session.errors.keepBack() }
    if errorTerminal.isTerminal, !showsScreen { Interrupt.install() }
    let work = Task { try await body(session) }
    let observation = pager == nil ? nil : Interrupt.observe { work.cancel() }
    var result = await work.result
    progress.finish()
    if let pager, await pager.finish() == false {
      result = .failure(
        CommandFailure(.output, "\(pager.variable) can't be run: \(pager.command)"))
    }
    if pager != nil { session.errors.release() }
    observation?.cancel()
    await session.end.wait()
    return session.report(result)
  }

  private func report(_ result: Result<Void, any Error>) -> ExitStatus {
    guard case .failure(let error) = result else { return .done }
    let failure = CommandFailure(any: error)
    // Who closed the pipe or pressed Ctrl-C knows.
    if failure.status != .done, failure.status != .cancelled {
      errors.write("issues: \(failure.message)")
    }
    return failure.status
  }
}

extension CommandFailure {
  /// Explains whatever a subcommand throws.
  fileprivate init(any error: any Error) {
    switch error {
    case let failure as CommandFailure: self = failure
    case let error as OutputError: self.init(error.exitStatus, "\(error)")
    case let error as InvalidInput: self.init(.usage, error.message)
    case let failure as MirrorFailure: self.init(failure)
    case GitRemotes.Failure.cancelled: self.init(.cancelled, "")
    case let error as GitRemotes.Failure:
      self.init(.usage, "\(error)\nName the repository: OWNER/REPO")
    case let error as Browser.Failure: self.init(.failed, "\(error)")
    case let error as DiskResponseStore.Failure: self.init(.failed, "\(error)")
    case let error as RepositoryHistory.Failure: self.init(.failed, "\(error)")
    case is CancellationError: self.init(.cancelled, "")
    default: self.init(.failed, "\(error)")
    }
  }
}
