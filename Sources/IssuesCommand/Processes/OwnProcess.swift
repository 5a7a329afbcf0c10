import CTerminal
internal import StyledText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The process itself: how it starts and ends, and how it goes on in a process of its own.
enum OwnProcess {
  /// Prepares the process. Call it in the first line of `main`, while there is only one thread.
  ///
  /// - It ignores SIGPIPE, so that writing to a closed pipe is an error like others.
  /// - It occupies standard streams that the caller has closed. Otherwise the first file or connection to be opened
  ///   would become "standard output", and be written to.
  /// - It sets the user's locale (see ``DisplayWidth/prepare()``).
  /// - It makes glibc take memory by the megabyte. By default glibc takes a few pages at a time, and each time holds up
  ///   other threads that map files: at that moment, libcurl and its libraries.
  /// - It has larger blocks mapped, so that the system moves growing answers instead of copying them. Among smaller
  ///   blocks they leave gaps that nothing else fits into: a sync of 100,000 issues took half as much memory again,
  ///   and a tenth more processor time.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    cterminal_set_top_pad(1 << 20)
    cterminal_set_mmap_threshold(128 << 10)
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is the one just found. It is opened the wrong way round, so that using the stream
      // still fails.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    DisplayWidth.prepare()
  }

  /// Ends the process, once all output is written.
  ///
  /// It skips the handlers of `exit(3)`: those of TLS libraries free what the curl thread may still use, and none of
  /// them saves anything.
  static func exit(_ status: ExitStatus) -> Never {
    _exit(status.rawValue)
  }

  // MARK: Work that nobody waits for

  /// The path of its program; nil where the system doesn't say.
  private static var path: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return nil }
      let count = buffer.firstIndex(of: 0) ?? 0
    #else
      let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    #endif
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Starts the program once more, without standard streams and in a process group of its own.
  ///
  /// Ctrl-C and Ctrl-Z don't reach it, and it keeps no pipe open that the caller of this process waits for. This process
  /// is about to end, so nobody has to reap it.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of a subcommand that calls ``beginAlone(within:)``.
  ///   - environment: The environment, with its tokens: it is the same program.
  static func startAlone(_ arguments: [String], environment: [String: String]) {
    guard let path else { return }
    // If it can't be started, nothing promised is lost.
    _ = try? ChildProcess(
      [path] + arguments, environment: environment, input: .null, output: .null, error: .null,
      hasOwnGroup: true)
  }

  /// Prepares work that nobody waits for: closes inherited descriptors, and ends the process after a number of seconds,
  /// whatever it is doing then.
  static func beginAlone(within seconds: UInt32) {
    signal(SIGALRM, SIG_DFL)
    alarm(seconds)
    // A shell may have pipes open whose readers wait for the last writer. Its own descriptors are below this number.
    for descriptor in CInt(3)..<256 where fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 {
      close(descriptor)
    }
  }
}
