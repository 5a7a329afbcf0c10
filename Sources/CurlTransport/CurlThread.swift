internal import CCurl
internal import Locking

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A thread that runs an actor's jobs and, between them, libcurl.
///
/// The thread waits in `curl_multi_poll`, which a new job ends through `curl_multi_wakeup`: the only
/// function of libcurl that may be called from any thread
/// ([libcurl's manual](https://curl.se/libcurl/c/curl_multi_wakeup.html)). As the executor of
/// ``CurlMulti`` it makes the compiler see to it that every other call is made here.
final class CurlThread: SerialExecutor {
  // A handle is a pointer; it is used on this thread alone, but for the wake-up.
  nonisolated(unsafe) let multi: UnsafeMutableRawPointer

  private struct State {
    var jobs: [UnownedJob] = []
    var thread: pthread_t?
    var turn: (@Sendable () -> Void)?
    var isStopped = false
  }

  private let state = Locked(State())

  init() {
    guard let multi = ccurl_multi_init() else {
      preconditionFailure("libcurl is out of memory")
    }
    self.multi = multi
  }

  deinit {
    ccurl_multi_cleanup(multi)
  }

  /// Starts the thread. It lives until ``stop()``, and keeps this object alive.
  ///
  /// - Parameter turn: What to do on the thread whenever jobs have run or libcurl has something to do.
  func start(turn: @escaping @Sendable () -> Void) {
    state.withLock { $0.turn = turn }
    let retained = Unmanaged.passRetained(self).toOpaque()
    let code = startThread(retained)
    precondition(code == 0, "can't start a thread: \(String(cString: strerror(code)))")
  }

  /// Ends the thread after the jobs that are queued.
  func stop() {
    state.withLock { $0.isStopped = true }
    ccurl_multi_wakeup(multi)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsWakeup = state.withLock { state in
      state.jobs.append(job)
      // With more than one job queued a wake-up is on its way; on the thread itself none is needed.
      guard state.jobs.count == 1, let thread = state.thread else { return true }
      return pthread_equal(thread, pthread_self()) == 0
    }
    if needsWakeup { ccurl_multi_wakeup(multi) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  func checkIsolated() {
    let isHere = state.withLock { state in
      state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
    precondition(isHere, "not on the curl thread")
  }

  fileprivate func run() {
    state.withLock { $0.thread = pthread_self() }
    while true {
      let jobs = state.withLock { state in
        defer { state.jobs.removeAll(keepingCapacity: true) }
        return state.jobs
      }
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      state.withLock { $0.turn }?()

      let (hasJobs, isStopped) = state.withLock { (!$0.jobs.isEmpty, $0.isStopped) }
      if hasJobs { continue }
      if isStopped { return }
      // libcurl shortens the wait to its own next time-out; a minute is for when it has none.
      _ = ccurl_multi_poll(multi, 60_000)
    }
  }
}

/// Starts a detached thread that runs a retained ``CurlThread``, with all signals blocked.
///
/// A thread inherits the mask of the one that makes it: so no signal handler of the program ever runs
/// inside libcurl, and the SIGPIPE of a broken connection (CURLOPT_NOSIGNAL leaves it) stays blocked.
private func startThread(_ context: UnsafeMutableRawPointer) -> Int32 {
  var all = sigset_t()
  var previous = sigset_t()
  sigfillset(&all)
  pthread_sigmask(SIG_SETMASK, &all, &previous)
  defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  #if canImport(Darwin)
    var thread: pthread_t?
  #else
    var thread = pthread_t()
  #endif
  return pthread_create(&thread, &attributes, threadMain, context)
}

#if canImport(Darwin)
  private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
#else
  private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<CurlThread>.fromOpaque(context).takeRetainedValue().run() }
    return nil
  }
#endif
