/// A request for a worker's metrics, and its response (RFC 9110, RFC 9112). The connection ends after one response.
struct MetricsRequest: Sendable, Hashable {
  /// The maximum size of the head in bytes. Prometheus sends a few hundred.
  static let mostBytes = 8192

  static let path = "/metrics"

  /// The reason that the request is refused; nil if it isn't.
  let refusal: Status?
  /// Whether only the header fields of the response are requested.
  let isForFieldsOnly: Bool

  enum Status: String, Sendable {
    case found = "200 OK"
    case malformed = "400 Bad Request"
    case foreign = "403 Forbidden"
    case notFound = "404 Not Found"
    case wrongMethod = "405 Method Not Allowed"
    case tooLong = "431 Request Header Fields Too Large"
    case unavailable = "503 Service Unavailable"
  }

  /// Parses a request; nil until its head is complete.
  init?(_ received: [UInt8]) {
    guard let head = Self.head(of: received) else {
      guard received.count >= Self.mostBytes else { return nil }
      (refusal, isForFieldsOnly) = (.tooLong, false)
      return
    }
    var lines = head.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { line in
        String(
          decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
      }
    if lines.isEmpty { lines = [""] }
    let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
      (refusal, isForFieldsOnly) = (.malformed, false)
      return
    }
    isForFieldsOnly = words[0] == "HEAD"
    let path = words[1].prefix { $0 != "?" }
    let hosts = lines.filter { $0.lowercased().hasPrefix("host:") }
      .map { $0.dropFirst(5).filter { !$0.isWhitespace } }
    if words[0] != "GET", words[0] != "HEAD" {
      refusal = .wrongMethod
    } else if hosts.count > 1 || hosts.isEmpty && words[2] != "HTTP/1.0" {
      refusal = .malformed
    } else if !hosts.allSatisfy(Self.isOwn) {
      // The request comes from a web page in a browser on this machine, whose host name resolves to 127.0.0.1.
      refusal = .foreign
    } else {
      refusal = path == Self.path ? nil : .notFound
    }
  }

  /// The bytes up to the empty line.
  private static func head(of received: [UInt8]) -> ArraySlice<UInt8>? {
    let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    var start = 0
    for (index, byte) in received.enumerated() where byte == lineFeed {
      let line = received[start..<index]
      if index > 0, line.isEmpty || line.elementsEqual([carriageReturn]) {
        return received[..<max(start - 1, 0)]
      }
      start = index + 1
    }
    return nil
  }

  /// Whether the field `Host` refers to this machine.
  private static func isOwn(_ host: some StringProtocol) -> Bool {
    let name = host.split(separator: ":").first?.lowercased() ?? ""
    return name == "127.0.0.1" || name == "localhost"
  }

  /// The response. `metrics` are the metrics, or the reason that they are missing.
  func answer(_ metrics: Result<String, CommandFailure>?) -> [UInt8] {
    switch (refusal, metrics) {
    case (let status?, _): return answer(status, "\(status.rawValue). Ask for \(Self.path).\n")
    case (nil, .success(let text)?): return answer(.found, text)
    case (nil, .failure(let failure)?): return answer(.unavailable, failure.sentences + "\n")
    case (nil, nil): return answer(.unavailable, "\n")
    }
  }

  private func answer(_ status: Status, _ text: String) -> [UInt8] {
    let type =
      status == .found
      ? "text/plain; version=0.0.4; charset=utf-8" : "text/plain; charset=utf-8"
    var fields = [
      "HTTP/1.1 \(status.rawValue)", "Content-Type: \(type)",
      "Content-Length: \(text.utf8.count)", "Cache-Control: no-store", "Connection: close",
    ]
    if status == .wrongMethod { fields.append("Allow: GET, HEAD") }
    let head = fields.joined(separator: "\r\n") + "\r\n\r\n"
    return Array((head + (isForFieldsOnly ? "" : text)).utf8)
  }
}
