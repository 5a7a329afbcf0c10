import ConcurrencyPrimitives
import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ctrl-C.
///
/// As a rule it ends the process at once, by the signal itself, so that a shell sees 130 and stops
/// its own loop. Three things are added: a status line is taken away first, work that can be gone on with
/// says so (``lastWords``), and while a pager runs, which answers Ctrl-C itself, the process lives on and is
/// told.
enum Interrupt {
  /// Whether a status line is on the screen, for the signal handler to know.
  static let isLineShown = Atomic(false)

  /// Where the signal handler writes a byte instead of ending the process; -1 for nowhere.
  private static let wakeUp = Atomic<CInt>(-1)

  /// Whether the process is about to end: from then on no status line is drawn.
  static let isEnding = Atomic(false)

  /// Whether Ctrl-C breaks a sync off, for the signal handler to say what becomes of it.
  private static let breaksSyncOff = Atomic(false)

  /// What is said then.
  private static let lastWords: StaticString =
    "Stopped. What was stored stays: the next sync goes on from there.\n"
  private static let lineFeed: StaticString = "\n"

  /// From now on Ctrl-C breaks a sync off.
  static func sayThatSyncGoesOn() {
    breaksSyncOff.store(true, ordering: .sequentiallyConsistent)
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Handles Ctrl-C and `kill`: a status line is erased, then the signal takes its usual course.
  ///
  /// Needed only where standard error is a terminal. A signal that the process was told to ignore
  /// (`nohup`, a job of a script) stays ignored.
  static func install() {
    // A global is made when it is first used, which must not happen in the handler.
    _ = (isLineShown.load(ordering: .relaxed), wakeUp.load(ordering: .relaxed), Progress.erasure)
    _ = (isEnding.load(ordering: .relaxed), breaksSyncOff.load(ordering: .relaxed))
    _ = (lastWords, lineFeed)
    for number in signals {
      let previous = signal(number, handler)
      if isIgnored(previous) { signal(number, SIG_IGN) }
    }
  }

  /// Calls `action` for each Ctrl-C instead of ending the process, until the result is cancelled
  /// or let go.
  ///
  /// - Parameter action: What to do, called on a queue of its own.
  /// - Returns: What to keep meanwhile; `nil` where there is no descriptor left for it.
  static func observe(_ action: @escaping @Sendable () -> Void) -> Observation? {
    guard let pipe = Pipe() else { return nil }
    let observation = Observation(pipe: pipe, action: action)
    wakeUp.store(pipe.writingEnd, ordering: .sequentiallyConsistent)
    install()
    return observation
  }

  /// Ctrl-C being watched.
  final class Observation: Sendable {
    /// What ends the watching; the signal handler writes another byte.
    private static let ending: UInt8 = 0

    private let pipe: Pipe
    private let isCancelled = Atomic(false)

    fileprivate init(pipe: Pipe, action: @escaping @Sendable () -> Void) {
      self.pipe = pipe
      DispatchQueue(label: "Ctrl-C").async {
        while true {
          var byte = Self.ending
          let count = read(pipe.readingEnd, &byte, 1)
          if count < 0, errno == EINTR { continue }
          guard count == 1, byte != Self.ending else { break }
          action()
        }
        close(pipe.readingEnd)
      }
    }

    deinit {
      cancel()
    }

    /// Gives Ctrl-C its usual meaning back.
    func cancel() {
      guard !isCancelled.exchange(true, ordering: .sequentiallyConsistent) else { return }
      _ = wakeUp.compareExchange(
        expected: pipe.writingEnd, desired: -1, ordering: .sequentiallyConsistent)
      // The writing end stays open: a handler on another thread may have just read its number.
      withUnsafeBytes(of: Self.ending) { _ = write(pipe.writingEnd, $0.baseAddress, 1) }
    }
  }

  /// Does only what a signal handler may (signal-safety(7)): atomics, `write`, `signal`, `raise`.
  private static let handler: @convention(c) (CInt) -> Void = { number in
    let savedError = errno
    let descriptor = wakeUp.load(ordering: .sequentiallyConsistent)
    let isObserved = number == SIGINT && descriptor >= 0
    if !isObserved { isEnding.store(true, ordering: .sequentiallyConsistent) }
    let wasLineShown = isLineShown.exchange(false, ordering: .sequentiallyConsistent)
    if wasLineShown {
      _ = write(STDERR_FILENO, Progress.erasure.utf8Start, Progress.erasure.utf8CodeUnitCount)
    }
    if number == SIGINT, !isObserved, breaksSyncOff.load(ordering: .sequentiallyConsistent) {
      // Where no line was erased, the cursor stands behind the terminal's "^C".
      if !wasLineShown { _ = write(STDERR_FILENO, lineFeed.utf8Start, 1) }
      _ = write(STDERR_FILENO, lastWords.utf8Start, lastWords.utf8CodeUnitCount)
    }
    if isObserved {
      _ = write(descriptor, Progress.erasure.utf8Start, 1)
    } else {
      signal(number, SIG_DFL)
      // Blocked while its handler runs, the signal is delivered as soon as this returns.
      raise(number)
    }
    errno = savedError
  }

  private static func isIgnored(_ handler: (@convention(c) (CInt) -> Void)?) -> Bool {
    unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
