internal import CTerminal
internal import Dispatch

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The first thread of the process, which waits until another has begun, and then works beside it.
///
/// On a virtual machine, Linux may take a processor that sleeps for one that can't run, and wake a thread behind the
/// one that woke it, for four milliseconds. So another processor is chosen here.
struct FirstThread: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  #if os(Linux)
    private let processors = cterminal_processors(getpid())
  #endif

  /// Wakes it, on another processor than the caller's if there is one.
  func wake() {
    #if os(Linux)
      cterminal_run_on(getpid(), cterminal_without_this(processors))
    #endif
    semaphore.signal()
  }

  /// Waits for ``wake()``, on the first thread.
  func wait() {
    semaphore.wait()
    #if os(Linux)
      cterminal_run_on(getpid(), processors)
    #endif
  }
}
