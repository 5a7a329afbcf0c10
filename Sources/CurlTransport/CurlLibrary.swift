internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets

/// The system's libcurl, loaded once per process.
enum CurlLibrary {
  private typealias Outcome = Result<Void, NetworkError>

  private enum Step {
    case load
    case initialize
  }

  private enum State: Sendable {
    case idle(next: Step)
    /// A step runs for these waiters.
    case busy(Step, [CheckedContinuation<Outcome, Never>])
    case ready
  }

  private static let state = Locked(State.idle(next: .load))

  /// Loads libcurl on this thread, which takes milliseconds, unless that has started already.
  static func loadNow() {
    guard begin(.load) else { return }
    let outcome = load()
    guard case .success = outcome else { return finish(outcome) }
    let isWaitedFor = state.withLock { state in
      guard case .busy(_, let waiting) = state, waiting.isEmpty else { return true }
      state = .idle(next: .initialize)
      return false
    }
    if isWaitedFor { finish(initialize()) }
  }

  static func initializeNow() {
    if begin(.initialize) { finish(initialize()) }
  }

  /// Loads libcurl on a thread of its own, because the cooperative pool mustn't wait for files. After a failure
  /// the next call tries again: a missing library can be installed, and files can be closed.
  static func waitUntilLoaded() async throws(NetworkError) {
    let outcome = await withCheckedContinuation { continuation in
      let before = state.withLock { state in
        let before = state
        switch before {
        case .idle(let step): state = .busy(step, [continuation])
        case .busy(let step, let waiting): state = .busy(step, waiting + [continuation])
        case .ready: break
        }
        return before
      }
      switch before {
      case .idle(.load): finishLater { load().flatMap(initialize) }
      case .idle(.initialize): finishLater(initialize)
      case .busy: break
      case .ready: continuation.resume(returning: .success(()))
      }
    }
    try outcome.get()
  }

  private static func begin(_ step: Step) -> Bool {
    state.withLock { state in
      guard case .idle(let next) = state, next == step else { return false }
      state = .busy(step, [])
      return true
    }
  }

  private static func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      guard case .busy(let step, let waiting) = state else { return [] }
      state = if case .success = outcome { .ready } else { .idle(next: step) }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  private static func finishLater(_ work: @escaping @Sendable () -> Outcome) {
    let code = startThread { finish(work()) }
    if code != 0 { finish(.failure(.failedInit("no thread can be started for libcurl"))) }
  }

  private static func load() -> Outcome {
    guard let problem = unsafe ccurl_load() else { return .success(()) }
    return .failure(
      .failedInit(
        unsafe "libcurl can't be loaded, install libcurl4 or curl: \(String(cString: problem))"))
  }

  /// libcurl before 7.84 isn't thread-safe here ([manual](https://curl.se/libcurl/c/curl_global_init.html));
  /// this is the only caller.
  private static func initialize() -> Outcome {
    guard ccurl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      return .failure(.failedInit("libcurl can't be initialised"))
    }
    return .success(())
  }
}

extension NetworkError {
  static func failedInit(_ message: String) -> NetworkError {
    .transport(TransportFailure(.other, code: Int(CURLE_FAILED_INIT.rawValue)), message)
  }
}
