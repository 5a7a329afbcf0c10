internal import ConcurrencyPrimitives
internal import IssueMirror
internal import Logging
internal import PlatformModules
internal import StyledText

/// The environment of a subcommand, and its outputs.
struct CommandSession: Sendable {
  let world: World
  let style: OutputStyle
  /// Standard output, or the pager that reads it.
  let output: Output
  let errors: ErrorOutput
  let progress: Progress
  /// Whether there is a pager, including a program that probably pages the output of a pipe.
  var hasPager = false
  /// Whether standard output is a pipe, regardless of `GH_FORCE_TTY`.
  var isPiped = false
  /// Whether the command line specifies the number of items to show.
  var hasOwnLimit = false
  /// The mirror to use.
  var choice = MirrorChoice()
  let end = EndOfSession()

  var environment: [String: String] { world.environment }

  var showsHyperlinks: Bool {
    Hyperlinks.areShown(style: style, hasPager: hasPager || isPiped, environment: environment)
  }

  func logger(level: Logger.Level) -> Logger {
    var logger = Logger(label: "issues") { _ in ErrorLogHandler(errors: errors) }
    logger.logLevel = level
    return logger
  }

  func waitNotice(for server: GitHubServer) -> WaitNotice {
    let form: WaitNotice.Form = progress.isEnabled ? .countdown : hasPager ? .none : .line
    return WaitNotice(server: server, form: form, progress: progress, errors: errors)
  }

  /// Opens a page. Prints the URL instead if no user would see a browser, as in a session over ssh.
  func openPage(_ url: String, of server: GitHubServer) async throws {
    let browser = Browser(environment: environment)
    guard !browser.commands.isEmpty else { return try await printPage(url) }
    try await browser.open(url, of: server)
  }

  func printPage(_ url: String) async throws {
    try await output.write("\(TerminalText(url))\n")
  }

  /// Reports a change on the server, such as `✓ Closed apple/swift#12: https://…`; in a pipe, only the URL.
  func write(deed: String, _ address: String) async throws {
    guard style.layout == .table else { return try await printPage(address) }
    let line = StyledLine(runs: [
      StyledLine.Run("✓ ", style: .open), StyledLine.Run("\(deed): "),
      StyledLine.Run(address, link: WebLink(address)),
    ])
    try await output.write(line.rendered(in: style.color, links: showsHyperlinks) + "\n")
  }

  /// Runs a subcommand, from its first byte of output to its exit status.
  ///
  /// Output that was already written remains. A failure is reported on standard error after the pager has ended.
  static func run(_ command: some SessionCommand) async -> ExitStatus {
    let use = command.isEndless ? .unpaged : type(of: command).terminalUse
    let color = command.color
    let world = World.current
    let environment = world.environment
    let descriptor = world.output.terminal
    let terminal = descriptor.forced(
      by: environment, window: TerminalCapabilities.columnsOfWindow)
    let errorTerminal = world.errors.terminal
    let errorStyle = OutputStyle(
      terminal: errorTerminal, environment: environment, color: color)
    let style = OutputStyle(terminal: terminal, environment: environment, color: color)
    let pager = await Pager.start(
      environment: environment, isTerminal: descriptor.isTerminal && use == .paged)
    // Tables or colors in a pipe are for a person: the pipe leads to 'less -R', which owns the screen from now on.
    let isPassedOn =
      !descriptor.isTerminal && errorTerminal.isTerminal
      && (style.layout == .table || style.color > .none)
    let hasPager = pager != nil || isPassedOn
    let progress = Progress(
      isEnabled: !hasPager && use != .fullScreen
        && Progress.isPossible(on: errorTerminal, environment: environment),
      descriptor: world.errors.descriptor, isOfProcess: world.isProcess)
    world.progress.withLock { $0 = progress }
    let session = CommandSession(
      world: world, style: style,
      output: Output(
        descriptor: pager?.descriptor ?? world.output.descriptor, progress: progress,
        sharesScreen: !hasPager),
      errors: ErrorOutput(
        descriptor: world.errors.descriptor, form: world.errorForm,
        color: errorStyle.color, progress: progress, secrets: Environment.secrets(in: environment)),
      progress: progress, hasPager: hasPager, isPiped: !descriptor.isTerminal,
      hasOwnLimit: (command as? any LimitedCommand)?.limit.isGiven ?? false,
      choice: MirrorChoice(option: command.chosenDatabase))

    // A message would be written over the pager's screen.
    if pager != nil, errorTerminal.isTerminal { session.errors.keepBack() }
    if errorTerminal.isTerminal, use != .fullScreen { Interrupt.install() }
    let work = Task { try await command.run(in: session) }
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
    // A user who closed the pipe or pressed Ctrl-C doesn't need a message.
    if failure.status != .done, failure.status != .cancelled {
      errors.report(failure)
    }
    return failure.status
  }
}

/// The work to wait for before the process ends.
final class EndOfSession: Sendable {
  typealias Work = @Sendable () async -> Void

  private let works = Locked<[Work]>([])

  func add(_ work: @escaping Work) {
    works.withLock { $0.append(work) }
  }

  /// Waits for all pieces of work, one after the other.
  func wait() async {
    let works = works.withLock { works in
      defer { works = [] }
      return works
    }
    for work in works { await work() }
  }
}
