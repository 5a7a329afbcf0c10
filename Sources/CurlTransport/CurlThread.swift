internal import CCurl
internal import HTTPTargets
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
