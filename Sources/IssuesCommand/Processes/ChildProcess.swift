import CTerminal
import Dispatch
import PlatformModules
internal import StyledText

/// A child process that is started without a shell, by `posix_spawn`, in less than a millisecond.
struct ChildProcess: Sendable {
  enum Stream: Sendable {
    /// The same stream as this run's.
    case inherited

    case null

    /// An open descriptor of this process.
    case descriptor(CInt)
  }

  enum Termination: Sendable, Hashable {
    case exited(CInt)

    case killed(signal: CInt)
  }

  struct StartFailure: Error, Sendable, Hashable, CustomStringConvertible {
    var program: String

    /// The error code, such as `ENOENT` for a missing program.
    var errno: CInt

    var description: String {
      unsafe "cannot run \(TerminalText(program)): \(String(cString: strerror(errno)))"
    }
  }

  let identifier: pid_t

  /// Starts `arguments[0]` in the run's folder. The program is looked up in `PATH`, as in a shell.
  ///
  /// The child inherits only its standard streams, because this process opens files close-on-exec. Its signals are
  /// unblocked, and SIGPIPE has the default action. With its own process group, Ctrl-Z doesn't stop it, and it can't
  /// read from the terminal.
  init(
    _ arguments: [String],
    environment: [String: String],
    input: Stream = .inherited,
    output: Stream = .inherited,
    error: Stream = .inherited,
    hasOwnGroup: Bool = false
  ) throws(StartFailure) {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    let world = World.current
    if let directory = world.directory {
      unsafe cterminal_spawn_in(&actions, directory)
    }
    let inherited = [world.input, world.output, world.errors].map(\.descriptor)
    for (target, stream) in [input, output, error].enumerated() {
      switch stream {
      case .inherited:
        unsafe posix_spawn_file_actions_adddup2(&actions, inherited[target], CInt(target))
      case .null:
        unsafe posix_spawn_file_actions_addopen(&actions, CInt(target), "/dev/null", O_RDWR, 0)
      case .descriptor(let descriptor):
        unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, CInt(target))
      }
    }

    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
    if hasOwnGroup {
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      flags |= Int16(POSIX_SPAWN_SETPGROUP)
    }
    unsafe posix_spawnattr_setflags(&attributes, flags)

    var child: pid_t = 0
    let status = unsafe Self.withCStrings(arguments) { argv in
      unsafe Self.withCStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
        unsafe argv[0].map { unsafe posix_spawnp(&child, $0, &actions, &attributes, argv, envp) }
          ?? EINVAL
      }
    }
    guard status == 0 else {
      throw StartFailure(program: arguments.first ?? "", errno: status)
    }
    identifier = child
  }

  /// Waits for the child to end. Call it only once, because the kernel discards the status when the child is reaped.
  func wait() async -> Termination {
    await withCheckedContinuation { continuation in
      Self.waiting.async { continuation.resume(returning: Self.reap(identifier)) }
    }
  }

  /// A separate queue for each wait, because the global queues share the few threads of the cooperative pool.
  static var waiting: DispatchQueue { DispatchQueue(label: "waiting for a child process") }

  static func reap(_ identifier: pid_t) -> Termination {
    var status: CInt = 0
    while unsafe waitpid(identifier, &status, 0) == -1 {
      guard errno == EINTR else { return .exited(-1) }
    }
    // These are WIFEXITED, WEXITSTATUS and WTERMSIG, macros that Swift doesn't import.
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal: signal)
  }

  private static func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = unsafe strings.map { unsafe strdup($0) }
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe body(copies + [nil])
  }
}

/// A pipe. Both ends are closed on exec.
struct Pipe: Sendable {
  let readingEnd: CInt

  let writingEnd: CInt

  /// Creates a pipe. Returns nil, with the reason in `errno`, if the process has too many open files.
  init?() {
    var ends: [CInt] = [-1, -1]
    guard unsafe cterminal_pipe(&ends) == 0 else { return nil }
    readingEnd = ends[0]
    writingEnd = ends[1]
  }

  func closeEnds() {
    close(readingEnd)
    close(writingEnd)
  }
}
