#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Runs a closure on a detached thread of its own, with signals blocked.
///
/// A thread inherits the mask of the one that makes it: so no signal handler of the program ever runs
/// inside libcurl, and the SIGPIPE of a broken connection (CURLOPT_NOSIGNAL leaves it) stays blocked.
/// What a crash raises stays open, or a crash there would end the process without a trace, and so does
/// SIGPROF, by which the crash handler of Swift's runtime stops the other threads.
///
/// - Returns: 0, or the `errno` that says why there is no thread.
func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  var blocked = sigset_t()
  var previous = sigset_t()
  sigfillset(&blocked)
  for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGPROF] {
    sigdelset(&blocked, signal)
  }
  pthread_sigmask(SIG_SETMASK, &blocked, &previous)
  defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

  #if canImport(Glibc)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  let main = Unmanaged.passRetained(ThreadMain(body))
  // Memory of its own in place of a variable: where a module below uses Dispatch, the compiler takes
  // `pthread_attr_t` for a type of a module that can't be imported, and its initializer is out of reach.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  pthread_attr_init(attributes)
  pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  let code = pthread_create(&thread, attributes, runThread, main.toOpaque())
  pthread_attr_destroy(attributes)
  attributes.deallocate()
  if code != 0 { main.release() }
  return code
}

/// Carries a closure through a C function's `void *`.
private final class ThreadMain: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}

#if canImport(Darwin)
  private func runThread(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadMain>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
#else
  private func runThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<ThreadMain>.fromOpaque(context).takeRetainedValue().body() }
    return nil
  }
#endif
