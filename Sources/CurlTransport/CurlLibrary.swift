internal import CCurl
internal import HTTPTargets
internal import Locking

/// The system's libcurl, loaded once in a process.
enum CurlLibrary {
  private typealias Outcome = Result<Void, NetworkError>

  private enum State: Sendable {
    case untouched
    case loading([CheckedContinuation<Outcome, Never>])
    case finished(Outcome)
  }

  private static let state = Locked(State.untouched)

  /// Loads libcurl on this thread, which takes some milliseconds, unless that has been begun; a thread of
  /// its own initialises it.
  static func loadNow() {
    guard begin() else { return }
    switch load() {
    case .success: finishLater(initialize)
    case .failure(let error): finish(.failure(error))
    }
  }

  /// Waits until libcurl is loaded, which a thread of its own does: no thread of the cooperative pool
  /// reads files.
  ///
  /// - Throws: ``HTTPTargets/NetworkError`` when it can't be.
  static func waitUntilLoaded() async throws(NetworkError) {
    if begin() { finishLater { load().flatMap(initialize) } }
    let outcome = await withCheckedContinuation { continuation in
      let finished = state.withLock { state -> Outcome? in
        switch state {
        case .finished(let outcome): return outcome
        case .loading(let waiting): state = .loading(waiting + [continuation])
        case .untouched: state = .loading([continuation])
        }
        return nil
      }
      if let finished { continuation.resume(returning: finished) }
    }
    try outcome.get()
  }

  private static func begin() -> Bool {
    state.withLock { state in
      guard case .untouched = state else { return false }
      state = .loading([])
      return true
    }
  }

  private static func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      guard case .loading(let waiting) = state else { return [] }
      state = .finished(outcome)
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  /// Finishes with what a thread of its own finds.
  private static func finishLater(_ work: @escaping @Sendable () -> Outcome) {
    let code = startThread { finish(work()) }
    if code != 0 { finish(.failure(.failedInit("no thread can be started for libcurl"))) }
  }

  private static func load() -> Outcome {
    guard let problem = ccurl_load() else { return .success(()) }
    return .failure(
      .failedInit(
        "libcurl can't be loaded, install libcurl4 or curl: \(String(cString: problem))"))
  }

  /// libcurl's initialisation is safe beside other threads since 7.84; before, it is as safe as that of
  /// every program that uses it from one place
  /// ([libcurl's manual](https://curl.se/libcurl/c/curl_global_init.html)).
  private static func initialize() -> Outcome {
    guard ccurl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      return .failure(.failedInit("libcurl can't be initialised"))
    }
    return .success(())
  }
}

extension NetworkError {
  /// The transport has nothing to work with.
  static func failedInit(_ message: String) -> NetworkError {
    .transport(TransportFailure(.other, code: Int(CURLE_FAILED_INIT.rawValue)), message)
  }
}
