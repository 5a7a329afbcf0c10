internal import CCurl
internal import HTTPTargets
internal import Locking

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A thread that runs an actor's jobs and, between them, libcurl.
///
/// The thread waits in `curl_multi_poll`, which a new job ends through `curl_multi_wakeup`: the only
/// function of libcurl that may be called from any thread
/// ([libcurl's manual](https://curl.se/libcurl/c/curl_multi_wakeup.html)). As the executor of
/// ``CurlMulti`` it makes the compiler see to it that every other call is made here.
final class CurlThread: SerialExecutor {
  /// Works once, and returns how many milliseconds may pass until the next time.
  typealias Turn = @Sendable () -> Int32

  // nonisolated(unsafe): libcurl's handle is a pointer, which is used on this thread alone, but for the wake-up.
  nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var thread: ThreadIdentity?
    var turn: Turn?
    var isStopped = false
  }

  private let state = Locked(State())

  /// Makes the multi handle.
  ///
  /// - Throws: ``HTTPTargets/NetworkError`` when there is no memory, or no descriptor to wake the thread up
  ///   with: libcurl would go without, and every request would hang.
  init() throws(NetworkError) {
    guard let multi = ccurl_multi_init() else { throw .outOfMemory }
    guard ccurl_multi_wakeup(multi) == CURLM_OK else {
      ccurl_multi_cleanup(multi)
      throw .failedInit("too many open files for another connection")
    }
    self.multi = multi
  }

  deinit {
    ccurl_multi_cleanup(multi)
  }

  /// Starts the thread. It lives until ``stop()``, and keeps this object alive.
  ///
  /// - Parameter turn: What to do on the thread whenever jobs have run or libcurl has something to do.
  /// - Throws: ``HTTPTargets/NetworkError`` when there is no thread to be had.
  func start(turn: @escaping Turn) throws(NetworkError) {
    state.withLock { $0.turn = turn }
    let code = startThread { self.run() }
    guard code == 0 else {
      throw .failedInit("no thread can be started: \(String(cString: strerror(code)))")
    }
  }

  /// Ends the thread after the jobs that are queued.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      ccurl_multi_wakeup(multi)
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { state in
      state.jobs.append(job)
      // With more than one queued a wake-up is on its way; on the thread itself none is needed.
      guard state.jobs.count == 1, state.thread != .current else { return }
      // Under the lock: the job may be the end of this object, which must not come before this does.
      ccurl_multi_wakeup(multi)
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    let isHere = state.withLock { $0.thread == .current }
    precondition(isHere, "not on the curl thread")
  }

  private func run() {
    state.withLock { $0.thread = .current }
    var jobs: [UnownedJob] = []
    while true {
      state.withLock { swap(&$0.jobs, &jobs) }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      jobs.removeAll(keepingCapacity: true)
      let wait = state.withLock { $0.turn }?() ?? 0

      let (hasJobs, isStopped) = state.withLock { (!$0.jobs.isEmpty, $0.isStopped) }
      if hasJobs { continue }
      if isStopped { return }
      ccurl_multi_poll(multi, wait)
    }
  }
}

extension NetworkError {
  static var outOfMemory: NetworkError {
    .transport(
      TransportFailure(.other, code: Int(CURLE_OUT_OF_MEMORY.rawValue)), "out of memory")
  }
}

/// A thread, as a number to compare: the type of pthread's own is a pointer on some systems.
private struct ThreadIdentity: Hashable, Sendable {
  private let number: UInt

  static var current: ThreadIdentity {
    #if canImport(Glibc)
      ThreadIdentity(number: pthread_self())
    #else
      ThreadIdentity(number: UInt(bitPattern: pthread_self()))
    #endif
  }
}

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
