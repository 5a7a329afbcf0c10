internal import CCurl
internal import HTTPTargets

extension NetworkError {
  /// Translates a [CURLcode](https://curl.se/libcurl/c/libcurl-errors.html).
  static func curl(_ code: CURLcode, of request: TargetRequest, on easy: EasyHandle) -> NetworkError
  {
    if code == CURLE_OPERATION_TIMEDOUT {
      // ``CurlMulti`` watches the total time, so this timeout is one of the other two.
      let isConnected = unsafe ccurl_easy_get_offset(easy.handle, CURLINFO_PRETRANSFER_TIME_T) > 0
      return .timedOut(isConnected ? .idle : .connect, of: request)
    }
    let host = request.origin.map { "\($0)" } ?? "the server"
    if code == CURLE_OUT_OF_MEMORY {
      // libcurl reports its own limits with this code, such as a head of 300 KB or a huge zstd window.
      return NetworkError(.tooLarge, "the response from \(host) is larger than libcurl accepts")
    }
    // libcurl quotes an invalid proxy URL in full.
    let words = unsafe Redaction.message(
      easy.errorMessage.isEmpty ? String(cString: ccurl_easy_strerror(code)) : easy.errorMessage)
    var failure = TransportFailure(reason(code), code: Int(code.rawValue))
    if refusesClient(code, words) { failure.reason = .clientCertificate }
    if let reason = unsafe proxyRefusal(ccurl_easy_get_long(easy.handle, CURLINFO_HTTP_CONNECTCODE))
    {
      failure.reason = reason
    }
    if code == CURLE_SSL_PINNEDPUBKEYNOTMATCH {
      failure.certificateProblem = .unpinnedKey
    } else if failure.reason == .certificate {
      failure.certificateProblem = unsafe CertificateProblem(
        verifyResult: ccurl_easy_get_long(easy.handle, CURLINFO_SSL_VERIFYRESULT), words: words)
    }
    // The message may contain names from the server's certificate.
    let detail = String(
      String.UnicodeScalarView(
        words.unicodeScalars.map { $0.isASCII && $0.value >= 0x20 ? $0 : " " }))
    return .transport(failure, "\(sentence(about: failure, of: host)): \(detail)")
  }

  static func timedOut(_ phase: TimedOutPhase, of request: TargetRequest) -> NetworkError {
    let host = request.origin.map { "\($0)" } ?? "the server"
    let what =
      switch phase {
      case .connect: "connecting to \(host) took longer than \(words(request.timeouts.connect))"
      case .idle: "\(host) sent nothing for \(words(request.timeouts.idle))"
      case .total: "\(host) took longer than \(words(request.timeouts.total ?? .zero)) to respond"
      }
    return .timedOut(phase, what)
  }

  static func words(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    if seconds == 1 { return "1 second" }
    return Int(exactly: seconds).map { "\($0) seconds" } ?? "\(duration)"
  }

  private static func sentence(about failure: TransportFailure, of host: String) -> String {
    switch failure.reason {
    case .nameLookup: "the name of \(host) can't be resolved"
    case .connection: "no connection to \(host)"
    case .proxy: "the proxy refuses to connect to \(host)"
    case .interrupted: "the connection to \(host) broke"
    case .certificate:
      failure.certificateProblem?.sentence(about: host)
        ?? "the certificate of \(host) isn't trusted"
    case .tls: "no secure connection to \(host)"
    case .clientCertificate where failure.code == Int(CURLE_SSL_CERTPROBLEM.rawValue):
      "the client certificate for \(host) can't be used"
    case .clientCertificate: "\(host) asks for a client certificate that it trusts"
    case .malformedResponse: "the response from \(host) isn't valid HTTP"
    case .contentEncoding: "the response from \(host) can't be decompressed"
    case .other: "the request to \(host) failed"
    }
  }

  /// Whether the server rejected the client's certificate with an alert (RFC 8446, section 6.2). With TLS 1.3, the
  /// alert arrives after the handshake, and libcurl reports a broken connection.
  private static func refusesClient(_ code: CURLcode, _ words: String) -> Bool {
    let words = words.lowercased()
    return [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_SSL_CONNECT_ERROR].contains(code)
      && words.contains("alert") && (words.contains("certificate") || words.contains("unknown ca"))
  }

  /// The reason that a proxy refused `CONNECT`; nil if it didn't. After a 5xx status, the next attempt may succeed (RFC
  /// 9110, section 15.6).
  private static func proxyRefusal(_ status: Int) -> TransportFailure.Reason? {
    switch status {
    case ..<300: nil
    case 500...: .connection
    default: .proxy
    }
  }

  private static func reason(_ code: CURLcode) -> TransportFailure.Reason {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      .nameLookup
    case CURLE_COULDNT_CONNECT, CURLE_PROXY:
      .connection
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      .interrupted
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CRL_BADFILE, CURLE_SSL_PINNEDPUBKEYNOTMATCH:
      .certificate
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED,
      CURLE_USE_SSL_FAILED:
      .tls
    case CURLE_SSL_CERTPROBLEM:
      .clientCertificate
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
      .malformedResponse
    case CURLE_BAD_CONTENT_ENCODING:
      .contentEncoding
    default:
      .other
    }
  }
}

extension CertificateProblem {
  /// With OpenSSL, `verifyResult` is an [`X509_V_ERR_…`](https://docs.openssl.org/3.0/man3/X509_STORE_CTX_get_error/)
  /// code; with other libraries it is meaningless. `words` is libcurl's message, the only indication of a wrong host.
  init?(verifyResult: Int, words: String) {
    switch verifyResult {
    case 10: self = .expired
    case 9: self = .notYetValid
    // The certificate itself or the last one in its chain is self-signed.
    case 18, 19: self = .selfSigned
    case 2, 20, 21: self = .unknownAuthority
    case 23: self = .revoked
    case 62, 64: self = .wrongHost
    default: self.init(words: words.lowercased())
    }
  }

  private init?(words: String) {
    let signs: [(CertificateProblem, [String])] = [
      (
        .wrongHost,
        [
          "does not match target host name", "no alternative certificate subject name",
          "host name mismatch", "hostname mismatch",
        ]
      ),
      (.expired, ["expired", "expiration date has passed"]),
      (.notYetValid, ["not yet valid", "activation date is in the future"]),
      (.revoked, ["revoked"]),
      (.selfSigned, ["self-signed", "self signed"]),
      (.unknownAuthority, ["local issuer", "unknown ca", "signer not found", "issuer is unknown"]),
    ]
    guard let sign = signs.first(where: { $0.1.contains { words.contains($0) } }) else {
      return nil
    }
    self = sign.0
  }

  func sentence(about host: String) -> String {
    switch self {
    case .expired: "the certificate of \(host) has expired"
    case .notYetValid: "the certificate of \(host) isn't valid yet"
    case .selfSigned: "the certificate of \(host) is self-signed"
    case .unknownAuthority:
      "the certificate of \(host) was issued by an authority that isn't trusted"
    case .wrongHost: "the certificate of \(host) is for another host"
    case .revoked: "the certificate of \(host) has been revoked"
    case .unpinnedKey: "the certificate of \(host) has none of the pinned keys"
    }
  }
}
