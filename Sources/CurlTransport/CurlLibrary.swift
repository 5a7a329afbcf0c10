internal import CCurl
internal import ConcurrencyPrimitives
internal import HTTPTargets

/// The system's libcurl, loaded once per process.
enum CurlLibrary {
  typealias Outcome = Result<Void, NetworkError>

  private enum State: Sendable {
    case idle
    /// The library is being loaded, and these callers wait for it.
    case loading([CheckedContinuation<Outcome, Never>])
    case ready
  }

  private static let state = Locked(State.idle)

  /// Loads libcurl on its own thread, because the cooperative pool mustn't wait for files. After a failure, the next
  /// call tries again: the user can install a missing library, and the process can close files.
  static func waitUntilLoaded() async throws(NetworkError) {
    let outcome = await withCheckedContinuation { continuation in
      let before = state.withLock { state in
        let before = state
        switch before {
        case .idle: state = .loading([continuation])
        case .loading(let waiting): state = .loading(waiting + [continuation])
        case .ready: break
        }
        return before
      }
      switch before {
      case .idle:
        let code = startThread { finish(load().flatMap(initialize)) }
        if code != 0 { finish(.failure(.failedInit("no thread can be started for libcurl"))) }
      case .loading: break
      case .ready: continuation.resume(returning: .success(()))
      }
    }
    try outcome.get()
  }

  private static func finish(_ outcome: Outcome) {
    let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      guard case .loading(let waiting) = state else { return [] }
      state = if case .success = outcome { .ready } else { .idle }
      return waiting
    }
    for continuation in waiting { continuation.resume(returning: outcome) }
  }

  static func load() -> Outcome {
    guard let problem = unsafe ccurl_load() else { return .success(()) }
    return .failure(
      .failedInit(
        unsafe "libcurl can't be loaded, install libcurl4 or curl: \(String(cString: problem))"))
  }

  /// The only caller of `curl_global_init`, which isn't thread-safe before libcurl 7.84
  /// ([manual](https://curl.se/libcurl/c/curl_global_init.html)).
  private static func initialize() -> Outcome {
    guard ccurl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK else {
      return .failure(.failedInit("libcurl can't be initialized"))
    }
    return .success(())
  }
}

extension NetworkError {
  static func failedInit(_ message: String) -> NetworkError {
    .transport(TransportFailure(.other, code: Int(CURLE_FAILED_INIT.rawValue)), message)
  }
}
