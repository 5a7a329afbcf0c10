internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets
internal import PlatformModules

/// Runs the jobs of an actor on a thread and, between jobs, libcurl. The thread waits in `curl_multi_poll`. A new job
/// ends the wait with `curl_multi_wakeup`, which any thread may call
/// ([manual](https://curl.se/libcurl/c/curl_multi_wakeup.html)). The compiler keeps all other calls on this thread.
// @safe: the handle lives as long as the thread.
@safe
final class CurlThread: SerialExecutor {
  /// Works once after a wait with this outcome, and returns the maximum number of milliseconds until the next call.
  typealias Turn = @Sendable (CURLMcode) -> Int32

  // Safe to share: only this thread uses the handle, except for wake-ups, which libcurl allows from any thread.
  nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var thread: ThreadIdentity?
    /// Whether another turn has been requested.
    var isSummoned = false
    /// Whether the thread waits or is about to wait.
    var isWaiting = false
    var isStopped = false
  }

  private let state = Locked(State())

  /// Throws if libcurl has no descriptor for wake-ups. libcurl itself would continue without one, and every request
  /// would hang.
  init() throws(NetworkError) {
    guard let multi = unsafe ccurl_multi_init() else { throw .outOfMemory }
    guard unsafe ccurl_multi_wakeup(multi) == CURLM_OK else {
      unsafe ccurl_multi_cleanup(multi)
      throw .failedInit("too many open files for another connection")
    }
    unsafe self.multi = multi
  }

  deinit {
    unsafe ccurl_multi_cleanup(multi)
  }

  /// Starts the thread, which keeps this object alive until ``stop()``.
  func start(turn: @escaping Turn) throws(NetworkError) {
    let code = startThread { self.run(turn) }
    guard code == 0 else {
      throw .failedInit(unsafe "no thread can be started: \(String(cString: strerror(code)))")
    }
  }

  /// Ends the thread after it has run the queued jobs.
  func stop() {
    wake { $0.isStopped = true }
  }

  /// Requests another turn.
  func summon() {
    wake { $0.isSummoned = true }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    wake { $0.jobs.append(job) }
  }

  private func wake(_ change: (inout State) -> Void) {
    state.withLock { state in
      change(&state)
      guard state.isWaiting else { return }
      state.isWaiting = false
      // Under the lock, because a job may release this object.
      unsafe ccurl_multi_wakeup(multi)
    }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    unsafe UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    let isHere = state.withLock { $0.thread == .current }
    precondition(isHere, "not on the curl thread")
  }

  private func run(_ turn: Turn) {
    state.withLock { $0.thread = .current }
    var jobs: [UnownedJob] = []
    var outcome = CURLM_OK
    while true {
      state.withLock { state in
        swap(&state.jobs, &jobs)
        state.isSummoned = false
      }
      for job in jobs { unsafe job.runSynchronously(on: asUnownedSerialExecutor()) }
      jobs.removeAll(keepingCapacity: true)
      let wait = turn(outcome)
      outcome = CURLM_OK

      let (isOver, isWaiting) = state.withLock { state in
        let isOver = state.isStopped && state.jobs.isEmpty
        state.isWaiting = wait > 0 && state.jobs.isEmpty && !state.isSummoned && !isOver
        return (isOver, state.isWaiting)
      }
      if isOver { return }
      guard isWaiting else { continue }
      outcome = unsafe ccurl_multi_poll(multi, wait)
      state.withLock { $0.isWaiting = false }
      // A failed wait returns immediately, and the next one would too.
      if outcome != CURLM_OK { usleep(10_000) }
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

/// Runs a closure on a detached thread with signals blocked, so that signal handlers don't run inside libcurl, and
/// SIGPIPE (which CURLOPT_NOSIGNAL doesn't prevent) doesn't end the process. Crash signals aren't blocked, because the
/// process would end without a backtrace. SIGPROF isn't blocked either, because Swift's crash handler stops other
/// threads with it.
func startThread(_ body: @escaping @Sendable () -> Void) -> Int32 {
  var blocked = sigset_t()
  var previous = sigset_t()
  unsafe sigfillset(&blocked)
  for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGPROF] {
    unsafe sigdelset(&blocked, signal)
  }
  unsafe pthread_sigmask(SIG_SETMASK, &blocked, &previous)
  defer { unsafe pthread_sigmask(SIG_SETMASK, &previous, nil) }

  #if canImport(Glibc)
    var thread = pthread_t()
  #else
    var thread: pthread_t?
  #endif
  let main = unsafe Unmanaged.passRetained(ThreadMain(body))
  // Allocated, because the initializer of `pthread_attr_t` is inaccessible if an imported module uses Dispatch.
  let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
  unsafe pthread_attr_init(attributes)
  unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
  let code = unsafe pthread_create(&thread, attributes, runThread, main.toOpaque())
  unsafe pthread_attr_destroy(attributes)
  unsafe attributes.deallocate()
  if code != 0 { unsafe main.release() }
  return code
}

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
    if let context = unsafe context {
      unsafe Unmanaged<ThreadMain>.fromOpaque(context).takeRetainedValue().body()
    }
    return nil
  }
#endif
