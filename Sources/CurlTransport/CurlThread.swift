internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// A thread that runs an actor's jobs and, between them, libcurl.
///
/// The thread waits in `curl_multi_poll`, which a new job ends through `curl_multi_wakeup`, the only function
/// of libcurl that any thread may call ([libcurl's manual](https://curl.se/libcurl/c/curl_multi_wakeup.html)).
/// As the executor of ``CurlMulti`` it lets the compiler make sure that every other call happens here.
final class CurlThread: SerialExecutor {
  /// Works once, and returns the most milliseconds until the next time.
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
  /// - Throws: ``HTTPTargets/NetworkError`` if there is no memory, or no descriptor to wake the thread with.
  ///   libcurl would work without one, and every request would hang.
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
  /// - Parameter turn: Runs on the thread whenever jobs have run or libcurl has something to do.
  /// - Throws: ``HTTPTargets/NetworkError`` if no thread can be started.
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
      // With other jobs in the queue a wake-up is already under way; on the thread itself none is needed.
      guard state.jobs.count == 1, state.thread != .current else { return }
      // Under the lock, because the job may release this object.
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

/// The identity of a thread as a number, because pthread's own type is a pointer on some systems.
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

/// Runs a closure on a new detached thread with signals blocked.
///
/// A thread inherits the signal mask of its creator, so no signal handler of the program runs inside libcurl,
/// and the SIGPIPE of a broken connection (which CURLOPT_NOSIGNAL doesn't prevent) stays blocked. Signals of
/// crashes stay open, because a blocked one would end the process without a trace. So does SIGPROF, with which
/// the crash handler of Swift's runtime stops the other threads.
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
  // Allocated memory instead of a variable: if a module below uses Dispatch, the compiler attributes
  // `pthread_attr_t` to a module that can't be imported, and its initializer is out of reach.
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
