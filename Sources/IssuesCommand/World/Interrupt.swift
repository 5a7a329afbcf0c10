import ConcurrencyPrimitives
import Dispatch
import PlatformModules
internal import StyledText
import Synchronization

/// Handles Ctrl-C.
///
/// By default, the signal itself ends the process immediately, so that a shell sees 130 and stops its own loop. The
/// handler first erases the status line, and prints a line if a sync or the outbox can be resumed. A pager handles
/// Ctrl-C itself: while it runs, the process continues and is notified.
enum Interrupt {
  static let isLineShown = Atomic(false)

  /// The descriptor to which the signal handler writes a byte instead of ending the process; -1 for none.
  private static let wakeUp = Atomic<CInt>(-1)

  /// Whether SIGTERM and SIGHUP also write a byte.
  private static let noticesEndings = Atomic(false)

  /// Whether the process is ending. Once set, the status line may not be drawn.
  static let isEnding = Atomic(false)

  /// The address of the line that Ctrl-C prints, for the signal handler: a C string, or 0. It is never freed, because a
  /// handler may be writing it.
  private static let lastWords = Atomic<UInt>(0)

  private static let lineFeed: StaticString = "\n"

  static func sayThatSyncGoesOn() {
    say("Stopped. Stored data is kept: the next sync continues from there.")
  }

  /// Sets the line that Ctrl-C prints; nil for none.
  static func say(_ words: String?) {
    guard World.current.isProcess else { return }
    let line = unsafe words.flatMap { unsafe strdup("\(TerminalText($0))\n") }
    lastWords.store(UInt(bitPattern: line), ordering: .sequentiallyConsistent)
  }

  /// The address of the path of an incomplete file, for the signal handler, or 0.
  private static let unfinishedFile = Atomic(0)

  /// Removes an unfinished file if a signal ends the process. With nil, no file is removed from now on.
  static func removeAtEnd(_ path: String?) {
    guard World.current.isProcess else { return }
    install()
    // The old path is never freed, because a handler may be reading it.
    unfinishedFile.store(
      path.map { unsafe Int(bitPattern: strdup($0)) } ?? 0, ordering: .sequentiallyConsistent)
  }

  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Installs the handler. It is needed only if standard error is a terminal, or for ``removeAtEnd(_:)``. Signals that
  /// the process was started to ignore (by `nohup`, or as a job of a script) stay ignored.
  static func install() {
    guard World.current.isProcess else { return }
    // Globals are initialized on first use, which must not happen in the handler.
    _ = (isLineShown.load(ordering: .relaxed), wakeUp.load(ordering: .relaxed), Progress.erasure)
    _ = (isEnding.load(ordering: .relaxed), lastWords.load(ordering: .relaxed))
    _ = noticesEndings.load(ordering: .relaxed)
    _ = unfinishedFile.load(ordering: .relaxed)
    _ = lineFeed
    for number in signals {
      let previous = signal(number, handler)
      if isIgnored(previous) { signal(number, SIG_IGN) }
    }
  }

  /// Calls the closure, on its own queue, instead of ending the process. With `endings`, this includes SIGTERM and
  /// SIGHUP. Returns nil if no descriptor is free, or if the run isn't a process.
  static func observe(
    endings: Bool = false, _ action: @escaping @Sendable () -> Void
  ) -> Observation? {
    guard World.current.isProcess, let pipe = Pipe() else { return nil }
    let observation = Observation(pipe: pipe, action: action)
    noticesEndings.store(endings, ordering: .sequentiallyConsistent)
    wakeUp.store(pipe.writingEnd, ordering: .sequentiallyConsistent)
    install()
    return observation
  }

  final class Observation: Sendable {
    /// The byte that ends the observation. The signal handler writes a different byte.
    private static let ending: UInt8 = 0

    private let pipe: Pipe
    private let isCancelled = Atomic(false)

    fileprivate init(pipe: Pipe, action: @escaping @Sendable () -> Void) {
      self.pipe = pipe
      DispatchQueue(label: "Ctrl-C").async {
        while true {
          var byte = Self.ending
          let count = unsafe read(pipe.readingEnd, &byte, 1)
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

    func cancel() {
      guard !isCancelled.exchange(true, ordering: .sequentiallyConsistent) else { return }
      _ = wakeUp.compareExchange(
        expected: pipe.writingEnd, desired: -1, ordering: .sequentiallyConsistent)
      // The writing end stays open: a handler on another thread may just have read its number.
      unsafe withUnsafeBytes(of: Self.ending) {
        _ = unsafe write(pipe.writingEnd, $0.baseAddress, 1)
      }
    }
  }

  /// Uses only functions that are allowed in signal handlers (signal-safety(7)): atomics, `write`, `strlen`, `unlink`,
  /// `signal` and `raise`.
  private static let handler: @convention(c) (CInt) -> Void = { number in
    let savedError = errno
    let descriptor = wakeUp.load(ordering: .sequentiallyConsistent)
    let isNoticed =
      number == SIGINT
      || number != SIGQUIT && noticesEndings.load(ordering: .sequentiallyConsistent)
    let isObserved = isNoticed && descriptor >= 0
    if !isObserved { isEnding.store(true, ordering: .sequentiallyConsistent) }
    let wasLineShown = isLineShown.exchange(false, ordering: .sequentiallyConsistent)
    if wasLineShown {
      _ = unsafe write(
        STDERR_FILENO, Progress.erasure.utf8Start, Progress.erasure.utf8CodeUnitCount)
    }
    let words = unsafe UnsafePointer<CChar>(
      bitPattern: lastWords.load(ordering: .sequentiallyConsistent))
    if number == SIGINT, !isObserved, let words = unsafe words {
      // Without a line feed, the line would follow the terminal's "^C".
      if !wasLineShown { _ = unsafe write(STDERR_FILENO, lineFeed.utf8Start, 1) }
      _ = unsafe write(STDERR_FILENO, words, strlen(words))
    }
    let path = unfinishedFile.load(ordering: .sequentiallyConsistent)
    if !isObserved, let path = unsafe UnsafePointer<CChar>(bitPattern: path) {
      _ = unsafe unlink(path)
    }
    if isObserved {
      _ = unsafe write(descriptor, Progress.erasure.utf8Start, 1)
    } else {
      signal(number, SIG_DFL)
      // The signal is blocked while its handler runs. It is delivered as soon as the handler returns.
      raise(number)
    }
    errno = savedError
  }

  private static func isIgnored(_ handler: (@convention(c) (CInt) -> Void)?) -> Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
