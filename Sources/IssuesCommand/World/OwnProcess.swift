import CTerminal
internal import CurlTransport
import PlatformModules
internal import StyledText

extension World {
  /// The world of this program. Call this function in `main` while there is only one thread: it prepares the process.
  public static func process() -> World {
    OwnProcess.prepare()
    var world = World(
      environment: Environment.ofProcess(), input: Stream(descriptor: STDIN_FILENO),
      output: Stream(descriptor: STDOUT_FILENO), errors: Stream(descriptor: STDERR_FILENO))
    world.transport = { connections in
      guard let connections else { return CurlTransport.shared }
      return CurlTransport(configuration: .init(maximumConnectionsPerHost: connections))
    }
    world.isProcess = true
    world.unreadableArgument = OwnProcess.indexOfUnreadableArgument
    return world
  }
}

/// Ends the process. When it is called, the command has written all of its output. It doesn't run `exit(3)` handlers,
/// because those of TLS libraries would free memory that the curl thread may be using.
public func exit(_ status: Int32) -> Never {
  _exit(status)
}

enum OwnProcess {
  /// Prepares the process. Call this function first in `main`, while there is only one thread.
  ///
  /// - Writing to a closed pipe becomes an ordinary error.
  /// - Standard streams that the caller has closed are occupied. Otherwise, the next file or connection would become
  ///   one.
  /// - The user's locale is set (``DisplayWidth/prepare()``).
  /// - glibc allocates memory in megabytes. Smaller steps would delay threads that map files, such as libcurl's.
  /// - Larger blocks are mapped, so growing responses are moved rather than copied. Without this, a sync of 100,000
  ///   issues used half as much memory again, and a tenth more processor time.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    cterminal_set_top_pad(1 << 20)
    cterminal_set_mmap_threshold(128 << 10)
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The free descriptor is opened in the opposite mode, so that using the stream still fails.
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    DisplayWidth.prepare()
  }

  /// The index of an argument that isn't UTF-8, which the runtime would repair into different text; nil if there is
  /// none.
  static var indexOfUnreadableArgument: Int? {
    (1..<max(1, Int(CommandLine.argc))).first { index in
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { return false }
      return unsafe String(validatingCString: argument) == nil
    }
  }

  /// Ends the process in the middle of its work. If the run isn't a process, it continues.
  static func abort(_ status: ExitStatus) {
    if World.current.isProcess { _exit(status.rawValue) }
  }

  // MARK: Background work

  private static var path: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      let count = buffer.firstIndex(of: 0) ?? 0
    #else
      let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
    #endif
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Starts the program again, without standard streams and in its own process group.
  ///
  /// Ctrl-C and Ctrl-Z don't reach the new process, and it doesn't hold the caller's pipes open. It receives the
  /// tokens, because it is the same program. It needn't be reaped.
  static func startAlone(_ arguments: [String], environment: [String: String]) {
    guard World.current.isProcess, let path else { return }
    // A failure is ignored.
    _ = try? ChildProcess(
      [path] + arguments, environment: environment, input: .null, output: .null, error: .null,
      hasOwnGroup: true)
  }

  /// Closes inherited descriptors, and ends the process after some seconds, even in the middle of its work.
  static func beginAlone(within seconds: UInt32) {
    guard World.current.isProcess else { return }
    signal(SIGALRM, SIG_DFL)
    alarm(seconds)
    // Readers of a shell's pipes wait until the last writer has closed them. Inherited descriptors are below 256.
    for descriptor in CInt(3)..<256 where fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 {
      close(descriptor)
    }
  }
}
