internal import CCurl
internal import HTTPTargets
internal import HTTPTypes

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A libcurl easy handle with its options. Reused: the memory of one serves many transfers.
///
/// Every `setopt` may fail on a libcurl that doesn't know the option; what matters for safety doesn't
/// rely on such options alone.
final class EasyHandle {
  let handle: UnsafeMutableRawPointer
  /// Where libcurl writes what went wrong, in words.
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var headers: UnsafeMutablePointer<curl_slist>?

  init?() {
    guard let handle = ccurl_easy_init() else {
      message.deallocate()
      return nil
    }
    self.handle = handle
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    ccurl_easy_cleanup(handle)
    ccurl_slist_free_all(headers)
    message.deallocate()
  }

  /// What libcurl says of the failure; empty if it says nothing.
  var errorMessage: String { String(cString: message) }

  /// Forgets the transfer; connections, TLS sessions and names looked up stay.
  func reset() {
    ccurl_easy_reset(handle)
    ccurl_slist_free_all(headers)
    headers = nil
    message[0] = 0
  }

  /// Sets everything up for a request.
  ///
  /// - Throws: ``HTTPTargets/NetworkError`` when there is no memory for what must not be left out.
  func prepare(
    _ request: Request, for transfer: Transfer, configuration: CurlTransport.Configuration,
    share: UnsafeMutableRawPointer?
  ) throws(NetworkError) {
    try require(ccurl_easy_set_string(handle, CURLOPT_URL, request.url))
    // libcurl would fold `/a/../b` to `/b` and ask for something else than it was told.
    set(CURLOPT_PATH_AS_IS, 1)
    set(ccurl_opt_protocols_str(), "http,https")
    // Redirects are followed above, where credentials are dropped and methods kept by the rules.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_NOSIGNAL, 1)
    // Cancelling while a name is being looked up would otherwise wait for the look-up.
    set(ccurl_opt_quick_exit(), 1)
    ccurl_easy_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    if let share { ccurl_easy_set_pointer(handle, CURLOPT_SHARE, share) }

    prepareConnection(request, configuration)
    prepareTimeouts(request.timeouts)
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    try prepareMethod(request, context)
    try prepareHeaders(request)
    if transfer.reportsSent { prepareProgress(context) }

    // Any compression that this libcurl can undo. Who asks for an encoding gets the bytes of it: there is no
    // going on with a part of them otherwise.
    if !request.headers.contains(.acceptEncoding) { set(CURLOPT_ACCEPT_ENCODING, "") }
    ccurl_easy_set_pointer(handle, CURLOPT_HEADERDATA, context)
    ccurl_easy_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      Transfer.from(context)?.receiveHeader(bytes, size * count) ?? 0
    }
    ccurl_easy_set_pointer(handle, CURLOPT_WRITEDATA, context)
    ccurl_easy_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      Transfer.from(context)?.receiveBody(bytes, size * count) ?? 0
    }
  }

  private func prepareConnection(
    _ request: Request, _ configuration: CurlTransport.Configuration
  ) {
    let origin = request.origin
    // Below 8.1 HTTP/2 can stall for seconds, and below 8.0 report a truncated body as complete.
    let usesHTTP2 =
      origin?.scheme == "https" && ccurl_has_http2() != 0
      && (ccurl_runtime_version() >= 0x080100 || configuration.usesHTTP2BelowMinimum)
    set(
      CURLOPT_HTTP_VERSION, usesHTTP2 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
    // Waiting for a connection to share pays with HTTP/2 only; elsewhere it queues every request
    // behind the first answer.
    if usesHTTP2 { set(CURLOPT_PIPEWAIT, 1) }
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    // What stays on this machine, in the clear and perhaps with a token, has no business in a proxy.
    if origin?.isLoopback == true {
      set(CURLOPT_PROXY, "")
    } else if let proxy = configuration.proxy {
      set(CURLOPT_PROXY, proxy)
    }
    // Whatever the system's own configuration still allows: RFC 8996 has given up what is older.
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_PROXY_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    if let file = configuration.certificates.file { set(CURLOPT_CAINFO, file) }
    if let directory = configuration.certificates.directory { set(CURLOPT_CAPATH, directory) }
  }

  private func prepareTimeouts(_ timeouts: Timeouts) {
    set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.milliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    // One more, because libcurl measures once a second and takes a transfer that has just begun for one
    // that stands still. Newer versions ignore more than 16 bits.
    set(CURLOPT_LOW_SPEED_TIME, min((timeouts.idle.milliseconds + 999) / 1000 + 1, 65_535))
  }

  private func prepareMethod(
    _ request: Request, _ context: UnsafeMutableRawPointer
  ) throws(NetworkError) {
    switch request.method {
    case .get where request.body == nil: set(CURLOPT_HTTPGET, 1)
    case .head: set(CURLOPT_NOBODY, 1)
    // A body that is expected and empty is announced too (RFC 9110, section 8.6).
    case .post, .put, .patch: try prepareBody(request.body ?? RequestBody(Data()), context)
    default: if let body = request.body { try prepareBody(body, context) }
    }
    if ![.get, .head, .post].contains(request.method) {
      try require(ccurl_easy_set_string(handle, CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    }
    if request.method == .post || request.method == .patch {
      // On a kept connection that breaks before the first byte of an answer, libcurl sends a request
      // again. What mustn't happen twice gets a connection of its own.
      set(CURLOPT_FRESH_CONNECT, 1)
    }
  }

  private func prepareBody(
    _ body: RequestBody, _ context: UnsafeMutableRawPointer
  ) throws(NetworkError) {
    // The size first: bytes that are copied may have a NUL in them, and a body that is read would be
    // chunked without.
    try require(
      ccurl_easy_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.size)))
    guard let data = body.data else {
      // A `POST` without fields reads its body, and so does any method put in its place.
      try require(ccurl_easy_set_long(handle, CURLOPT_POST, 1))
      ccurl_easy_set_pointer(handle, CURLOPT_READDATA, context)
      let code = ccurl_easy_set_callback(handle, CURLOPT_READFUNCTION) {
        bytes, size, count, context in
        Transfer.from(context)?.sendBody(bytes, size * count) ?? Int(CURL_READFUNC_ABORT)
      }
      try require(code)
      // On a kept connection that breaks before the first byte of an answer, libcurl begins again.
      ccurl_easy_set_pointer(handle, CURLOPT_SEEKDATA, context)
      ccurl_easy_set_seek_callback(handle) { context, offset, origin in
        Transfer.from(context)?.seekBody(offset, origin) ?? CURL_SEEKFUNC_FAIL
      }
      return
    }
    let code = data.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return ccurl_easy_set_string(handle, CURLOPT_COPYPOSTFIELDS, "")
      }
      return ccurl_easy_set_string(handle, CURLOPT_COPYPOSTFIELDS, start)
    }
    try require(code)
  }

  private func prepareProgress(_ context: UnsafeMutableRawPointer) {
    ccurl_easy_set_pointer(handle, CURLOPT_XFERINFODATA, context)
    ccurl_easy_set_progress_callback(handle) { context, _, _, _, sent in
      Transfer.from(context)?.reportSent(Int(sent))
      return 0
    }
    set(CURLOPT_NOPROGRESS, 0)
  }

  private func prepareHeaders(_ request: Request) throws(NetworkError) {
    for field in request.headers {
      // A semicolon is libcurl's way to say that the empty value is meant to be sent.
      try add(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if request.method != .get, request.method != .head {
      // No waiting for `100 Continue`, and no content type of libcurl's invention.
      if !request.headers.contains(.expect) { try add("Expect:") }
      if !request.headers.contains(.contentType) { try add("Content-Type:") }
    }
    if let headers { ccurl_easy_set_list(handle, CURLOPT_HTTPHEADER, headers) }
  }

  private func add(_ header: String) throws(NetworkError) {
    guard let list = ccurl_slist_append(headers, header) else { throw .outOfMemory }
    headers = list
  }

  /// For the options that a request must not go out without.
  private func require(_ code: CURLcode) throws(NetworkError) {
    guard code == CURLE_OK else { throw .outOfMemory }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    ccurl_easy_set_long(handle, option, value)
  }

  private func set(_ option: CURLoption, _ value: String) {
    ccurl_easy_set_string(handle, option, value)
  }
}

extension Duration {
  /// As long as libcurl can count in milliseconds.
  static var longest: Duration { .seconds(2_147_483) }

  /// Whole milliseconds as libcurl takes them: at least 1, because 0 means no limit to it.
  var milliseconds: Int {
    let (seconds, attoseconds) = min(max(self, .zero), .longest).components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
