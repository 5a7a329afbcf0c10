internal import CCurl
internal import HTTPTargets

/// The system's libcurl, loaded once in a process, when it is first needed.
enum CurlLibrary {
  /// The loading; waiting for it holds no thread up.
  ///
  /// libcurl's initialisation is safe beside other threads since 7.84; before, it is as safe as that of
  /// every program that uses it from one place
  /// ([libcurl's manual](https://curl.se/libcurl/c/curl_global_init.html)).
  static let loading = Task.detached { () -> Result<Void, NetworkError> in
    if let problem = ccurl_load() {
      return .failure(
        .transport(
          TransportFailure(.other, code: Int(CURLE_FAILED_INIT.rawValue)),
          "libcurl can't be loaded, install libcurl4 or curl: \(String(cString: problem))"))
    }
    let code = ccurl_global_init(Int(CURL_GLOBAL_ALL))
    guard code == CURLE_OK else {
      return .failure(
        .transport(
          TransportFailure(.other, code: Int(code.rawValue)), "libcurl can't be initialised"))
    }
    return .success(())
  }
}
