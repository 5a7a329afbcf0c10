internal import CCurl
internal import HTTPTargets
internal import HTTPTypes
internal import PlatformModules

/// A reusable libcurl easy handle. Old versions of libcurl reject some options, so safety never depends on an option
/// alone.
// @safe: it owns the handle, and the memory that the handle points to.
@safe
final class EasyHandle {
  let handle: UnsafeMutableRawPointer
  private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var route: UnsafeMutablePointer<curl_slist>?
  private var shape: Shape?

  /// The properties that determine the options of a request without a body, except the URL and the header fields.
  private struct Shape: Equatable {
    private let origin: Origin
    private let timeouts: Timeouts
    private let method: HTTPRequest.Method
    private let usesHTTP2: Bool
    private let namesEncoding: Bool
    private let hasCredentials: Bool

    init?(_ transfer: Transfer) {
      let request = transfer.request
      guard request.body == nil, request.method == .get || request.method == .head,
        request.idempotency != .once, transfer.submission.onSent == nil
      else { return nil }
      origin = transfer.submission.origin
      timeouts = request.timeouts
      method = request.method
      usesHTTP2 = transfer.usesHTTP2
      namesEncoding = request.headers.contains(.acceptEncoding)
      hasCredentials = transfer.credentials != nil
    }
  }

  init?() {
    guard let handle = unsafe ccurl_easy_init() else {
      unsafe message.deallocate()
      return nil
    }
    unsafe self.handle = handle
    unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
  }

  deinit {
    unsafe ccurl_easy_cleanup(handle)
    unsafe ccurl_slist_free_all(headers)
    unsafe ccurl_slist_free_all(route)
    unsafe message.deallocate()
  }

  var errorMessage: String { unsafe String(cString: message) }

  /// The number of bytes passed to the system (`CONNECT`, head and body, including libcurl's own repeats); nil if
  /// unknown. With TLS, 0 means that no complete request was sent, because a record counts only after all of it was
  /// passed on.
  var bytesSent: Int? {
    // Each of the two may include the body, depending on libcurl's version and on how the body was sent.
    let (request, upload) = unsafe (
      ccurl_easy_get_long(handle, CURLINFO_REQUEST_SIZE),
      ccurl_easy_get_offset(handle, CURLINFO_SIZE_UPLOAD_T)
    )
    return request < 0 || upload < 0 ? nil : request + Int(upload)
  }

  /// Whether the transfer opened an HTTP/2 connection; nil if it reused an open one.
  var connectedWithHTTP2: Bool? {
    guard unsafe ccurl_easy_get_long(handle, CURLINFO_NUM_CONNECTS) > 0 else { return nil }
    return unsafe ccurl_easy_get_long(handle, CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0)
  }

  /// The durations of the steps that libcurl has completed.
  var timings: TargetResponse.Timings {
    func time(_ info: CURLINFO) -> Duration? {
      let microseconds = unsafe ccurl_easy_get_offset(handle, info)
      return microseconds > 0 ? .microseconds(microseconds) : nil
    }
    var timings = TargetResponse.Timings()
    timings.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
    // These durations are meaningless on a reused connection.
    guard unsafe ccurl_easy_get_long(handle, CURLINFO_NUM_CONNECTS) > 0 else { return timings }
    timings.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
    timings.connect = time(CURLINFO_CONNECT_TIME_T)
    timings.tls = time(CURLINFO_APPCONNECT_TIME_T)
    return timings
  }

  /// Clears the data of the transfer, but keeps connections, TLS sessions and resolved names.
  func finish() {
    // libcurl counts its repeats over the lifetime of the handle, and each repeat opens a connection.
    if unsafe ccurl_easy_get_long(handle, CURLINFO_NUM_CONNECTS) != 0 { shape = nil }
    guard shape != nil else { return reset() }
    unsafe ccurl_easy_set_list(handle, CURLOPT_HTTPHEADER, nil)
    unsafe ccurl_slist_free_all(headers)
    unsafe headers = nil
  }

  private func reset() {
    unsafe ccurl_easy_reset(handle)
    unsafe ccurl_slist_free_all(headers)
    unsafe headers = nil
    unsafe ccurl_slist_free_all(route)
    unsafe route = nil
    shape = nil
  }

  func prepare(
    _ transfer: Transfer, configuration: CurlTransport.Configuration,
    share: UnsafeMutableRawPointer?
  ) throws(NetworkError) {
    unsafe message[0] = 0
    let request = transfer.request
    let context = unsafe Unmanaged.passUnretained(transfer).toOpaque()
    let shape = Shape(transfer)
    if shape == nil || shape != self.shape {
      reset()
      try unsafe prepareOptions(transfer, context, configuration: configuration, share: share)
      self.shape = shape
    }
    try require(set(CURLOPT_URL, request.url))
    try prepareHeaders(request)
    unsafe ccurl_easy_set_pointer(handle, CURLOPT_HEADERDATA, context)
    unsafe ccurl_easy_set_pointer(handle, CURLOPT_WRITEDATA, context)
    unsafe ccurl_easy_set_pointer(handle, CURLOPT_PRIVATE, context)
  }

  private func prepareOptions(
    _ transfer: Transfer, _ context: UnsafeMutableRawPointer,
    configuration: CurlTransport.Configuration, share: UnsafeMutableRawPointer?
  ) throws(NetworkError) {
    let request = transfer.request
    // By default, libcurl would reduce `/a/../b` to `/b`, and so request another resource.
    set(CURLOPT_PATH_AS_IS, 1)
    set(ccurl_opt_protocols_str(), "http,https")
    // ``HTTPTargets/RedirectInterceptor`` follows redirects, because it knows the rules for credentials and methods.
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    set(CURLOPT_NOSIGNAL, 1)
    // Otherwise a cancellation would wait for the DNS lookup.
    set(ccurl_opt_quick_exit(), 1)
    unsafe ccurl_easy_set_pointer(handle, CURLOPT_ERRORBUFFER, message)
    if let share = unsafe share { unsafe ccurl_easy_set_pointer(handle, CURLOPT_SHARE, share) }

    prepareConnection(transfer, configuration)
    try prepareRoute(configuration.routes[transfer.submission.origin])
    try prepareTrust(transfer, configuration)
    prepareTimeouts(request.timeouts)
    try unsafe prepareMethod(request, context)
    if transfer.submission.onSent != nil { unsafe prepareProgress(context) }

    // Accept any compression that libcurl supports, unless the request names one. Such a request expects raw bytes,
    // because only those can be resumed.
    if !request.headers.contains(.acceptEncoding) { set(CURLOPT_ACCEPT_ENCODING, "") }
    unsafe ccurl_easy_set_callback(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      unsafe Transfer.with(context, else: 0) { unsafe $0.receiveHeader(bytes, size * count) }
    }
    unsafe ccurl_easy_set_callback(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      unsafe Transfer.with(context, else: 0) { unsafe $0.receiveBody(bytes, size * count) }
    }
  }

  private func prepareConnection(
    _ transfer: Transfer, _ configuration: CurlTransport.Configuration
  ) {
    set(
      CURLOPT_HTTP_VERSION,
      transfer.usesHTTP2 ? Int(CURL_HTTP_VERSION_2TLS) : Int(CURL_HTTP_VERSION_1_1))
    // Wait for a shared connection. With HTTP/1.1, every request would wait for the first response.
    if transfer.usesHTTP2 { set(CURLOPT_PIPEWAIT, 1) }
    set(CURLOPT_TCP_KEEPALIVE, 1)
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    set(CURLOPT_BUFFERSIZE, 64 << 10)
    // Requests to this machine may contain a token in plain text, so they never use a proxy.
    if transfer.submission.origin.isLoopback {
      set(CURLOPT_PROXY, "")
    } else {
      switch configuration.proxy {
      case .environment: break
      case .direct: set(CURLOPT_PROXY, "")
      case .server(let server): set(CURLOPT_PROXY, server.url)
      }
    }
    if let file = configuration.certificates.file { set(CURLOPT_CAINFO, file) }
    if let directory = configuration.certificates.directory { set(CURLOPT_CAPATH, directory) }
  }

  private func prepareRoute(_ route: CurlTransport.Route?) throws(NetworkError) {
    switch route {
    case nil: return
    case .unixSocket(let path): try promise(.routes, CURLOPT_UNIX_SOCKET_PATH, path)
    case .host(let host, let port):
      // Without a host and a port before it, the route is for every request of this handle.
      unsafe self.route = ccurl_slist_append(nil, "::\(host):\(port)")
      guard unsafe self.route != nil else { throw .outOfMemory }
      guard unsafe ccurl_easy_set_list(handle, CURLOPT_CONNECT_TO, self.route) == CURLE_OK else {
        throw Promise.routes.failure
      }
    }
    set(CURLOPT_PROXY, "")
  }

  /// Sets the options that a request requires. If libcurl doesn't support one of them, the request isn't sent.
  private func prepareTrust(
    _ transfer: Transfer, _ configuration: CurlTransport.Configuration
  ) throws(NetworkError) {
    let origin = transfer.submission.origin
    // RFC 8996 deprecates versions before TLS 1.2, even if the system's configuration allows it.
    let version =
      switch configuration.minimumTLSVersion {
      case .tls12: CURL_SSLVERSION_TLSv1_2
      case .tls13: CURL_SSLVERSION_TLSv1_3
      }
    try promise(.tlsVersion, [CURLOPT_SSLVERSION, CURLOPT_PROXY_SSLVERSION], Int(version))
    if let keys = configuration.pinnedKeys[origin] {
      let digests = keys.map { "sha256//\($0.digest)" }.joined(separator: ";")
      try promise(.pinnedKeys, CURLOPT_PINNEDPUBLICKEY, digests)
    }
    if let certificate = configuration.clientCertificates[origin] {
      try promise(.clientCertificates, CURLOPT_SSLCERT, certificate.file)
      try promise(.clientCertificates, CURLOPT_SSLKEY, certificate.keyFile)
      // Set even if it is empty, because OpenSSL would ask for it in the terminal otherwise.
      try promise(.clientCertificates, CURLOPT_KEYPASSWD, certificate.password)
    }
    if let credentials = transfer.credentials {
      let scheme = credentials.scheme == .basic ? ccurl_auth_basic() : ccurl_auth_digest()
      try promise(.credentials, [CURLOPT_HTTPAUTH], scheme)
      try promise(.credentials, CURLOPT_USERNAME, credentials.user)
      try promise(.credentials, CURLOPT_PASSWORD, credentials.password)
    }
    if configuration.keepsCookies { try promise(.cookies, CURLOPT_COOKIEFILE, "") }
  }

  private enum Promise: String {
    case tlsVersion = "the versions of TLS"
    case pinnedKeys = "pinned keys"
    case clientCertificates = "client certificates"
    case credentials = "names and passwords"
    case cookies = "cookies"
    case routes = "connecting to another host or to a Unix socket"

    var failure: NetworkError { .failedInit("this libcurl doesn't support \(rawValue)") }
  }

  private func promise(
    _ promise: Promise, _ options: [CURLoption], _ value: Int
  ) throws(NetworkError) {
    for option in options where unsafe ccurl_easy_set_long(handle, option, value) != CURLE_OK {
      throw promise.failure
    }
  }

  private func promise(
    _ promise: Promise, _ option: CURLoption, _ value: String
  ) throws(NetworkError) {
    guard set(option, value) == CURLE_OK else { throw promise.failure }
  }

  private func prepareTimeouts(_ timeouts: Timeouts) {
    set(CURLOPT_CONNECTTIMEOUT_MS, timeouts.connect.milliseconds)
    set(CURLOPT_LOW_SPEED_LIMIT, 1)
    // The extra second is necessary because libcurl measures once per second, and regards a transfer that has just
    // started as stalled. Newer versions ignore values beyond 16 bits.
    set(CURLOPT_LOW_SPEED_TIME, min((timeouts.idle.milliseconds + 999) / 1000 + 1, 65_535))
  }

  private func prepareMethod(
    _ request: TargetRequest, _ context: UnsafeMutableRawPointer
  ) throws(NetworkError) {
    switch request.method {
    case .get where request.body == nil: set(CURLOPT_HTTPGET, 1)
    case .head: set(CURLOPT_NOBODY, 1)
    // These methods expect a body, so an empty one is announced too (RFC 9110, section 8.6).
    case .post, .put, .patch: try unsafe prepareBody(request.body ?? RequestBody(Data()), context)
    default: if let body = request.body { try unsafe prepareBody(body, context) }
    }
    // Without this, a `GET` with a body would become a `POST`.
    if ![.get, .head, .post].contains(request.method)
      || (request.method == .get && request.body != nil)
    {
      try require(set(CURLOPT_CUSTOMREQUEST, request.method.rawValue))
    }
    if request.idempotency == .once { unsafe prepareForOnce(context) }
  }

  /// Prevents libcurl from repeating the request when a reused connection breaks before the response begins. No option
  /// disables that ([curl#18417](https://github.com/curl/curl/pull/18417)), but libcurl calls a function before each
  /// attempt.
  private func prepareForOnce(_ context: UnsafeMutableRawPointer) {
    unsafe ccurl_easy_set_pointer(handle, CURLOPT_PREREQDATA, context)
    let asks = unsafe ccurl_easy_set_prereq_callback(handle) { context, _, _, _, _ in
      unsafe Transfer.with(context, else: CURL_PREREQFUNC_ABORT) {
        $0.maySend() ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
      }
    }
    // Servers keep idle connections for at least five seconds, so a connection that was idle for at most three seconds
    // hardly ever closes at this moment.
    let isLimited = unsafe ccurl_easy_set_long(handle, CURLOPT_MAXAGE_CONN, 3)
    if asks != CURLE_OK || isLimited != CURLE_OK { set(CURLOPT_FRESH_CONNECT, 1) }
  }

  private func prepareBody(
    _ body: RequestBody, _ context: UnsafeMutableRawPointer
  ) throws(NetworkError) {
    // The size comes first, because the copied bytes may contain a NUL. Without a size, libcurl sends chunks.
    try unsafe require(
      ccurl_easy_set_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.size ?? -1)))
    guard body.isCopied, let data = body.data else {
      // With this option and without `POSTFIELDS`, libcurl reads the body from the callback, even if another method
      // replaces `POST`.
      try unsafe require(ccurl_easy_set_long(handle, CURLOPT_POST, 1))
      set(CURLOPT_UPLOAD_BUFFERSIZE, 256 << 10)
      unsafe ccurl_easy_set_pointer(handle, CURLOPT_READDATA, context)
      let code = unsafe ccurl_easy_set_callback(handle, CURLOPT_READFUNCTION) {
        bytes, size, count, context in
        unsafe Transfer.with(context, else: Int(CURL_READFUNC_ABORT)) {
          unsafe $0.sendBody(bytes, size * count)
        }
      }
      try require(code)
      // libcurl rewinds the body when it repeats the request on a new connection.
      unsafe ccurl_easy_set_pointer(handle, CURLOPT_SEEKDATA, context)
      unsafe ccurl_easy_set_seek_callback(handle) { context, offset, origin in
        unsafe Transfer.with(context, else: CURL_SEEKFUNC_FAIL) { $0.seekBody(offset, origin) }
      }
      return
    }
    let code = unsafe data.withUnsafeBytes { bytes in
      guard let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self) else {
        return unsafe ccurl_easy_set_string(handle, CURLOPT_COPYPOSTFIELDS, "")
      }
      return unsafe ccurl_easy_set_string(handle, CURLOPT_COPYPOSTFIELDS, start)
    }
    try require(code)
  }

  private func prepareProgress(_ context: UnsafeMutableRawPointer) {
    unsafe ccurl_easy_set_pointer(handle, CURLOPT_XFERINFODATA, context)
    unsafe ccurl_easy_set_progress_callback(handle) { context, _, _, _, sent in
      unsafe Transfer.with(context, else: ()) { $0.reportSent(Int(sent)) }
      return 0
    }
    set(CURLOPT_NOPROGRESS, 0)
  }

  private func prepareHeaders(_ request: TargetRequest) throws(NetworkError) {
    for field in request.headers {
      // A semicolon is libcurl's notation for an empty value.
      try add(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
    }
    if request.body != nil || ![.get, .head].contains(request.method) {
      // Don't wait for `100 Continue`, and don't send libcurl's default content type.
      if !request.headers.contains(.expect) { try add("Expect:") }
      if !request.headers.contains(.contentType) { try add("Content-Type:") }
    }
    if let headers = unsafe headers {
      unsafe ccurl_easy_set_list(handle, CURLOPT_HTTPHEADER, headers)
    }
  }

  private func add(_ header: String) throws(NetworkError) {
    guard let list = unsafe ccurl_slist_append(headers, header) else { throw .outOfMemory }
    unsafe headers = list
  }

  private func require(_ code: CURLcode) throws(NetworkError) {
    guard code == CURLE_OK else { throw .outOfMemory }
  }

  private func set(_ option: CURLoption, _ value: Int) {
    unsafe ccurl_easy_set_long(handle, option, value)
  }

  @discardableResult
  private func set(_ option: CURLoption, _ value: String) -> CURLcode {
    // A string argument would be copied before libcurl copies it again.
    unsafe value.withCString { value in unsafe ccurl_easy_set_string(handle, option, value) }
  }
}

extension RequestBody {
  /// Whether libcurl gets a copy of the body. A large body is read in parts instead, so that it isn't in memory twice.
  var isCopied: Bool { data != nil && size ?? 0 < 64 << 10 }
}

extension Duration {
  /// The longest duration that libcurl can count in milliseconds.
  static var longest: Duration { .seconds(2_147_483) }

  /// The duration in whole milliseconds, at least 1, because 0 means no limit in libcurl.
  var milliseconds: Int {
    let (seconds, attoseconds) = min(max(self, .zero), .longest).components
    return max(1, Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000))
  }
}
