import CTerminal
internal import StyledText

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a process has to settle before it does anything else.
enum ProcessStart {
  /// Prepares the process; the first line of `main`, while there is only one thread.
  ///
  /// - SIGPIPE is ignored, so that a closed pipe is an error of `write` that can be answered.
  /// - Standard streams that the caller has closed are occupied. Otherwise the first file or
  ///   connection that is opened becomes "standard output", and is written into.
  /// - libc gets the user's locale (see ``DisplayWidth/prepare()``).
  /// - glibc takes memory by the megabyte. By default it takes a few pages at a time, and each time holds
  ///   up what other threads are mapping: libcurl and its libraries, at that moment.
  /// - Answers that grow to some hundred kilobytes lie beside each other, and are moved by the system, not
  ///   copied, when they grow. Among the small pieces they leave gaps that nothing else fits into: a sync of
  ///   100,000 issues took half as much memory again, and a tenth more of the processor.
  static func prepare() {
    signal(SIGPIPE, SIG_IGN)
    cterminal_set_top_pad(1 << 20)
    cterminal_set_mmap_threshold(128 << 10)
    for descriptor in STDIN_FILENO...STDERR_FILENO
    where fcntl(descriptor, F_GETFD) == -1 && errno == EBADF {
      // The lowest free number is the one just found. Opened the wrong way round, so that using
      // the stream fails as it would have done.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
    DisplayWidth.prepare()
  }

  /// Ends the process, when all output is written.
  ///
  /// Without the handlers of `exit(3)`: TLS libraries register some that free what the curl thread may
  /// still be using, and there is nothing that they would save.
  static func exit(_ status: ExitStatus) -> Never {
    _exit(status.rawValue)
  }
}
